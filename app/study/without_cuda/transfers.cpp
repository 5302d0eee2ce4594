// Stands in for transfers.cu in a build without CUDA.
#include <stdexcept>

#include "app/study/transfers_device.hpp"

namespace halfstep {

TransferFigures measure_transfers(std::vector<std::int64_t>) {
  throw std::runtime_error("this halfstep was built without CUDA");
}

}  // namespace halfstep
