// Checks that a step in slices has the same bits as a step at once, wherever it pauses and whichever solver
// resumes it. For the tests of both backends.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/support/run_case.hpp"

namespace halfstep {

/// Decks with meshes of several tiles, soft errors of every kind of remedy, time-dependent boundaries.
inline const std::pair<std::string, Overrides> kVariety[] = {
    {"kelvin_helmholtz", {"mesh.cells=[150,50,1]"}},
    {"double_mach", {"mesh.cells=[100,25,1]"}},
    {"noh_3d", {"mesh.cells=[70,17,40]"}},
    {"sod", {"time.dt=0.02"}},
    {"cold_stream", {}},
    {"near_vacuum", {}},
    {"near_vacuum", {"mesh.cells=[40,4,40]"}},  // repairs faces; another number of threads has other tiles
    {"spike", {}},
    // Right-hand-side terms: between walls, with soft errors and remedies, with a source.
    {"kelvin_helmholtz",
     {"mesh.cells=[70,50,1]", "mesh.boundary.y=[no_slip,no_slip]", "gas.viscosity=1e-3",
      "scheme.viscous_order=4", "gravity=[0,-0.1,0]", "wall.velocity_upper=[0.3,0,0]"}},
    {"sod", {"time.dt=0.02", "gas.viscosity=1e-4", "gas.viscosity_law=sutherland"}},
    {"near_vacuum", {"gas.viscosity=1e-8"}},
    {"detonation", {"mesh.cells=[100,1,1]", "gas.viscosity=1e-3"}},
    {"kelvin_helmholtz", {"mesh.cells=[70,50,1]", "gas.viscosity=1e-3", "scheme.averages=fourth_order"}},
    {"near_vacuum", {"scheme.averages=fourth_order"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[70,50,1]", "driving={pressure_gradient: [-0.1, 0, 0], acceleration: 2, waves: 3}"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[70,50,1]",
      "sponges=[{shape: ball, center: [0.5, 0.5, 0], radius: 0.3, rate: 20*x, target: {density: 1.5, "
      "velocity: "
      "[0.1, 0, 0], pressure: 2}}]"}},
    {"detonation",
     {"mesh.cells=[100,1,1]",
      "sponges=[{shape: half_space, point: [0.7, 0, 0], normal: x, rate: 30, target: {density: 1, pressure: "
      "1}}]"}},
    // Elements of a box with every rung, also by an integrator with a middle stage.
    {"sod_elements",
     {"mesh.cells=[24,1,1]", "case.left.pressure=1000", "soft_error.max_halvings=1",
      "soft_error.on_exhausted=floor", "output.budgets=true"}},
    {"sod_elements", {"mesh.cells=[24,1,1]", "scheme.integrator=ssprk4", "output.budgets=true"}},
    // Hexahedra, whose faces are repaired, or between moving walls.
    {"sod_elements",
     {"mesh.cells=[24,3,1]", "mesh.map={kind: bend, amplitude: 0.04}", "case.left.pressure=1000",
      "mesh.boundary={x: outflow, y: reflecting, z: outflow}", "soft_error.face=repair",
      "soft_error.max_halvings=1", "soft_error.on_exhausted=floor"}},
    {"kelvin_helmholtz",
     {"mesh.cells=[9,8,1]", "scheme.method=flux_reconstruction", "scheme.degree=3",
      "mesh.map={kind: bend, amplitude: 0.04}", "gas.viscosity=1e-3", "mesh.boundary.y=[no_slip,no_slip]",
      "wall.velocity_upper=[0.3,0,0]"}},
    // Bodies, with steps that are too long, and with a remedy.
    {"cylinder_mach3", {"mesh.cells=[45,60,1]", "time.dt=0.03"}},
    {"forward_step",
     {"mesh.cells=[60,20,1]", "inject={step: 5, stage: 2, cell: [30,10,0], kind: negative_density}",
      "soft_error.max_halvings=0"}},
    {"uniform",
     {"mesh.cells=[24,20,16]", "gas.viscosity=1e-3",
      "solids=[{shape: ball, center: [0.45, 0.52, 0.5], radius: 0.2}]"}},
    {"uniform",
     {"mesh.cells=[24,20,16]", "scheme.averages=fourth_order",
      "solids=[{shape: ball, center: [0.45, 0.52, 0.5], radius: 0.2}]"}},
    {"shock_bubble_helium",
     {"mesh.cells=[120,40,1]", "solids=[{shape: polygon, vertices: [[55, 0], [140, 0], [140, 30]]}]"}},
    // An integrator whose last stage starts from a state of its own, with bodies and with a source.
    {"sod", {"time.dt=0.02", "scheme.integrator=ssprk4"}},
    {"cylinder_mach3", {"mesh.cells=[45,60,1]", "time.dt=0.03", "scheme.integrator=ssprk4"}},
    {"detonation", {"mesh.cells=[100,1,1]", "scheme.integrator=ssprk4"}},
    // Sources; in the second deck cells give up in either half of a step.
    {"detonation", {"mesh.cells=[100,1,1]"}},
    {"cooling_box", {"mesh.cells=[9,7,1]", "time.dt=8", "source.max_substeps=4", "soft_error.cfl_limit=0"}},
};
inline constexpr int kSteps = 10;

/// Overrides that make launches so short that each takes one tile.
inline const Overrides kShortest = {"interruptible.enabled=true", "interruptible.launch_budget_ms=1e-6"};

inline void check_same(const CaseRun& a, const CaseRun& b) {
  CHECK(a.state.time == b.state.time);
  CHECK(a.rate == b.rate);
  CHECK(a.repaired_faces == b.repaired_faces);
  CHECK(identical(a.fields(), b.fields()));
  CHECK(identical(a.budget, b.budget));
}

inline void check_same_rejections(const CaseRun& a, const CaseRun& b) {
  REQUIRE(a.rejections.size() == b.rejections.size());
  for (std::size_t n = 0; n < a.rejections.size(); ++n) {
    CHECK(a.rejections[n].error.kind == b.rejections[n].error.kind);
    CHECK(a.rejections[n].error.counts == b.rejections[n].error.counts);
    CHECK(a.rejections[n].error.cell == b.rejections[n].error.cell);
    CHECK(a.rejections[n].error.value == b.rejections[n].error.value);
  }
}

inline void check_that_slices_change_nothing(const std::string& backend) {
  std::size_t rejections = 0, remedied = 0;
  for (const auto& [deck, overrides] : kVariety) {
    INFO(deck);
    CaseRun whole(deck, overrides, 2, backend), sliced(deck, with(overrides, kShortest), 2, backend);
    whole.run(kSteps);
    sliced.run(kSteps);
    check_same(whole, sliced);
    check_same_rejections(whole, sliced);
    CHECK(sliced.slices > whole.steps.size());
    rejections += whole.rejections.size();
    remedied += whole.remedied.size();
  }
  CHECK(rejections > 0);
  CHECK(remedied > 0);
}

/// Checks that other solvers can resume a run; they have `threads` threads and two in turn.
inline void check_that_another_solver_goes_on(const std::string& backend, int threads) {
  std::size_t in_rejected_steps = 0, with_tiles_done = 0, with_repaired_faces = 0;
  for (const auto& [deck, overrides] : kVariety) {
    CaseRun whole(deck, overrides, 2, backend);
    whole.run(kSteps);
    const Overrides sliced = with(overrides, kShortest);
    int of_next = threads, of_other = 2;  // in turn, so that every solver has other tiles than the one before
    // The number of slices differs each time, so that every kind of place is met.
    auto run = std::make_unique<CaseRun>(deck, sliced, 2, backend);
    for (std::int64_t cut = 7;; cut += 4 + cut / 8) {
      run->stop_after_slices = cut;
      if (run->run(kSteps) != DriveEnd::stopped || run->state.step == kSteps) break;
      const AttemptProgress progress = run->solver->get_progress();
      in_rejected_steps += progress.attempt.number > 1;
      with_tiles_done += progress.done > 0;
      with_repaired_faces += progress.repaired_before > 0;
      auto next = std::make_unique<CaseRun>(deck, sliced, of_next, backend);
      std::swap(of_next, of_other);
      next->restore(*run);
      run = std::move(next);
    }
    INFO(deck);
    check_same(whole, *run);
    check_same_rejections(whole, *run);
  }
  CHECK(in_rejected_steps > 0);
  CHECK(with_tiles_done > 0);
  CHECK(with_repaired_faces > 0);
}

}  // namespace halfstep
