// Runs a resumable body on a CUDA device, in slices. Include it only in files compiled by nvcc.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "device_pause.hpp"
#include "resumable.hpp"

namespace halfstep::interruptible {

namespace detail {

template <auto body, class Args, class Record>
__global__ void resumable_kernel(const __grid_constant__ Args args, Record* records, std::int64_t threads,
                                 PauseView pause, std::uint32_t last_safe_point) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  bool finished = false;
  if (thread < threads && !records[thread].finished() && pause.may_start()) {
    Record record = records[thread];  // a copy, so that it can live in registers
    SafePoints safe_points(pause, last_safe_point, thread);
    body(args, record, safe_points);
    records[thread] = record;
    finished = record.finished();
    if (record.lost()) pause.report_lost(record.resume_at);
  }
  const int newly = __syncthreads_count(finished);
  if (threadIdx.x == 0 && newly > 0) pause.add_done(newly);
}

template <class Record>
__global__ void reset_kernel(Record* records, std::int64_t threads) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread < threads) records[thread] = Record{};
}

}  // namespace detail

/// Runs `body`, a device function void(const Args&, Record&, SafePoints&), for every thread until the
/// thread's record is finished. `body` must return, not exit. Args is passed by value and may hold pointers;
/// Record must derive from Resumable. progress() and pause() may be called by any host thread at any time,
/// the other calls by one thread. Works on the device that is current at construction.
template <auto body, class Args, class Record>
class Launcher {
  static_assert(std::is_base_of_v<Resumable, Record> && std::is_trivially_copyable_v<Record>);

 public:
  /// Makes `threads` records, run in blocks of `block` threads.
  explicit Launcher(std::int64_t threads, int block = 128)
      : threads_(threads), block_(block), records_(static_cast<std::size_t>(threads)) {
    reset();
  }

  /// Runs one launch, waits for it and returns whether every thread has finished. Throws std::runtime_error
  /// if a record names a safe point that the body does not have.
  bool slice(const Args& args, const Limits& limits, cudaStream_t stream = nullptr) {
    pause_.begin_slice(stream, limits.milliseconds_per_launch);
    if (threads_ > 0) {
      detail::resumable_kernel<body, Args, Record><<<blocks(), block_, 0, stream>>>(
          args, records_.get(), threads_, pause_.view(), detail::last_safe_point(limits));
      HALFSTEP_CUDA_LAUNCHED("resumable_kernel");
    }
    pause_.end_slice(stream);
    HALFSTEP_CUDA(cudaStreamSynchronize(stream));
    pause_.require_none_lost();
    return pause_.done() == threads_;
  }

  /// Launches until every thread has finished, a pause is requested, or `limits.launches` are used up.
  Outcome run(const Args& args, const Limits& limits, cudaStream_t stream = nullptr) {
    for (std::int64_t launch = 0; pause_.done() < threads_; ++launch) {
      if (pause_.requested()) return Outcome::paused;
      if (limits.launches > 0 && launch == limits.launches) return Outcome::out_of_launches;
      slice(args, limits, stream);
    }
    return Outcome::finished;
  }

  /// Returns the progress; launches are counted since construction, reset() or set_records().
  Progress progress() const { return {pause_.done(), threads_, pause_.launches()}; }

  std::vector<Record> records() const {
    std::vector<Record> records(static_cast<std::size_t>(threads_));
    copy(records.data(), records_.get(), cudaMemcpyDeviceToHost);
    return records;
  }
  /// Continues from saved records. Throws std::invalid_argument unless there are as many as threads.
  void set_records(std::span<const Record> records) {
    if (static_cast<std::int64_t>(records.size()) != threads_)
      throw std::invalid_argument("interruptible: there are as many records as threads");
    copy(records_.get(), records.data(), cudaMemcpyHostToDevice);
    pause_.restart(
        std::count_if(records.begin(), records.end(), [](const Record& r) { return r.finished(); }));
  }
  /// Sets all threads back to the start.
  void reset() {
    if (threads_ > 0) {
      detail::reset_kernel<<<blocks(), block_, 0, stream_>>>(records_.get(), threads_);
      HALFSTEP_CUDA_LAUNCHED("reset_kernel");
      stream_.synchronize();
    }
    pause_.restart();
  }

  DevicePause& pause() { return pause_; }

 private:
  unsigned blocks() const { return static_cast<unsigned>((threads_ + block_ - 1) / block_); }

  /// Copies on a separate stream, so that it waits for nothing else.
  void copy(Record* to, const Record* from, cudaMemcpyKind kind) const {
    HALFSTEP_CUDA(
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(threads_) * sizeof(Record), kind, stream_));
    stream_.synchronize();
  }

  std::int64_t threads_;
  int block_;
  DeviceBuffer<Record> records_;
  Stream stream_;
  DevicePause pause_;
};

}  // namespace halfstep::interruptible
