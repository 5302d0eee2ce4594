// Sod's tube against its exact solution, with every scheme and along every axis. Errors are means over the
// cells of |density - exact cell average|. `halfstep verify` compares every other Riemann deck.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

double density_error(const std::string& deck, const Overrides& overrides = {}) {
  return finished(deck, overrides).error("density").l1;
}

}  // namespace

TEST_CASE("every scheme solves Sod's tube in either precision, and better than first order does") {
  struct Choice {
    std::string reconstruction, limiter;
    double l1;  ///< a fifth above the worst of the Riemann solvers and variables, Rusanov's
  };
  const Choice choices[] = {
      {"plm", "minmod", 11.3e-3}, {"plm", "van_leer", 7.9e-3},  {"plm", "mc", 7.0e-3},
      {"ppm", "minmod", 6.0e-3},  {"weno5z", "minmod", 5.7e-3},
  };
  int schemes = 0;
  for (const std::string precision : {"double", "single"})
    for (const std::string riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"}) {
      const Overrides common = {"mesh.cells=[100,1,1]", "scheme.precision=" + precision,
                                "scheme.riemann=" + riemann};
      const auto error = [&](const Overrides& more) {
        ++schemes;
        return density_error("sod", with(common, more));
      };
      INFO(precision, " ", riemann);
      const double first_order = error({"scheme.reconstruction=constant"});
      CHECK(first_order < 3.1e-2);
      for (const Choice& c : choices)
        for (const std::string variables : {"primitive", "characteristic"}) {
          INFO(c.reconstruction, " ", c.limiter, " ", variables);
          const double l1 = error({"scheme.reconstruction=" + c.reconstruction, "scheme.limiter=" + c.limiter,
                                   "scheme.variables=" + variables});
          CHECK(l1 < c.l1);
          CHECK(l1 < 0.5 * first_order);
        }
    }
  CHECK(schemes == 2 * 55);
}

TEST_CASE("less dissipative Riemann solvers are closer to the exact solution of Sod's tube") {
  const auto with = [](const std::string& riemann) {
    return density_error("sod", {"scheme.reconstruction=constant", "scheme.riemann=" + riemann});
  };
  const double rusanov = with("rusanov"), hll = with("hll"), hllc = with("hllc");
  CHECK(hllc < hll);
  CHECK(hll < rusanov);
}

TEST_CASE("a tube along y or z is the tube along x to the last bit") {
  const auto tube = [](const std::string& axis, const std::string& cells) {
    return finished("sod", {"case.axis=" + axis, "mesh.cells=" + cells, "mesh.boundary.x=[outflow,outflow]",
                            "mesh.boundary.y=[outflow,outflow]", "mesh.boundary.z=[outflow,outflow]",
                            "time.end=0.1"})
        .fields()
        .conserved;
  };
  const auto x = tube("x", "[128,1,1]"), y = tube("y", "[1,128,1]"), z = tube("z", "[1,1,128]");
  for (const auto& [other, axis] : {std::pair{&y, 1}, {&z, 2}}) {
    CHECK((*other)[0] == x[0]);
    CHECK((*other)[1 + axis] == x[1]);
    CHECK((*other)[4] == x[4]);
  }
}
