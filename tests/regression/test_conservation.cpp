// Invariants of a conservative scheme: totals in a periodic box, and a uniform stream.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/diagnostics/totals.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

TEST_CASE("mass, momentum and energy are conserved to round-off in periodic boxes") {
  struct Box {
    std::string deck;
    Overrides overrides;
  };
  const Box boxes[] = {
      {"isentropic_vortex", {"mesh.cells=[64,64,1]"}},
      {"kelvin_helmholtz", {"mesh.cells=[48,48,1]"}},
      {"taylor_green", {"mesh.cells=[16,16,16]"}},
      {"linear_wave_3d",
       {"mesh.cells=[24,12,12]", "case.amplitude=0.1", "case.velocity=[0.3,-0.2,0.1]", "time.end=10"}},
      // Redone steps conserve as well.
      {"kelvin_helmholtz", {"mesh.cells=[48,48,1]", "time.dt=0.02", "time.end=10"}},
  };
  for (const Box& box : boxes) {
    CaseRun run(box.deck, box.overrides);
    const Totals before = run.solver->totals();
    REQUIRE(run.run(120) == DriveEnd::stopped);
    const Totals after = run.solver->totals();
    INFO(box.deck, ", rejections: ", run.rejections.size());
    CHECK(std::abs(after.mass - before.mass) < 1e-14 * before.mass);
    CHECK(std::abs(after.energy - before.energy) < 1e-14 * before.energy);
    // Momenta may add up to zero, so they are compared with those that move to and fro.
    const double moving = std::sqrt(2 * before.kinetic_energy * before.mass);
    for (int a = 0; a < 3; ++a) CHECK(std::abs(after.momentum[a] - before.momentum[a]) < 1e-14 * moving);
    const bool is_redone = &box == &boxes[4];
    CHECK((run.rejections.size() > 0) == is_redone);
  }
}

TEST_CASE("a uniform stream oblique to the mesh stays uniform with every scheme") {
  for (const std::string reconstruction : {"constant", "plm", "ppm", "weno5z"})
    for (const std::string riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"})
      for (const std::string variables : {"primitive", "characteristic"}) {
        CaseRun run("uniform", {"mesh.cells=[12,10,8]", "scheme.reconstruction=" + reconstruction,
                                "scheme.riemann=" + riemann, "scheme.variables=" + variables});
        const Fields before = run.fields();
        run.run(20);
        INFO(reconstruction, " ", riemann, " ", variables);
        for (const Norms& norms : conserved_norms(run.fields(), before)) CHECK(norms.linf < 1e-14);
      }
}
