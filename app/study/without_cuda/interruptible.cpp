// Stands in for interruptible.cu in a build without CUDA.
#include "app/study/interruptible.hpp"

#include <stdexcept>

namespace halfstep {

Table interruptible_cost() {
  throw std::runtime_error(
      "the study interruptible needs a CUDA device, and this halfstep was built without CUDA: install nvcc "
      "12.4 or "
      "newer, then build again");
}

}  // namespace halfstep
