// Soft errors that are detected, reported exactly, and cured.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "physics/gas/admissible.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/stage/replay.hpp"
#include "tests/support/slices.hpp"

using namespace halfstep;

namespace {

bool has(const CaseRun& run, SoftErrorKind kind) {
  return std::any_of(run.rejections.begin(), run.rejections.end(),
                     [&](const Rejection& r) { return r.error.kind == kind; });
}

/// Returns a tube with densities and pressures of x^2 - 0.3 about the face between cells 31 and 32, in units
/// of cells: averages are positive, the reconstruction at that face is not.
Fields with_a_bad_face(const CaseRun& run) {
  Fields fields = run.fields();
  for (int i = 29; i < 35; ++i) {
    const double x = i - 32, average = x * x + x + 1.0 / 3 - 0.3;
    const Conserved<double> c = to_conserved({average, 0, 0, 0, average}, run.gas());
    fields.conserved[0][i] = c.density;
    for (int a = 1; a <= 3; ++a) fields.conserved[a][i] = 0;
    fields.conserved[4][i] = c.energy;
  }
  return fields;
}

}  // namespace

TEST_CASE("a step far too long for Sod's tube is found, halved, and does no harm to the solution") {
  CaseRun run = finished("sod", {"mesh.cells=[256,1,1]", "time.dt=0.02"});
  REQUIRE(run.rejections.size() > 2);
  const Rejection& first = run.rejections.front();
  CHECK(first.error.kind == SoftErrorKind::negative_density);
  CHECK(first.error.stage == 1);
  CHECK(first.error.cell == std::array<int, 3>{127, 0, 0});  // beside the diaphragm
  CHECK(first.error.value < 0);
  CHECK(first.error.count == 1);
  CHECK(first.dt == 0.02);
  CHECK(has(run, SoftErrorKind::cfl_overrun));
  for (const Rejection& r : run.rejections) {
    CHECK(r.replay.reproduced);
    if (r.error.kind == SoftErrorKind::cfl_overrun)
      CHECK(r.error.value > run.config.problem.detection.cfl_limit);
  }
  for (std::size_t n = 1; n < run.rejections.size(); ++n)
    if (run.rejections[n].step == run.rejections[n - 1].step)
      CHECK(run.rejections[n].dt == 0.5 * run.rejections[n - 1].dt);
  CHECK(run.state.time == 0.2);
  CHECK(run.error("density").l1 < 1.8e-3);  // the bar of a run without rejected steps
}

TEST_CASE("counts by kind and the value are those of the failed stage") {
  CaseRun run("sod", {"time.dt=0.02"});
  const AttemptResult verdict = run.attempt(0.005, 1);  // finishes, but crosses more than a cell
  REQUIRE_FALSE(verdict.raised);
  REQUIRE_FALSE(verdict.accepted);
  REQUIRE(0.005 * verdict.cfl_rate > 1);
  const SoftError error = run.diagnose();
  CHECK(error.kind == SoftErrorKind::cfl_overrun);
  CHECK(error.stage == 3);
  // Counts cells in the state that the step would have made.
  REQUIRE(run.attempt(0.005, 0).accepted);
  const Fields made = run.fields();
  std::int64_t beyond = 0;
  int lowest = -1;
  double value = 0;
  for (int i = 0; i < 256; ++i) {
    const auto q = primitive_of_cell(made, i, run.gas());
    const double courant = 0.005 * 256 * (std::abs(q.u) + sound_speed(q.density, q.pressure, run.gas()));
    if (courant <= 1) continue;
    ++beyond;
    if (lowest < 0) lowest = i, value = courant;
  }
  CHECK(error.count == beyond);
  CHECK(error.counts[static_cast<int>(SoftErrorKind::cfl_overrun)] == beyond);
  CHECK(error.cell[0] == lowest);
  CHECK(error.value == doctest::Approx(value).epsilon(1e-12));
}

TEST_CASE("the decks that are made to fail do, by the kind they are made for, and recover") {
  CaseRun spike = finished("spike");
  REQUIRE(spike.rejections.size() > 0);
  for (const Rejection& r : spike.rejections) {
    CHECK(r.error.kind == SoftErrorKind::spike);
    CHECK(r.error.value > spike.config.problem.detection.spikes.limit);
  }
  CHECK(spike.error("density").l1 < 0.1);

  CaseRun blast = finished("strong_blast");
  REQUIRE(blast.rejections.size() > 0);
  CHECK(has(blast, SoftErrorKind::negative_pressure));

  CaseRun slow = finished("too_long_step");
  CHECK(has(slow, SoftErrorKind::negative_density));
  CHECK(has(slow, SoftErrorKind::negative_pressure));
  CHECK(has(slow, SoftErrorKind::cfl_overrun));
  CHECK(slow.error("density").l1 < 1.8e-3);
}

TEST_CASE("a spike is also what stands out among its neighbours") {
  CaseRun run("sod", {"mesh.cells=[64,1,1]", "soft_error.spike={field: pressure, limit: 0, factor: 3}"});
  Fields fields = run.fields();
  fields.conserved[4][20] = 50 / 0.4;
  run.begin_from(fields);
  REQUIRE(run.attempt(1e-6, 0).raised);
  const SoftError error = run.diagnose();
  CHECK(error.kind == SoftErrorKind::spike);
  CHECK(error.cell[0] == 20);
  CHECK(error.value == doctest::Approx(50).epsilon(1e-2));
  CHECK(error.count == 1);
}

TEST_CASE("a bad face is repaired and counted, or raised, as the deck asks") {
  const Overrides small = {"mesh.cells=[64,1,1]", "time.dt=1e-6", "time.end=1e-5",
                           "scheme.variables=primitive"};
  CaseRun repairing("sod", small);
  repairing.begin_from(with_a_bad_face(repairing));
  REQUIRE(repairing.run(1) == DriveEnd::stopped);
  CHECK(repairing.rejections.empty());
  CHECK(repairing.repaired_faces == 3);  // one face in each of three stages

  Overrides raising = with(small, {"soft_error.face=raise"});
  // First-order fluxes around the face cure the step at its own dt.
  CaseRun curing("sod", raising);
  curing.begin_from(with_a_bad_face(curing));
  REQUIRE(curing.run(1) == DriveEnd::stopped);
  CHECK(curing.rejections.size() == 1);
  REQUIRE(curing.remedied.size() == 1);
  CHECK(curing.steps.front().dt == 1e-6);

  raising.push_back("soft_error.on_exhausted=abort");
  CaseRun strict("sod", raising);
  strict.begin_from(with_a_bad_face(strict));
  // A bad face of the first stage depends on U^n alone, so halving is not tried.
  CHECK(strict.run(1) == DriveEnd::exhausted);
  REQUIRE(strict.rejections.size() == 1);
  const Rejection& r = strict.rejections.front();
  CHECK(r.error.kind == SoftErrorKind::bad_face);
  CHECK(r.error.stage == 1);
  CHECK(r.error.cell[0] == 31);
  CHECK(r.error.count == 2);  // the cells on both sides
  CHECK(r.error.value == doctest::Approx(-0.3).epsilon(1e-12));
  CHECK(r.replay.reproduced);
  int bad = 0;
  for (const FaceReplay& face : r.replay.faces)
    if (face.first_order) {
      ++bad;
      CHECK(face.side == 1);
      CHECK(face.left.density == doctest::Approx(-0.3).epsilon(1e-12));
    }
  CHECK(bad == 1);
}

TEST_CASE("a NaN in the state is not finite, where it is, and no halving can cure it") {
  struct Place {
    std::array<int, 3> cell, reported;
    std::int64_t count;
  };
  // Rusanov's flux carries the NaN to the six neighbours within the stage and no further; the lowest of the
  // seven is reported. Beside an outflow boundary there are fewer.
  const Place places[] = {{{9, 4, 6}, {9, 4, 5}, 7}, {{0, 0, 0}, {0, 0, 0}, 4}};
  for (const std::string precision : {"double", "single"})
    for (const Place& place : places)
      for (int field = 0; field < kFields; ++field) {
        CaseRun run("linear_wave_3d",
                    {"mesh.cells=[16,10,12]", "scheme.precision=" + precision, "scheme.riemann=rusanov",
                     "soft_error.on_exhausted=abort", "mesh.boundary.x=[outflow,outflow]",
                     "mesh.boundary.y=[outflow,outflow]", "mesh.boundary.z=[outflow,outflow]"});
        Fields fields = run.fields();
        const auto& c = place.cell;
        fields.conserved[field][(static_cast<std::size_t>(c[2]) * 10 + c[1]) * 16 + c[0]] =
            std::numeric_limits<double>::quiet_NaN();
        run.begin_from(fields);
        CHECK(run.run() == DriveEnd::exhausted);
        REQUIRE(run.rejections.size() == static_cast<std::size_t>(run.limits.max_halvings) + 1);
        for (const Rejection& r : run.rejections) {
          INFO(precision, " field ", field);
          CHECK(r.error.kind == SoftErrorKind::not_finite);
          CHECK(r.error.stage == 1);
          CHECK(r.error.count == place.count);
          CHECK(r.error.cell == place.reported);
          CHECK(std::isnan(r.error.value));
          CHECK(r.replay.reproduced);
          // The stencil shows the origin of the NaN: the cell itself or the one above it.
          const auto& along_z = r.replay.stencil[2];
          const Primitive<double>& q = along_z[along_z.size() / 2 + (c[2] - r.error.cell[2])];
          CHECK_FALSE(is_admissible(q));
        }
      }
}

TEST_CASE("a NaN is found with every Riemann solver, in its own cell or one beside it") {
  for (const std::string riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"}) {
    CaseRun run("linear_wave", {"mesh.cells=[100,1,1]", "scheme.riemann=" + riemann});
    Fields fields = run.fields();
    fields.conserved[0][70] = std::numeric_limits<double>::quiet_NaN();
    run.begin_from(fields);
    INFO(riemann);
    REQUIRE(run.attempt(1e-3, 0).raised);
    const SoftError error = run.diagnose();
    CHECK(error.kind == SoftErrorKind::not_finite);
    CHECK(error.cell[0] >= 69);
    CHECK(error.cell[0] <= 70);
    CHECK(error.count <= 3);
  }
}

TEST_CASE("the record of a failure is the same for one and three threads, and its replay is complete") {
  const Overrides violent = {"mesh.cells=[70,50,1]", "time.dt=0.05"};
  CaseRun one("sedov_2d", violent, 1), three("sedov_2d", violent, 3);
  one.run(3);
  three.run(3);
  REQUIRE(one.rejections.size() > 0);
  check_same_rejections(one, three);
  for (std::size_t n = 0; n < one.rejections.size(); ++n) {
    CHECK(one.rejections[n].error.stage == three.rejections[n].error.stage);
    CHECK(one.rejections[n].error.count == three.rejections[n].error.count);
    const Replay& replay = one.rejections[n].replay;
    CHECK(replay.reproduced);
    REQUIRE(replay.faces.size() == 4);
    CHECK(replay.stencil[0].size() == 2 * one.layers() + 1);
    CHECK(replay.stencil[1].size() == 2 * one.layers() + 1);
    CHECK(replay.stencil[2].empty());
    // The update follows from the faces' fluxes and the state before.
    if (one.rejections[n].error.stage == 1) {
      const double dt = one.rejections[n].dt, h = one.mesh().spacing(0), k = one.mesh().spacing(1);
      const auto& f = replay.faces;
      const double density = replay.before.density - dt * ((f[1].flux.density - f[0].flux.density) / h +
                                                           (f[3].flux.density - f[2].flux.density) / k);
      CHECK(replay.after.density == doctest::Approx(density).epsilon(1e-10));
    }
  }
}

TEST_CASE("a stored update that the replay does not find again is called a transient fault") {
  Mesh mesh{{8, 1, 1}};
  const Layout layout(mesh, 3);
  std::vector<double> in(layout.values(), 1.0), out(layout.values(), 1.0);
  for (int i = -3; i < 11; ++i) {
    const Conserved<double> c = to_conserved<double>({1 + 0.1 * i * i, 0.2 * i, 0.1, 0, 2 - 0.1 * i}, {1.4});
    store(layout, in.data(), i, 0, 0, c);
  }
  const StageArguments<double> stage{layout, nullptr,   in.data(), out.data(), 1,
                                     0.01,   {8, 0, 0}, {1.4},     false,      true};
  const Scheme scheme;
  const auto replayed = [&] { return to_replay(replay_cell(stage, scheme, 4, 0, 0), layout); };
  store(layout, out.data(), 4, 0, 0, replayed().after);
  CHECK(replayed().reproduced);

  // Flips the sign or one bit of the exponent, changes the middle of the mantissa, or stores a NaN.
  for (int f = 0; f < kFields; ++f) {
    double& stored = out[layout.index(4, 0, 0) + f * layout.field_stride];
    const double right = stored;
    if (right == 0) continue;
    for (const double wrong :
         {-right, 2 * right, right * (1 + 1e-6), std::numeric_limits<double>::quiet_NaN()}) {
      stored = wrong;
      INFO("field ", f, ": ", wrong, " for ", right);
      CHECK_FALSE(replayed().reproduced);
    }
    stored = right;
  }
  CHECK(replayed().reproduced);
}

TEST_CASE("a source that gives up is cured by a shorter step and by no other flux") {
  SoftError error;
  error.kind = SoftErrorKind::source_failure;
  error.count = 1;
  CHECK(error.cure() == Cure::shorter_step);
}

TEST_CASE("a raise that diagnosis does not find again says so and may be redone") {
  SoftError error;
  error.kind = SoftErrorKind::bad_face;
  error.count = 0;
  CHECK(error.vanished());
  CHECK(error.cure() == Cure::any);
  // At the limit, diagnosis in single precision may find no cell beyond it though the reduced rate is.
  CaseRun run("uniform",
              {"mesh.cells=[32,1,1]", "scheme.precision=single", "time.cfl=0.7", "soft_error.cfl_limit=0.7"});
  run.run(3);
  for (const Rejection& rejection : run.rejections) {
    CHECK(rejection.error.kind == SoftErrorKind::cfl_overrun);
    if (rejection.error.vanished()) CHECK_FALSE(rejection.replay.reproduced);
  }
}
