// How many warps of a kernel a multiprocessor holds, computed for any device without one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace halfstep {

/// What can be computed for: "sm_75", ..., oldest first; nothing in a build without CUDA.
std::vector<std::string> known_architectures();

/// The theoretical occupancy, 0 to 1; 0 where a block does not fit. An architecture that is not known counts
/// as the newest known one before it. Throws std::runtime_error in a build
/// without CUDA.
double occupancy(const std::string& architecture, int threads, int registers, std::size_t static_shared_bytes,
                 std::size_t dynamic_shared_bytes);

}  // namespace halfstep
