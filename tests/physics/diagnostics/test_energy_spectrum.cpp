// The kinetic energy by wave number.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "physics/diagnostics/energy_spectrum.hpp"

using namespace halfstep;

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Returns the velocities u(x, y, z) in the cells of the unit box stretched to the mesh.
template <class F>
std::array<std::vector<double>, 3> velocities(const Mesh& mesh, F u) {
  std::array<std::vector<double>, 3> all;
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        const std::array<double, 3> value =
            u(kTurn * i / mesh.cells[0], kTurn * j / mesh.cells[1], kTurn * k / mesh.cells[2]);
        for (int axis = 0; axis < 3; ++axis) all[axis].push_back(value[axis]);
      }
  return all;
}

bool can_test_spectra() {
  const bool can = !fftw_version().empty();
  if (!can) MESSAGE("skipped: built without FFTW (package libfftw3-dev)");
  return can;
}

}  // namespace

TEST_CASE("waves have their energy in the shell of their number, and all shells that of the flow") {
  if (!can_test_spectra()) return;
  const Mesh cube{.cells = {12, 10, 9}};
  const EnergySpectrum spectrum(cube);
  const auto energies = spectrum.of(velocities(cube, [](double x, double y, double z) {
    return std::array{3 + std::cos(2 * x), std::sin(x + y + 4 * z), 2 * std::cos(4 * y)};
  }));
  REQUIRE(energies.size() == spectrum.shells());
  CHECK(spectrum.shells() == static_cast<std::size_t>(std::sqrt(36.0 + 25 + 16) + 0.5) + 1);
  for (std::size_t n = 0; n < energies.size(); ++n)
    // sqrt(18) and 4 are both in shell 4.
    CHECK(energies[n] == doctest::Approx(n == 0 ? 4.5 : n == 2 ? 0.25 : n == 4 ? 1.25 : 0).epsilon(1e-13));
  CHECK(std::accumulate(energies.begin(), energies.end(), 0.0) == doctest::Approx(6).epsilon(1e-13));
}

TEST_CASE("wave numbers count along the longest side, and the shortest wave counts once") {
  if (!can_test_spectra()) return;
  const Mesh flat{.cells = {8, 6, 1}, .upper = {1, 3, 1}};
  const EnergySpectrum spectrum(flat);
  const auto energies = spectrum.of(velocities(flat, [](double x, double y, double) {
    return std::array{std::cos(x), std::cos(3 * y), std::cos(4 * x)};
  }));
  CHECK(spectrum.shells() == static_cast<std::size_t>(std::sqrt(144.0 + 9) + 0.5) + 1);
  CHECK(energies[3] == doctest::Approx(0.25 + 0.5).epsilon(1e-13));
  CHECK(energies[12] == doctest::Approx(0.5).epsilon(1e-13));
}
