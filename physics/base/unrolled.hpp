// A loop with a compile-time count, unrolled by the front end: a short inner loop would prevent the loop
// around it from vectorising, and would put register arrays in memory.
#pragma once

#include <utility>

#include "runtime/device/host_device.hpp"

/// An attribute behind a lambda's parameters that forces its inlining.
#if defined(__CUDACC__)
#define HALFSTEP_INLINED
#else
#define HALFSTEP_INLINED __attribute__((always_inline))
#endif

namespace halfstep {

namespace detail {
template <class F, int... i>
HALFSTEP_HD void unrolled(F&& f, std::integer_sequence<int, i...>) {
  (f(i), ...);
}
}  // namespace detail

/// Calls f(0), f(1), ..., f(n - 1).
template <int n, class F>
HALFSTEP_HD void unrolled(F&& f) {
  detail::unrolled(f, std::make_integer_sequence<int, n>{});
}

}  // namespace halfstep
