// Checkpoints with a correct checksum and values that no run can have written.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/output/checkpoint_soundness.hpp"
#include "app/output/run_checkpoint.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/sources/half_source.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/record_file.hpp"
#include "tests/support/old_checkpoint.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

constexpr int kCells = 8;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInf = std::numeric_limits<double>::infinity();

RunConfig config_of(const std::string& source) {
  return parse_deck(
      "title: sample\ncase: {name: riemann}\nmesh: {cells: [8, 1, 1]}\ntime: {end: 0.2}\n"
      "interruptible: {enabled: true}\n" +
          source,
      "deck");
}

/// Returns a checkpoint between two steps of a run of `config`.
RunCheckpoint sound(const RunConfig& config, std::int64_t step = 3) {
  RunCheckpoint checkpoint;
  checkpoint.deck = config.resolved;
  checkpoint.state.time = 0.01 * static_cast<double>(step);
  checkpoint.state.step = step;
  checkpoint.last_dt = 0.01;
  checkpoint.cfl_rate = 9;
  checkpoint.mesh = config.problem.mesh;
  checkpoint.gamma = config.problem.gamma;
  checkpoint.precision = "double";
  checkpoint.epoch = 4;
  checkpoint.counters.attempts = 4;
  for (int f = 0; f < kFields; ++f)
    checkpoint.fields.conserved[f].assign(kCells, f == 0 ? 1 : f == 4 ? 2.5 : 0.1);
  return checkpoint;
}

/// Returns a checkpoint in the second stage of the second attempt at a step, or in the first half of its
/// source.
RunCheckpoint sound_within_step(const RunConfig& config) {
  RunCheckpoint checkpoint = sound(config);
  checkpoint.state.rejections = checkpoint.state.halvings = 1;
  StepUnderWay& step = checkpoint.step.emplace();
  AttemptProgress& p = step.progress;
  p.attempt = {4, 4, 2};
  p.flags.assign(kCells, 1);
  const Layout layout(config.problem.mesh, ghost_layers(config.problem.scheme.reconstruction));
  const std::vector<std::byte> state(static_cast<std::size_t>(layout.values()) * sizeof(double));
  if (config.problem.source.active()) {
    p.substep = 1;
    p.tiling = {1, 32, 0};
    p.out = state;
    p.records.resize(sizeof(SourceRecord));
  } else {
    p.substep = 2;
    p.tiling = {1, 1, 1};
    p.in = state;
  }
  return checkpoint;
}

using Change = std::function<void(RunCheckpoint&)>;

std::string reason(RunCheckpoint checkpoint, const Change& change) {
  change(checkpoint);
  return refusal([&] { expect_sound(checkpoint); });
}

void write(const std::filesystem::path& directory, const RunCheckpoint& checkpoint) {
  checkpoint_file(directory, checkpoint, view_of(checkpoint.fields)).commit();
}

}  // namespace

TEST_CASE("A checkpoint with one value that cannot be is refused, for each value") {
  const RunConfig config = config_of("");
  const RunCheckpoint between = sound(config), within = sound_within_step(config);
  CHECK(reason(between, [](RunCheckpoint&) {}) == "");
  CHECK(reason(within, [](RunCheckpoint&) {}) == "");
  const std::vector<Change> changes = {
      [](auto& c) { c.deck = "title: 5\n"; },
      [](auto& c) { c.state.time = -kInf; },
      [](auto& c) { c.state.time = kNan; },
      [](auto& c) { c.state.time = 0.3; },
      [](auto& c) { c.state.step = -1; },
      [](auto& c) { c.state.next_output = -1; },
      [](auto& c) { c.state.level = -1; },
      [](auto& c) { c.state.level = 5000; },
      [](auto& c) { c.last_dt = kInf; },
      [](auto& c) { c.cfl_rate = 0; },
      [](auto& c) { c.cfl_rate = kNan; },
      [](auto& c) { c.next_dump = -1; },
      [](auto& c) { c.dumped_step = 4; },
      [](auto& c) { c.histogram_step = -2; },
      [](auto& c) { c.epoch = ~std::uint64_t{0}; },
      [](auto& c) { c.counters.attempts = -1; },
      [](auto& c) { c.counters.floored.mass = kNan; },
      [](auto& c) { c.counters.floored.momentum[1] = kNan; },
      [](auto& c) { c.initial_totals = Totals{.energy = kNan}; },
      [](auto& c) { c.initial_totals.emplace().scalar_mass[2] = kInf; },
      [](auto& c) { c.counters.sponged.energy = kNan; },
      [](auto& c) { c.counters.wall_seconds = -1; },
      [](auto& c) {
        c.mesh.cells = std::array{4, 2, 1};
      },
      [](auto& c) { c.mesh.upper[0] = 2; },
      [](auto& c) {
        const std::vector<double> faces = {0, 0.1, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1};
        c.mesh.stretched[0] = std::make_shared<const StretchedAxis>(faces, false);
      },
      [](auto& c) { c.gamma = 1.5; },
      [](auto& c) { c.precision = "single"; },
      [](auto& c) {
        c.scalars = {"dye"};
        c.fields.scalars = {std::vector<double>(kCells, 0.5)};
      },
      [](auto& c) { c.fields.conserved[0][5] = 0; },
      [](auto& c) { c.fields.conserved[4][5] = 0; },
      [](auto& c) { c.fields.conserved[2][5] = kNan; },
      [](auto& c) { c.fields.conserved[4][5] = kInf; },
  };
  for (std::size_t n = 0; n < changes.size(); ++n) {
    CAPTURE(n);
    CHECK(reason(between, changes[n]) != "");
  }
}

TEST_CASE("A step under way with one value that cannot be is refused, for each value") {
  const auto p = [](RunCheckpoint& c) -> AttemptProgress& { return c.step->progress; };
  const RunCheckpoint stage = sound_within_step(config_of(""));
  const std::vector<Change> changes = {
      [](auto& c) { c.epoch = 0; },
      [](auto& c) { c.state.halvings = 5000; },
      [](auto& c) { c.step->first_dt = kNan; },
      [&](auto& c) { p(c).substep = 0; },
      [&](auto& c) { p(c).substep = 4; },
      [&](auto& c) { p(c).done = 1; },
      [&](auto& c) { p(c).done = -1; },
      [&](auto& c) {
        p(c).tiling = {0, 1, 1};
      },
      [&](auto& c) {
        p(c).tiling = {1, 1000, 1};
      },
      [&](auto& c) {
        p(c).tiling = {1, 1, 0};
      },
      [&](auto& c) { p(c).cfl_rate = kNan; },
      [&](auto& c) { p(c).repaired_before = 2; },
      [&](auto& c) { p(c).floored.mass = kInf; },
      [&](auto& c) { p(c).floored.momentum[2] = kNan; },
      [&](auto& c) { p(c).in.pop_back(); },
      [&](auto& c) { p(c).out = p(c).in; },
      [&](auto& c) { p(c).start = p(c).in; },
      [&](auto& c) { p(c).flags.pop_back(); },
      [&](auto& c) { p(c).flags[3] = 7; },
      [&](auto& c) { p(c).records.resize(5); },
  };
  for (std::size_t n = 0; n < changes.size(); ++n) {
    CAPTURE(n);
    CHECK(reason(stage, changes[n]) != "");
  }

  const RunCheckpoint source = sound_within_step(config_of("source: {kind: cooling}\n"));
  CHECK(reason(source, [](RunCheckpoint&) {}) == "");
  const auto record = [&](auto change) {
    return reason(source, [&](RunCheckpoint& c) {
      SourceRecord record;
      change(record);
      std::memcpy(p(c).records.data(), static_cast<const void*>(&record), sizeof record);
    });
  };
  CHECK(record([](SourceRecord& r) { r.cells = 8; }) == "");
  CHECK(record([](SourceRecord& r) { r.cells = 9; }) != "");
  CHECK(record([](SourceRecord& r) { r.cells = -1; }) != "");
  CHECK(record([](SourceRecord& r) { r.resume_at = 3; }) != "");
  CHECK(record([](SourceRecord& r) { r.finish(); }) != "");  // with cells that were not done
  CHECK(reason(source, [&](RunCheckpoint& c) { p(c).records.pop_back(); }) != "");
  CHECK(reason(source, [&](RunCheckpoint& c) { p(c).tiling = {std::int64_t{1} << 40, 32, 0}; }) != "");
}

TEST_CASE("A last substep whose output so far has a cell of no gas begins again, and no other does") {
  const RunConfig config = config_of("");
  RunCheckpoint last = sound_within_step(config);
  AttemptProgress& p = last.step->progress;
  p.substep = 3;
  p.done = 1;
  p.tiling = {2, 2, 1};
  p.start = p.in;
  const Layout layout(config.problem.mesh, ghost_layers(config.problem.scheme.reconstruction));
  std::vector<double> out(static_cast<std::size_t>(layout.values()));
  for (int i = 0; i < kCells; ++i) store<double>(layout, out.data(), i, 0, 0, {1, 0.1, 0.1, 0.1, 2.5});
  const auto done_after = [&](double density, int substep) {
    RunCheckpoint checkpoint = last;
    out[static_cast<std::size_t>(layout.index(2, 0, 0))] = density;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(out));
    checkpoint.step->progress.out.assign(bytes.begin(), bytes.end());
    checkpoint.step->progress.substep = substep;
    distrust_last_output(checkpoint);
    return checkpoint.step->progress.done;
  };
  CHECK(done_after(1, 3) == 1);
  CHECK(done_after(-1, 3) == 0);
  CHECK(done_after(kNan, 3) == 0);
  CHECK(done_after(-1, 2) == 1);  // the next stage would find it
}

TEST_CASE("Where the newest checkpoint is whole and unsound the one before serves, by its step") {
  const TemporaryDirectory directory;
  const RunConfig config = config_of("");
  write(directory.path(), sound(config, 5));
  RunCheckpoint unsound = sound(config, 7);
  unsound.fields.conserved[0][0] = -1;
  write(directory.path(), unsound);
  // A checkpoint with a later file time is not the newest: its step decides.
  write(directory.path(), sound(config, 4));
  const FoundCheckpoint before = find_checkpoint(directory.path());
  CHECK(before.checkpoint.state.step == 5);
  REQUIRE(before.refused.size() == 2);
  CHECK(contains(before.refused[1].reason, "checkpoint_00000007.h5': the state of cell 0 is none of a gas"));
  // The checkpoints kept are chosen by step, too.
  const RunCheckpoint six = sound(config, 6);
  publish_checkpoint(directory.path(), 6, checkpoint_file(directory.path(), six, view_of(six.fields)), 2);
  CHECK(std::filesystem::exists(directory / checkpoint_name(5)));
  CHECK_FALSE(std::filesystem::exists(directory / checkpoint_name(4)));
}

namespace {

/// Writes a record file whose root has what `craft` puts there, sealed with the correct checksum.
std::string crafted(const std::filesystem::path& path, const std::function<void(hid_t)>& craft) {
  hdf5::MemoryFile file("crafted");
  craft(file.root());
  SealedFile(path, "sample", 1, file.finish()).commit();
  return refusal([&] { RecordReader(path, "sample", 1).array<double>("a/values"); });
}

}  // namespace

TEST_CASE("Records that lead out of their file, or claim more than it holds, are refused") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.h5";
  CHECK(crafted(path, [](hid_t root) {
          hdf5::write_dataset<double>(root, "a/values", {3}, std::vector<double>{1, 2, 3});
        }) == "");
  CHECK(contains(crafted(path, [](hid_t root) { H5Lcreate_external("/etc/passwd", "/", root, "a", 0, 0); }),
                 "'a' is a link to another place"));
  CHECK(contains(crafted(path, [](hid_t root) { H5Lcreate_soft("/b", root, "a", 0, 0); }),
                 "'a' is a link to another place"));
  const auto dataset = [](hid_t root, std::vector<hsize_t> shape, bool external) {
    const hdf5::Handle group = hdf5::create_group(root, "a");
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose),
        space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
    if (external) H5Pset_external(creation, "/etc/passwd", 0, 8 * shape[0]);
    const hdf5::Handle set(H5Dcreate2(group, "values", H5T_NATIVE_DOUBLE, space, 0, creation, 0), H5Dclose);
  };
  CHECK(contains(crafted(path, [&](hid_t root) { dataset(root, {4}, true); }),
                 "keeps its values in another file"));
  CHECK(contains(crafted(path, [&](hid_t root) { dataset(root, {hsize_t{1} << 40}, false); }),
                 "claims more values than the file holds"));
}

TEST_CASE("A checkpoint of 2^32 + 64 cells is not one of 64") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.h5";
  RunCheckpoint checkpoint = sound(config_of(""));
  write(directory.path(), checkpoint);
  CHECK(refusal([&] { read_checkpoint(directory / checkpoint_name(3)); }) == "");
  write_old_version(path, 1, (std::int64_t{1} << 32) + 64);
  CHECK(contains(refusal([&] { read_checkpoint(path); }),
                 "it claims a mesh that cannot be: 4294967360 x 1 x 1"));
}
