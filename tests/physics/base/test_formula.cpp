// Formulas of place and time.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "physics/base/formula.hpp"

using namespace halfstep;

namespace {

double value(const Formulas& formulas, const Formula& formula, const double* x, double t) {
  double results[Formulas::kMaxOperations];
  formulas.evaluate(formulas.count(), x, t, results);
  return results[formula.index()];
}

}  // namespace

TEST_CASE("a formula is worth what the same expression is") {
  Formulas f;
  const Formula x = f.coordinate(0), y = f.coordinate(1), z = f.coordinate(2), t = f.time();
  for (const auto& [a, b, c, d] : {std::array{0.3, -2.0, 5.0, 0.1}, {1e8, 3.0, -7.0, 2.0}}) {
    const double place[3] = {a, b, c};
    CHECK(value(f, x + y, place, d) == a + b);
    CHECK(value(f, 2 - (z - t), place, d) == 2 - (c - d));
    CHECK(value(f, x * y / z, place, d) == a * b / c);
    CHECK(value(f, 3 / (1 + 2 * t), place, d) == 3 / (1 + 2 * d));
    CHECK(value(f, sqrt(x), place, d) == std::sqrt(a));
    CHECK(value(f, max(y, 1), place, d) == std::max(b, 1.0));
    CHECK(value(f, select(less(x, y), 7, 8), place, d) == (a < b ? 7 : 8));
    CHECK(value(f, select(less(y, 2), 7, 8), place, d) == (b < 2 ? 7 : 8));
  }
}

TEST_CASE("an operation that stands there already is not added again") {
  Formulas f;
  const Formula sum = f.coordinate(0) + 1;
  const int count = f.count();
  CHECK((f.coordinate(0) + 1).index() == sum.index());
  CHECK(f.count() == count);
  CHECK(f.constant(0).index() != f.constant(-0.0).index());
}

TEST_CASE("formulas of two sets are not mixed") {
  Formulas f, g;
  CHECK_THROWS_AS(f.time() + g.time(), std::logic_error);
}

TEST_CASE("formulas that are too long are refused") {
  Formulas f;
  Formula sum = f.time();
  while (f.count() < Formulas::kMaxOperations) sum = sum + sum;
  CHECK_THROWS_AS(sum + sum, std::length_error);
  CHECK(f.time().index() == 0);  // those that stand there are still found
}
