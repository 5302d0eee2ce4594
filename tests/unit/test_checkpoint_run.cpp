#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "app/output/run_checkpoint.hpp"
#include "runtime/checkpoint/record_file.hpp"
#include "tests/unit/temporary_directory.hpp"

using namespace halfstep;

namespace {

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
  checkpoint.signal_rate = std::sqrt(2.0);
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
                         .first_order_steps = 2,
                         .floored = {5, 0.3, -0.2},
                         .injected_faults = 1,
                         .wall_seconds = 0.7,
                         .redo_seconds = 0.1};
  checkpoint.next_dump = 4;
  checkpoint.epoch = 41;
  return checkpoint;
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
    CHECK(read.deck == written.deck);
    CHECK(read.state.time == written.state.time);
    CHECK(read.state.step == 123);
    CHECK(read.state.next_output == 3);
    CHECK(read.state.level == 2);
    CHECK(read.state.accepted_at_level == 1);
    CHECK(read.state.last_helped == Remedy::floor);
    CHECK(read.state.remembered == 3);
    CHECK(read.last_dt == written.last_dt);
    CHECK(read.signal_rate == written.signal_rate);
    CHECK(read.mesh.cells == written.mesh.cells);
    CHECK(read.mesh.lower == written.mesh.lower);
    CHECK(read.mesh.upper == written.mesh.upper);
    CHECK(read.gamma == written.gamma);
    CHECK(read.precision == precision);
    CHECK(read.backend == "host");
    CHECK(read.git == "abc");
    CHECK(read.counters.attempts == 40);
    CHECK(read.counters.rejections == 3);
    CHECK(read.counters.repaired_faces == 9);
    CHECK(read.counters.first_order_steps == 2);
    CHECK(read.counters.floored.cells == 5);
    CHECK(read.counters.floored.mass == 0.3);
    CHECK(read.counters.floored.energy == -0.2);
    CHECK(read.counters.injected_faults == 1);
    CHECK(read.counters.wall_seconds == 0.7);
    CHECK(read.counters.redo_seconds == 0.1);
    CHECK(read.next_dump == 4);
    CHECK(read.epoch == 41);
    for (int f = 0; f < kFields; ++f) {
      const auto &a = read.fields.conserved[f], &b = written.fields.conserved[f];
      REQUIRE(a.size() == b.size());
      CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
    }
  }
}

TEST_CASE("A checkpoint of version 1, before there were remedies, is read, and counts none") {
  const TemporaryDirectory directory;
  const auto path = directory / "checkpoint_00000007.h5";
  RecordWriter file(path, "halfstep checkpoint", 1);
  for (const char* name : {"deck", "precision", "backend", "git"}) file.write(name, std::string(name));
  for (const char* name : {"time", "last_dt", "signal_rate"}) file.write(std::string("state/") + name, 0.5);
  for (const char* name : {"step", "next_output", "level", "accepted_at_level", "next_dump", "epoch"})
    file.write(std::string("state/") + name, std::int64_t{7});
  file.write("state/halvings", std::int64_t{2});
  for (const char* name : {"attempts", "rejections", "repaired_faces"})
    file.write(std::string("counters/") + name, std::int64_t{7});
  for (const char* name : {"wall_seconds", "redo_seconds"}) file.write(std::string("counters/") + name, 0.5);
  file.write<std::int64_t>("mesh/cells", std::vector<std::int64_t>{2, 1, 1}, {3});
  for (const char* name : {"mesh/lower", "mesh/upper"})
    file.write<double>(name, std::vector<double>{0, 0, 0}, {3});
  file.write("gamma", 1.4);
  for (const char* name : {"density", "momentum_x", "momentum_y", "momentum_z", "energy"})
    file.write<double>(std::string("fields/") + name, std::vector<double>{1, 2}, {1, 1, 2});
  file.commit();

  const RunCheckpoint read = read_checkpoint(path);
  CHECK(read.state.step == 7);
  CHECK(read.state.level == 5);  // it used to hold the halvings of the present step as well
  CHECK(read.counters.attempts == 7);
  CHECK(read.counters.first_order_steps == 0);
  CHECK(read.counters.floored.cells == 0);
  CHECK(read.counters.floored.mass == 0);
  CHECK(read.counters.injected_faults == 0);
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
  // Going back to an earlier step: what is written last is the newest.
  write_checkpoint(directory.path(), sample(35, "double"), 2);
  CHECK(read_checkpoint(directory / "checkpoint_latest.h5").state.step == 35);
  CHECK(checkpoint_count(directory.path()) == 2);
  CHECK(std::filesystem::exists(directory / "checkpoint_00000040.h5"));
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

TEST_CASE("A damaged checkpoint is refused wherever the damage is") {
  const TemporaryDirectory directory;
  const auto path = directory / write_checkpoint(directory.path(), sample(1, "double"), 1);
  const std::string whole = contents(path);
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{40}, std::size_t{512}, whole.size() / 2, whole.size() - 9}) {
    CAPTURE(at);
    std::string damaged = whole;
    for (std::size_t i = at; i < at + 8; ++i) damaged[i] = static_cast<char>(~damaged[i]);
    put(path, damaged);
    CHECK(contains(refusal([&] { read_checkpoint(path); }), path.string()));
  }
  put(path, whole);
  CHECK(read_checkpoint(path).state.step == 1);
}
