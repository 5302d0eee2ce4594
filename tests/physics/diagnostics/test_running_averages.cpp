// Averages over time of cells: against sums over all states, whichever of these are taken in together.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "physics/diagnostics/running_averages.hpp"

using namespace halfstep;

namespace {

constexpr int kStates = 5, kCells = 12;
constexpr double kWeights[kStates] = {0.5, 0.25, 1, 0.125, 0.75};

/// Five states of a small mesh with a scalar, far from rest, and their averages.
struct Averaged {
  explicit Averaged(const AveragesRequest& of)
      : request(of), sums(static_cast<std::size_t>(of.sums()) * kCells) {
    for (int n = 0; n < kStates; ++n) {
      std::vector<double>& u = states[n];
      u.resize(static_cast<std::size_t>(layout.values()), 1);
      for (int j = -1; j < 4; ++j)
        for (int i = -1; i < 5; ++i) {
          const double density = 2 + std::sin(n + i), x = 3 + std::cos(2 * n - i * j);
          store(layout, u.data(), i, j, 0, {density, density * x, 0.1 * n * j, 0, 1e6 + density * n});
          scalar(layout, u.data(), 0, i, j, 0) = density * 0.1 * n;
        }
    }
  }

  /// Takes in `count` states together.
  void take_in(int count) {
    AveragesArguments<double> args{request, {}, {}, layout, {}, {1, 2, 3}, {}, sums.data()};
    for (int s = 0; s < count; ++s, ++taken) {
      weight += kWeights[taken];
      const double share = kWeights[taken] / weight;
      args.states[args.weights.count] = states[taken].data();
      args.weights.share[args.weights.count] = share;
      args.weights.rest[args.weights.count++] = kWeights[taken] * (1 - share);
    }
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 4; ++i) halfstep::take_in(args, i, j, 0);
  }

  AveragesRequest request;
  Layout layout{{4, 3, 1}, {1, 1, 0}, kFields + 1};
  std::vector<double> states[kStates];
  std::vector<double> sums;
  double weight = 0;
  int taken = 0;
};

AveragesRequest request_of(std::vector<FlowField> fields, int fractions, bool covariances) {
  AveragesRequest request;
  for (const FlowField field : fields) request.fields[request.field_count++] = field;
  request.fractions = fractions;
  request.covariances = covariances;
  return request;
}

}  // namespace

TEST_CASE("averages over time are the weighted means and products of deviations, far from 0, too") {
  const AveragesRequest request =
      request_of({FlowField::energy, FlowField::velocity_x, FlowField::vorticity_z}, 1, true);
  Averaged all(request);
  all.take_in(3);
  all.take_in(2);
  const auto value = [&](int field, int n, int i, int j) {
    const auto u = [&](int f, int di, int dj) {
      return all.states[n][all.layout.index(i + di, j + dj, 0) + f * all.layout.field_stride];
    };
    const auto velocity = [&](int f, int di, int dj) { return u(f, di, dj) / u(0, di, dj); };
    return field == 0   ? u(4, 0, 0) - 1e6
           : field == 1 ? velocity(1, 0, 0)
           : field == 2
               ? (velocity(2, 1, 0) - velocity(2, -1, 0)) / 2 - (velocity(1, 0, 1) - velocity(1, 0, -1)) / 4
               : u(5, 0, 0) / u(0, 0, 0);
  };
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i) {
      const auto mean = [&](auto f) {
        double sum = 0;
        for (int n = 0; n < kStates; ++n) sum += kWeights[n] * f(n) / all.weight;
        return sum;
      };
      double means[4];
      for (int field = 0; field < 4; ++field) {
        means[field] = mean([&](int n) { return value(field, n, i, j); });
        CHECK(all.sums[field * kCells + j * 4 + i] ==
              doctest::Approx(means[field] + (field == 0 ? 1e6 : 0)).epsilon(1e-14));
      }
      int number = 4;
      for (int first = 0; first < 4; ++first)
        for (int second = first; second < 4; ++second, ++number) {
          CHECK(4 + request.product(first, second) == number);
          const double product =
              all.weight * mean([&](int n) {
                return (value(first, n, i, j) - means[first]) * (value(second, n, i, j) - means[second]);
              });
          CHECK(all.sums[number * kCells + j * 4 + i] == doctest::Approx(product).epsilon(1e-8));
        }
      CHECK(number == request.sums());
    }
}

TEST_CASE("states that are taken in together give the bits of states taken in one by one") {
  for (const bool covariances : {false, true}) {
    const AveragesRequest request = request_of(
        {FlowField::density, FlowField::pressure, FlowField::mach, FlowField::schlieren}, 1, covariances);
    Averaged together(request), apart(request), mixed(request);
    together.take_in(3);
    together.take_in(2);
    for (int n = 0; n < kStates; ++n) apart.take_in(1);
    mixed.take_in(1);
    mixed.take_in(3);
    mixed.take_in(1);
    CHECK(together.sums == apart.sums);
    CHECK(mixed.sums == apart.sums);
  }
}
