// The first thread with an error raises a soft error of halfstep's channel, without a payload: the host
// computes the failed update again to see what is wrong.
#pragma once

#include "halfstep/study/payload_buffer.hpp"
#include "runtime/soft_error/device_channel.hpp"

namespace halfstep::study {

using Reporter = soft_error::Reporter<>;

namespace detail {

template <class Payload>
__device__ __forceinline__ void report(const Reporter& reporter, bool condition, const Payload&) {
  if (condition) reporter.raise();
}

/// Owns what reporters point to.
class Channel {
 public:
  Reporter reporter() const { return channel_.reporter(); }

 private:
  soft_error::DeviceChannel<> channel_;
};

}  // namespace detail
}  // namespace halfstep::study
