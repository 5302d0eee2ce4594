// Smooth flows against their exact solutions: observed orders, and errors that do not depend on the
// direction.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tests/run_case.hpp"

using namespace halfstep;

namespace {

/// L1(density) of the entropy wave after one period; dt ~ dx^(5/3), so that the third order of time shows as
/// the fifth.
double entropy_wave_error(int cells, const std::string& reconstruction, const std::string& variables) {
  const double dt = 3.2e-3 * std::pow(16.0 / cells, 5.0 / 3);
  return CaseRun("entropy_wave", {fmt::format("mesh.cells=[{},1,1]", cells), fmt::format("time.dt={}", dt),
                                  "scheme.reconstruction=" + reconstruction, "scheme.variables=" + variables})
      .finish()
      .error("density")
      .l1;
}

double wave_error(const std::string& family, int cells, const Overrides& scheme = {}) {
  Overrides all = {"case.family=" + family, fmt::format("mesh.cells=[{},1,1]", cells)};
  all.insert(all.end(), scheme.begin(), scheme.end());
  return CaseRun("linear_wave", all).finish().error("density").l1;
}

double vortex_error(int cells, const std::string& reconstruction) {
  return CaseRun("isentropic_vortex", {fmt::format("mesh.cells=[{},{},1]", cells, cells), "time.end=2",
                                       "output.every=0", "scheme.reconstruction=" + reconstruction})
      .finish()
      .error("density")
      .l1;
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TEST_CASE("the entropy wave shows each reconstruction's order in one dimension") {
  struct Expected {
    std::string reconstruction;
    int coarse;
    double order, error;  ///< at twice `coarse` cells
  };
  const Expected table[] = {
      {"weno5z", 16, 4.9, 4.7e-6},  // 4.99, 3.9e-6
      {"weno5z", 32, 4.9, 1.5e-7},  // 4.99, 1.2e-7
      {"ppm", 32, 3.9, 3.0e-6},     // 4.00, 2.5e-6
      {"plm", 64, 1.9, 5.3e-4},     // 1.98, 4.4e-4
  };
  for (const std::string variables : {"primitive", "characteristic"})
    for (const Expected& e : table) {
      const double coarse = entropy_wave_error(e.coarse, e.reconstruction, variables);
      const double fine = entropy_wave_error(2 * e.coarse, e.reconstruction, variables);
      INFO(e.reconstruction, " ", variables, ": ", coarse, ", ", fine);
      CHECK(order(coarse, fine) > e.order);
      CHECK(fine < e.error);
    }
}

TEST_CASE("sound waves converge as well as in published codes, and no direction is better") {
  // AthenaK's own bars for this wave (its regression tests): ssprk3 + WENO-Z 2.3e-11 at 64 cells, 0.11 of the
  // error at 32; ssprk2 + PLM 2.1e-8 and 0.28.
  const double weno = wave_error("sound_right", 64);
  CHECK(weno < 2.3e-11);
  CHECK(weno < 0.11 * wave_error("sound_right", 32));
  const Overrides plm = {"scheme.reconstruction=plm", "scheme.integrator=ssprk2"};
  const double linear = wave_error("sound_right", 64, plm);
  CHECK(linear < 2.1e-8);
  CHECK(linear < 0.28 * wave_error("sound_right", 32, plm));

  // Errors of 1e-9 of a density of 1: round-off leaves seven digits to compare.
  CHECK(wave_error("sound_left", 16) == doctest::Approx(wave_error("sound_right", 16)).epsilon(1e-6));
  CHECK(wave_error("sound_left", 32, plm) ==
        doctest::Approx(wave_error("sound_right", 32, plm)).epsilon(1e-6));
}

TEST_CASE("an oblique sound wave in a box is the plane wave it should be") {
  const auto error = [](int n) {
    return CaseRun("linear_wave_3d", {fmt::format("mesh.cells=[{},{},{}]", 2 * n, n, n)})
        .finish()
        .error("density")
        .l1;
  };
  const double coarse = error(8), fine = error(16);
  INFO(coarse, ", ", fine);
  CHECK(fine < 1e-8);  // of an amplitude of 1e-6
  CHECK(order(coarse, fine) > 2);
}

TEST_CASE("the isentropic vortex is second order in two dimensions, whatever the reconstruction") {
  // One flux point a face: order two for nonlinear flow in 2D, and the higher order shows in the size of the
  // error.
  const double weno_coarse = vortex_error(64, "weno5z"), weno_fine = vortex_error(128, "weno5z");
  const double plm_coarse = vortex_error(64, "plm"), plm_fine = vortex_error(128, "plm");
  INFO(weno_coarse, ", ", weno_fine, "; ", plm_coarse, ", ", plm_fine);
  CHECK(order(weno_coarse, weno_fine) > 1.9);
  CHECK(order(plm_coarse, plm_fine) > 1.9);
  CHECK(weno_fine < 0.3 * plm_fine);
}
