// Error reporting as in NVIDIA's blog "Asynchronous Error Reporting: When printf Just Won't Do" (2023),
// reduced to its essentials. The studies compare our channel with it.
#pragma once

namespace halfstep {

/// The first thread to swap the status in device memory writes a payload directly to pinned memory and then
/// sets the host's status.
template <class Payload>
struct CasChannel {
  int* device_status;  ///< 0, or 1 after a report
  int* host_status;    ///< the same, in pinned memory
  Payload* payload;    ///< in pinned memory
};

template <class Payload, class Fill>
__device__ void report_by_cas(const CasChannel<Payload>& channel, Fill fill) {
  if (atomicCAS(channel.device_status, 0, 1) != 0) return;
  fill(*channel.payload);
  __threadfence_system();
  *static_cast<volatile int*>(channel.host_status) = 1;
}

}  // namespace halfstep
