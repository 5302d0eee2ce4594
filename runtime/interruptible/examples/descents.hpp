// Finds the number below a bound that takes the most steps of n -> n / 2 or 3 n + 1 to reach 1. The number of
// steps is not known in advance, so the kernel may have to be interrupted. Host and GPU run the same body.
#pragma once

#include <halfstep/interruptible/interruptible.hpp>

namespace ik = halfstep::interruptible;

struct Range {
  int numbers_a_thread;
};

struct Search : ik::Resumable {  // everything that survives an interruption
  int number = 0, last = 0;
  long long n = 0;
  int steps = 0, most_steps = 0, best = 0;
};

HALFSTEP_HD void search(const Range& range, Search& my, ik::SafePoints& safe_points) {
  HALFSTEP_RESUME(my) {
    my.number = static_cast<int>(safe_points.thread()) * range.numbers_a_thread + 1;
    my.last = my.number + range.numbers_a_thread - 1;
    for (; my.number <= my.last; ++my.number) {
      my.steps = 0;
      for (my.n = my.number; my.n != 1; ++my.steps) {
        my.n = my.n % 2 == 0 ? my.n / 2 : 3 * my.n + 1;
        HALFSTEP_SAFE_POINT(1, my, safe_points);
      }
      if (my.steps > my.most_steps) {
        my.most_steps = my.steps;
        my.best = my.number;
      }
      HALFSTEP_SAFE_POINT(2, my, safe_points);
    }
  }
  HALFSTEP_FINISH(my);
}

/// Returns the best result of all threads.
inline Search best_of(const std::vector<Search>& searches) {
  Search best;
  for (const Search& search : searches)
    if (search.most_steps > best.most_steps) best = search;
  return best;
}
