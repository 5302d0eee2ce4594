// Bodies in the flow on a device: the host's flow and time steps, and the same bits however steps are
// launched, rejected and redone.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/support/difference.hpp"

using namespace halfstep;

namespace {

const std::string kBall = "solids=[{shape: ball, name: ball, center: [0.45, 0.52, 0.5], radius: 0.2}";

/// A fault in the gas, after which the step is redone.
std::string fault(int stage) {
  return "inject={step: 6, stage: " + std::to_string(stage) + ", cell: [18,12,10], kind: negative_density}";
}

struct Row {
  std::string deck;
  Overrides overrides;
  int steps = 20;
};

/// A ball in streams of all kinds: with slip and without, with scalars, forces, sponges, soft errors in every
/// stage, remedies and steps that are too long; beside a periodic side; and bodies of other decks.
const Row kRows[] = {
    {"uniform", {kBall + "]"}},
    {"uniform", {kBall + "]", "case.velocity=[0,0,0]"}},
    {"uniform", {kBall + "]", "scalars={dye: \"x > 0.3\"}", "mesh.spacing.x={kind: tanh, strength: 1}"}},
    {"uniform", {kBall + "]", "gas.viscosity=1e-3"}},
    {"uniform", {kBall + "]", "scheme.averages=fourth_order"}},
    {"uniform", {kBall + "]", "driving={pressure_gradient: [-0.5, 0, 0], acceleration: 2, waves: 3}"}},
    {"uniform", {kBall + ", {shape: ball, name: other, center: [0.02, 0.2, 0.5], radius: 0.15}]"}},
    {"uniform",
     {kBall + "]",
      "sponges=[{shape: ball, center: [0.6, 0.5, 0.5], radius: 0.3, rate: 1e3, target: "
      "{density: 1, pressure: 1}}]"}},
    {"uniform", {kBall + "]", fault(1)}},
    {"uniform", {kBall + "]", fault(2)}},
    {"uniform", {kBall + "]", fault(3)}},
    {"uniform", {kBall + "]", fault(2), "soft_error.max_halvings=0"}},
    {"uniform", {kBall + "]", fault(2), "soft_error.redo=same_dt"}},
    {"uniform", {kBall + "]", "time.dt=0.1"}},
    {"uniform", {kBall + "]", "positivity=hu_adams_shu", "time.cfl=0.2"}},
    {"cylinder_mach3", {"mesh.cells=[45,60,1]"}},
    {"cylinder_mach3", {"mesh.cells=[45,60,1]", "time.dt=0.03"}},
    {"sphere_mach3", {"mesh.cells=[24,24,24]"}},
    {"forward_step", {"mesh.cells=[60,20,1]"}},
    {"schardin", {"mesh.cells=[64,48,1]"}},
    {"shock_bubble_helium",
     {"mesh.cells=[120,40,1]", "solids=[{shape: polygon, vertices: [[55, 0], [140, 0], [140, 30]]}]"}},
    {"rayleigh_taylor",
     {"mesh.cells=[20,40,1]", "output.budgets=false",
      "solids=[{shape: ball, center: [0, 0, 0], radius: 0.1}]"}},
};

Overrides all_of(const Row& row, const Overrides& more) {
  Overrides all = row.overrides;
  if (row.deck == "uniform")
    all.insert(all.begin(), {"mesh.cells=[28,24,20]", "case.velocity=[1.2,0.3,0.2]"});
  return with(with(all, {"output.every=0", "time.end=100"}), more);
}
CaseRun on(const std::string& backend, const Row& row, const Overrides& more = {}) {
  CaseRun run(row.deck, all_of(row, more), 0, backend);
  run.wants_totals = true;
  run.run(row.steps);
  return run;
}
std::string name_of(const Row& row) {
  std::string name = row.deck;
  for (const std::string& one : row.overrides) name += " " + one;
  return name;
}

/// Checks that both have the same flow to round-off, and so the same time steps: a cell in a body that
/// counted would set another.
void check_alike(const CaseRun& host, const CaseRun& cuda, double bar) {
  CHECK(cuda.state.step == host.state.step);
  CHECK(cuda.state.time == doctest::Approx(host.state.time).epsilon(bar));
  CHECK(cuda.rate == doctest::Approx(host.rate).epsilon(bar));
  CHECK(cuda.rejections.size() == host.rejections.size());
  CHECK(cuda.remedied.size() == host.remedied.size());
  CHECK(difference(host, cuda) <= bar);
  if (!HALFSTEP_STRICT_FP) return;
  CHECK(cuda.state.time == host.state.time);
  CHECK(cuda.rate == host.rate);
  CHECK(cuda.repaired_faces == host.repaired_faces);
  CHECK(identical(cuda.fields(), host.fields()));
}

void check_same_bits(const CaseRun& a, const CaseRun& b) {
  CHECK(a.state.time == b.state.time);
  CHECK(a.rate == b.rate);
  CHECK(a.repaired_faces == b.repaired_faces);
  CHECK(a.rejections.size() == b.rejections.size());
  CHECK(a.sponged.mass == b.sponged.mass);
  CHECK(identical(a.fields(), b.fields()));
  REQUIRE(a.totals.size() == b.totals.size());
  for (std::size_t n = 0; n < a.totals.size(); ++n) CHECK(a.totals[n] == b.totals[n]);
}

}  // namespace

TEST_CASE("flows around bodies agree between host and CUDA, and so do their time steps") {
  for (const Row& row : kRows) {
    INFO(name_of(row));
    check_alike(on("host", row), on("cuda", row), 1e-9);
  }
}

TEST_CASE("every reconstruction, integrator and precision has the host's time steps around bodies") {
  for (const std::string reconstruction : {"constant", "plm", "ppm", "weno5z"})
    for (const std::string integrator : {"euler", "ssprk2", "ssprk3"})
      for (const std::string precision : {"double", "single"})
        for (const std::string wall : {"gas.viscosity=0", "gas.viscosity=2e-3"}) {
          INFO(reconstruction, " ", integrator, " ", precision, " ", wall);
          const Row row{"uniform", {kBall + "]", wall, "time.cfl=0.3"}, 10};
          const Overrides scheme{"scheme.reconstruction=" + reconstruction, "scheme.integrator=" + integrator,
                                 "scheme.precision=" + precision};
          const double bar = reconstruction == "ppm" ? 1e-4 : precision == "double" ? 1e-10 : 2e-4;
          check_alike(on("host", row, scheme), on("cuda", row, scheme), bar);
        }
}

TEST_CASE("bodies on CUDA have the same bits at once, in slices, pipelined, and every time") {
  std::size_t rejections = 0, remedied = 0;
  for (const Row& row : kRows) {
    INFO(name_of(row));
    const CaseRun whole = on("cuda", row);
    rejections += whole.rejections.size();
    remedied += whole.remedied.size();
    for (const Overrides& other :
         {Overrides{}, Overrides{"soft_error.poll=pipelined", "soft_error.depth=8"},
          Overrides{"interruptible.enabled=true", "interruptible.launch_budget_ms=1e-6"}})
      check_same_bits(whole, on("cuda", row, other));
  }
  CHECK(rejections > 8);
  CHECK(remedied > 0);
}

TEST_CASE("a rejected attempt leaves no trace in a state with bodies, whatever asks for it then") {
  for (const std::string integrator : {"ssprk2", "ssprk3"})
    for (const bool is_diagnosed : {false, true}) {
      INFO(integrator, " ", is_diagnosed);
      CaseRun run("uniform", all_of(kRows[0], {"scheme.integrator=" + integrator}), 0, "cuda");
      run.run(4);
      const Fields before = run.fields();
      const Totals totals = run.solver->totals();
      const double rate = run.solver->cfl_rate();
      const AttemptResult result = run.attempt(1e-3, std::numeric_limits<double>::min());
      REQUIRE_FALSE(result.accepted);
      if (is_diagnosed) {
        run.diagnose();
        CHECK(identical(run.fields(), before));
      }
      run.solver->resume(run.limits, run.state, run.rate);
      CHECK(identical(run.fields(), before));
      CHECK(run.solver->totals() == totals);
      CHECK(run.solver->cfl_rate() == rate);
    }
}

TEST_CASE("a run with bodies goes on from its state with the same bits, after a rejected step as well") {
  for (const Row& row : {kRows[0], kRows[8]}) {
    const CaseRun whole = on("cuda", row);
    CaseRun again(row.deck, all_of(row, {}), 0, "cuda");
    again.run(7);
    again.begin_from(again.fields());
    again.run(row.steps);
    CHECK(again.state.time == whole.state.time);
    CHECK(identical(again.fields(), whole.fields()));
  }
}

// There are so many cells that bodies are filled beside sweeps in two parts, unless there are budgets.
TEST_CASE("bodies that are filled beside sweeps have the same bits as those that are filled between them") {
  const std::string balls =
      "solids=[{shape: ball, name: balls, center: [0.3, 0.3, 0.31], radius: 0.17}, {shape: ball, name: "
      "balls, center: "
      "[0.7, 0.3, 0.5], radius: 0.2}, {shape: ball, name: balls, center: [0.3, 0.72, 0.6], radius: 0.24}, "
      "{shape: box, "
      "name: block, lower: [0.55, 0.6, 0.2], upper: [0.801, 0.9, 0.97]}]";
  const Row streams[] = {
      {"uniform", {balls}},
      {"uniform", {balls, "mesh.boundary={x: outflow, y: reflecting, z: [reflecting, outflow]}"}},
      {"uniform", {balls, "gas.viscosity=1e-3"}},
      {"uniform", {balls, "scalars={dye: \"x > 0.3\"}", "mesh.spacing.z={kind: tanh, strength: 1}"}},
      {"uniform", {balls, "inject={step: 4, stage: 2, cell: [128, 3, 30], kind: negative_density}"}},
      {"uniform", {balls, "time.dt=0.02"}},
  };
  for (Row row : streams)
    for (const Overrides& scheme : {Overrides{"scheme.reconstruction=plm", "scheme.integrator=ssprk2"},
                                    Overrides{"scheme.reconstruction=weno5z", "scheme.precision=single"}}) {
      INFO(name_of(row), " ", scheme[0]);
      row.steps = 8;
      const Overrides of = with(scheme, {"mesh.cells=[256,256,36]"});
      const CaseRun between = on("cuda", row, with(of, {"output.budgets=true"}));
      check_same_bits(on("cuda", row, of), between);
      check_same_bits(on("cuda", row, with(of, {"soft_error.poll=pipelined", "soft_error.depth=4"})),
                      between);
    }
}
