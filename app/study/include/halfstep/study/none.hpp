// Nothing is reported: what the other ways are compared with. Leaves no trace in the machine code.
#pragma once

#include "halfstep/study/payload_buffer.hpp"

namespace halfstep::study {

struct Reporter {};

namespace detail {

template <class Payload>
__device__ __forceinline__ void report(const Reporter&, bool, const Payload&) {}

/// Owns what reporters point to.
class Channel {
 public:
  Reporter reporter() const { return {}; }
};

}  // namespace detail
}  // namespace halfstep::study
