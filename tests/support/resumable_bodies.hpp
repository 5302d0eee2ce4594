// Bodies whose length depends on data, for the tests of interruptible kernels on the host and on a device.
// Every result depends on the order of all that was done, so that a stretch lost or done twice shows.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/interruptible/limits.hpp"
#include "runtime/interruptible/resumable.hpp"

namespace resumable_bodies {

using namespace halfstep::interruptible;

HALFSTEP_HD std::uint64_t scramble(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  return x ^ (x >> 29);
}

/// A table whose rows have different lengths, some of them zero.
struct Walk {
  int rows = 0, columns = 0;
  std::uint64_t* results = nullptr;  ///< one per thread

  HALFSTEP_HD int rows_of(std::int64_t thread) const { return static_cast<int>(thread % (rows + 1)); }
  HALFSTEP_HD int columns_of(std::int64_t thread, int row) const {
    return static_cast<int>(scramble(static_cast<std::uint64_t>(thread * 31 + row)) %
                            static_cast<unsigned>(columns + 1));
  }
  HALFSTEP_HD static std::uint64_t mix(std::uint64_t sum, int row, int column) {
    return scramble(sum + static_cast<std::uint64_t>(1000 * row + column + 1));
  }
};

struct Walker : Resumable {
  int row = 0, column = 0;
  std::uint64_t sum = 0;
};

/// Walks through the table in two nested loops with three safe points.
HALFSTEP_HD void walk(const Walk& walk, Walker& my, SafePoints& safe_points) {
  HALFSTEP_RESUME(my) {
    my.sum = static_cast<std::uint64_t>(safe_points.thread());
    HALFSTEP_SAFE_POINT(7, my, safe_points);
    for (my.row = 0; my.row < walk.rows_of(safe_points.thread()); ++my.row) {
      for (my.column = 0; my.column < walk.columns_of(safe_points.thread(), my.row); ++my.column) {
        my.sum = Walk::mix(my.sum, my.row, my.column);
        HALFSTEP_SAFE_POINT(1, my, safe_points);
      }
      my.sum = Walk::mix(my.sum, my.row, -1);
      HALFSTEP_SAFE_POINT(2, my, safe_points);
    }
  }
  walk.results[safe_points.thread()] = my.sum;
  HALFSTEP_FINISH(my);
}

/// The result of walk() from plain loops, and the number of safe points that it meets.
struct Walked {
  std::uint64_t sum = 0;
  std::int64_t points = 0;
};
inline Walked walked(const Walk& walk, std::int64_t thread) {
  Walked all{static_cast<std::uint64_t>(thread), 1};
  for (int row = 0; row < walk.rows_of(thread); ++row) {
    for (int column = 0; column < walk.columns_of(thread, row); ++column, ++all.points)
      all.sum = Walk::mix(all.sum, row, column);
    all.sum = Walk::mix(all.sum, row, -1);
    ++all.points;
  }
  return all;
}

/// The sums of all threads, and the most safe points that one of them meets.
struct Expected {
  std::vector<std::uint64_t> sums;
  std::int64_t most_points = 0;
};
inline Expected expected_of(const Walk& walk, std::int64_t threads) {
  Expected expected;
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const Walked all = walked(walk, thread);
    expected.sums.push_back(all.sum);
    expected.most_points = std::max(expected.most_points, all.points);
  }
  return expected;
}

/// The 3n + 1 problem from the thread's number + 1 down to 1: the number of steps is not known beforehand.
struct Descents {
  std::uint64_t* steps = nullptr;  ///< one per thread
};

struct Descent : Resumable {
  std::uint64_t n = 0, steps = 0;
};

/// Resumes without macros: the record itself says where to go on.
HALFSTEP_HD void descend(const Descents& descents, Descent& my, SafePoints& safe_points) {
  if (my.n == 0) my.n = static_cast<std::uint64_t>(safe_points.thread()) + 1;
  while (my.n != 1) {
    my.n = my.n % 2 == 0 ? my.n / 2 : 3 * my.n + 1;
    ++my.steps;
    if (safe_points.due()) return;
  }
  descents.steps[safe_points.thread()] = my.steps;
  my.finish();
}

inline std::uint64_t steps_of_descent(std::int64_t thread) {
  std::uint64_t steps = 0;
  for (std::uint64_t n = static_cast<std::uint64_t>(thread) + 1; n != 1; ++steps)
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

/// A map that each thread iterates `iterations` times; a device does some hundred million a second.
struct Long {
  std::int64_t iterations = 0;
  std::uint64_t* results = nullptr;  ///< one per thread
};

struct LongWay : Resumable {
  std::int64_t iteration = 0;
  std::uint64_t x = 0;
};

HALFSTEP_HD void go_a_long_way(const Long& way, LongWay& my, SafePoints& safe_points) {
  if (my.iteration == 0) my.x = static_cast<std::uint64_t>(safe_points.thread());
  while (my.iteration < way.iterations) {
    my.x = scramble(my.x + 1);
    ++my.iteration;
    if (safe_points.due()) return;
  }
  way.results[safe_points.thread()] = my.x;
  my.finish();
}

inline std::uint64_t end_of_a_long_way(std::int64_t iterations, std::int64_t thread) {
  std::uint64_t x = static_cast<std::uint64_t>(thread);
  for (std::int64_t n = 0; n < iterations; ++n) x = scramble(x + 1);
  return x;
}

/// A body of `count` turns of three kinds, selected by a switch inside it.
struct Turns {
  int count = 0;
  std::uint64_t* results = nullptr;  ///< one per thread
};

struct Turner : Resumable {
  int turn = 0;
  std::uint64_t x = 0;
};

HALFSTEP_HD std::uint64_t turned(std::uint64_t x, int turn) {
  switch (x % 3) {
    case 0:
      return scramble(x + 1);
    case 1:
      return scramble(x ^ static_cast<std::uint64_t>(turn));
    default:
      return x / 3;
  }
}

/// Has its safe points behind the switch: they cannot stand inside one.
HALFSTEP_HD void take_turns(const Turns& turns, Turner& my, SafePoints& safe_points) {
  HALFSTEP_RESUME(my) {
    my.x = static_cast<std::uint64_t>(safe_points.thread());
    for (my.turn = 0; my.turn < turns.count; ++my.turn) {
      switch (my.turn % 2) {
        case 1:
          if (my.x % 5 == 0) break;
          my.x = turned(my.x, 1);
          break;
        default:
          my.x = turned(my.x, my.turn);
      }
      if (my.x % 2 == 0) {
        HALFSTEP_SAFE_POINT(1, my, safe_points);
      } else {
        HALFSTEP_SAFE_POINT(2, my, safe_points);
      }
    }
  }
  turns.results[safe_points.thread()] = my.x;
  HALFSTEP_FINISH(my);
}

inline unsigned draw(unsigned below) {
  static unsigned random = 2024;
  return (random = random * 1664525u + 1013904223u) / 65536u % below;
}

/// Runs to the end while another thread asks for pauses at random moments. Checks that progress never goes
/// back, and returns the number of pauses.
template <class Launcher, class Args>
int run_under_random_pauses(Launcher& launcher, const Args& args) {
  std::jthread other([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::microseconds(draw(3000)));
      launcher.pause().request();
    }
  });
  int pauses = 0;
  for (std::int64_t before = 0; launcher.run(args, {}) == Outcome::paused; ++pauses) {
    CHECK(launcher.progress().done >= before);
    before = launcher.progress().done;
    launcher.pause().withdraw();
  }
  return pauses;
}

/// Watches the progress of a run in another thread to its end. Checks that it grows, and returns how many
/// values were seen.
template <class Launcher>
std::size_t watch_progress(const Launcher& launcher, std::int64_t threads) {
  std::size_t seen = 1;
  for (std::int64_t last = 0; last < threads;) {
    const std::int64_t done = launcher.progress().done;
    if (done == last) continue;
    CHECK(done > last);
    last = done;
    ++seen;
  }
  return seen;
}

}  // namespace resumable_bodies
