#include "app/bench/limits.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "runtime/device/copy_loop.hpp"
#include "runtime/device/fma_loop.hpp"

namespace halfstep {
namespace {

constexpr int kRepeats = 5;

/// Returns the bytes of each copied array: twice the largest cache, so that one pass leaves nothing for the
/// next, at least 256 MiB, but at most an eighth of the memory.
std::size_t copied_bytes() {
  const auto size_of = [](int name) { return static_cast<std::size_t>(std::max(0L, sysconf(name))); };
  constexpr std::size_t least = 256u << 20;
  const std::size_t memory = size_of(_SC_PHYS_PAGES) * size_of(_SC_PAGESIZE);
  return std::min(std::max(least, 2 * size_of(_SC_LEVEL3_CACHE_SIZE)), memory / 8);
}

}  // namespace

double MachineLimits::copy() const { return *std::max_element(copy_rates.begin(), copy_rates.end()); }
double MachineLimits::fma() const { return *std::max_element(fma_rates.begin(), fma_rates.end()); }

MachineLimits host_limits(Precision precision, int threads) {
  const auto measured = [&]<class Real>(Real) -> MachineLimits {
    return {host_copy_rates<Real>(copied_bytes(), kRepeats, threads),
            host_fma_rates<Real>(kRepeats, threads)};
  };
  return precision == Precision::double_precision ? measured(0.0) : measured(0.0f);
}

}  // namespace halfstep
