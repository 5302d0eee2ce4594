// Checks that budgets explain the change of the totals to round-off, whatever the scheme, the boundaries and
// the remedies. For the tests of both backends.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/output/budget_table.hpp"
#include "tests/support/run_case.hpp"

namespace halfstep {

/// A deck with what it must have met on its way.
struct Flow {
  std::string deck;
  Overrides overrides;
  bool has_remedies = false, has_floors = false;
  bool depends_on_rounding = false;  ///< which remedies its steps take
};

inline const std::string kPuff = "gas.second={\"gamma\": 1.2, \"fraction\": \"y>0\"}";
inline const std::string kSponge =
    "sponges=[{shape: half_space, point: [0.7, 0, 0], normal: x, rate: 30, target: {density: 1, velocity: "
    "[1, "
    "0, 0], pressure: 1}}]";

inline const std::string kBall = "solids=[{shape: ball, center: [0.1, 0.52, 0.5], radius: 0.23}]";

/// A blast beside open and closed sides of elements, which takes rungs of the ladder there.
inline Overrides blast_at_side(const Overrides& more) {
  return with(
      {"case={name: regions, background: {density: 1, velocity: [0.3, 0.2, 0], pressure: 0.01}, regions: "
       "[{shape: ball, center: [0.07, 0.9, 0], radius: 0.2, state: {density: 1, velocity: [0.3, 0.2, "
       "0], pressure: 1000}}]}",
       "mesh={cells: [9, 8, 1], boundary: {x: outflow, y: [reflecting, outflow]}}",
       "scheme.method=flux_reconstruction", "scheme.degree=3", "time.end=1", "time.max_steps=40",
       "soft_error.max_halvings=1", "soft_error.on_exhausted=floor", "soft_error.face=raise"},
      more);
}

inline const std::vector<Flow> kFlows = {
    // Bodies: at sides, through periodic ones, in a viscous gas that is driven, under a remedy, beside
    // sponges
    // and sources.
    {"forward_step", {"mesh.cells=[60,20,1]", "time.end=0.3"}},
    {"forward_step",
     {"mesh.cells=[60,20,1]", "time.end=0.3", "soft_error.max_halvings=0",
      "inject={step: 20, stage: 2, cell: [11, 2, 0], kind: negative_density}"},
     true},
    {"cylinder_mach3", {"mesh.cells=[45,60,1]", "time.end=0.2", "positivity=hu_adams_shu"}},
    {"cylinder_re40", {"mesh.cells=[64,24,1]", "time.end=0.1", "mesh.spacing.y.ratio=1.08"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[24,24,1]", "time.end=0.1", "gas.viscosity=1e-3", "scheme.viscous_order=4",
      "gravity=[0.1,-0.2,0]", "driving={pressure_gradient: [-0.1, 0.2, 0], acceleration: 2, waves: 3}",
      kBall}},
    {"uniform", {"mesh.cells=[16,14,12]", "time.end=0.1", "case.velocity=[1,0.3,0.2]", kBall}},
    {"uniform",
     {"mesh.cells=[20,18,1]", "time.end=0.1", "case.velocity=[1,0.3,0]", kBall, kSponge,
      "source={kind: cooling, cooling: {coefficient: 1, exponent: 0.5, equilibrium: 0.1}}"}},
    // Fourth-order fluxes beside bodies, which lie at a wall that bears weight and at an open side.
    {"uniform",
     {"mesh.cells=[16,14,12]", "time.end=0.1", "case.velocity=[1,0.3,0.2]", kBall,
      "scheme.averages=fourth_order"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[24,24,1]", "time.end=0.1", "mesh.boundary.y=[reflecting,outflow]", "gravity=[0.1,-0.2,0]",
      "scheme.averages=fourth_order",
      "solids=[{shape: ball, center: [0.3, 0.08, 0.5], radius: 0.2}, "
      "{shape: ball, center: [0.7, 0.95, 0.5], radius: 0.2}]"}},
    // None.
    {"shu_osher", {"mesh.cells=[100,1,1]"}},
    {"double_mach", {"mesh.cells=[60,15,1]", "time.end=0.05"}},
    // Walls that bear the gas's weight, with every term that crosses them.
    {"rayleigh_taylor",
     {"mesh.cells=[16,32,1]", "time.end=0.3", "scheme.averages=fourth_order", "gas.viscosity=1e-3",
      "scheme.viscous_order=4"}},
    {"rayleigh_taylor", {"mesh.cells=[16,32,1]", "time.end=0.3", "scheme.riemann=hllc", kPuff}},
    {"channel", {"mesh.cells=[16,8,1]", "time.end=1", "scheme.averages=fourth_order", "gas.viscosity=1e-2"}},
    {"boundary_layer", {"mesh.cells=[16,12,1]", "time.end=0.05"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[24,24,1]", "time.end=0.1", "gas.viscosity=1e-3", "gravity=[0.1,-0.2,0]",
      "driving={pressure_gradient: [-0.1, 0.2, 0], acceleration: 2, waves: 3}"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[24,24,1]", "time.end=0.1", "mesh.boundary.y=[no_slip,outflow]", "gas.viscosity=1e-3",
      "driving.pressure_gradient=[-0.1, 0, 0]", "gravity=[0.1,-0.2,0]"}},
    {"detonation", {"mesh.cells=[200,1,1]", "time.end=0.3", kSponge}},
    {"strong_blast", {"positivity=hu_adams_shu"}},
    {"near_vacuum", {"mesh.cells=[50,1,1]", "scheme.averages=fourth_order"}, true},
    {"near_vacuum",
     {"mesh.cells=[50,1,1]", "gas.viscosity=1e-8", "gravity=[0.1,0,0]", "mesh.boundary.x=reflecting"},
     true},
    {"sod",
     {"mesh.cells=[50,1,1]", "soft_error.on_exhausted=floor", "soft_error.max_halvings=0",
      "soft_error.floor.density=0.2",
      "inject={step: 20, stage: 2, cell: [10, 0, 0], kind: negative_density}"},
     true},
    {"cold_stream",
     {"soft_error.on_exhausted=floor", "soft_error.max_halvings=0", "time.max_steps=60"},
     true,
     true},
    // Elements of a box: with every rung of the ladder, and with formulas beyond sides.
    {"sod_elements", {"mesh.cells=[32,1,1]", "time.end=0.3"}, true},
    {"sod_elements",
     {"mesh.cells=[32,1,1]", "time.end=0.01", "case.left.pressure=1000", "case.right.density=1",
      "case.right.pressure=0.01", "soft_error.max_halvings=2"},
     true},
    {"cold_stream", {"scheme.method=flux_reconstruction", "mesh.cells=[50,1,1]"}, true, true, true},
    {"vortex_elements",
     {"mesh.cells=[4,3,5]", "scheme.degree=2", "time.max_steps=10", "mesh.boundary.y=[reflecting,outflow]",
      "mesh.boundary.z=[{kind: state, density: 1, velocity: [1,1,0], pressure: 1}, "
      "{kind: far_field, density: 1, velocity: [1,1,0], pressure: 1}]"}},
    {"vortex_elements",
     {"mesh.cells=[4,3,2]", "scheme.degree=2", "time.max_steps=10", "mesh.boundary.x=outflow",
      "mesh.boundary.y=outflow", "mesh.boundary.z=outflow", "soft_error.max_halvings=0",
      "inject={step: 5, stage: 2, cell: [0, 3, 5], kind: negative_density}"},
     true},
    {"acoustic_pulse", blast_at_side({}), true, false, true},
    // Those of a mesh: the same blast, spikes at faces, viscous walls on curved sides, each form of the
    // inviscid terms.
    {"acoustic_pulse", blast_at_side({"mesh.map={kind: bend, amplitude: 0.03}", "mesh.order=3"}), true, false,
     true},
    {"acoustic_pulse",
     blast_at_side({"mesh.map={kind: bend, amplitude: 0.03}", "mesh.order=3", "gas.viscosity=1e-3",
                    "mesh.boundary.y=[no_slip,outflow]"}),
     true, false, true},
    {"spike_elements", {"mesh.cells=[32,2,1]", "time.end=0.1"}, true},
    // A side whose faces lie across both axes.
    {"forward_step_elements", {"mesh.cells=[15,5,1]", "time.max_steps=40"}, true, false, true},
    {"bump", {"mesh.cells=[6,3,1]", "time.max_steps=20"}},
    {"cylinder_elements", {"mesh.cells=[3,8,1]", "time.max_steps=20", "time.cfl=0.5"}},
    {"cylinder_elements",
     {"mesh.cells=[3,8,1]", "time.max_steps=20", "time.cfl=0.5", "scheme.dealiasing=over_integration"}},
    {"cylinder_elements",
     {"mesh.cells=[3,8,1]", "time.max_steps=20", "time.cfl=0.5", "scheme.dealiasing=split_form"}},
    {"cold_stream",
     {"scheme.method=flux_reconstruction", "mesh.cells=[50,2,1]", "mesh.map=straight", "time.cfl=0.8",
      "soft_error.max_halvings=0"},
     true,
     true,
     true},
    {"vortex_bent",
     {"mesh.cells=[4,3,2]", "gas.viscosity=0.01", "time.max_steps=10", "mesh.boundary.z=[reflecting,outflow]",
      "mesh.boundary.y=[no_slip,{kind: far_field, density: 1, velocity: [1,1,0], pressure: 1}]",
      "mesh.boundary.x=[{kind: subsonic_inflow, velocity: [1,1,0], temperature: 1}, "
      "{kind: subsonic_outflow, pressure: 1}]",
      "soft_error.max_halvings=0", "inject={step: 5, stage: 2, cell: [3, 5, 0], kind: negative_density}"},
     true},
};

inline double largest(const Drift& drift) {
  double most = std::max(std::abs(drift.mass), std::abs(drift.energy));
  for (const double momentum : drift.momentum) most = std::max(most, std::abs(momentum));
  return most;
}

inline void check_that_budgets_explain(const std::string& backend) {
  for (const Flow& flow : kFlows) {
    CaseRun run(flow.deck, with({"output.budgets=true"}, flow.overrides), 1, backend);
    CAPTURE(flow.deck);
    CAPTURE(flow.overrides);
    const Totals before = run.solver->totals();
    run.finish();
    const Totals after = run.solver->totals();
    const bool is_single = run.config.problem.scheme.precision == Precision::single_precision;
    CHECK(largest(drift_of(before, after, {run.budget, run.floored, run.sponged})) <
          (is_single ? 1e-6 : 2e-14));
    CHECK(largest(drift_of(before, after, {})) > (is_single ? 1e-3 : 1e-9));
    CHECK(run.remedied.empty() != flow.has_remedies);
    CHECK((run.floored.cells > 0) == flow.has_floors);
  }
}

}  // namespace halfstep
