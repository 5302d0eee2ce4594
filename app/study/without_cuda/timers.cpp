// Stands in for timers.cu in a build without CUDA.
#include <stdexcept>

#include "app/study/timers_device.hpp"

namespace halfstep {
namespace {

[[noreturn]] void refuse() { throw std::runtime_error("this halfstep was built without CUDA"); }

}  // namespace

VectorAddRun vector_add_run() { refuse(); }
KernelReadings kernel_readings(int) { refuse(); }
std::vector<ProcessorUse> waits_for_kernel(double) { refuse(); }
EventFigures event_figures() { refuse(); }

}  // namespace halfstep
