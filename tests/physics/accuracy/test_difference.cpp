// Differences that can be worked out by hand, NaN included.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "physics/accuracy/difference.hpp"

using namespace halfstep;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
using List = std::vector<double>;

Difference scalars(const List& a, const List& b, const Tolerance& tolerance = {}) {
  return difference(a, b, 1, tolerance);
}

}  // namespace

TEST_CASE("norms of a difference are the mean, the root mean square and the largest distance") {
  const Difference d = scalars({1, 2, 3, -8}, {1, 5, 3, -4});
  CHECK(d.norms.l1 == 7.0 / 4);
  CHECK(d.norms.l2 == 2.5);
  CHECK(d.norms.linf == 4);
  CHECK(d.largest == 8);
  CHECK(d.worst == 3);
  CHECK(d.count == 2);
  CHECK_FALSE(d.same_bits);
}

TEST_CASE("the distance of vectors is the length of their difference") {
  const Difference d = difference(List{1, 1, 1, 0, 0, 0}, List{1, 1, 1, 2, 3, 6}, 3, {});
  CHECK(d.norms.linf == 7);
  CHECK(d.norms.l1 == 3.5);
  CHECK(d.largest == 7);
  CHECK(d.worst == 1);
  CHECK(d.count == 1);
}

TEST_CASE("a tolerance is absolute plus relative to the largest magnitude of either side") {
  const List a = {1, -100}, b = {1.5, -100};
  CHECK(scalars(a, b).count == 1);
  CHECK(scalars(a, b, {.absolute = 0.5}).count == 0);
  CHECK(scalars(a, b, {.absolute = 0.499}).count == 1);
  CHECK(scalars(a, b, {.relative = 0.005}).count == 0);
  CHECK(scalars(a, b, {.relative = 0.0049}).count == 1);
  CHECK(scalars(a, b, {.relative = 0.0049, .absolute = 0.01}).count == 0);
  CHECK(scalars(a, b, {.relative = 0.0049, .absolute = 0.01}).allowed == doctest::Approx(0.5));
}

TEST_CASE("without a tolerance only the same bits are equal") {
  CHECK(scalars({0.1, 5e-324}, {0.1, 5e-324}).same_bits);
  CHECK(scalars({0.1}, {std::nextafter(0.1, 1)}).count == 1);
  CHECK(scalars({0.0}, {-0.0}).count == 1);
  CHECK(scalars({0.0}, {-0.0}, {.absolute = 1e-300}).count == 0);
  CHECK_FALSE(scalars({0.0}, {-0.0}, {.absolute = 1e-300}).same_bits);
}

TEST_CASE("NaN equals NaN at its own place alone, and is told of") {
  const Difference both = scalars({1, kNan, kNan}, {1, kNan, kNan});
  CHECK(both.count == 0);
  CHECK(both.same_bits);
  CHECK(both.both_nan == 2);
  CHECK(both.first_nan == 1);
  // No tolerance, however large, lets NaN pass for a number.
  for (const Tolerance& tolerance :
       {Tolerance{}, Tolerance{.relative = 1e300}, Tolerance{.absolute = 1e300}}) {
    const Difference one = scalars({1, kNan, 3}, {1.5, 2, 3}, tolerance);
    CHECK(one.count >= 1);
    CHECK(one.worst == 1);
    CHECK(one.norms.linf == 0.5);  // over the entries that are numbers
    CHECK(one.norms.l1 == 0.25);
    CHECK(scalars({2}, {kNan}, tolerance).count == 1);
    CHECK(difference(List{1, kNan}, List{1, 2}, 2, tolerance).count == 1);
  }
}

TEST_CASE("infinity equals its like, and widens no tolerance") {
  CHECK(scalars({kInfinity, 1}, {kInfinity, 1}).same_bits);
  CHECK(scalars({kInfinity}, {-kInfinity}, {.relative = 1}).count == 1);
  const Difference one = scalars({kInfinity, 1}, {7, 2}, {.relative = 0.1});
  CHECK(one.largest == 7);
  CHECK(one.count == 2);
  CHECK(one.worst == 0);
}
