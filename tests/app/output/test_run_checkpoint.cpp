#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <tuple>
#include <vector>

#include "app/output/run_checkpoint.hpp"
#include "runtime/checkpoint/record_file.hpp"
#include "tests/support/old_checkpoint.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

std::string write_checkpoint(const std::filesystem::path& directory, const RunCheckpoint& checkpoint,
                             int keep, int compress = 0) {
  return publish_checkpoint(directory, checkpoint.state.step,
                            checkpoint_file(directory, checkpoint, view_of(checkpoint.fields), compress),
                            keep);
}

RunCheckpoint sample(std::int64_t step, const std::string& precision) {
  RunCheckpoint checkpoint;
  checkpoint.deck = "title: sample\ncase: {name: uniform}\n";
  checkpoint.state = {.time = 0.1 * static_cast<double>(step),
                      .step = step,
                      .next_output = 3,
                      .level = 2,
                      .accepted_at_level = 1,
                      .last_helped = Remedy::floor,
                      .remembered = 3};
  checkpoint.last_dt = 1.0 / 3;
  checkpoint.cfl_rate = std::sqrt(2.0);
  checkpoint.mesh = {.cells = {5, 3, 2}, .lower = {-1, 0, 0.1}, .upper = {1, 1.0 / 3, 2}};
  checkpoint.gamma = 5.0 / 3;
  for (int f = 0; f < kFields; ++f)
    for (int c = 0; c < 30; ++c) {
      const double value = std::sin(1.0 + c + 100 * f);
      checkpoint.fields.conserved[f].push_back(precision == "single" ? static_cast<float>(value) : value);
    }
  checkpoint.fields.conserved[0][7] = -0.0;
  checkpoint.fields.conserved[1][7] = std::numeric_limits<double>::infinity();
  checkpoint.precision = precision;
  checkpoint.backend = "host";
  checkpoint.git = "abc";
  checkpoint.counters = {.attempts = 40,
                         .rejections = 3,
                         .repaired_faces = 9,
                         .scaled_steps = 7,
                         .first_order_steps = 2,
                         .floored = {5, 0.3, -0.2, {0.1, -0.7, 4}},
                         .sponged = {0.6, -0.9, {3, 0.2, -0.4}},
                         .injected_faults = 1,
                         .wall_seconds = 0.7,
                         .redo_seconds = 0.1};
  checkpoint.next_dump = 4;
  checkpoint.dumped_step = step - 2;
  checkpoint.histogram_step = step - 1;
  checkpoint.next_of_outputs = {7, 0};
  checkpoint.averages = {{"calm", {0.5, 1.5}}, {"wild", {-2}}};
  checkpoint.counters.budget.sides[1][0] = {1, 2, 3, 4, 0.1};
  checkpoint.counters.budget.forces.mw = 0.3;
  checkpoint.counters.budget.sources.energy = -0.7;
  checkpoint.counters.budget.bodies.density = 0.2;
  checkpoint.epoch = 41;
  return checkpoint;
}

/// Returns a checkpoint taken between two slices of the third attempt at a step.
RunCheckpoint sample_within_step() {
  RunCheckpoint checkpoint = sample(9, "double");
  checkpoint.state.rejections = 2;
  checkpoint.state.halvings = 1;
  checkpoint.state.remedy = Remedy::first_order;
  StepUnderWay& step = checkpoint.step.emplace();
  step.first_dt = 0.7;
  step.remedies = {Remedy::scaling, Remedy::first_order, Remedy::floor};
  AttemptProgress& p = step.progress;
  p.attempt = {41, 10, 3, Remedy::first_order};
  p.substep = 2;
  p.budget = {3, -1, 4};
  p.done = 5;
  p.tiling = {64, 8, 1};
  p.raised = true;
  p.cfl_rate = 1.0 / 7;
  p.repaired_faces = 6;
  p.repaired_before = 4;
  p.floored = {2, 0.25, -1.5, {7, 8, 0.9}};
  for (int n = 0; n < 256; ++n) p.in.push_back(std::byte(n));
  p.out = {std::byte{1}, std::byte{0}};
  p.flags = {0, 1, 1};
  p.records = {std::byte{9}};
  return checkpoint;
}

std::vector<double> numbers_of(const Budget& budget) {
  std::vector<double> all;
  for_parts(budget, budget, [&](const Conserved<double>& c, const auto&) {
    all.insert(all.end(), {c.density, c.mu, c.mv, c.mw, c.energy});
  });
  return all;
}

/// Returns all that a checkpoint holds between steps, but the values of its fields.
auto held(const RunCheckpoint& c) {
  const StepState& s = c.state;
  const RunCounters& n = c.counters;
  const auto& f = n.floored;
  const auto& w = n.sponged;
  return std::tuple(c.deck, s.time, s.step, s.next_output, s.level, s.accepted_at_level, s.last_helped,
                    s.remembered, s.rejections, s.halvings, s.remedy, c.last_dt, c.cfl_rate, c.mesh.cells,
                    c.mesh.lower, c.mesh.upper, c.gamma, c.precision, c.backend, c.git, n.attempts,
                    n.rejections, n.repaired_faces, n.scaled_steps, n.first_order_steps, f.cells, f.mass,
                    f.energy, f.momentum[0], f.momentum[1], f.momentum[2], w.mass, w.energy, w.momentum[0],
                    w.momentum[1], w.momentum[2], n.injected_faults, n.wall_seconds, n.redo_seconds,
                    c.next_dump, c.dumped_step, c.histogram_step, c.next_of_outputs, c.epoch, c.averages,
                    numbers_of(n.budget));
}

/// Returns all that a checkpoint holds about a step under way.
auto held_of_step(const RunCheckpoint& c) {
  const StepUnderWay& step = c.step.value();
  const AttemptProgress& p = step.progress;
  return std::tuple(step.first_dt, step.remedies, p.attempt.epoch, p.attempt.step, p.attempt.number,
                    p.attempt.remedy, p.substep, p.done, p.tiling, p.raised, p.cfl_rate, p.repaired_faces,
                    p.repaired_before, p.floored.cells, p.floored.mass, p.floored.energy,
                    p.floored.momentum[0], p.floored.momentum[1], p.floored.momentum[2], p.start, p.in, p.out,
                    p.flags, p.records, p.budget);
}

std::size_t checkpoint_count(const std::filesystem::path& directory) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) count += !entry.is_symlink();
  return count;
}

}  // namespace

TEST_CASE("A checkpoint comes back bit for bit, in both precisions") {
  for (const std::string precision : {"double", "single"}) {
    CAPTURE(precision);
    const TemporaryDirectory directory;
    const RunCheckpoint written = sample(123, precision);
    CHECK(write_checkpoint(directory.path(), written, 2) == "checkpoint_00000123.h5");
    const RunCheckpoint read = read_checkpoint(directory / "checkpoint_latest.h5");
    CHECK((held(read) == held(written)));
    CHECK_FALSE(read.step.has_value());
    for (int f = 0; f < kFields; ++f) {
      const auto &a = read.fields.conserved[f], &b = written.fields.conserved[f];
      REQUIRE(a.size() == b.size());
      CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
    }
  }
}

TEST_CASE("A checkpoint holds the faces of stretched axes, which earlier programs do not read") {
  const TemporaryDirectory directory;
  RunCheckpoint checkpoint = sample(3, "double");
  const auto written = [&] {
    const auto path = directory / write_checkpoint(directory.path(), checkpoint, 1);
    const RecordReader file(path, "halfstep checkpoint", 5);
    CHECK(file.version() == (checkpoint.mesh.is_stretched() ? 5 : 4));
    CHECK(file.has("mesh/faces_z") == checkpoint.mesh.is_stretched());
    CHECK_FALSE(file.has("mesh/faces_x"));
    return read_checkpoint(path).mesh;
  };
  CHECK_FALSE(written().is_stretched());
  const auto stretch = [&](const std::vector<double>& faces) {
    checkpoint.mesh.stretched[2] = std::make_shared<const StretchedAxis>(faces, true);
  };
  stretch({0.1, 0.3, 2});
  const Mesh mesh = written();
  CHECK(mesh.upper == checkpoint.mesh.upper);
  CHECK_FALSE(mesh.is_stretched(0));
  CHECK(mesh.face(2, 1) == 0.3);
  stretch({0.1, 2.3, 2});
  CHECK(contains(refusal([&] { written(); }), "its faces along z are not increasing"));
  stretch({0.1, 0.3, 2.5});
  CHECK(contains(refusal([&] { written(); }), "its faces along z do not reach from end to end"));
}

TEST_CASE("A checkpoint holds scalars by name") {
  const TemporaryDirectory directory;
  for (const std::string precision : {"double", "single"}) {
    RunCheckpoint checkpoint = sample(3, precision);
    const auto written = [&] {
      return read_checkpoint(directory / write_checkpoint(directory.path(), checkpoint, 1)).fields.scalars;
    };
    CHECK(written().empty());
    checkpoint.scalars = {"reactant", "dye"};
    checkpoint.fields.scalars.resize(2);
    for (int c = 0; c < 30; ++c)
      for (int s = 0; s < 2; ++s) checkpoint.fields.scalars[s].push_back((s + c) / 32.0);
    CHECK(written() == checkpoint.fields.scalars);
    checkpoint.fields.scalars[1].pop_back();
    CHECK_THROWS_AS(written(), std::logic_error);
  }
}

TEST_CASE("A step under way comes back as it was, compressed or not") {
  for (const int compress : {0, 5}) {
    CAPTURE(compress);
    const TemporaryDirectory directory;
    const RunCheckpoint written = sample_within_step();
    const RunCheckpoint read =
        read_checkpoint(directory / write_checkpoint(directory.path(), written, 1, compress));
    CHECK((read.fields.conserved[2] == written.fields.conserved[2]));
    CHECK((held(read) == held(written)));
    REQUIRE(read.step.has_value());
    CHECK((held_of_step(read) == held_of_step(written)));
  }
}

TEST_CASE("A checkpoint of version 2, before steps could be under way, is read") {
  const TemporaryDirectory directory;
  const auto path = directory / "checkpoint_00000007.h5";
  write_old_version(path, 2);
  const RunCheckpoint read = read_checkpoint(path);
  CHECK(std::tuple(read.state.step, read.state.level, read.state.last_helped, read.state.remembered) ==
        std::tuple(7, 7, Remedy::first_order, 7));
  CHECK(std::tuple(read.counters.floored.mass, read.counters.floored.momentum[0]) == std::tuple(0.5, 0));
  CHECK(std::tuple(read.dumped_step, read.histogram_step, read.step.has_value()) ==
        std::tuple(-1, -1, false));
}

TEST_CASE("A checkpoint from before budgets had a part of bodies is read, and that part is 0") {
  const TemporaryDirectory directory;
  const auto path = directory / "checkpoint_00000007.h5";
  write_old_version(path, 2, 2, 40);
  const Budget budget = read_checkpoint(path).counters.budget;
  CHECK(std::tuple(budget.sides[0][0].density, budget.sources.energy, budget.bodies.density) ==
        std::tuple(0.5, 0.5, 0.0));
  write_old_version(path, 2, 2, 39);
  CHECK(contains(refusal([&] { read_checkpoint(path); }), "'counters/budget' has not 45 numbers"));
}

TEST_CASE("A checkpoint of version 1, before there were remedies, is read, and counts none") {
  const TemporaryDirectory directory;
  const auto path = directory / "checkpoint_00000007.h5";
  write_old_version(path, 1);
  const RunCheckpoint read = read_checkpoint(path);
  CHECK(std::tuple(read.state.step, read.state.level) ==
        std::tuple(7, 5));  // version 1 also held the halvings of the present step
  const RunCounters& n = read.counters;
  CHECK(std::tuple(n.attempts, n.first_order_steps, n.floored.cells, n.floored.mass, n.injected_faults) ==
        std::tuple(7, 0, 0, 0, 0));
  CHECK(read.fields.conserved[4] == std::vector<double>{1, 2});
}

TEST_CASE("A single-precision state takes half the room") {
  const TemporaryDirectory directory;
  const auto size = [&](const std::string& precision) {
    RunCheckpoint checkpoint = sample(1, precision);
    checkpoint.mesh.cells = {100, 30, 10};
    for (auto& field : checkpoint.fields.conserved) field.assign(30000, 0.5);
    return std::filesystem::file_size(directory / write_checkpoint(directory.path(), checkpoint, 1));
  };
  const auto saved = size("double") - size("single");
  CHECK(saved == 5 * 30000 * 4);
}

TEST_CASE("Only the newest checkpoints are kept, and the latest is pointed at") {
  const TemporaryDirectory directory;
  for (const std::int64_t step : {10, 20, 30, 40})
    write_checkpoint(directory.path(), sample(step, "double"), 2);
  CHECK(checkpoint_count(directory.path()) == 2);
  CHECK(std::filesystem::exists(directory / "checkpoint_00000030.h5"));
  CHECK(std::filesystem::exists(directory / "checkpoint_00000040.h5"));
  CHECK(read_checkpoint(directory / "checkpoint_latest.h5").state.step == 40);
  CHECK(std::filesystem::read_symlink(directory / "checkpoint_latest.h5") == "checkpoint_00000040.h5");
  // After a return to an earlier step the checkpoint written last is the newest, and later ones are gone.
  write_checkpoint(directory.path(), sample(35, "double"), 2);
  CHECK(read_checkpoint(directory / "checkpoint_latest.h5").state.step == 35);
  CHECK(checkpoint_count(directory.path()) == 2);
  CHECK(std::filesystem::exists(directory / "checkpoint_00000030.h5"));
  CHECK_FALSE(std::filesystem::exists(directory / "checkpoint_00000040.h5"));
  write_checkpoint(directory.path(), sample(36, "double"), 1);
  CHECK(checkpoint_count(directory.path()) == 1);
  CHECK(read_checkpoint(directory / "checkpoint_latest.h5").state.step == 36);
}

TEST_CASE("A checkpoint directory that was moved still has its latest checkpoint") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "run");
  write_checkpoint(directory / "run", sample(5, "double"), 2);
  std::filesystem::rename(directory / "run", directory / "run.previous");
  CHECK(read_checkpoint(directory / "run.previous/checkpoint_latest.h5").state.step == 5);
}

TEST_CASE("A checkpoint that ends at any byte, or has any bit flipped, is refused with a reason") {
  const TemporaryDirectory directory;
  const auto path = directory / write_checkpoint(directory.path(), sample_within_step(), 1);
  const std::string whole = contents(path);
  const auto refused = [&] {
    const std::string reason = refusal([&] { read_checkpoint(path); });
    return contains(reason, path.string()) && contains(reason, "': it is ");
  };
  const int file = ::open(path.c_str(), O_RDWR);
  std::size_t missed = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const char damaged = static_cast<char>(whole[at] ^ (1 << (at % 8)));
    REQUIRE(::pwrite(file, &damaged, 1, static_cast<off_t>(at)) == 1);
    missed += !refused();
    REQUIRE(::pwrite(file, &whole[at], 1, static_cast<off_t>(at)) == 1);
  }
  CHECK(missed == 0);
  CHECK(read_checkpoint(path).state.step == 9);  // every damaged byte was restored
  for (std::size_t size = whole.size(); size-- > 0;) {
    REQUIRE(::ftruncate(file, static_cast<off_t>(size)) == 0);
    missed += !refused();
  }
  CHECK(missed == 0);
  ::close(file);
  CHECK(contains(refusal([&] { read_checkpoint(path); }), "it is empty"));
}
