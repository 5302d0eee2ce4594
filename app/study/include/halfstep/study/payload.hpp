// The first thread with an error writes its payload to pinned memory, elected by compare-and-swap, as
// NVIDIA's blog "Asynchronous Error Reporting: When printf Just Won't Do" (2023) has it.
#pragma once

#include "app/study/cas_channel.cuh"
#include "halfstep/study/payload_buffer.hpp"
#include "runtime/device/memory.hpp"

namespace halfstep::study {

using Reporter = CasChannel<PayloadBuffer>;

namespace detail {

template <class Payload>
__device__ __forceinline__ void report(const Reporter& reporter, bool condition, const Payload& payload) {
  if (!condition) return;
  report_by_cas(reporter,
                [&](PayloadBuffer& buffer) { *reinterpret_cast<Payload*>(buffer.bytes) = payload; });
}

/// Owns what reporters point to.
class Channel {
 public:
  Channel() { HALFSTEP_CUDA(cudaMemset(status_.get(), 0, sizeof(int))); }
  Reporter reporter() const { return {status_.get(), host_status_.device(), payload_.device()}; }

 private:
  DeviceBuffer<int> status_{1};
  PinnedValue<int> host_status_;
  PinnedValue<PayloadBuffer> payload_;
};

}  // namespace detail
}  // namespace halfstep::study
