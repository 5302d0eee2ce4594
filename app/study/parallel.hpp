// Independent jobs run on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace halfstep {

/// Calls job(0) ... job(count - 1), as many at once as there are cores. After all have ended, rethrows the
/// exception of the first to fail.
template <class Job>
void in_parallel(std::size_t count, Job job) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t n; (n = next++) < count;) try {
        job(n);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next = count;
      }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t n = 0; n < std::min(cores, count); ++n) threads.emplace_back(work);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace halfstep
