// Sponges: the exact relaxation, what they add to the totals, and how little sound they send back.
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "physics/diagnostics/totals.hpp"
#include "tests/support/given_flow.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const std::string kTarget = "target: {density: 2, velocity: [0.5, 0, 0], pressure: 3}";

Primitive<double> at_rest(const Box&) { return {1, 0, 0, 0, 1}; }

/// Returns the largest distance from the uniform conserved state, of any field.
double distance(const CaseRun& run, const Conserved<double>& expected) {
  return worst_of(run, [&](const Primitive<double>& q, const Box&) {
    const Conserved<double> c = to_conserved(q, run.gas()) - expected;
    return std::max(
        {std::abs(c.density), std::abs(c.mu), std::abs(c.mv), std::abs(c.mw), std::abs(c.energy)});
  });
}

/// Returns the largest |p - 1 / 1.4| where x < 1, relative to the amplitude, of a pulse of sound at the speed
/// 1 between walls at 0 and 2, when one that nothing absorbs is back there.
double sound_left(const std::string& precision, const Overrides& more = {}) {
  // Above the round-off that a run in that precision adds up.
  const double amplitude = precision == "double" ? 1e-4 : 2e-3;
  const auto pulse = [amplitude](const Box& cell) -> Primitive<double> {
    const double x = cell.center(0) - 0.5, wave = amplitude * std::exp(-100 * x * x);
    return {1 + wave, wave, 0, 0, 1 / 1.4 + wave};
  };
  CaseRun run = run_from(
      pulse, with({"mesh={cells: [400, 1, 1], upper: [2, 1, 1], boundary: {x: [reflecting, reflecting]}}",
                   "time.end=3", "scheme.precision=" + precision},
                  more));
  run.finish();
  return worst_of(run, [](const Primitive<double>& q,
                          const Box& cell) { return cell.center(0) < 1 ? q.pressure - 1 / 1.4 : 0; }) /
         amplitude;
}

/// A sponge where x > 1 whose rate rises smoothly: sound is damped by exp(-2 * 40 / 3) on its way through it
/// to the wall and back.
const std::string kAbsorber =
    "sponges=[{shape: half_space, point: [1, 0, 0], normal: x, rate: \"40*(x - 1)^2\", target: {density: 1, "
    "pressure: 1/1.4}}]";

}  // namespace

TEST_CASE("gas in a sponge relaxes to its target as the exponential function, at any rate") {
  for (const std::string rate : {"0.7", "1e9"}) {
    CaseRun run = run_from(
        at_rest,
        {"mesh.cells=[8,1,1]", "time.end=0.5",
         "sponges=[{shape: box, lower: [0, 0, 0], upper: [1, 1, 1], rate: " + rate + ", " + kTarget + "}]"});
    run.finish();
    const Conserved<double> start = to_conserved<double>({1, 0, 0, 0, 1}, run.gas()),
                            target = to_conserved<double>({2, 0.5, 0, 0, 3}, run.gas());
    CHECK(run.rejections.empty());
    CHECK(distance(run, target + std::exp(-std::stod(rate) * 0.5) * (start - target)) < 1e-13);
  }
}

TEST_CASE("overlapping sponges add up, and a cell that lies in one in part relaxes by that part") {
  // The second sponge covers 0.3 of the cell that reaches from 0.5 to 1.
  CaseRun run =
      run_from(at_rest, {"mesh.cells=[2,1,1]", "scheme.reconstruction=constant",
                         "sponges=[{shape: box, lower: [0.5, 0, 0], upper: [1, 1, 1], rate: 1, " + kTarget +
                             "}, {shape: box, lower: [0.6, 0, 0], upper: [0.75, 1, 1], rate: 20*x - 12, "
                             "target: {density: 4, pressure: 1}}]"});
  const std::vector<SpongeCell> cells = run.config.problem.sponges->cells();
  REQUIRE(cells.size() == 1);
  // The mean of the rate over what the sponge covers is 1.5.
  CHECK(cells[0].i == 1);
  CHECK(cells[0].rate == doctest::Approx(1 + 0.3 * 1.5).epsilon(1e-13));
  CHECK(cells[0].target.density == doctest::Approx((2 + 0.45 * 4) / 1.45).epsilon(1e-13));
  CHECK(run.config.problem.sponges->count() == 1);
}

TEST_CASE("every cell of a sponge is checked, and the first that is not sound named, with any threads") {
  const auto said_of = [](const std::string& sponge, const std::string& precision) {
    const Problem problem =
        load_deck(HALFSTEP_SOURCE_DIR "/inputs/uniform.yaml",
                  {"mesh={cells: [64, 64, 64], lower: [0, 0, 0], upper: [1, 1, 1]}",
                   "scheme.precision=" + precision,
                   "sponges=[{shape: ball, center: [0.5, 0.5, 0.5], radius: 0.05, rate: 1, target: {density: "
                   "1, pressure: 1}}, {shape: box, lower: [0.25, 0.25, 0.25], upper: [0.75, 0.75, 0.75], " +
                       sponge + "}]"})
            .problem;
    std::string said;
    for (const int threads : {1, 3}) {
      const int before = omp_get_max_threads();
      omp_set_num_threads(threads);
      const std::string now = refusal([&] { problem.sponges->cells(); });
      omp_set_num_threads(before);
      CHECK((said.empty() || now == said));
      said = now;
    }
    return said;
  };
  const std::string target = "target: {density: 1, pressure: 1}";
  CHECK(said_of("rate: \"0.52 - x\", " + target, "double") ==
        "'sponges[1].rate' is -0.0034375 at (0.523438, 0.257812, 0.257812)");
  CHECK(said_of("rate: \"1/(z - 0.5)^2\", " + target, "double").empty());
  CHECK(said_of("rate: 1, target: {density: 1, pressure: \"0.55 - y\"}", "double") ==
        "'sponges[1].target' is no admissible state in double precision at (0.257812, 0.554688, 0.257812)");
  const std::string fast = "rate: 1, target: {density: 1, velocity: [1e5, 0, 0], pressure: 1}";
  CHECK(said_of(fast, "double").empty());
  CHECK(said_of(fast, "single") ==
        "'sponges[1].target' is no admissible state in single precision at (0.257812, 0.257812, 0.257812)");
}

TEST_CASE("an attempt that fails in a sponge is diagnosed with the sponge's effect, and so reproduced") {
  const std::string sponge =
      "sponges=[{shape: half_space, point: [-1, 0, 0], normal: x, rate: 200, target: {density: 1.5, "
      "velocity: [0.3, 0, 0], pressure: 2}}]";
  for (const std::string precision : {"double", "single"})
    for (const Overrides& more : {Overrides{}, Overrides{"scalars={dye: 0.25}"}}) {
      // The one stage is the step's last, and there every cell is a spike.
      CaseRun run("sod", with({"mesh.cells=[64,1,1]", "scheme.precision=" + precision, sponge,
                               "scheme.integrator=euler", "soft_error.spike={field: density, limit: 0.01}"},
                              more));
      REQUIRE_FALSE(run.attempt(1e-3, 0).accepted);
      CHECK(run.diagnose().kind == SoftErrorKind::spike);
      const Replay replay = run.solver->diagnosis().replay;
      CHECK(replay.after.density > 1.05);
      CHECK(replay.reproduced);
    }
}

TEST_CASE("a sponge does not hide the defect that a stage left in it") {
  const std::string sponge =
      "sponges=[{shape: half_space, point: [0.2, 0, 0], normal: x, rate: 1e9, target: {density: 1, pressure: "
      "1}}]";
  for (const auto& [fault, kind] : {std::pair{"negative_density", SoftErrorKind::negative_density},
                                    std::pair{"negative_pressure", SoftErrorKind::negative_pressure}}) {
    CaseRun run("sod", {"mesh.cells=[64,1,1]", sponge,
                        std::string("inject={step: 3, cell: [40, 0, 0], stage: 3, kind: ") + fault + "}"});
    run.run(5);
    REQUIRE(run.rejections.size() == 1);
    CHECK(run.rejections[0].error.kind == kind);
    CHECK(run.rejections[0].error.cell == std::array{40, 0, 0});
    CHECK(run.rejections[0].error.count == 1);
  }
  // Waves that cross too much of a cell at the end of the stages, before the sponge stills them.
  CaseRun run("sod", {"mesh.cells=[64,1,1]", sponge,
                      "case.left={density: 1, velocity: [0, 0, 0], pressure: "
                      "1000}",
                      "case.position=0.21", "soft_error.cfl_limit=0.41"});
  run.run(5);
  REQUIRE_FALSE(run.rejections.empty());
  for (const Rejection& rejection : run.rejections) {
    CHECK(rejection.error.kind == SoftErrorKind::cfl_overrun);
    CHECK_FALSE(rejection.error.vanished());
    CHECK(rejection.replay.reproduced);
  }
}

TEST_CASE("a run with sponges has no exact solution") {
  CaseRun run("sod", {"mesh.cells=[64,1,1]", kAbsorber});
  CHECK(run.config.lost_exact(0.1) == "the case's is without sponges");
  CHECK_FALSE(run.config.has_exact(0.1));
}

TEST_CASE("a sponge keeps its target to the bit, and what is outside of it") {
  CaseRun with_sponge =
      run_from(at_rest, {"mesh.cells=[16,16,1]", "time.end=0.2",
                         "sponges=[{shape: ball, center: [0.5, 0.5, 0], radius: 0.3, rate: 5, "
                         "target: {density: 1, pressure: 1}}]"});
  const Fields before = with_sponge.fields();
  with_sponge.finish();
  CHECK(identical(with_sponge.fields(), before));
}

TEST_CASE("a sponge absorbs sound: below one percent comes back, where all does without it") {
  for (const std::string precision : {"double", "single"}) {
    const double back = sound_left(precision, {kAbsorber});
    MESSAGE(precision << ": " << back << " of the pulse comes back");
    CHECK(back < 0.01);
    CHECK(sound_left(precision) > 0.8);
  }
}

TEST_CASE("what sponges add is what the totals change by") {
  for (const std::string precision : {"double", "single"})
    for (const char* source : {"none", "cooling"}) {
      const bool cools = std::string(source) == "cooling";
      CaseRun run = run_from(
          [](const Box& cell) -> Primitive<double> {
            return {1 + 0.2 * std::sin(6.283185307179586 * cell.center(0)), 0.3, 0.1, 0, 1};
          },
          {"mesh.cells=[40,30,1]", "time.end=0.3", "scheme.precision=" + precision,
           std::string("source.kind=") + source,
           "sponges=[{shape: ball, center: [0.5, 0.5, 0], radius: 0.3, rate: 20*y, " + kTarget + "}]"});
      const Totals before = run.solver->totals();
      run.finish();
      const Totals after = run.solver->totals();
      const double bar = precision == "double" ? 1e-13 : 1e-5;
      CHECK(run.sponged.mass > 0.05);
      CHECK(std::abs(after.mass - before.mass - run.sponged.mass) < bar);
      for (int axis = 0; axis < 3; ++axis)
        CHECK(std::abs(after.momentum[axis] - before.momentum[axis] - run.sponged.momentum[axis]) < bar);
      if (!cools) CHECK(std::abs(after.energy - before.energy - run.sponged.energy) < 5 * bar);
    }
}

TEST_CASE("what sponges add has the same bits for any number of threads") {
  const auto run = [](int threads) {
    CaseRun all("kelvin_helmholtz",
                {"mesh.cells=[70,50,1]",
                 "sponges=[{shape: half_space, point: [0, 0.2, 0], normal: y, rate: 3*y, " + kTarget + "}]"},
                threads);
    all.run(10);
    return all;
  };
  const CaseRun one = run(1), three = run(3);
  CHECK(one.sponged.mass != 0);
  CHECK(three.sponged.mass == one.sponged.mass);
  CHECK(three.sponged.energy == one.sponged.energy);
  CHECK(identical(three.fields(), one.fields()));
}
