// Compares with the C library in long double where that is wider, so that errors in ulps are meaningful.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "physics/base/portable_math.hpp"

using namespace halfstep;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Returns |value - exact| in units of the last place of `exact` as a double (of the smallest double where it
/// is subnormal).
double ulps(double value, long double exact) {
  const double rounded = static_cast<double>(exact);
  if (value == rounded) return 0;
  if (!std::isfinite(value) || !std::isfinite(rounded)) return kInfinity;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
  return static_cast<double>(std::abs(value - exact) / unit);
}

/// Returns a positive double; every exponent is equally likely, subnormal ones included.
double any_positive(std::mt19937_64& random) {
  return std::ldexp(std::uniform_real_distribution(0.5, 1.0)(random),
                    std::uniform_int_distribution(-1073, 1024)(random));
}

}  // namespace

TEST_CASE("portable exp is within an ulp from underflow to overflow") {
  std::mt19937_64 random(1);
  double worst = 0;
  const auto look = [&](double x) {
    worst = std::max(worst, ulps(portable::exp(x), std::exp((long double)x)));
  };
  for (int n = 0; n < 400000; ++n) {
    look(std::uniform_real_distribution(-746.0, 710.0)(random));
    look(std::uniform_real_distribution(-1.0, 1.0)(random));
    look(std::copysign(any_positive(random), n % 2 ? 1.0 : -1.0));
  }
  CHECK(worst <= 1);
}

TEST_CASE("portable log is within an ulp over all positive numbers") {
  std::mt19937_64 random(2);
  double worst = 0;
  const auto look = [&](double x) {
    worst = std::max(worst, ulps(portable::log(x), std::log((long double)x)));
  };
  for (int n = 0; n < 400000; ++n) {
    look(any_positive(random));
    look(std::uniform_real_distribution(0.5, 2.0)(random));
    look(1 + std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random), -n % 53));  // near the log's zero
  }
  CHECK(worst <= 1);
}

TEST_CASE("portable pow is within two ulp wherever its result is a number") {
  std::mt19937_64 random(3);
  double worst = 0;
  const auto look = [&](double x, double y) {
    worst = std::max(worst, ulps(portable::pow(x, y), std::pow((long double)x, (long double)y)));
  };
  for (int n = 0; n < 400000; ++n) {
    const double x = any_positive(random);
    look(x, std::uniform_real_distribution(-1.2, 1.2)(random));
    // Chooses y such that the result is anywhere between the smallest and the largest number, for x near and
    // far from 1.
    const double log_of_result = std::uniform_real_distribution(-745.0, 709.0)(random);
    look(x, log_of_result / std::log(x));
    const double near = 1 + std::ldexp(std::uniform_real_distribution(-1.0, 1.0)(random), -1 - n % 51);
    if (near != 1) look(near, log_of_result / std::log(near));
    look(std::uniform_real_distribution(0.0, 100.0)(random),
         std::uniform_real_distribution(-4.0, 4.0)(random));
  }
  CHECK(worst <= 2);
}

TEST_CASE("portable functions at the edges do as the C library does") {
  const double least = std::numeric_limits<double>::denorm_min(),
               largest = std::numeric_limits<double>::max();
  const double tiny = std::numeric_limits<double>::min();
  for (const double x : {0.0, -0.0, 1.0, -1.0, 709.782712893384, 709.7827128933841, -745.1332191019411,
                         -745.1332191019412, 1e308, -1e308, least, kInfinity, -kInfinity}) {
    CAPTURE(x);
    CHECK(ulps(portable::exp(x), std::exp((long double)x)) <= 1);
  }
  for (const double x : {0.0, -0.0, 1.0, least, tiny, largest, kInfinity}) {
    CAPTURE(x);
    CHECK(portable::log(x) == std::log(x));
  }
  for (const double x : {0.0, least, tiny, 0.5, 1.0, 2.0, largest, kInfinity})
    for (const double y :
         {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, least, -least, largest, -largest, kInfinity, -kInfinity}) {
      INFO("x ", x, ", y ", y);
      const double expected = std::pow(x, y);
      if (std::isfinite(expected) && expected != 0)
        CHECK(ulps(portable::pow(x, y), std::pow((long double)x, (long double)y)) <= 2);
      else
        CHECK(portable::pow(x, y) == expected);
    }
  CHECK(portable::pow(kNan, 0) == 1);
  CHECK(portable::pow(1, kNan) == 1);
  CHECK(portable::pow(-2.0, 0) == 1);
  for (const double nan :
       {portable::exp(kNan), portable::log(kNan), portable::log(-1.0), portable::log(-kInfinity),
        portable::pow(kNan, 1), portable::pow(2, kNan), portable::pow(-2.0, 2.0)})
    CHECK(std::isnan(nan));
}

TEST_CASE("portable exp, log and pow give these bits in every build") {
  CHECK(portable::exp(1.0) == 0x1.5bf0a8b14576ap+1);
  CHECK(portable::log(10.0) == 0x1.26bb1bbb55516p+1);
  CHECK(portable::pow(10.0, 0.5) == 0x1.94c583ada5b52p+1);
  // Hashes many results with FNV-1: contraction, vectorisation or another compiler must not change one bit.
  std::mt19937_64 random(5);
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto add = [&](double value) { sum = sum * 0x100000001b3 ^ std::bit_cast<std::uint64_t>(value); };
  for (int n = 0; n < 100000; ++n) {
    const double x = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1.6p-54;
    const double y = portable::exp(0.25 * x);
    add(y);
    add(portable::exp(x));
    add(portable::log(y));
    add(portable::pow(y, 0.005 * x));
  }
  CHECK(sum == 7329103428862112260u);
}

TEST_CASE("portable sin and cos are within a unit in the last place of 1") {
  std::mt19937_64 random(5);
  double worst = 0, worst_small = 0;
  const auto look = [&](double x) {
    worst = std::max({worst, std::abs(portable::sin(x) - static_cast<double>(std::sin((long double)x))),
                      std::abs(portable::cos(x) - static_cast<double>(std::cos((long double)x)))});
  };
  for (int n = 0; n < 200000; ++n) {
    look(std::uniform_real_distribution(-10.0, 10.0)(random));
    look(std::uniform_real_distribution(-1e9, 1e9)(random));
    const double small = std::uniform_real_distribution(-0.8, 0.8)(random);
    worst_small = std::max(worst_small, ulps(portable::sin(small), std::sin((long double)small)));
  }
  CHECK(worst <= 0x1p-52);
  CHECK(worst_small <= 1.5);
  CHECK(portable::sin(0) == 0);
  CHECK(portable::cos(0) == 1);
  for (const double x : {kNan, kInfinity, -kInfinity, 0x1p51}) CHECK(std::isnan(portable::sin(x)));
}

TEST_CASE("portable tanh is within three ulps") {
  std::mt19937_64 random(6);
  double worst = 0;
  for (int n = 0; n < 400000; ++n) {
    const double x = std::uniform_real_distribution(-22.0, 22.0)(random), small = x / 100,
                 tiny = std::copysign(any_positive(random), x);
    for (const double at : {x, small, tiny})
      worst = std::max(worst, ulps(portable::tanh(at), std::tanh((long double)at)));
  }
  CHECK(worst <= 3);
  CHECK(portable::tanh(kInfinity) == 1);
  CHECK(portable::tanh(-kInfinity) == -1);
  CHECK(std::isnan(portable::tanh(kNan)));
}
