// The sample's second translation unit: other code that compiles with NVIDIA's header.
#include <iostream>

#include "caserror_sample.h"

namespace detail {
struct Element {
  int number;
};
}  // namespace detail

using namespace CASError;

int report(MappedErrorType<RootError>& error, cudaStream_t stream) {
  if (!error.checkErrorReported()) return 0;
  auto& seen = error.get();
  std::cerr << "ERROR " << seen.code << ", line " << seen.line << ", file "
            << getDeviceString(seen.file, stream) << ", block " << seen.block << ", thread " << seen.thread
            << std::endl;
  return seen.code;
}

struct Functor {
  MappedErrorType<RootError> error;
  __device__ void operator()(detail::Element at) {
    report_first_error(error, [&](RootError& payload) { payload.element = at.number; });
  }
};

template <class F>
__global__ void apply(F function) {
  function(detail::Element{static_cast<int>(threadIdx.x)});
}

__global__ void swap_by_hand(MappedErrorTypeDeviceData<RootError> data) {
  auto [host_status, device_status, payload] = data;
  if (atomicCAS(reinterpret_cast<int*>(device_status), 0, 1) != 0) return;
  payload->code = host_status != nullptr;
  __threadfence_system();
  data.synchronizeStatus();
}

bool other_ways(MappedErrorType<RootError>& error) {
  DeviceStatus<int> status = {};
  PinnedMemory<RootError> memory;
  auto [host_status, device_status, payload] = error.deviceData;
  Functor functor{error}, copy = functor;
  copy = functor;
  apply<<<1, 32>>>(functor);
  apply<<<1, 32>>>(copy);
  apply<<<1, 32>>>([=] __device__(detail::Element at) mutable {
    report_first_error(error, [&](RootError& written) { written.element = at.number; });
  });
  swap_by_hand<<<1, 32>>>(error.deviceData);
  checkCuda(cudaDeviceSynchronize());
  return status.status() == 0 && memory.hdata->code == 0 && host_status->load() == 1 && device_status &&
         payload;
}
