// A reporter for kernels whose parameters are frozen, as in a CUDA graph.
#pragma once

#include <stdexcept>

#include "reporter.hpp"

namespace halfstep::soft_error {

/// A reporter whose now(), called first in a kernel, takes the current epoch from the channel's memory.
template <class Payload = void>
class LiveReporter {
 public:
  LiveReporter() = default;
  /// Throws std::invalid_argument unless the stage is 0 to 255: any other would overwrite bits of the epoch.
  LiveReporter(detail::Near* near, detail::Shared<Payload>* shared, int stage)
      : near_(near), shared_(shared), stage_(stage) {
    if (stage < 0 || stage > kLastStage) throw std::invalid_argument("soft error: a stage is 0 to 255");
  }

  HALFSTEP_HD Reporter<Payload> now() const {
    // Relaxed: the stream orders next_epoch(stream) before the kernel.
    const std::uint64_t epoch =
        NearAtomic<std::uint64_t>(near_->live_epoch).load(order::memory_order_relaxed);
    return {near_, shared_, make_tag(epoch, 0), make_tag(epoch, stage_)};
  }

 private:
  detail::Near* near_ = nullptr;
  detail::Shared<Payload>* shared_ = nullptr;
  int stage_ = 1;
};

}  // namespace halfstep::soft_error
