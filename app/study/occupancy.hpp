// Theoretical occupancy of a kernel, computed for any architecture without a device.
#pragma once

#include <cstddef>
#include <string>

namespace halfstep {

/// Returns the theoretical occupancy, 0 to 1; 0 if a block does not fit. Sizes are in bytes per block.
double occupancy(const std::string& architecture, int threads, int registers, std::size_t static_shared_bytes,
                 std::size_t dynamic_shared_bytes);

}  // namespace halfstep
