// Runs a resumable body on host threads, in slices.
#pragma once

#include <atomic>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "resumable.hpp"

namespace halfstep::interruptible {

/// `body`: void(const Args&, Record&, SafePoints&), called for every thread until its record is finished; it
/// must not throw. Record: derived from Resumable. progress() and pause() are for any thread at any moment,
/// the rest for one.
template <auto body, class Args, class Record>
class HostLauncher {
  static_assert(std::is_base_of_v<Resumable, Record> && std::is_trivially_copyable_v<Record>);

 public:
  /// `threads` records, on `workers` threads of the host.
  explicit HostLauncher(std::int64_t threads,
                        int workers = static_cast<int>(std::thread::hardware_concurrency()))
      : records_(static_cast<std::size_t>(threads)), workers_(std::max(workers, 1)) {}

  /// One launch. Returns whether every thread has finished. Throws std::runtime_error if a record names a
  /// safe point that the body does not have.
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

  /// Launches are counted since the start, reset() or set_records().
  Progress progress() const { return {pause_.done(), threads(), pause_.launches()}; }

  std::vector<Record> records() const { return records_; }
  /// Goes on from records saved before; as many as there are threads. Throws std::invalid_argument.
  void set_records(std::span<const Record> records) {
    if (records.size() != records_.size())
      throw std::invalid_argument("interruptible: there are as many records as threads");
    std::copy(records.begin(), records.end(), records_.begin());
    pause_.restart(
        std::count_if(records.begin(), records.end(), [](const Record& r) { return r.finished(); }));
  }
  /// All threads from the start.
  void reset() {
    std::fill(records_.begin(), records_.end(), Record{});
    pause_.restart();
  }

  HostPause& pause() { return pause_; }

 private:
  static constexpr std::int64_t kChunk = 64;

  std::int64_t threads() const { return static_cast<std::int64_t>(records_.size()); }

  /// False: the slice is to end.
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
