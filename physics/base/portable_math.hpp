// exp, log, pow, sin, cos and tanh with the same bits on the host and on a device: they use +, -, *, / and
// fma alone, whose rounding IEEE 754 defines. Every product that is added to something is an explicit fma, so
// that contraction changes nothing.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/device/host_device.hpp"

namespace halfstep::portable {

/// An unevaluated sum of two doubles: `low` is a small correction of `high`.
struct TwoDoubles {
  double high, low;
};

// ln 2 in two parts; the first has so few bits that its product with an exponent is exact.
inline constexpr double kLn2High = 0x1.62e42fefa38p-1;
inline constexpr double kLn2Low = 0x1.ef35793c7673p-45;

/// Returns first + x (second + x (third + ...)).
template <class... Rest>
HALFSTEP_HD double horner(double x, double first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return first;
  else
    return std::fma(x, horner(x, rest...), first);
}

/// Returns 2^n for -1022 <= n <= 1023.
HALFSTEP_HD double power_of_two(std::int64_t n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// Returns exp(x.high + x.low), for a finite x.high and |x.low| far below 1.
HALFSTEP_HD double exp_of_sum(TwoDoubles x) {
  // Beyond these bounds the result is 0 or infinite, and the exponents below are still in range.
  const double high = x.high > 1000 ? 1000 : x.high < -1000 ? -1000 : x.high;
  // n = high / ln 2 to the nearest whole number: adding 1.5 * 2^52 leaves no bits for a fraction.
  constexpr double kShift = 0x1.8p52;
  const double shifted = std::fma(high, 0x1.71547652b82fep0, kShift), n = shifted - kShift;
  const double r = std::fma(-n, kLn2Low, std::fma(-n, kLn2High, high)) + x.low;  // |r| <= ln(2) / 2
  // exp(r) by its series; the first term left out is 4e-18.
  const double tail = horner(r, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
                             1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800);
  const double y = 1 + std::fma(r * r, tail, r);
  // 2^n in two factors: the first product is exact, the second rounds once, also to a subnormal.
  const auto exponent = static_cast<std::int64_t>(n), half = exponent / 2;
  return y * power_of_two(half) * power_of_two(exponent - half);
}

/// Returns ln x for a positive finite x, to a relative error of about 2^-64.
HALFSTEP_HD TwoDoubles log_in_two(double x) {
  // x = 2^n m with sqrt(1/2) <= m < sqrt(2).
  std::int64_t n = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    n = -54;
  }
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t above = bits - std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1);
  n += static_cast<std::int64_t>(above) >> 52;
  const double m = std::bit_cast<double>(bits - (above >> 52 << 52));
  // ln m = 2 artanh s = 2 s (1 + s^2 / 3 + s^4 / 5 + ...), s = (m - 1) / (m + 1), |s| < 0.172. What is small
  // beside the result is kept to 53 bits, the rest to twice as many.
  const double f = m - 1, g = m + 1, g_low = m - (g - 1);
  const double s = f / g, s_low = std::fma(-s, g_low, std::fma(-s, g, f)) / g;
  const double z = s * s, z_low = std::fma(2 * s, s_low, std::fma(s, s, -z));
  const double tail = horner(z, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19,
                             1.0 / 21, 1.0 / 23, 1.0 / 25, 1.0 / 27);
  // t = 1 / 3 + z tail; the second number is what 1.0 / 3 lacks.
  const double t = std::fma(z, tail, 1.0 / 3), t_low = std::fma(z, tail, 1.0 / 3 - t) + 0x1.5555555555555p-56;
  // u = z t, then ln(m) / 2 = s + s u.
  const double u = z * t, u_low = std::fma(z, t_low, std::fma(z_low, t, std::fma(z, t, -u)));
  const double h = std::fma(s, u, s);
  const double h_low = std::fma(s, u_low, std::fma(s_low, u, s_low + std::fma(s, u, s - h)));
  // n ln 2 + ln m. The first product is exact, so contraction changes nothing.
  const double exponent = static_cast<double>(n), a = exponent * kLn2High, high = a + 2 * h;
  return {high, (2 * h - (high - a)) + std::fma(exponent, kLn2Low, 2 * h_low)};
}

/// Returns e^x, to one unit in the last place.
HALFSTEP_HD double exp(double x) {
  if (!(x == x)) return x;
  return exp_of_sum({x, 0});
}

/// Returns ln x, to one unit in the last place; NaN for x < 0, -infinity for 0.
HALFSTEP_HD double log(double x) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(x >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -kInfinity;
  if (x == kInfinity) return x;
  const TwoDoubles result = log_in_two(x);
  return result.high + result.low;
}

/// Returns x^y for x >= 0, to two units in the last place; as std::pow at 0, infinity and NaN. Unlike
/// std::pow NaN for every x < 0 unless y = 0: no state has a negative base.
HALFSTEP_HD double pow(double x, double y) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (y == 0 || x == 1) return 1;
  if (!(x >= 0 && y == y)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return y > 0 ? 0 : kInfinity;
  if (x == kInfinity) return y > 0 ? kInfinity : 0;
  const TwoDoubles l = log_in_two(x);
  const double high = y * l.high;
  if (high > 1000) return kInfinity;
  if (high < -1000) return 0;
  return exp_of_sum({high, std::fma(y, l.low, std::fma(y, l.high, -high))});
}

/// Returns sin(x + quarters pi / 2), to about one unit in the last place of 1; NaN for |x| > 2^50.
HALFSTEP_HD double sin_of_quarters(double x, int quarters) {
  if (!(x >= -0x1p50 && x <= 0x1p50)) return std::numeric_limits<double>::quiet_NaN();
  // n = x / (pi / 2) to the nearest whole number, as in exp_of_sum(). pi / 2 is a sum of three doubles: the
  // product with the first cancels without an error.
  constexpr double kShift = 0x1.8p52;
  const double shifted = std::fma(x, 0x1.45f306dc9c883p-1, kShift), n = shifted - kShift;
  const double r =
      std::fma(-n, -0x1.f1976b7ed8fbcp-110,
               std::fma(-n, 0x1.1a62633145c07p-54, std::fma(-n, 0x1.921fb54442d18p0, x)));  // |r| <= pi / 4
  const double z = r * r;
  const std::int64_t quarter = static_cast<std::int64_t>(n) + quarters;
  // The series of sin and cos; the first terms left out are below 1e-18.
  const double sine = horner(z, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                             1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000);
  const double cosine =
      horner(z, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
             -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000);
  const double value = (quarter & 1) ? std::fma(z, cosine, 1.0) : std::fma(r * z, sine, r);
  return (quarter & 2) ? -value : value;
}

/// Returns sin x, to about one unit in the last place of 1; NaN for |x| > 2^50.
HALFSTEP_HD double sin(double x) { return sin_of_quarters(x, 0); }

/// Returns cos x, as sin().
HALFSTEP_HD double cos(double x) { return sin_of_quarters(x, 1); }

/// Returns tanh x, to three units in the last place.
HALFSTEP_HD double tanh(double x) {
  const double size = x < 0 ? -x : x;
  if (!(size < 20)) return x > 0 ? 1 : x < 0 ? -1 : x;
  // tanh = (e^2x - 1) / (e^2x + 1). Near 0 the difference is the series of exp without its 1.
  const double twice = 2 * size;
  const double tail = horner(twice, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320,
                             1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800);
  const double grown = twice < 0.35 ? std::fma(twice * twice, tail, twice) : exp(twice) - 1;
  const double value = grown / (grown + 2);
  return x < 0 ? -value : value;
}

}  // namespace halfstep::portable
