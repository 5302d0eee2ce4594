#include "runtime/exchange/heartbeat.hpp"

#if HALFSTEP_HAS_MPI

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "runtime/exchange/communicator.hpp"

namespace halfstep::exchange {

/// The words that a rank sends to the next of a ring, and gets from the rank before it. No call waits.
class Ring {
 public:
  enum class Word : int { beat, leave };

  explicit Ring(const Ranks& ranks)
      : ranks_(ranks.duplicate()),
        next_((ranks.rank() + 1) % ranks.size()),
        previous_((ranks.rank() + ranks.size() - 1) % ranks.size()) {
    std::snprintf(own_host_.data(), own_host_.size(), "%s", Ranks::machine().c_str());
    const Parcel hosts{next_, previous_, own_host_.data(), host_of_previous_.data(), own_host_.size()};
    ranks_.swap({&hosts, 1});
    listen();
  }

  /// Sends a word unless the one before it is still under way. Returns whether it did.
  bool send(Word word) {
    if (!has_sent()) return false;
    out_ = static_cast<int>(word);
    check(MPI_Isend(&out_, 1, MPI_INT, next_, kTag, handle(), &sending_), "send a beat");
    return true;
  }
  /// Whether the last word has left.
  bool has_sent() { return is_done(sending_); }
  /// Returns a word that has come, if there is one. Not to be called after Word::leave.
  std::optional<Word> receive() {
    if (!is_done(receiving_)) return std::nullopt;
    const auto word = static_cast<Word>(in_);
    if (word != Word::leave) listen();
    return word;
  }
  std::string name_of_previous() const {
    return "rank " + std::to_string(previous_) + " on " + host_of_previous_.data();
  }

 private:
  static constexpr int kTag = 1;

  MPI_Comm handle() const { return ranks_.communicator_->handle; }
  void listen() {
    check(MPI_Irecv(&in_, 1, MPI_INT, previous_, kTag, handle(), &receiving_), "listen for a beat");
  }
  static bool is_done(MPI_Request& request) {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "look for a beat");
    return done != 0;
  }

  Ranks ranks_;
  int next_, previous_;
  std::array<char, 256> own_host_{}, host_of_previous_{};
  int out_ = 0, in_ = 0;
  MPI_Request sending_ = MPI_REQUEST_NULL, receiving_ = MPI_REQUEST_NULL;
};

class Heartbeat::Thread {
 public:
  Thread(const Ranks& ranks, double limit, Alarm alarm)
      : ring_(ranks), limit_(limit), alarm_(std::move(alarm)), thread_([this] { run(); }) {}
  ~Thread() {
    {
      const std::lock_guard lock(mutex_);
      leaving_ = true;
    }
    left_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    try {
      beat_and_listen();
    } catch (const std::exception& error) {
      alarm_(error.what());
    }
  }

  void beat_and_listen() {
    bool has_left = false, previous_has_left = false;
    double silence = 0;  // seconds
    while (!has_left || !previous_has_left || !ring_.has_sent()) {
      const auto [nap, leaving] = rest();
      if (!has_left) has_left = ring_.send(leaving ? Ring::Word::leave : Ring::Word::beat) && leaving;
      silence += nap;
      while (!previous_has_left) {
        const std::optional<Ring::Word> word = ring_.receive();
        if (!word) break;
        silence = 0;
        previous_has_left = *word == Ring::Word::leave;
      }
      if (previous_has_left || silence <= limit_) continue;
      char text[64];
      std::snprintf(text, sizeof text, " has been silent for %.3g s", limit_);
      return alarm_(ring_.name_of_previous() + text);
    }
  }

  /// Sleeps until the next beat is due. Returns how many seconds that counts, and whether it is time to
  /// leave.
  std::pair<double, bool> rest() {
    constexpr double longest = 1, last_nap = 0.002;  // seconds
    std::unique_lock lock(mutex_);
    const double nap = leaving_ ? last_nap : std::min(longest, limit_ / 10);
    const bool was_leaving = leaving_;
    left_.wait_for(lock, std::chrono::duration<double>(nap), [&] { return leaving_ != was_leaving; });
    return {nap, leaving_};
  }

  Ring ring_;
  double limit_;
  Alarm alarm_;
  std::mutex mutex_;
  std::condition_variable left_;
  bool leaving_ = false;
  std::thread thread_;  // last: it uses the others
};

Heartbeat::Heartbeat(const Ranks& ranks, double limit, Alarm alarm) {
  if (ranks.size() > 1) thread_ = std::make_unique<Thread>(ranks, limit, std::move(alarm));
}

#else

namespace halfstep::exchange {

class Heartbeat::Thread {};

Heartbeat::Heartbeat(const Ranks&, double, Alarm) {}

#endif

Heartbeat::~Heartbeat() = default;

}  // namespace halfstep::exchange
