// Scalars on a device behave as on the host and remain a part of the mass.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "tests/support/expressions.hpp"
#include "tests/support/with_reactant.hpp"

using namespace halfstep;

namespace {

/// Returns the reactant density for fractions between 0.1 and 0.9 that vary along every axis.
double wavy(const Box& cell, double density) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += std::sin(2 * std::numbers::pi * (cell.center(axis) + 0.1 * axis));
  return density * (0.5 + 0.4 / 3 * sum);
}

CaseRun on(const std::string& backend, const std::string& deck, const Overrides& overrides,
           const ReactantOf& reactant = wavy) {
  CaseRun run(with_reactant(deck, overrides, reactant), 0, backend);
  run.run();
  return run;
}

/// Returns the largest difference of mass fractions.
double difference(const CaseRun& a, const CaseRun& b) {
  return difference_norms(mass_fractions(a.fields()), mass_fractions(b.fields())).linf;
}

const char* const kSchemes[] = {"constant", "plm", "ppm", "weno5z"};

}  // namespace

TEST_CASE("host and CUDA advect a reactant alike, in every axis and scheme") {
  struct Row {
    const char* deck;
    Overrides overrides;
  };
  const Row rows[] = {
      {"uniform", {"mesh.cells=[64,1,1]"}},
      {"uniform", {"mesh.cells=[1,64,1]"}},
      {"uniform", {"mesh.cells=[1,1,64]"}},
      {"isentropic_vortex", {"mesh.cells=[50,70,1]", "time.end=1"}},
      {"linear_wave_3d", {"mesh.cells=[33,20,17]", "time.end=0.3"}},
      {"taylor_green", {"mesh.cells=[32,20,24]", "time.end=0.3"}},
  };
  for (const Row& row : rows)
    for (const char* reconstruction : kSchemes)
      for (const char* variables : {"primitive", "characteristic"})
        for (const char* precision : {"double", "single"}) {
          const Overrides overrides =
              with(row.overrides, {std::string("scheme.reconstruction=") + reconstruction,
                                   std::string("scheme.variables=") + variables,
                                   std::string("scheme.precision=") + precision});
          const CaseRun host = on("host", row.deck, overrides), cuda = on("cuda", row.deck, overrides);
          INFO((std::string(row.deck) + ", " + reconstruction + ", " + variables + ", " + precision));
          CHECK(host.state.step == cuda.state.step);
          // The limiter of ppm (Colella & Sekora 2008) is discontinuous: where a flow is barely resolved,
          // round-off can decide.
          const bool decided_by_round_off = std::string(reconstruction) == "ppm";
          const bool is_double = std::string(precision) == "double";
          CHECK(difference(host, cuda) <= (decided_by_round_off ? 1e-3 : is_double ? 1e-12 : 5e-5));
        }
}

TEST_CASE("the limiters of plm agree as well") {
  for (const char* limiter : {"minmod", "van_leer", "mc"}) {
    const Overrides overrides = {"mesh.cells=[40,24,1]", "time.end=1", "scheme.reconstruction=plm",
                                 std::string("scheme.limiter=") + limiter};
    INFO((std::string(limiter)));
    CHECK(difference(on("host", "isentropic_vortex", overrides),
                     on("cuda", "isentropic_vortex", overrides)) <= 1e-12);
  }
}

TEST_CASE("on CUDA the reactant is conserved, changes no flow, and gives the same bits every time") {
  const Overrides overrides = {"mesh.cells=[40,36,20]", "time.end=0.5", "time.dt=0.02"};
  CaseRun run(with_reactant("taylor_green", overrides, wavy), 0, "cuda");
  const Fields before = run.fields();
  const double mass = run.solver->totals().scalar_mass[0];
  CaseRun on_host(with_reactant("taylor_green", overrides, wavy));
  CHECK(identical(before, on_host.fields()));
  CHECK(run.solver->totals().scalar_mass[0] == on_host.solver->totals().scalar_mass[0]);
  run.run();
  CHECK(run.solver->totals().scalar_mass[0] == doctest::Approx(mass).epsilon(1e-13));
  CHECK(identical(run.fields(), on("cuda", "taylor_green", overrides).fields()));

  CaseRun without("taylor_green", overrides, 0, "cuda");
  without.run();
  REQUIRE(without.state.step == run.state.step);
  for (const Norms& norms : conserved_norms(run.fields(), without.fields()))
    CHECK(norms.linf <= 1e-11);  // the energy is 250
}

TEST_CASE("on CUDA no mass fraction leaves [0, 1], and a uniform one stays uniform") {
  for (const char* reconstruction : kSchemes) {
    const std::string scheme = std::string("scheme.reconstruction=") + reconstruction;
    INFO((std::string(reconstruction)));
    for (const std::string deck : {"sod", "toro_1", "toro_2", "toro_5", "leblanc"}) {
      const double middle = deck == "leblanc" ? 4.5 : 0.5;
      for (const double at : {middle, 1.2 * middle}) {
        INFO(deck);
        CHECK(excess(on("cuda", deck, {scheme}, reactant_above(at)).fields()) <= 5e-14);  // quick quotients
      }
    }
    const CaseRun blast =
        on("cuda", "sedov_3d", {scheme, "mesh.cells=[20,18,16]", "time.end=0.05"}, uniform_fraction(0.3));
    CHECK(furthest_from(0.3, blast.fields()) <= 1e-13);
  }
}

TEST_CASE("a reactant that is not finite is found and replayed on CUDA") {
  for (const std::string precision : {"double", "single"})
    check_bad_reactant_is_found("cuda", precision, std::numeric_limits<double>::quiet_NaN());
}

TEST_CASE("remedies conserve the reactant on CUDA") { check_remedies_conserve("cuda", wavy); }

TEST_CASE("on CUDA several scalars are carried as each would be alone, also in slices, and as on the host") {
  if (!can_test_expressions()) return;
  const Overrides all = {"scalars.a=0.5 + 0.4*sin(7*x)", "scalars.b=\"x + y < 0.4 ? 1 : 0\"",
                         "scalars.c=0.3"};
  for (const std::string deck : {"kelvin_helmholtz", "taylor_green", "detonation"})
    for (const char* reconstruction : kSchemes) {
      const auto after = [&](const std::string& backend, const Overrides& scalars) {
        CaseRun run(deck,
                    with({deck == "taylor_green" ? "mesh.cells=[40,20,12]" : "mesh.cells=[70,20,1]",
                          std::string("scheme.reconstruction=") + reconstruction, "scheme.riemann=hllc"},
                         scalars),
                    0, backend);
        run.run(12);
        return run.fields();
      };
      INFO((deck + " " + reconstruction));
      const Fields none = after("cuda", {}), together = after("cuda", all), on_host = after("host", all);
      const std::size_t reactants = none.scalars.size();
      REQUIRE(together.scalars.size() == reactants + 3);
      CHECK(together.conserved == none.conserved);
      for (std::size_t s = 0; s < 3; ++s) {
        const std::vector<double>& own = together.scalars[reactants + s];
        CHECK(own == after("cuda", {all[s]}).scalars[reactants]);
        CHECK(difference_norms(own, on_host.scalars[reactants + s]).linf < 1e-11);
      }
      Overrides sliced = all;
      sliced.insert(sliced.end(), {"interruptible.enabled=true", "interruptible.launch_budget_ms=0.02"});
      CHECK(identical(after("cuda", sliced), together));
    }
}
