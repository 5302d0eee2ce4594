// A reporter for kernels whose parameters are frozen, as in a CUDA graph.
#pragma once

#include "reporter.hpp"

namespace halfstep::soft_error {

/// Takes the epoch from the channel's memory when its kernel starts: `const auto reporter = live.now();`
template <class Payload = void>
struct LiveReporter {
  detail::Near* near = nullptr;
  detail::Shared<Payload>* shared = nullptr;
  int stage = 1;

  HALFSTEP_HD Reporter<Payload> now() const {
    // Relaxed: next_epoch(stream) is ordered before the kernel by the stream.
    const std::uint64_t epoch = NearAtomic<std::uint64_t>(near->live_epoch).load(order::memory_order_relaxed);
    return {near, shared, make_tag(epoch, 0), make_tag(epoch, stage)};
  }
};

}  // namespace halfstep::soft_error
