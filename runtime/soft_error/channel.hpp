// The host's end of the channel: owns the two words, hands out reporters, polls.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/soft_error/reporter.hpp"

namespace halfstep::soft_error {

/// `Words` owns the memory of the two tags: beside the kernels, and where the host can read it without
/// synchronising.
template <class Words>
class Channel {
 public:
  /// A handle for `stage` (from 1) of the attempt `epoch`; epochs only grow.
  Reporter reporter(std::uint64_t epoch, int stage) const {
    return {words_.near(), words_.published(), since_, make_tag(epoch, stage)};
  }

  /// One plain acquire load: the tag of the raise that has not been dealt with, or 0.
  Tag poll() const {
    const Tag seen = std::atomic_ref<Tag>(*words_.published()).load(std::memory_order_acquire);
    return seen >= since_ ? seen : 0;
  }

  /// From here on raises of attempts before `epoch` count as dealt with, however late they arrive.
  void next_epoch(std::uint64_t epoch) { since_ = make_tag(epoch, 0); }

 private:
  Words words_;
  Tag since_ = make_tag(1, 0);
};

/// Both tags in ordinary memory, for kernels that run on host threads.
class HostWords {
 public:
  Tag* near() const { return &tags_->near; }
  Tag* published() const { return &tags_->published; }

 private:
  struct Tags {
    alignas(64) Tag near = 0;
    alignas(64) Tag published = 0;
  };
  std::unique_ptr<Tags> tags_ = std::make_unique<Tags>();
};

using HostChannel = Channel<HostWords>;

}  // namespace halfstep::soft_error
