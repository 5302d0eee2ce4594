// A thread that writes files while the program goes on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace halfstep {

/// Does its jobs one by one, in the order they come. The first that throws is the last that is done: no file
/// appears that counts on one that could not be written.
class BackgroundWriter {
 public:
  using Job = std::function<void()>;

  /// At most `capacity` (at least 1) jobs are unfinished at a time, so that what they hold in memory is
  /// bounded.
  explicit BackgroundWriter(int capacity);
  /// Waits for the jobs; whoever wants their errors calls drain() before.
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Waits until there is room. Returns the job's number, from 1. This, finished() and drain() throw what a
  /// job threw, every time.
  std::int64_t submit(Job job);
  /// How many jobs are done.
  std::int64_t finished();
  /// Waits until all are.
  void drain();

 private:
  void work();
  void throw_error() const;

  const std::int64_t capacity_;
  std::mutex mutex_;
  std::condition_variable submitted_, done_;
  std::deque<Job> jobs_;
  std::int64_t count_ = 0, finished_ = 0;
  std::exception_ptr error_;
  bool closing_ = false;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace halfstep
