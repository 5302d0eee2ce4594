// The sum of loads over the faces of a body, on host threads.
#pragma once

#include <cstdint>

#include "physics/diagnostics/body_loads.hpp"

namespace halfstep {

/// Returns the sum of load(n), 0 <= n < count; the same bits by any number of threads.
template <class Load>
ExactLoads sum_of_loads(std::int64_t count, int threads, const Load& load) {
#pragma omp declare reduction(merge_loads:ExactLoads : merge(omp_out, omp_in)) initializer(omp_priv = {})
  ExactLoads sums{};
#pragma omp parallel for num_threads(threads) reduction(merge_loads : sums)
  for (std::int64_t n = 0; n < count; ++n) {
    LoadsWindow window;
    window.add(load(n), sums);
    window.flush(sums);
  }
  return sums;
}

}  // namespace halfstep
