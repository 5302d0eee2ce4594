// Sums that are rounded without favour.
//
// What a step adds to a nearly steady flow is less than half a unit in the last place of a number in single
// precision, and plain rounding loses it in every step. With a dither, a number of that half unit's size that
// differs from step to step, it is rounded up in as many steps as its share of the unit says, and counts on
// average (Gray & Stockham, IEEE Trans. Inf. Theory 39, 805, 1993, on dithered quantizers; Connolly, Higham &
// Mary, SIAM J. Sci. Comput. 43, A566, 2021, on sums).
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "physics/base/arithmetic.hpp"

namespace halfstep {

/// The sums of a substep that are rounded so: U_out; U_start with right-hand-side terms, with what drives the
/// flow, with corrections of fourth order; what the last stage starts from; and U_start with what closes
/// walls.
enum class RoundedSum { update, terms, driving, corrections, last_start, walls };
inline constexpr int kRoundedSums = 6, kMostSubsteps = 12;

/// Returns the sign and the power of two of x, 2^e <= |x| < 2^(e + 1), of 2^e itself 2^(e - 1); 0 of 0.
HALFSTEP_HD float power_below(float x) {
  // The product is the next number towards 0 of a power of two, and in the same binade of any other number.
  const float below = x * 0x1.fffffep-1f;
#if defined(__CUDA_ARCH__)
  return __uint_as_float(__float_as_uint(below) & 0xff800000u);
#else
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(below) & 0xff800000u);
#endif
}

/// Returns value + change, in single precision rounded with a dither of dither_of(). A change of 0 keeps the
/// value (-0 becomes 0), the opposite change with the opposite dither takes a change back, and turning both
/// signs turns that of the sum. At a power of two, below which numbers are half as far apart, the dither is
/// that of the smaller unit: a change away from 0 of less than a quarter of the larger one is lost there.
template <class Real>
HALFSTEP_HD Real added(Real value, Real change, Real dither) {
  if constexpr (std::is_same_v<Real, float>) change = fma(power_below(value), dither, change);
  return value + change;
}

/// Returns value + a b + c d, in single precision rounded likewise.
template <class Real>
HALFSTEP_HD Real added_products(Real value, Real a, Real b, Real c, Real d, Real dither) {
  if constexpr (std::is_same_v<Real, float>)
    return added(value, fma(a, b, c * d), dither);
  else
    return fma(a, b, fma(c, d, value));
}

/// Returns the first prime numbers.
template <int count>
constexpr std::array<int, count> first_primes() {
  std::array<int, count> primes{};
  for (int found = 0, n = 2; found < count; ++n) {
    bool is_prime = true;
    for (int i = 0; i < found; ++i) is_prime = is_prime && n % primes[i] != 0;
    if (is_prime) primes[found++] = n;
  }
  return primes;
}

/// Returns the dither of a sum in a substep (from 1) of a step (from 1), for all cells: between -2^-24 and
/// 2^-24, which are half a unit in the last place of numbers from 1 to 2; in double precision 0. Over the
/// steps these are Kronecker's sequences, the fractional parts of multiples of the roots of different primes.
/// Each is evenly spread, so that what rounding adds to the totals does not grow. In many steps they are
/// evenly spread together, too (Weyl, Math. Ann. 77, 313, 1916), so that the rounding of one stage does not
/// favour another's.
template <class Real>
Real dither_of(std::int64_t step, int substep, RoundedSum sum) {
  if constexpr (!std::is_same_v<Real, float>) return Real(0);
  constexpr auto kPrimes = first_primes<kRoundedSums * kMostSubsteps>();
  const double root = std::sqrt(kPrimes[static_cast<int>(sum) * kMostSubsteps + substep - 1]);
  const double multiple = static_cast<double>(step) * root;
  const double centred = 2 * (multiple - std::floor(multiple)) - 1;
  constexpr double kBelowHalfUnit = 0x1.ffffep-25;  // a tie would round away from a value that is kept
  return static_cast<Real>(kBelowHalfUnit * centred);
}

}  // namespace halfstep
