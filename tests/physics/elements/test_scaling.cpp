// The scaling of elements towards their averages: what it leaves, what it keeps, and what it cannot help.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "physics/elements/scaling.hpp"

using namespace halfstep;

namespace {

/// An element of random states, which swing about one with an admissible average.
template <int degree, class Real>
struct RandomElement {
  Element element{{0, 0, 0}, {degree + 1, degree + 1, degree + 1}};
  std::vector<Conserved<Real>> u;
  IdealGas<Real> gas{};

  RandomElement(int dimensions, double swing, unsigned seed) {
    for (int axis = dimensions; axis < 3; ++axis) element.points[axis] = 1;
    std::mt19937 generator(seed);
    const auto random = [&](double size) { return size * (2 * (generator() / double(generator.max())) - 1); };
    for (int point = 0; point < element.count(); ++point)
      u.push_back({Real(1 + random(swing)), Real(random(swing)), Real(random(swing)), Real(random(swing)),
                   Real(4 + random(4 * swing))});
  }
  ElementInArray<Real> states() { return {element, u.data()}; }
  /// Returns the integral over the element of another state less this one, without round-off that matters.
  Conserved<double> change_to(const std::vector<Conserved<Real>>& other) {
    long double sum[5] = {};
    for (int point = 0; point < element.count(); ++point) {
      long double weight = 1;
      for (int axis = 0; axis < 3; ++axis)
        if (element.points[axis] > 1)
          weight *= operators<degree>().w[point / element.stride(axis) % element.points[axis]] / 2;
      const Conserved<double> change = widened(other[point]) - widened(u[point]);
      for (int f = 0; const double value : {change.density, change.mu, change.mv, change.mw, change.energy})
        sum[f++] += weight * static_cast<long double>(value);
    }
    return {double(sum[0]), double(sum[1]), double(sum[2]), double(sum[3]), double(sum[4])};
  }
  /// Returns how many states of points and faces a stage could not use.
  int bad_states() {
    int bad = 0;
    visit_states<degree>(states(), [&](const Conserved<Real>& c) {
      bad += !is_admissible(c) || !is_admissible(to_primitive(c, gas));
    });
    return bad;
  }
  void scale() { scale_towards_average<degree>(states(), gas); }
};

double largest(const Conserved<double>& c) {
  return std::max({std::abs(c.density), std::abs(c.mu), std::abs(c.mv), std::abs(c.mw), std::abs(c.energy)});
}

template <class Real>
bool same(const std::vector<Conserved<Real>>& a, const std::vector<Conserved<Real>>& b) {
  for (std::size_t n = 0; n < a.size(); ++n)
    if (largest(widened(a[n] - b[n])) != 0) return false;
  return true;
}

template <class F>
void for_elements(F f) {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    with_degree(degree, [&]<int own>() {
      for (int dimensions = 1; dimensions <= 3; ++dimensions)
        for (unsigned seed = 1; seed <= 20; ++seed) {
          CAPTURE(own);
          CAPTURE(dimensions);
          CAPTURE(seed);
          f.template operator()<own>(dimensions, seed);
        }
    });
}

template <class Real>
void check_scaled() {
  int scaled = 0;
  for_elements([&]<int degree>(int dimensions, unsigned seed) {
    RandomElement<degree, Real> e(dimensions, 1.2, seed);
    if (!is_admissible(average_of<degree>(e.states()), e.gas) || e.bad_states() == 0) return;
    const auto before = e.u;
    e.scale();
    CHECK(e.bad_states() == 0);
    CHECK(largest(e.change_to(before)) < 32 * std::numeric_limits<Real>::epsilon());  // of 8
    const auto once = e.u;
    e.scale();
    CHECK(same(e.u, once));
    scaled += 1;
  });
  CHECK(scaled > 50);
}

}  // namespace

TEST_CASE("a scaled element is positive at its points and faces, keeps its average, and is scaled once") {
  check_scaled<double>();
  check_scaled<float>();
}

TEST_CASE("an element that needs no scaling keeps its bits") {
  for_elements([]<int degree>(int dimensions, unsigned seed) {
    RandomElement<degree, double> e(dimensions, 0.02, seed);
    REQUIRE(e.bad_states() == 0);
    const auto before = e.u;
    e.scale();
    CHECK(same(e.u, before));
  });
}

TEST_CASE("the least density and pressure that scaling leaves are those that it is told to") {
  RandomElement<2, double> e(1, 0, 1);
  e.u = {{1, 0, 0, 0, 1}, {1, 0, 0, 0, 1}, {-0.5, 0, 0, 0, 1}};
  const double average = average_of<2>(e.states()).density;
  e.scale();
  double least = 1;
  visit_states<2>(e.states(), [&](const Conserved<double>& c) { least = std::min(c.density, least); });
  CHECK(least > 0.5 * kLeastOfAverage<double> * average);
  CHECK(least < 1.5 * kLeastOfAverage<double> * average);
  e.u = {{1, 0, 0, 0, 1}, {1, 0, 0, 0, -0.5}, {1, 0, 0, 0, 1}};
  e.scale();
  least = 1;
  visit_states<2>(e.states(), [&](const Conserved<double>& c) {
    least = std::min(to_primitive(c, e.gas).pressure, least);
  });
  CHECK(least > 0);
  CHECK(least < 1e-12);
}

TEST_CASE("an element whose average is not admissible, or not finite, is left as it is") {
  RandomElement<3, double> e(2, 0.1, 1);
  for (const double energy : {-100.0, std::numeric_limits<double>::infinity()}) {
    e.u[5].energy = energy;
    const auto before = e.u;
    e.scale();
    for (std::size_t n = 0; n < e.u.size(); ++n) CHECK(e.u[n].energy == before[n].energy);
  }
}

TEST_CASE("points of one state have it for their average, to the bit") {
  for_elements([]<int degree>(int dimensions, unsigned seed) {
    RandomElement<degree, double> e(dimensions, 0.5, seed);
    for (auto& c : e.u) c = e.u[0];
    CHECK(same<double>({average_of<degree>(e.states())}, {e.u[0]}));
  });
}
