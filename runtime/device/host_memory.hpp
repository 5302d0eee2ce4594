// How much main memory there is to take.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace halfstep {

/// Bytes that the system can give without swapping (MemAvailable), or what is left of the limit that a
/// control group or a container sets, whichever is less. Nothing where the system does not tell. `root`: of
/// the files that tell.
std::optional<std::int64_t> available_main_memory(const std::filesystem::path& root = "/");

}  // namespace halfstep
