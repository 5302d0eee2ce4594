// Stands in for async_error.cu in a build without CUDA.
#include "app/study/async_error.hpp"

#include <stdexcept>

namespace halfstep {

StudyReport async_error() {
  throw std::runtime_error(
      "the study async-error needs a CUDA device, and this halfstep was built without CUDA: install nvcc "
      "12.4 or "
      "newer, then build again");
}

}  // namespace halfstep
