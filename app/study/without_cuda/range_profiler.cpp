// Stands in for range_profiler.cu in a build without CUDA.
#include "app/study/range_profiler.hpp"

#include <stdexcept>

namespace halfstep {
namespace {

const char* const kReason = "this halfstep was built without CUDA";

}  // namespace

struct RangeProfiler::Session {};
RangeProfiler::RangeProfiler(std::string) { throw std::runtime_error(kReason); }
RangeProfiler::~RangeProfiler() = default;
double RangeProfiler::measure(const std::function<void()>&) { throw std::runtime_error(kReason); }

void mark_range(const std::function<void()>&) { throw std::runtime_error(kReason); }

}  // namespace halfstep
