// Resumable threads: a body that leaves at a safe point and continues from there in a later launch.
//
//   struct Sum : Resumable { int row = 0, column = 0; double sum = 0; };
//
//   HALFSTEP_HD void sum(const Matrix& matrix, Sum& my, SafePoints& safe_points) {
//     HALFSTEP_RESUME(my) {
//       for (my.row = 0; my.row < matrix.rows; ++my.row) {
//         for (my.column = 0; my.column < matrix.columns; ++my.column) {
//           my.sum += matrix.element(my.row, my.column);
//           HALFSTEP_SAFE_POINT(1, my, safe_points);
//         }
//         HALFSTEP_SAFE_POINT(2, my, safe_points);
//       }
//     }
//     HALFSTEP_FINISH(my);
//   }
//
// The record holds everything that must survive, loop counters included. Other variables live between two
// safe points, inside braces that hold none. A body may do without the macros: a loop that asks
// safe_points.due() after each piece of its work, returns when told to, and finds in the record where to
// continue.
#pragma once

#include <type_traits>

#include "pause.hpp"

namespace halfstep::interruptible {

/// The base of status records, one per thread. A record is trivially copyable, so it can be saved and loaded.
struct Resumable {
  static constexpr std::int32_t kStart = 0, kFinished = -1;

  std::int32_t resume_at = kStart;  ///< a safe point, kStart or kFinished; below that: lost()

  HALFSTEP_HD bool finished() const { return resume_at == kFinished; }
  HALFSTEP_HD void finish() { resume_at = kFinished; }

  /// Whether the record named a safe point that its body does not have, so that it cannot be resumed.
  HALFSTEP_HD bool lost() const { return resume_at < kFinished; }
  /// Marks the record as lost and keeps the number as its complement, which is below kFinished.
  HALFSTEP_HD void lose() {
    if (resume_at > kStart) resume_at = ~resume_at;
  }
};

namespace detail {

/// The type that HALFSTEP_RESUME switches on. It converts neither to nor from an integer, so a safe point's
/// `case` inside a switch of the body's own does not compile.
enum class ResumePoint : std::int32_t {};

}  // namespace detail

/// Tells a body at its safe points whether to leave; one object per thread and launch.
class SafePoints {
 public:
  /// Interrupts the thread at the `last`-th point it meets, counted from one, if not before.
  HALFSTEP_HD SafePoints(const PauseView& pause, std::uint32_t last, std::int64_t thread)
      : pause_(pause), left_(last), thread_(thread) {
#if defined(__CUDA_ARCH__)
    looked_ = static_cast<std::uint32_t>(clock());
#endif
  }

  /// Whether the thread should leave. Call it after a piece of work, never before, so that a launch that
  /// starts working gets something done.
  HALFSTEP_HD bool due() {
    if (--left_ == 0) return true;
#if defined(__CUDA_ARCH__)
    // The clock of the multiprocessor is cheap to read; memory and the clock of the device are not.
    const std::uint32_t now = static_cast<std::uint32_t>(clock());
    if (now - looked_ < kClocksBetweenLooks) return false;
    looked_ = now;
#endif
    return pause_.due();
  }

  /// Returns the number of the thread, from 0.
  HALFSTEP_HD std::int64_t thread() const { return thread_; }

 private:
#if defined(__CUDA_ARCH__)
  static constexpr std::uint32_t kClocksBetweenLooks = 1 << 14;  // about 10 us
#endif

  PauseView pause_;
  std::uint32_t left_;
  std::uint32_t looked_ = 0;
  std::int64_t thread_;
};

}  // namespace halfstep::interruptible

/// Begins the braced part of a body that holds safe points, and jumps to where the record says. If the record
/// names no safe point of the body, the body returns and the record is lost(). (The loop is entered only by
/// its labels; it is there because compilers warn of an `if` that opens a switch.)
#define HALFSTEP_RESUME(record)                                                            \
  switch (static_cast<::halfstep::interruptible::detail::ResumePoint>((record).resume_at)) \
    while (false)                                                                          \
      if (false) {                                                                         \
        default:                                                                           \
          (record).lose();                                                                 \
          return;                                                                          \
      } else                                                                               \
      case ::halfstep::interruptible::detail::ResumePoint{::halfstep::interruptible::Resumable::kStart}:

/// A safe point. It may stand in loops and conditions at any depth, but in no switch. `number` is a constant
/// from 1 up, unique in the body.
#define HALFSTEP_SAFE_POINT(number, record, safe_points)            \
  do {                                                              \
    static_assert((number) > 0, "safe points are numbered from 1"); \
    if ((safe_points).due()) {                                      \
      (record).resume_at = (number);                                \
      return;                                                       \
    }                                                               \
    [[fallthrough]];                                                \
    case ::halfstep::interruptible::detail::ResumePoint{number}:;   \
  } while (false)

/// Marks the thread as finished and returns. Use it at every exit that is not a safe point.
#define HALFSTEP_FINISH(record) \
  do {                          \
    (record).finish();          \
    return;                     \
  } while (false)
