// Sums that are rounded without favour.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "physics/base/rounding.hpp"

using namespace halfstep;

namespace {

constexpr float kUnit = std::numeric_limits<float>::epsilon();  // in the last place of numbers from 1 to 2

float dither(std::int64_t step) { return dither_of<float>(step, 1, RoundedSum::update); }

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// Returns 1 and other numbers of all magnitudes, powers of two and their neighbours among them, of both
/// signs.
std::vector<float> numbers() {
  std::vector<float> all{0.0f};
  const auto add = [&](float value) { all.insert(all.end(), {value, -value}); };
  for (int power = -90; power <= 90; power += 3) {
    const float value = std::ldexp(1.0f, power);
    for (const float near : {value, std::nextafter(value, 0.0f), std::nextafter(value, 2 * value)}) add(near);
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<float> size(0, 10);
  for (int n = 0; n < 100; ++n) add(size(random));
  return all;
}

}  // namespace

TEST_CASE("a change of 0 keeps every bit, whatever the dither") {
  for (const float value : numbers()) {
    CAPTURE(value);
    int changed = 0;
    for (int step = 1; step <= 2000; ++step) changed += !same_bits(added(value, 0.0f, dither(step)), value);
    CHECK(changed == 0);
    CHECK(same_bits(added(value, 0.0f, 0x1.fffffep-25f), value));  // below half a unit by the last bit
  }
}

TEST_CASE("turning the signs of value and change turns that of their sum") {
  for (const float value : numbers())
    for (const float share : {1e-3f, 0.4f, 3.0f}) {
      const float change = share * kUnit * value;
      for (int step = 1; step <= 20; ++step)
        CHECK(added(-value, -change, dither(step)) == -added(value, change, dither(step)));
    }
}

TEST_CASE("changes below half a unit count, which plain rounding loses") {
  for (const double share : {1e-3, 0.01, 0.3, 0.4999, 0.77, -0.01, -0.4, -1.3}) {
    CAPTURE(share);
    const float change = static_cast<float>(share * kUnit);
    if (std::abs(share) < 0.5) CHECK(1.5f + change == 1.5f);
    float value = 1.5f;
    double most = 0;
    for (int step = 1; step <= 20000; ++step) {
      value = added(value, change, dither(step));
      most = std::max(most, std::abs((value - 1.5) / kUnit - step * double(change) / kUnit));
    }
    CHECK(most < 3);  // units; what a number of 10^6 steps loses is as small
  }
}

TEST_CASE("what was added with a dither is taken back with the opposite one") {
  for (const float value : {1.5f, -1.3f, 1e20f})
    for (const float share : {1e-3f, 0.4f, -0.3f, 3.2f}) {
      const float change = share * kUnit * value;
      for (int step = 1; step <= 200; ++step)
        CHECK(added(added(value, change, dither(step)), -change, -dither(step)) == value);
    }
}

TEST_CASE("the dithers of all sums of all substeps have no mean, and none goes with another's") {
  constexpr int kSteps = 20000, kAll = kRoundedSums * kMostSubsteps;
  std::vector<double> means(kAll), products(kAll * kAll);
  for (int step = 1; step <= kSteps; ++step) {
    double d[kAll];
    for (int n = 0; n < kAll; ++n) {
      d[n] = std::ldexp(dither_of<float>(step, n % kMostSubsteps + 1, RoundedSum{n / kMostSubsteps}), 24);
      CHECK(std::abs(d[n]) < 1);
      means[n] += d[n] / kSteps;
    }
    for (int a = 0; a < kAll; ++a)
      for (int b = 0; b <= a; ++b) products[a * kAll + b] += d[a] * d[b] / kSteps;
  }
  for (int a = 0; a < kAll; ++a) {
    CAPTURE(a);
    CHECK(std::abs(means[a]) < 2e-3);
    CHECK(products[a * kAll + a] == doctest::Approx(1.0 / 3).epsilon(0.01));
    const auto of_three_stages = [](int n) { return n < 2 * kMostSubsteps && n % kMostSubsteps < 3; };
    for (int b = 0; b < a; ++b)
      CHECK(std::abs(products[a * kAll + b]) < (of_three_stages(a) && of_three_stages(b) ? 3e-3 : 0.03));
  }
  CHECK(dither_of<double>(7, 1, RoundedSum::update) == 0);
}

TEST_CASE("in double precision a sum is a sum") { CHECK(added(1.0, 0x1p-60, 0.3) == 1.0 + 0x1p-60); }
