// A thread that writes files while the program continues.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace halfstep {

/// Runs jobs one at a time, in the order of submission. After a job has thrown no other is run, so that no
/// file appears that depends on one that could not be written.
class BackgroundWriter {
 public:
  using Job = std::function<void()>;

  /// Allows unfinished jobs of at most `capacity` in all, or a single one, which bounds the memory they hold.
  explicit BackgroundWriter(double capacity);
  /// Waits for the jobs. Their errors are lost here; call drain() before to get them.
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Waits until there is room for a job of that size, queues it and returns its number, from 1. submit(),
  /// finished() and drain() rethrow what a job threw, every time.
  std::int64_t submit(Job job, double size = 1);
  /// Returns the number of finished jobs.
  std::int64_t finished();
  /// Waits until all jobs are finished.
  void drain();

 private:
  void work();
  void throw_error() const;

  const double capacity_;
  std::mutex mutex_;
  std::condition_variable submitted_, done_;
  std::deque<std::pair<Job, double>> jobs_;  // with their sizes
  std::int64_t count_ = 0, finished_ = 0;
  double unfinished_ = 0;  // size of all
  std::exception_ptr error_;
  bool closing_ = false;
  std::thread thread_;  // the last member, because it uses the others
};

}  // namespace halfstep
