// The processors of a rank.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "runtime/exchange/ranks.hpp"

namespace halfstep::exchange {

/// Returns the number of this rank's processors: those that it is bound to, or its share of the machine's.
inline int processors_of(const Ranks& ranks) {
  const long all = ::sysconf(_SC_NPROCESSORS_ONLN);
  cpu_set_t allowed;
  const bool is_bound = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) < all;
  return is_bound ? CPU_COUNT(&allowed) : std::max(1, static_cast<int>(all) / ranks.size_on_machine());
}

}  // namespace halfstep::exchange
