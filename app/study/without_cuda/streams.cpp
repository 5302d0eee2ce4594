// Stands in for streams.cu in a build without CUDA.
#include <stdexcept>

#include "app/study/streams_device.hpp"

namespace halfstep {

StreamFigures measure_streams() { throw std::runtime_error("this halfstep was built without CUDA"); }

}  // namespace halfstep
