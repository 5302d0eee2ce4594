// Averages over cells and over time.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/output/cell_averages.hpp"
#include "app/output/mesh_faces.hpp"
#include "app/output/running_averages.hpp"

using namespace halfstep;

TEST_CASE("averages along an axis are those of the rows, and of wide cells more") {
  const Mesh mesh{.cells = {2, 3, 2}, .upper = {2, 3, 4}};
  std::vector<double> values;
  for (int n = 0; n < 12; ++n) values.push_back(n);
  const CellAverages along_x(mesh, {true, false, false}), along_xz(mesh, {true, false, true});
  CHECK(along_x.mesh().cells == std::array{1, 3, 2});
  CHECK(along_x.of(values) == std::vector{0.5, 2.5, 4.5, 6.5, 8.5, 10.5});
  CHECK(along_xz.mesh().cells == std::array{1, 3, 1});
  CHECK(along_xz.of(values) == std::vector{3.5, 5.5, 7.5});
  const std::vector<double> along_yz = CellAverages(mesh, {false, true, true}).of(values);
  REQUIRE(along_yz.size() == 2);
  CHECK(along_yz[0] == doctest::Approx(5).epsilon(1e-15));
  CHECK(along_yz[1] == doctest::Approx(6).epsilon(1e-15));

  Mesh stretched{.cells = {2, 2, 1}, .upper = {4, 1, 1}};
  set_faces(stretched, 0, {0, 1, 4});
  const CellAverages wide(stretched, {true, false, false});
  CHECK(wide.of({1, 5, 2, 6}) == std::vector{4.0, 5.0});
  CHECK_FALSE(wide.mesh().is_stretched());
}

TEST_CASE("averages leave bodies out, and are NaN where there is nothing else") {
  const Mesh mesh{.cells = {2, 3, 1}, .upper = {4, 3, 1}};
  const CellAverages gas(mesh, {true, false, true}, {0, 1, 1, 1, 0, 0});
  const std::vector<double> averages = gas.of({1, 2, 3, 4, 5, 8});
  REQUIRE(averages.size() == 3);
  CHECK(averages[0] == 1);
  CHECK(std::isnan(averages[1]));
  CHECK(averages[2] == 6.5);
}

TEST_CASE("running averages are the weighted means, deviations and covariances, far from 0, too") {
  const std::vector<double> weights = {0.5, 0.25, 1, 0.125};
  const auto first = [](int n, int cell) { return 1e6 + std::sin(n + cell); };
  const auto second = [](int n, int cell) { return std::cos(2 * n - cell) - 3; };
  RunningAverages averages({"a", "b"}, 3, true), variances({"a", "b"}, 3, false);
  for (int n = 0; n < 4; ++n) {
    std::vector<std::vector<double>> values(2);
    for (int cell = 0; cell < 3; ++cell) {
      values[0].push_back(first(n, cell));
      values[1].push_back(second(n, cell));
    }
    averages.add(weights[n], values);
    variances.add(weights[n], values);
  }
  CHECK(averages.names() == std::vector<std::string>{"a_mean", "b_mean", "a_rms", "a_b_covariance", "b_rms"});
  CHECK(variances.names() == std::vector<std::string>{"a_mean", "b_mean", "a_rms", "b_rms"});
  CHECK(averages.weight() == 1.875);
  const auto results = averages.results(averages.numbers());
  for (int cell = 0; cell < 3; ++cell) {
    const auto mean = [&](auto f) {
      double sum = 0;
      for (int n = 0; n < 4; ++n) sum += weights[n] * f(n) / 1.875;
      return sum;
    };
    const double a = mean([&](int n) { return first(n, cell) - 1e6; }),
                 b = mean([&](int n) { return second(n, cell); });
    const auto product = [&](bool of_a, bool of_b) {
      return mean([&](int n) {
        const double da = first(n, cell) - 1e6 - a, db = second(n, cell) - b;
        return (of_a ? da : db) * (of_b ? db : da);
      });
    };
    CHECK(results[0][cell] == doctest::Approx(1e6 + a).epsilon(1e-15));
    CHECK(results[1][cell] == doctest::Approx(b).epsilon(1e-14));
    CHECK(results[2][cell] == doctest::Approx(std::sqrt(product(true, false))).epsilon(1e-9));
    CHECK(results[3][cell] == doctest::Approx(product(true, true)).epsilon(1e-8));
    CHECK(results[4][cell] == doctest::Approx(std::sqrt(product(false, true))).epsilon(1e-14));
  }
  CHECK(variances.results(variances.numbers())[3] == results[4]);
}

TEST_CASE("running averages go on from their numbers with the same bits, and not from those of others") {
  const std::vector<std::vector<double>> one = {{1.1, 2.3}}, two = {{0.7, 5}};
  RunningAverages whole({"a"}, 2, false), before = whole, after = whole;
  whole.add(0.3, one);
  before.add(0.3, one);
  CHECK(after.restore(before.numbers()));
  whole.add(0.7, two);
  after.add(0.7, two);
  CHECK(after.numbers() == whole.numbers());
  RunningAverages other({"a", "b"}, 2, false);
  CHECK_FALSE(other.restore(whole.numbers()));
  CHECK(other.weight() == 0);
}
