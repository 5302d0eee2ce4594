// How many warps of a kernel a multiprocessor holds, computed for any device without one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace halfstep {

// An architecture that is not known counts as the newest known one before it. Without CUDA in the build the
// functions that take one throw std::runtime_error.

/// What can be computed for: "sm_75", ..., oldest first; nothing in a build without CUDA.
std::vector<std::string> known_architectures();

/// Shared memory that a block may have at most.
std::size_t most_shared_bytes(const std::string& architecture);

/// The theoretical occupancy, 0 to 1; 0 where a block does not fit.
double occupancy(const std::string& architecture, int threads, int registers, std::size_t static_shared_bytes,
                 std::size_t dynamic_shared_bytes);

}  // namespace halfstep
