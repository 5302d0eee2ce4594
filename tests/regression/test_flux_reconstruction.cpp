// Flux reconstruction: what it keeps, its soft errors and their ladder, and the same bits however it is run.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/diagnostics/totals.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

Overrides of_degree(int degree, const Overrides& more = {}) {
  return with({"scheme.method=flux_reconstruction", "scheme.degree=" + std::to_string(degree)}, more);
}

const Overrides kThirds = {"mesh.cells=[3,2,2]", "time.max_steps=10"};

void check_conserved(const Totals& before, const Totals& after) {
  CHECK(after.mass == doctest::Approx(before.mass).epsilon(1e-14));
  CHECK(after.energy == doctest::Approx(before.energy).epsilon(1e-14));
  for (int axis = 0; axis < 3; ++axis)
    CHECK(std::abs(after.momentum[axis] - before.momentum[axis]) < 1e-13 * before.energy);
}

/// Returns the largest difference of two fields of a mesh of n^2 cells, one of them mirrored about the
/// diagonal.
double asymmetry(const std::vector<double>& a, const std::vector<double>& b, int n) {
  double most = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) most = std::max(most, std::abs(a[j * n + i] - b[i * n + j]));
  return most;
}

}  // namespace

TEST_CASE("in elements a uniform stream stays uniform, in every degree and precision") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const std::string precision : {"double", "single"}) {
      CaseRun run =
          stepped(10, "uniform", with(of_degree(degree, kThirds), {"scheme.precision=" + precision}));
      CAPTURE(degree);
      REQUIRE(run.state.step == 10);
      for (const char* field : {"density", "velocity", "pressure"})
        CHECK(run.error(field).linf < (precision == "double" ? 2e-14 : 2e-5));
    }
}

TEST_CASE("elements conserve, whatever the degree and the Riemann solver") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const char* riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"}) {
      CaseRun run("taylor_green", of_degree(degree, {"mesh.cells=[3,3,2]", "gas.viscosity=0",
                                                     std::string("scheme.riemann=") + riemann}));
      const Totals before = run.solver->totals();
      run.run(10);
      CAPTURE(degree);
      CAPTURE(riemann);
      REQUIRE(run.state.step == 10);
      check_conserved(before, run.solver->totals());
    }
}

TEST_CASE("a flow along y or z is the one along x") {
  const auto density = [](const std::string& axis, const std::string& cells) {
    return finished("sod_elements", {"case.axis=" + axis, "mesh.cells=" + cells, "time.end=0.05",
                                     "mesh.boundary={x: outflow, y: outflow, z: outflow}"})
        .fields()
        .conserved[0];
  };
  const std::vector<double> x = density("x", "[20,1,1]");
  CHECK(density("y", "[1,20,1]") == x);
  CHECK(density("z", "[1,1,20]") == x);
}

TEST_CASE("elements keep the symmetry about a diagonal, and what a wall reflects") {
  // A quarter of a blast between mirrors is the quarter of the whole one.
  const Overrides quarter = of_degree(
      2, {"mesh.cells=[6,6,1]", "mesh.lower=[0,0,0]", "mesh.upper=[1,1,1]", "time.max_steps=30",
          "time.dt=1e-3", "mesh.boundary={x: reflecting, y: reflecting, z: outflow}",
          "case={name: regions, background: {density: 1, velocity: [0,0,0], pressure: 1}, regions: [{shape: "
          "ball, center: [0,0,0], radius: 0.4, state: {density: 1.5, velocity: [0,0,0], pressure: 2}}]}"});
  const Overrides whole = with(quarter, {"mesh.cells=[12,12,1]", "mesh.lower=[-1,-1,0]"});
  CaseRun part = stepped(30, "riemann_2d_3", quarter), all = stepped(30, "riemann_2d_3", whole);
  const Fields a = part.fields(), b = all.fields();
  CHECK(asymmetry(a.conserved[0], a.conserved[0], 18) < 1e-13);
  CHECK(asymmetry(a.conserved[1], a.conserved[2], 18) < 1e-13);
  for (int j = 0; j < 18; ++j)
    for (int i = 0; i < 18; ++i)
      CHECK(a.conserved[0][j * 18 + i] ==
            doctest::Approx(b.conserved[0][(j + 18) * 36 + i + 18]).epsilon(1e-12));
}

TEST_CASE("elements are stable up to a Courant number of 0.7 of the cells that points stand for") {
  for (int degree = 1; degree <= kMaxDegree; ++degree) {
    CAPTURE(degree);
    const Overrides wave =
        of_degree(degree, {"mesh.cells=[16,1,1]", "time.end=3", "time.cfl=0.7", "scheme.riemann=rusanov"});
    CHECK(finished("entropy_wave", wave).error("density").linf < 0.05);
  }
}

/// The rungs of the ladder, from no remedy to floors, each with a run that it cures.
struct Rung {
  Remedy remedy;
  const char *before, *word;  ///< of soft_error.on_exhausted: the rung before, and this one
  const char* deck;
  Overrides overrides;
};
const Rung kRungs[] = {
    {Remedy::none,
     "abort",
     "abort",
     "vortex_elements",
     {"mesh.cells=[6,6,1]", "time.max_steps=10",
      "inject={step: 5, stage: 2, cell: [11, 4, 0], kind: negative_pressure}"}},
    {Remedy::scaling, "abort", "scaling", "sod_elements", {"mesh.cells=[32,1,1]"}},
    {Remedy::first_order,
     "scaling",
     "first_order",
     "sod_elements",
     {"mesh.cells=[32,1,1]", "case.left={density: 1, velocity: [0,0,0], pressure: 1000}",
      "case.right={density: 1, velocity: [0,0,0], pressure: 0.01}", "soft_error.max_halvings=2",
      "time.end=0.01"}},
    {Remedy::floor,
     "first_order",
     "floor",
     "cold_stream",
     {"scheme.method=flux_reconstruction", "mesh.cells=[50,1,1]"}},
};

TEST_CASE("each rung of elements cures what those before it do not") {
  for (const Rung& rung : kRungs) {
    CAPTURE(rung.word);
    CaseRun run(rung.deck, with(rung.overrides, {std::string("soft_error.on_exhausted=") + rung.word}));
    CHECK(run.run() != DriveEnd::exhausted);
    CHECK(run.rejections.size() > 0);
    Remedy last = Remedy::none;
    std::int64_t floored = 0;
    for (const AttemptResult& verdict : run.remedied) {
      last = std::max(last, verdict.remedy);
      floored += verdict.floored.cells;
    }
    CHECK(last == rung.remedy);
    CHECK((floored > 0) == (rung.remedy == Remedy::floor));
    if (rung.remedy == Remedy::none) continue;
    CaseRun less(rung.deck, with(rung.overrides, {std::string("soft_error.on_exhausted=") + rung.before}));
    CHECK(less.run() == DriveEnd::exhausted);
  }
}

TEST_CASE("a scaled element that fails otherwise is replayed with its scaling") {
  CaseRun run("sod_elements",
              {"mesh.cells=[32,1,1]", "case.left={density: 1, velocity: [0,0,0], pressure: 100}",
               "soft_error={max_halvings: 0, on_exhausted: scaling, spike: {limit: 100.01}}"});
  CHECK(run.run() == DriveEnd::exhausted);
  REQUIRE(run.rejections.size() > 1);
  CHECK(run.rejections.back().error.kind == SoftErrorKind::spike);
  for (const Rejection& r : run.rejections) CHECK(r.replay.reproduced);
}

TEST_CASE("Sod's tube in elements ends by the ladder, and scaled elements conserve") {
  CaseRun run("sod_elements", {"mesh.boundary.x=reflecting"});
  const Totals before = run.solver->totals();
  run.finish();
  CHECK(run.rejections.size() > 0);
  CHECK(run.remedied.size() > 0);
  CHECK(run.error("density").l1 < 5e-3);
  CHECK(run.solver->totals().mass == doctest::Approx(before.mass).epsilon(1e-13));
  CHECK(run.solver->totals().energy == doctest::Approx(before.energy).epsilon(1e-13));
}

TEST_CASE("a strong blast in elements needs first-order elements, and none where they are not allowed") {
  const Overrides tube = {"case.left={density: 1, velocity: [0,0,0], pressure: 1000}",
                          "case.right={density: 1, velocity: [0,0,0], pressure: 0.01}", "time.end=0.01",
                          "mesh.boundary.x=reflecting", "soft_error.max_halvings=2"};
  CaseRun run("sod_elements", tube);
  const Totals before = run.solver->totals();
  run.finish();
  CHECK(std::any_of(run.remedied.begin(), run.remedied.end(),
                    [](const AttemptResult& verdict) { return verdict.remedy == Remedy::first_order; }));
  CHECK(run.solver->totals().mass == doctest::Approx(before.mass).epsilon(1e-13));
  CHECK(run.solver->totals().energy == doctest::Approx(before.energy).epsilon(1e-13));
  CaseRun without("sod_elements", with(tube, {"soft_error.on_exhausted=abort"}));
  CHECK(without.run() == DriveEnd::exhausted);
}

TEST_CASE("first-order elements conserve across periodic sides, edges and corners") {
  // A blast about the corner of the domain, so that flagged elements and their neighbours are images.
  const Overrides blast = of_degree(
      3, {"mesh.cells=[8,8,1]", "mesh.lower=[0,0,0]", "mesh.upper=[1,1,1]", "time.max_steps=20",
          "mesh.boundary={x: periodic, y: periodic, z: periodic}", "soft_error.max_halvings=0",
          "case={name: regions, background: {density: 1, velocity: [0.3,0.2,0], pressure: 0.01}, regions: "
          "[{shape: box, lower: [0,0,0], upper: [0.125,0.125,1], state: {density: 1, velocity: [0.3,0.2,0], "
          "pressure: 1000}}]}"});
  CaseRun run = CaseRun("riemann_2d_3", blast);
  const Totals before = run.solver->totals();
  run.run();
  CHECK(run.remedied.size() > 0);
  check_conserved(before, run.solver->totals());
}

TEST_CASE("a bad state between elements is found, named and replayed") {
  CaseRun run("sod_elements", {"time.dt=0.002", "soft_error.on_exhausted=abort"});
  run.run();
  REQUIRE(run.rejections.size() > 0);
  const auto bad = std::find_if(run.rejections.begin(), run.rejections.end(),
                                [](const Rejection& r) { return r.error.kind == SoftErrorKind::bad_face; });
  for (const Rejection& r : run.rejections) CHECK(r.replay.reproduced);
  REQUIRE(bad != run.rejections.end());
  CHECK(bad->error.value <= 0);
  CHECK(bad->replay.faces.size() == 2);
  CHECK(bad->replay.stencil[0].size() == 9);  // of degree 3
  CHECK(bad->replay.stencil[1].empty());
  CHECK(bad->error.count > 0);
}

TEST_CASE("a fault in a point is found and redone, and leaves no trace") {
  const Overrides small = {"mesh.cells=[6,6,1]", "soft_error.redo=same_dt"},
                  fault = {"inject={step: 5, stage: 2, cell: [11, 4, 0], kind: negative_density}"};
  const CaseRun struck = stepped(10, "vortex_elements", with(small, fault)),
                clean = stepped(10, "vortex_elements", small);
  REQUIRE(struck.rejections.size() == 1);
  REQUIRE(clean.rejections.empty());
  CHECK(struck.rejections[0].error.kind == SoftErrorKind::negative_density);
  CHECK(struck.rejections[0].error.cell == std::array{11, 4, 0});
  CHECK_FALSE(struck.rejections[0].replay.reproduced);
  CHECK(identical(struck.fields(), clean.fields()));
}

TEST_CASE("elements have the same bits with any number of threads, in slices and taken up again") {
  const std::pair<std::string, Overrides> runs[] = {
      {"sod_elements", {}},
      {kRungs[1].deck, kRungs[1].overrides},
      {kRungs[2].deck, kRungs[2].overrides},
      {"sod_elements", {"scheme.precision=single", "soft_error.face=repair", "scheme.degree=5"}},
      {"taylor_green", of_degree(3, {"mesh.cells=[4,3,5]", "gas.viscosity=0"})}};
  for (const auto& [deck, overrides] : runs) {
    const CaseRun one = stepped(20, deck, overrides), three = stepped(20, deck, overrides, 3);
    CHECK(identical(one.fields(), three.fields()));
    CHECK(one.rate == three.rate);
    const CaseRun sliced =
        stepped(20, deck, with(overrides, {"interruptible={enabled: true, launch_budget_ms: 0.01}"}));
    CHECK(identical(one.fields(), sliced.fields()));
    CaseRun first(deck, overrides), second(deck, overrides);
    first.run(7);
    second.go_on_from(first);
    second.run(20);
    CHECK(identical(one.fields(), second.fields()));
  }
}
