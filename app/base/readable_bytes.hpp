// Amounts of memory in words.
#pragma once

#include <cstdint>
#include <string>

namespace halfstep {

/// Returns "512 bytes", "34.2 KiB", "1.5 GiB".
std::string readable_bytes(std::int64_t count);

}  // namespace halfstep
