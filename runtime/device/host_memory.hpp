// Available main memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace halfstep {

/// Returns the bytes that the system can give without swapping (MemAvailable), or the rest of the limit of a
/// control group or container, whichever is less; std::nullopt if the system does not tell. `root` is the
/// root of the system's files.
std::optional<std::int64_t> available_main_memory(const std::filesystem::path& root = "/");

}  // namespace halfstep
