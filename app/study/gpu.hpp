// The GPU of this machine, asked for through its driver: also by a build without CUDA.
#pragma once

#include <optional>
#include <string>

namespace halfstep {

/// Returns the architecture of the first visible GPU, e.g. "sm_90"; nothing without a driver or a GPU.
std::optional<std::string> gpu_architecture();

}  // namespace halfstep
