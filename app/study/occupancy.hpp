// Theoretical occupancy of a kernel, computed for any architecture without a device.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "runtime/device/device_function.hpp"

namespace halfstep {

using Occupancy =
    DeviceFunction<std::optional<double>(const std::string& architecture, int threads, int registers,
                                         std::size_t static_shared_bytes, std::size_t dynamic_shared_bytes)>;
/// Returns the theoretical occupancy, 0 to 1; 0 if a block does not fit; nothing in a build without CUDA,
/// which lacks the header that computes it. Throws std::runtime_error.
inline constinit Occupancy occupancy(Occupancy::nothing);

}  // namespace halfstep
