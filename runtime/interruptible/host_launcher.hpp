// Runs a resumable body on host threads, in slices.
#pragma once

#include <atomic>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "resumable.hpp"

namespace halfstep::interruptible {

/// Runs `body`, a void(const Args&, Record&, SafePoints&), for every thread until the thread's record is
/// finished. `body` must not throw; Record must derive from Resumable. progress() and pause() may be called
/// by any thread at any time, the other calls by one thread.
template <auto body, class Args, class Record>
class HostLauncher {
  static_assert(std::is_base_of_v<Resumable, Record> && std::is_trivially_copyable_v<Record>);

 public:
  /// Makes `threads` records, run on `workers` threads of the host.
  explicit HostLauncher(std::int64_t threads,
                        int workers = static_cast<int>(std::thread::hardware_concurrency()))
      : records_(static_cast<std::size_t>(threads)), workers_(std::max(workers, 1)) {}

  /// Runs one launch and returns whether every thread has finished. Throws std::runtime_error if a record
  /// names a safe point that the body does not have.
  bool slice(const Args& args, const Limits& limits) {
    pause_.begin_slice(limits.milliseconds_per_launch);
    std::atomic<std::int64_t> next{0};
    const auto work = [&] {
      std::int64_t first;
      while ((first = next.fetch_add(kChunk, std::memory_order_relaxed)) < threads())
        if (!run_chunk(first, args, detail::last_safe_point(limits))) return;
    };
    {
      std::vector<std::jthread> others;
      for (int n = 1; n < std::min<std::int64_t>(workers_, (threads() + kChunk - 1) / kChunk); ++n)
        others.emplace_back(work);
      work();
    }
    pause_.end_slice();
    pause_.require_none_lost();
    return pause_.done() == threads();
  }

  /// Launches until every thread has finished, a pause is requested, or `limits.launches` are used up.
  Outcome run(const Args& args, const Limits& limits) {
    for (std::int64_t launch = 0; pause_.done() < threads(); ++launch) {
      if (pause_.requested()) return Outcome::paused;
      if (limits.launches > 0 && launch == limits.launches) return Outcome::out_of_launches;
      slice(args, limits);
    }
    return Outcome::finished;
  }

  /// Returns the progress; launches are counted since construction, reset() or set_records().
  Progress progress() const { return {pause_.done(), threads(), pause_.launches()}; }

  std::vector<Record> records() const { return records_; }
  /// Continues from saved records. Throws std::invalid_argument unless there are as many as threads.
  void set_records(std::span<const Record> records) {
    if (records.size() != records_.size())
      throw std::invalid_argument("interruptible: there are as many records as threads");
    std::copy(records.begin(), records.end(), records_.begin());
    pause_.restart(
        std::count_if(records.begin(), records.end(), [](const Record& r) { return r.finished(); }));
  }
  /// Sets all threads back to the start.
  void reset() {
    std::fill(records_.begin(), records_.end(), Record{});
    pause_.restart();
  }

  HostPause& pause() { return pause_; }

 private:
  static constexpr std::int64_t kChunk = 64;

  std::int64_t threads() const { return static_cast<std::int64_t>(records_.size()); }

  /// Runs one chunk of threads. Returns false if the slice should end.
  bool run_chunk(std::int64_t first, const Args& args, std::uint32_t last_safe_point) {
    const PauseView pause = pause_.view();
    const std::int64_t end = std::min(first + kChunk, threads());
    std::int64_t newly = 0, thread = first;
    for (; thread < end; ++thread) {
      Record& record = records_[static_cast<std::size_t>(thread)];
      if (record.finished()) continue;
      if (!pause.may_start()) break;
      SafePoints safe_points(pause, last_safe_point, thread);
      body(args, record, safe_points);
      newly += record.finished();
      if (record.lost()) pause.report_lost(record.resume_at);
    }
    pause.add_done(newly);
    return thread == end;
  }

  std::vector<Record> records_;
  int workers_;
  HostPause pause_;
};

}  // namespace halfstep::interruptible
