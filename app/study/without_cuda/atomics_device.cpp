// Stands in for atomics_device.cu in a build without CUDA, where it is not called.
#include <stdexcept>

#include "app/study/atomics.hpp"

namespace halfstep::atomics_study {

std::vector<HistogramTrial> device_histograms(std::span<const std::uint8_t>, const Counts&, int) {
  throw std::logic_error("built without CUDA");
}

std::vector<DotTrial> device_dots(std::span<const float>, std::span<const float>, int) {
  throw std::logic_error("built without CUDA");
}

}  // namespace halfstep::atomics_study
