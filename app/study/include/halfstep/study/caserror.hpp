// Errors are reported by the interface of NVIDIA's CASerror.h, which halfstep implements.
#pragma once

#include "CASerror.h"
#include "halfstep/study/payload_buffer.hpp"

namespace halfstep::study {

using Reporter = CASError::MappedErrorType<PayloadBuffer>;

namespace detail {

template <class Payload>
__device__ __forceinline__ void report(const Reporter& reporter, bool condition, const Payload& payload) {
  if (!condition) return;
  // NVIDIA's function takes what it only reads by a reference that is not const.
  CASError::report_first_error(const_cast<Reporter&>(reporter), [&](PayloadBuffer& buffer) {
    *reinterpret_cast<Payload*>(buffer.bytes) = payload;
  });
}

/// Owns what reporters point to.
class Channel {
 public:
  const Reporter& reporter() const { return error_; }

 private:
  Reporter error_;
};

}  // namespace detail
}  // namespace halfstep::study
