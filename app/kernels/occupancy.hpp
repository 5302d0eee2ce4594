// How many warps of a kernel a multiprocessor holds, computed for any device without one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace halfstep {

/// The theoretical occupancy, 0 to 1; 0 where a block does not fit; nothing in a build without CUDA, whose
/// header computes it. Throws std::runtime_error.
std::optional<double> occupancy(const std::string& architecture, int threads, int registers,
                                std::size_t static_shared_bytes, std::size_t dynamic_shared_bytes);

}  // namespace halfstep
