// The device's end of the channel: a handle of four words, passed to a kernel by value.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/soft_error/tag.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace halfstep::soft_error {

namespace detail {

#if defined(__CUDA_ARCH__)
using NearTag = cuda::atomic_ref<Tag, cuda::thread_scope_device>;
using HostTag = cuda::atomic_ref<Tag, cuda::thread_scope_system>;
namespace order = cuda::std;
#else
using NearTag = std::atomic_ref<Tag>;
using HostTag = std::atomic_ref<Tag>;
namespace order = std;
#endif

}  // namespace detail

/// Raises a soft error in the name of one stage of one attempt.
///
/// The word lives beside the kernels and takes the first raise by compare-and-swap; the winner shows it to
/// the host through the `published` word, in pinned memory. A raise older than `since` has been dealt with
/// and counts as none, so nothing ever has to be cleared.
struct Reporter {
  Tag* word = nullptr;
  Tag* published = nullptr;
  Tag since = 0;
  Tag tag = 0;

  /// Whether an earlier stage or attempt has raised: its results are not wanted, so the kernel may return at
  /// once. One look at the start of a kernel.
  HALFSTEP_HD bool cancelled() const {
    // Relaxed: the answer only saves work; what the failed stage wrote is ordered by the stream.
    const Tag seen = detail::NearTag(*word).load(detail::order::memory_order_relaxed);
    return seen >= since && seen < tag;
  }

  /// Looks before it swaps, so that a thousand failing threads cost a thousand loads and not a thousand
  /// atomics.
  HALFSTEP_HD void raise() const {
    detail::NearTag near(*word);
    Tag seen = near.load(detail::order::memory_order_relaxed);
    while (seen < since) {
      // Acquire and release: a later winner's publish() below has to see this swap.
      if (near.compare_exchange_weak(seen, tag, detail::order::memory_order_acq_rel,
                                     detail::order::memory_order_relaxed)) {
        publish();
        return;
      }
    }
  }

 private:
  /// Copies the word to the host's side until both agree: a late winner of an old attempt cannot hide a new
  /// one, because whoever stores last has looked at the word after storing.
  HALFSTEP_HD void publish() const {
    detail::NearTag near(*word);
    Tag shown;
    do {
      shown = near.load(detail::order::memory_order_acquire);
      // Release at system scope: a host that reads the tag also sees what was written before the raise.
      // Sequential consistency keeps the load of the loop condition behind the store.
      detail::HostTag(*published).store(shown, detail::order::memory_order_seq_cst);
    } while (near.load(detail::order::memory_order_seq_cst) != shown);
  }
};

static_assert(sizeof(Reporter) == 32, "passed to kernels by value: stays small");

}  // namespace halfstep::soft_error
