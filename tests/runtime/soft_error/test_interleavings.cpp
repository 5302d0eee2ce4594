// The channel under every interleaving of four reporters and its host over five epochs. The code of
// reporter.hpp and channel.hpp runs here one access to a shared word at a time.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "runtime/soft_error/blocks.hpp"

namespace {

/// A payload that holds the tag of its raise twice: it is torn where they differ.
struct Mark {
  std::uint64_t first = 0, second = 0;
};

/// The exception that ends a step, thrown before the reporter's next access.
struct Paused {};

/// The answers to a reporter's accesses so far. Each step runs its code from the start, answers those
/// accesses from here, and does one more.
struct History {
  std::array<std::uint64_t, 12> answers{};
  std::size_t count = 0;
};

/// The step under way.
struct Step {
  History* history;
  Mark* payload;
  Mark kept;  ///< the payload before the step: running the past again writes to it
  std::size_t replayed = 0;
  bool acted = false;  ///< whether its one access is done
};
Step* step = nullptr;

template <class Act>
std::uint64_t access(Act act) {
  if (step->replayed < step->history->count) return step->history->answers[step->replayed++];
  if (step->acted) throw Paused{};
  *step->payload = step->kept;
  const std::uint64_t answer = act();
  step->acted = true;
  step->history->answers.at(step->history->count++) = answer;
  ++step->replayed;
  return answer;
}

}  // namespace

namespace halfstep {

/// A replacement of the atomics of a reporter.
template <class T>
class SteppedAtomic {
 public:
  explicit SteppedAtomic(T& word) : word_(word) {}

  T load(std::memory_order) const {
    return static_cast<T>(access([this] { return word_; }));
  }
  void store(T value, std::memory_order) const {
    access([&] { return word_ = value; });
  }
  /// Swaps the word, or pauses while it holds the value already.
  T exchange(T value, std::memory_order) const {
    return static_cast<T>(
        access([&] { return word_ == value ? throw Paused{} : std::exchange(word_, value); }));
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order) const {
    const T seen =
        static_cast<T>(access([&] { return word_ == expected ? std::exchange(word_, desired) : word_; }));
    return seen == expected || (expected = seen, false);
  }

 private:
  T& word_;
};

}  // namespace halfstep

#define NearAtomic SteppedAtomic
#define SharedAtomic SteppedAtomic
#include "runtime/soft_error/reporter.hpp"
#undef NearAtomic
#undef SharedAtomic
#include "runtime/soft_error/channel.hpp"

using namespace halfstep::soft_error;

namespace {

constexpr int kReporters = 4;
constexpr std::uint64_t kEpochs = 5;

using Channel = HostChannel<Mark>;

struct Raiser {
  std::uint64_t epoch = 0;  ///< the epoch in which the host handed it out; 0: not yet
  bool returned = false;
  History history;
};

/// The whole state: the memory, and the progress of every raiser.
struct State {
  Tag word = 0, published = 0;
  std::uint64_t publishing = 0, epoch = 1;
  Mark payload;
  std::array<Raiser, kReporters> raisers;

  std::uint64_t hash() const {
    std::uint64_t hash = 14695981039346656037u;
    const auto add = [&](std::uint64_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    };
    for (const std::uint64_t value : {word, published, publishing, epoch, payload.first, payload.second})
      add(value);
    for (const Raiser& r : raisers) {
      add(r.epoch * 2 + r.returned);
      add(r.history.count);
      for (std::size_t n = 0; n < r.history.count; ++n) add(r.history.answers[n]);
    }
    return hash;
  }
};

/// Returns the stage that a raiser raises in. That of the first one makes the least tag of an epoch.
int stage_of_raiser(int n) { return n == 0 ? 0 : 1 + n % 2; }
Tag tag_of_raiser(int n, std::uint64_t epoch) { return make_tag(epoch, stage_of_raiser(n), n); }

class Explorer {
 public:
  /// Visits every reachable state. Returns the expectations that were broken on the way.
  const std::unordered_set<std::string>& explore() {
    go_on({});
    while (!open_.empty()) {
      const State state = open_.back();
      open_.pop_back();
      hand_out_or_raise(state);
      move_on(state);
    }
    return broken_;
  }
  std::size_t states() const { return seen_.size(); }

 private:
  void go_on(const State& state) {
    if (seen_.insert(state.hash()).second) open_.push_back(state);
  }
  void expect(bool holds, const char* what) {
    if (!holds) broken_.insert(what);
  }

  Channel& channel_in(const State& state) {
    Channel& channel = channels_[state.epoch - 1];
    const auto any = channel.reporter();
    any.near->word = state.word;
    any.near->publishing = static_cast<unsigned>(state.publishing);
    any.shared->published = state.published;
    any.shared->payload = state.payload;
    return channel;
  }
  State after(State state, const Channel& channel) {
    const auto any = channel.reporter();
    state.word = any.near->word;
    state.publishing = any.near->publishing;
    state.published = any.shared->published;
    state.payload = any.shared->payload;
    return state;
  }

  /// Hands out the next reporter, one after the other, and lets each one handed out take a step.
  void hand_out_or_raise(const State& state) {
    for (int n = 0; n < kReporters; ++n) {
      if (state.raisers[n].epoch == 0) {
        State next = state;
        next.raisers[n].epoch = state.epoch;
        return go_on(next);
      }
      if (!state.raisers[n].returned) raise_a_step(state, n);
    }
  }

  /// Does one more access of a raiser, and all up to its next.
  void raise_a_step(const State& state, int n) {
    State next = state;
    Raiser& raiser = next.raisers[n];
    Channel& channel = channel_in(state);
    Reporter<Mark> reporter = channel.reporter();
    reporter.since = make_tag(raiser.epoch, 0);
    reporter.tag = make_tag(raiser.epoch, stage_of_raiser(n));
    Step now{&raiser.history, &reporter.shared->payload, reporter.shared->payload};
    step = &now;
    try {
      report_first_error(
          reporter,
          [&](Mark& mark) {
            const Tag tag = tag_of_raiser(n, raiser.epoch);
            mark.first = tag;
            halfstep::SteppedAtomic(mark.second).store(tag, std::memory_order_relaxed);
          },
          n);
      raiser.returned = true;
      raiser.history = {};  // the memory holds all that it did
    } catch (const Paused&) {
      if (!now.acted) return;  // it waits
    }
    next = after(next, channel);
    const Raise before = poll(state), now_seen = poll(next);
    expect(next.published >= state.published, "what the host sees never goes back");
    expect(!before || next.published == state.published, "a raise stays as the host has seen it");
    expect(!now_seen || is_whole(next), "a payload is whole when the host sees its raise");
    expect(now_seen || !all_have_returned(next),
           "a raise is visible when the kernels of its epoch have ended");
    go_on(next);
  }

  Raise poll(const State& state) { return channel_in(state).poll(); }
  static bool is_whole(const State& state) {
    return state.payload.first == state.published && state.payload.second == state.published;
  }
  /// Whether all reporters of the present epoch have returned; false if there are none.
  static bool all_have_returned(const State& state) {
    int of_epoch = 0, returned = 0;
    for (const Raiser& raiser : state.raisers) {
      of_epoch += raiser.epoch == state.epoch;
      returned += raiser.epoch == state.epoch && raiser.returned;
    }
    return of_epoch > 0 && returned == of_epoch;
  }

  /// Lets the host take what it sees, or move on without looking.
  void move_on(const State& state) {
    if (state.epoch == kEpochs) return;
    State next = state;
    next.epoch += 1;
    go_on(next);
    if (!poll(state)) return;
    Channel& taken = channel_in(state);
    const auto record = taken.take();
    expect(record && record->epoch == state.epoch && taken.epoch() == next.epoch,
           "what poll() sees take() takes");
    expect(record && record->payload.first == record->payload.second, "a record is whole");
    taken = in_epoch(state.epoch);
  }
  static Channel in_epoch(std::uint64_t epoch) {
    Channel channel;
    channel.next_epoch(epoch);
    return channel;
  }

  std::array<Channel, kEpochs> channels_{in_epoch(1), in_epoch(2), in_epoch(3), in_epoch(4), in_epoch(5)};
  std::unordered_set<std::uint64_t> seen_;
  std::vector<State> open_;
  std::unordered_set<std::string> broken_;
};

}  // namespace

TEST_CASE("four reporters, five epochs, every interleaving: nothing lost, stale, torn or taken back") {
  Explorer explorer;
  for (const std::string& what : explorer.explore()) FAIL_CHECK("broken: ", what);
  CHECK(explorer.states() > 100'000);
}
