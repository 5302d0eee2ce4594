#include "runtime/checkpoint/background_writer.hpp"

#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace halfstep {

namespace {

/// Blocks signals in threads started meanwhile: the main thread handles them, and they interrupt writes.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

BackgroundWriter::BackgroundWriter(double capacity) : capacity_(capacity) {
  const SignalsBlocked blocked;
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    throw std::runtime_error("cannot start a thread that writes files: " + error.code().message() +
                             " (too many threads or processes: see 'ulimit -u')");
  }
}

BackgroundWriter::~BackgroundWriter() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  submitted_.notify_one();
  thread_.join();
}

void BackgroundWriter::throw_error() const {
  if (error_) std::rethrow_exception(error_);
}

std::int64_t BackgroundWriter::submit(Job job, double size) {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return count_ == finished_ || unfinished_ + size <= capacity_ || error_; });
  throw_error();
  jobs_.emplace_back(std::move(job), size);
  unfinished_ += size;
  submitted_.notify_one();
  return ++count_;
}

std::int64_t BackgroundWriter::finished() {
  const std::lock_guard lock(mutex_);
  throw_error();
  return finished_;
}

void BackgroundWriter::drain() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return finished_ == count_ || error_; });
  throw_error();
}

void BackgroundWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    submitted_.wait(lock, [&] { return !jobs_.empty() || closing_; });
    if (jobs_.empty()) return;
    auto [job, size] = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
    job = nullptr;  // frees its memory before there is room for the next job
    lock.lock();
    error_ = error;
    finished_ += !error;
    unfinished_ = finished_ == count_ ? 0 : unfinished_ - size;  // without what rounding has left
    done_.notify_all();
    if (error) return;
  }
}

}  // namespace halfstep
