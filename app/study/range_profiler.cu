#include <cuda_profiler_api.h>

#include "app/study/range_profiler.hpp"
#include "runtime/device/cuda_check.hpp"

namespace halfstep {
namespace {

void mark_range_of_ncu(const std::function<void()>& launch) {
  HALFSTEP_CUDA(cudaDeviceSynchronize());  // earlier work is not part of the range
  HALFSTEP_CUDA(cudaProfilerStart());
  launch();
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  HALFSTEP_CUDA(cudaProfilerStop());
}

const RegisterDeviceFunction marker(mark_range, mark_range_of_ncu);

}  // namespace
}  // namespace halfstep

#if __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)

#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace halfstep {
namespace {

/// Returns libcupti: that of the build's toolkit, else the one the linker finds.
void* cupti() {
  static void* const library = [] {
    const std::string soname = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
    std::string tried;
    for (const std::string& name :
         {std::string(HALFSTEP_CUPTI_LIBRARY), soname, std::string("libcupti.so")}) {
      if (name.empty()) continue;
      if (void* found = dlopen(name.c_str(), RTLD_NOW)) return found;
      tried += (tried.empty() ? "" : "; ") + std::string(dlerror());
    }
    throw std::runtime_error("CUPTI was not found (" + tried + ")");
  }();
  return library;
}

template <class Function>
Function* function_of_cupti(const char* name) {
  void* const found = dlsym(cupti(), name);
  if (!found) throw std::runtime_error(std::string("this CUPTI is too old: it has no ") + name);
  return reinterpret_cast<Function*>(found);
}

const char* advice(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return ": the driver lets administrators alone read the counters (NVreg_RestrictProfilingToAdminUsers)";
    case CUPTI_ERROR_HARDWARE_BUSY:
      return ": another profiler has the counters";
    default:
      return "";
  }
}

void check(CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  function_of_cupti<decltype(cuptiGetResultString)>("cuptiGetResultString")(result, &name);
  throw std::runtime_error(std::string(call) + " failed: " + (name ? name : "error without a name") + " (" +
                           std::to_string(static_cast<int>(result)) + ")" + advice(result));
}

// Every CUPTI call takes one struct that begins with its own size and a null pointer; the fields follow.
#define HALFSTEP_CUPTI(call, parameters) check(function_of_cupti<decltype(call)>(#call)(&(parameters)), #call)
#define HALFSTEP_CUPTI_PARAMETERS(type, name) \
  type name{};                                \
  name.structSize = type##_STRUCT_SIZE

/// Returns the current device's primary context; creates it if necessary.
CUcontext current_context() {
  HALFSTEP_CUDA(cudaFree(nullptr));
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  // Through the runtime, so that the driver's library need not be linked.
  HALFSTEP_CUDA(
      cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, 12000, cudaEnableDefault, &found));
  CUcontext context = nullptr;
  if (found != cudaDriverEntryPointSuccess ||
      reinterpret_cast<decltype(&cuCtxGetCurrent)>(entry)(&context) != CUDA_SUCCESS || !context)
    throw std::runtime_error("the device has no current context");
  return context;
}

/// Enables the profiler only during a measurement: kernels outside are not affected.
class CuptiProfiler final : public RangeProfiler {
 public:
  explicit CuptiProfiler(std::string metric_name) : metric(std::move(metric_name)) {
    int device = 0;
    HALFSTEP_CUDA(cudaGetDevice(&device));
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_Initialize_Params, initialize);
    HALFSTEP_CUPTI(cuptiProfilerInitialize, initialize);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Device_GetChipName_Params, chip);
    chip.deviceIndex = static_cast<std::size_t>(device);
    HALFSTEP_CUPTI(cuptiDeviceGetChipName, chip);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_Host_Initialize_Params, start);
    start.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    start.pChipName = chip.pChipName;
    HALFSTEP_CUPTI(cuptiProfilerHostInitialize, start);
    host = start.pHostObject;
    try {
      make_configuration();
    } catch (...) {
      close();
      throw;
    }
  }
  ~CuptiProfiler() override { close(); }

  CuptiProfiler(const CuptiProfiler&) = delete;
  CuptiProfiler& operator=(const CuptiProfiler&) = delete;

  double measure(const std::function<void()>& launch) override {
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Enable_Params, enable);
    enable.ctx = current_context();
    HALFSTEP_CUPTI(cuptiRangeProfilerEnable, enable);
    CUpti_RangeProfiler_Object* const profiler = enable.pRangeProfilerObject;
    try {
      const double value = measure(profiler, launch);
      HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Disable_Params, disable);
      disable.pRangeProfilerObject = profiler;
      HALFSTEP_CUPTI(cuptiRangeProfilerDisable, disable);
      return value;
    } catch (...) {
      HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Disable_Params, disable);
      disable.pRangeProfilerObject = profiler;
      // Report the first error.
      function_of_cupti<decltype(cuptiRangeProfilerDisable)>("cuptiRangeProfilerDisable")(&disable);
      throw;
    }
  }

 private:
  /// Sets the hardware counters that the metric needs.
  void make_configuration() {
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    add.pHostObject = host;
    add.ppMetricNames = &name;
    add.numMetrics = 1;
    HALFSTEP_CUPTI(cuptiProfilerHostConfigAddMetrics, add);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    size.pHostObject = host;
    HALFSTEP_CUPTI(cuptiProfilerHostGetConfigImageSize, size);
    configuration.resize(size.configImageSize);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params, image);
    image.pHostObject = host;
    image.configImageSize = configuration.size();
    image.pConfigImage = configuration.data();
    HALFSTEP_CUPTI(cuptiProfilerHostGetConfigImage, image);
  }

  /// Returns memory for the hardware counts of one range.
  std::vector<std::uint8_t> counter_image(CUpti_RangeProfiler_Object* profiler) {
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
    size.pRangeProfilerObject = profiler;
    size.pMetricNames = &name;
    size.numMetrics = 1;
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    HALFSTEP_CUPTI(cuptiRangeProfilerGetCounterDataSize, size);
    std::vector<std::uint8_t> counters(size.counterDataSize);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize);
    initialize.pRangeProfilerObject = profiler;
    initialize.counterDataSize = counters.size();
    initialize.pCounterData = counters.data();
    HALFSTEP_CUPTI(cuptiRangeProfilerCounterDataImageInitialize, initialize);
    return counters;
  }

  double measure(CUpti_RangeProfiler_Object* profiler, const std::function<void()>& launch) {
    std::vector<std::uint8_t> counters = counter_image(profiler);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params, set);
    set.pRangeProfilerObject = profiler;
    set.configSize = configuration.size();
    set.pConfig = configuration.data();
    set.counterDataImageSize = counters.size();
    set.pCounterDataImage = counters.data();
    set.range = CUPTI_UserRange;        // a range given by the user, with any number of kernels
    set.replayMode = CUPTI_UserReplay;  // a second pass is a second call of `launch`
    set.maxRangesPerPass = 1;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    set.targetNestingLevel = 1;
    HALFSTEP_CUPTI(cuptiRangeProfilerSetConfig, set);

    for (bool all_passes = false; !all_passes;) all_passes = one_pass(profiler, launch);

    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params, decode);
    decode.pRangeProfilerObject = profiler;
    HALFSTEP_CUPTI(cuptiRangeProfilerDecodeData, decode);
    if (decode.numOfRangeDropped != 0) throw std::runtime_error("CUPTI dropped the range");

    double value = 0;
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
    evaluate.pHostObject = host;
    evaluate.pCounterDataImage = counters.data();
    evaluate.counterDataImageSize = counters.size();
    evaluate.ppMetricNames = &name;
    evaluate.numMetrics = 1;
    evaluate.pMetricValues = &value;
    HALFSTEP_CUPTI(cuptiProfilerHostEvaluateToGpuValues, evaluate);
    return value;
  }

  /// Makes one pass; returns whether it was the last.
  bool one_pass(CUpti_RangeProfiler_Object* profiler, const std::function<void()>& launch) {
    HALFSTEP_CUDA(cudaDeviceSynchronize());  // earlier work is not part of the range
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Start_Params, start);
    start.pRangeProfilerObject = profiler;
    HALFSTEP_CUPTI(cuptiRangeProfilerStart, start);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_PushRange_Params, push);
    push.pRangeProfilerObject = profiler;
    push.pRangeName = "launch";
    HALFSTEP_CUPTI(cuptiRangeProfilerPushRange, push);
    launch();
    HALFSTEP_CUDA(cudaDeviceSynchronize());
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_PopRange_Params, pop);
    pop.pRangeProfilerObject = profiler;
    HALFSTEP_CUPTI(cuptiRangeProfilerPopRange, pop);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Stop_Params, stop);
    stop.pRangeProfilerObject = profiler;
    HALFSTEP_CUPTI(cuptiRangeProfilerStop, stop);
    return stop.isAllPassSubmitted == 1;
  }

  void close() {
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params, end);
    end.pHostObject = host;
    function_of_cupti<decltype(cuptiProfilerHostDeinitialize)>("cuptiProfilerHostDeinitialize")(&end);
    HALFSTEP_CUPTI_PARAMETERS(CUpti_Profiler_DeInitialize_Params, leave);
    function_of_cupti<decltype(cuptiProfilerDeInitialize)>("cuptiProfilerDeInitialize")(&leave);
  }

  std::string metric;
  const char* name = metric.c_str();
  CUpti_Profiler_Host_Object* host = nullptr;
  std::vector<std::uint8_t> configuration;
};

std::unique_ptr<RangeProfiler> make_cupti_profiler(std::string metric) {
  return std::make_unique<CuptiProfiler>(std::move(metric));
}

}  // namespace
}  // namespace halfstep

#else

#include <stdexcept>

namespace halfstep {
namespace {

std::unique_ptr<RangeProfiler> make_cupti_profiler(std::string) {
  throw std::runtime_error(
      "this halfstep was built without CUPTI's range profiler (CUDA 12.6 or newer has it)");
}

}  // namespace
}  // namespace halfstep

#endif

namespace halfstep {

static const RegisterDeviceFunction registered(make_range_profiler, make_cupti_profiler);

}  // namespace halfstep
