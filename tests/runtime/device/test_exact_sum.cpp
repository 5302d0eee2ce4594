// Sums without round-off, against those of an independent algorithm and against what is known.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "runtime/device/exact_sum.hpp"

using namespace halfstep;

namespace {

using Limits = std::numeric_limits<double>;
using Numbers = std::vector<double>;

ExactSum sum_of(const Numbers& numbers) {
  ExactSum sum;
  for (const double x : numbers) sum.add(x);
  return sum;
}

ExactSum windowed(const Numbers& numbers) {
  ExactSum sum;
  ExactWindow window;
  for (const double x : numbers) window.add(x, sum);
  window.flush(sum);
  return sum;
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Checks the sum, in every order if there are few numbers, and that of the numbers with the other sign.
void check(Numbers numbers, double expected) {
  CAPTURE(expected);
  const auto check_this = [&](double value) {
    CHECK(bits(sum_of(numbers).value()) == bits(value));
    CHECK(bits(windowed(numbers).value()) == bits(value));
  };
  std::sort(numbers.begin(), numbers.end());
  if (numbers.size() > 5) return check_this(expected);
  do check_this(expected);
  while (std::next_permutation(numbers.begin(), numbers.end()));
  for (double& x : numbers) x = -x;
  check_this(expected == 0 ? 0 : -expected);
}

/// Returns the rounded sum by Shewchuk's expansions (1997), which must not overflow: numbers that do not
/// overlap, of increasing size.
double sum_by_expansion(const Numbers& numbers) {
  Numbers parts;
  for (double x : numbers) {
    std::size_t kept = 0;
    for (double y : parts) {
      if (std::abs(x) < std::abs(y)) std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0) parts[kept++] = low;
      x = high;
    }
    parts.resize(kept);
    parts.push_back(x);
  }
  double high = 0, low = 0;
  while (!parts.empty() && low == 0) {
    const double x = high, y = parts.back();
    parts.pop_back();
    high = x + y;
    low = y - (high - x);
  }
  // A tie of the last two parts goes the way of the next one.
  if (!parts.empty() && (low < 0) == (parts.back() < 0)) {
    const double twice = 2 * low, next = high + twice;
    if (twice == next - high) high = next;
  }
  return high;
}

/// Returns numbers whose exponents of 2 lie between `low` and `high`; with `cancels` half of them are taken
/// away again but for a last bit.
Numbers random_numbers(std::mt19937_64& random, int count, int low, int high, bool cancels) {
  std::uniform_real_distribution<double> significand(-2, 2);
  std::uniform_int_distribution<int> exponent(low, high);
  Numbers numbers;
  for (int n = 0; n < count; ++n) numbers.push_back(std::ldexp(significand(random), exponent(random)));
  for (int n = 0; cancels && n < count; ++n) numbers.push_back(std::nextafter(-numbers[n], 0));
  return numbers;
}

}  // namespace

TEST_CASE("every double is the sum of itself") {
  std::mt19937_64 random(1);
  for (std::uint64_t exponent = 0; exponent < 0x7ff; ++exponent)
    for (const std::uint64_t fraction :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xfffffffffffff}, random() >> 12}) {
      const auto x = std::bit_cast<double>(exponent << 52 | fraction);
      REQUIRE(bits(sum_of({x}).value()) == bits(x));
      REQUIRE(bits(windowed({x}).value()) == bits(x));
      if (x != 0) REQUIRE(bits(sum_of({-x}).value()) == bits(-x));
    }
}

TEST_CASE("what cancels leaves what is small") {
  check({1e300, 1, -1e300}, 1);
  check({1e300, 1e-300, -1e300}, 1e-300);
  check({1, 0x1p-60, -1}, 0x1p-60);
  check({Limits::max(), Limits::denorm_min(), -Limits::max()}, Limits::denorm_min());
  check({0.1, 0.2, -0.3}, 0x1p-55);
  check({1e16, 1, 1, -1e16}, 2);
}

TEST_CASE("a sum is rounded once, ties to even") {
  check({1, 0x1p-53}, 1);
  check({1, 0x1p-53, Limits::denorm_min()}, 1 + 0x1p-52);
  check({1, 0x1p-53, -Limits::denorm_min()}, 1);
  check({1, 0x1p-52, 0x1p-53}, 1 + 0x1p-51);
  check({1, 0x1p-52, 0x1p-53, -0x1p-200}, 1 + 0x1p-52);
  check({1, -0x1p-54}, 1);
  check({1, -0x1p-54, -0x1p-1000}, 1 - 0x1p-53);
  check({2, -0x1p-53, 0x1p-53}, 2);
  check({0x1p53, 1}, 0x1p53);
  check({0x1p53, 3}, 0x1p53 + 4);
  check(Numbers(10, 0.1), 1);  // the tenth addition of doubles would leave 1 - 2^-53
}

TEST_CASE("subnormal numbers are added, and reach the normal ones") {
  const double least = Limits::denorm_min(), normal = Limits::min();
  check({least, least}, 2 * least);
  check({normal, -least}, normal - least);
  check({normal - least, least}, normal);
  check({normal, normal, least}, 2 * normal);
  check({normal, normal, least, least}, std::nextafter(2 * normal, 1));
  check({normal, normal, least, least, least}, std::nextafter(2 * normal, 1) + 2 * least);
}

TEST_CASE("beyond the largest double is infinity, but not on the way") {
  const double largest = Limits::max(), half_ulp = 0x1p970;
  check({largest, largest, -largest}, largest);
  check({largest, largest}, Limits::infinity());
  check({largest, half_ulp}, Limits::infinity());  // a tie, to even
  check({largest, half_ulp, -Limits::denorm_min()}, largest);
  check({largest, half_ulp, -1, 1}, Limits::infinity());
}

TEST_CASE("zeros add up to +0, whatever their sign, and so do numbers that cancel") {
  check({}, 0);
  check({0.0, 0.0}, 0);
  check({-0.0, -0.0}, 0);
  check({-0.0, 3, -3}, 0);
}

TEST_CASE("a number that is not finite makes the sum NaN, in a window as well") {
  for (const double x : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()})
    for (const Numbers& numbers : {Numbers{x}, Numbers{1, x, 2}, Numbers{x, -x}}) {
      CHECK(std::isnan(sum_of(numbers).value()));
      CHECK(std::isnan(windowed(numbers).value()));
      CHECK(sum_of(numbers).not_finite == windowed(numbers).not_finite);
    }
}

TEST_CASE("random numbers have one sum, in any order and any split, and it is the nearest double") {
  std::mt19937_64 random(2);
  struct Range {
    int low, high;
  };
  for (const auto& [low, high] :
       {Range{0, 0}, Range{-20, 20}, Range{-60, 60}, Range{-1074, -1000}, Range{-1074, 1000}})
    for (const bool cancels : {false, true})
      for (int count = 1; count <= 300; count = 3 * count + 1) {
        Numbers numbers = random_numbers(random, count, low, high, cancels);
        const double expected = sum_by_expansion(numbers);
        for (int order = 0; order < 5; ++order) {
          CHECK(bits(sum_of(numbers).value()) == bits(expected));
          CHECK(bits(windowed(numbers).value()) == bits(expected));
          const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(random() % numbers.size());
          ExactSum first = windowed({numbers.begin(), middle});
          add_words(first, sum_of({middle, numbers.end()}));
          CHECK(bits(first.value()) == bits(expected));
          std::shuffle(numbers.begin(), numbers.end(), random);
        }
      }
}

TEST_CASE("2^36 additions fit, and those of 2^36 sums that have carried") {
  for (const double x : {1 - 0x1p-53, -(1 - 0x1p-53), 0x1.fffffffffffffp900, 0x1.fffffffffffffp-900}) {
    ExactSum sum = sum_of({x});
    for (int n = 0; n < 36; ++n) add_words(sum, ExactSum(sum));
    CHECK(sum.value() == 0x1p36 * x);
    sum.carry();
    CHECK(sum.value() == 0x1p36 * x);
    for (int n = 0; n < 36; ++n) add_words(sum, ExactSum(sum));
    CHECK(sum.value() == 0x1p72 * x);
  }
}

TEST_CASE("a window holds a million of the largest numbers that it takes") {
  // It begins 32 places below the first number; the significand of the others is at its upper end.
  const double x = 0x1.fffffffffffffp10;
  ExactSum sum;
  ExactWindow window;
  window.add(1, sum);
  for (int n = 0; n < 1 << 20; ++n) window.add(x, sum);
  window.flush(sum);
  sum.add(-1);
  CHECK(sum.value() == 0x1p20 * x);
}

TEST_CASE("a struct of sums is rounded sum by sum") {
  struct Sums {
    ExactSum mass, momentum[2];
  } sums;
  struct Rounded {
    double mass, momentum[2];
  };
  sums.mass.add(3);
  sums.momentum[1].add(-4);
  static_assert(kSums<Sums> == 3 && kWords<Sums> == 3 * kWords<ExactSum>);
  const auto values = rounded<Rounded>(sums);
  CHECK(values.mass == 3);
  CHECK(values.momentum[0] == 0);
  CHECK(values.momentum[1] == -4);
}
