#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "app/output/directory_lock.hpp"
#include "app/output/history.hpp"
#include "app/output/output_directory.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace fs = std::filesystem;

namespace {

/// Writes the files that a run leaves; `name` tells runs apart.
void pretend_run(const fs::path& directory, const std::string& name) {
  write_deck(directory, "title: " + name + "\n");
  History(directory / "history.csv");
  put(directory / "summary.json", "{}");
  put(directory / "fields_000000.vtkhdf", name);
  put(directory / "checkpoint_00000001.h5", name);
  fs::create_symlink("checkpoint_00000001.h5", directory / "checkpoint_latest.h5");
}

std::string run_in(const fs::path& directory) {
  return fs::exists(directory / "deck.yaml") ? contents(directory / "deck.yaml") : "";
}

/// Prepares the directory as a new run does before it writes.
std::optional<fs::path> begin_run(const fs::path& directory, std::int64_t keep = 0) {
  prepare_output_directory(directory);
  const DirectoryLock lock(directory);
  return move_earlier_run_aside(directory, {}, keep);
}

/// Does what a run with these outputs does to the directory, new or restarted in place.
void do_run_with(const fs::path& directory, const std::vector<std::string>& outputs) {
  prepare_output_directory(directory, outputs);
  const DirectoryLock lock(directory);
  move_earlier_run_aside(directory, outputs);
  pretend_run(directory, "with outputs");
  for (const std::string& output : outputs) put(directory / (output + ".csv"), "of a run");
}
void restart_with(const fs::path& directory, const std::vector<std::string>& outputs,
                  const std::vector<std::string>& before) {
  reopen_output_directory(directory, outputs, before);
  const DirectoryLock lock(directory);
  add_outputs(directory, outputs);
  for (const std::string& output : outputs) put(directory / (output + ".csv"), "of a run");
}

/// Does what a whole run does to the directory; `name` tells runs apart.
std::optional<fs::path> do_run(const fs::path& directory, const std::string& name, std::int64_t keep = 0) {
  const auto aside = begin_run(directory, keep);
  pretend_run(directory, name);
  return aside;
}

/// Checks that a run into the directory of one with that deck moves the pictures in `own` aside, and leaves
/// those in `foreign`.
void check_that_pictures_are_moved(const std::string& deck, const std::vector<std::string>& own,
                                   const std::vector<std::string>& foreign) {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  do_run(out, "first");
  put(out / "deck.yaml", deck);
  for (const std::string& picture : own) put(out / picture, "the run's");
  for (const std::string& picture : foreign) put(out / picture, "mine");
  const auto aside = begin_run(out);
  REQUIRE(aside.has_value());
  for (const std::string& picture : own) CHECK_MESSAGE(fs::exists(*aside / picture), picture);
  for (const std::string& picture : foreign) CHECK_MESSAGE(fs::exists(out / picture), picture);
}

}  // namespace

TEST_CASE("An output directory is made with its parents") {
  const TemporaryDirectory temporary;
  CHECK_FALSE(begin_run(temporary / "a/b/c").has_value());
  CHECK(fs::is_directory(temporary / "a/b/c"));
  CHECK_FALSE(holds_run(temporary / "a/b/c"));
}

TEST_CASE("Earlier runs are moved aside and numbered, and none is lost") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  for (const std::string name : {"first", "second", "third", "fourth"}) {
    const auto aside = begin_run(out.string() + (name == "second" ? "/" : ""));
    CHECK(aside.has_value() == (name != "first"));
    CHECK(run_in(out).empty());
    CHECK_FALSE(fs::exists(fs::symlink_status(out / "checkpoint_latest.h5")));
    pretend_run(out, name);
    for (const char* picture : {"history.png", "history_mass_max_mach.svg", "fields_000000_mach.png",
                                "events.svg", "movie_density.gif", "report.html", "history_2.png",
                                "fields_000000_mach_z=0.5_3.svg", "movie_2.mp4"})
      put(out / picture, name);
  }
  for (const auto& [number, name] : {std::pair{"", "first"}, {".2", "second"}, {".3", "third"}}) {
    const fs::path previous = out.string() + ".previous" + number;
    CAPTURE(previous);
    CHECK(run_in(previous) == std::string("title: ") + name + "\n");
    CHECK(contents(previous / "checkpoint_latest.h5") == name);
    CHECK(contents(previous / "history_mass_max_mach.svg") == name);
    CHECK(contents(previous / "movie_density.gif") == name);
    for (const char* numbered : {"history_2.png", "fields_000000_mach_z=0.5_3.svg", "movie_2.mp4"})
      CHECK_MESSAGE(contents(previous / numbered) == name, numbered);
    CHECK(holds_run(previous));
  }
  CHECK_FALSE(fs::exists(out.string() + ".previous.4"));
}

TEST_CASE("Pictures of a body's columns and fields are moved aside with their run, others stay") {
  check_that_pictures_are_moved(
      "case: {name: uniform}\nmesh: {cells: [16, 16, 1]}\ntime: {end: 1}\n"
      "solids: [{shape: ball, center: [0.5, 0.5, 0], radius: 0.2, name: hull}]\n",
      {"history_hull_force_x_hull_heat.png", "fields_000000_distance_solid.svg"},
      {"history_keel_force_x.png", "history_hull_length.png"});
}

TEST_CASE("Pictures of a budget's columns are moved aside with their run, others stay") {
  check_that_pictures_are_moved(
      "case: {name: uniform}\nmesh: {cells: [16, 16, 1], boundary: {x: outflow, y: periodic}}\n"
      "time: {end: 1}\noutput: {budgets: true}\n",
      {"history_budget_x_lower_mass_drift_energy.png", "history_mass_drift_momentum_x.svg"},
      {"history_budget_y_lower_mass.png", "history_budget_forces_energy.png"});
}

TEST_CASE("A run killed while it marks its directory lets the next one in") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  fs::create_directory(out);
  put(out / "..halfstep.partial", "");
  CHECK_FALSE(do_run(out, "next").has_value());
  CHECK(fs::is_regular_file(out / ".halfstep"));
  CHECK_FALSE(fs::exists(out / "..halfstep.partial"));
}

TEST_CASE("An earlier run whose deck has become a pipe is moved aside without waiting for it") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  do_run(out, "first");
  fs::remove(out / "deck.yaml");
  REQUIRE(::mkfifo((out / "deck.yaml").c_str(), 0600) == 0);
  const auto aside = do_run(out, "second");
  REQUIRE(aside.has_value());
  CHECK(fs::is_fifo(*aside / "deck.yaml"));
  CHECK(run_in(out) == "title: second\n");
}

TEST_CASE("Files of others and sub-directories stay where they are, in every directory") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  const char* foreign[] = {"notes.txt",
                           "history_notes.png",
                           "fields_best.vtkhdf",
                           "events.csv",
                           "plot.png",
                           "fields_000000_mine.png",
                           "checkpoint_mine.h5",
                           "checkpoint",
                           "history_my_mass.png",
                           "difference_1.png",
                           "fields_000000_2_3.png",
                           "history_2_mass.png"};
  for (const bool existed : {false, true}) {
    CAPTURE(existed);
    if (existed) fs::create_directories(out / "source");
    if (existed) put(out / "notes.txt", "mine");
    for (const std::string name : {"first", "second", "third"}) {
      do_run(out, name);
      for (const char* file : foreign) put(out / file, "mine");
      do_run(out / "inner", name + " inner");
      fs::create_directories(out / "fields_000007.vtkhdf");
      put(out / "fields_000007.vtkhdf/kept.txt", "mine");
    }
    begin_run(out);
    for (const char* file : foreign) CHECK_MESSAGE(contents(out / file) == "mine", file);
    CHECK(contents(out / "fields_000007.vtkhdf/kept.txt") == "mine");
    CHECK(run_in(out / "inner") == "title: third inner\n");
    CHECK(run_in(out / "inner.previous") == "title: first inner\n");
    CHECK(run_in(out.string() + ".previous.3") == "title: third\n");
    for (const auto& entry : fs::directory_iterator(temporary.path())) fs::remove_all(entry.path());
  }
}

TEST_CASE("output.keep_previous keeps the newest runs, and of the others what is not theirs") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  const auto age = [&](const fs::path& directory, int seconds) {
    for (const auto& entry : fs::directory_iterator(directory))
      if (entry.is_regular_file())
        fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
  };
  do_run(out, "1");
  for (int run = 2; run <= 5; ++run) {
    const auto aside = do_run(out, std::to_string(run), 2);
    REQUIRE(aside.has_value());
    age(*aside, 100 - run);
    if (run == 2) put(*aside / "notes.txt", "mine");
  }
  std::vector<std::string> kept;
  for (const auto& entry : fs::directory_iterator(temporary.path())) {
    const std::string run = run_in(entry.path());
    if (!run.empty()) kept.push_back(run);
  }
  std::sort(kept.begin(), kept.end());
  CHECK(kept == std::vector<std::string>{"title: 3\n", "title: 4\n", "title: 5\n"});
  CHECK(contents(temporary / "out.previous/notes.txt") == "mine");
  CHECK(std::distance(fs::directory_iterator(temporary / "out.previous"), {}) == 1);
  // A directory in use is not removed, and nothing is moved.
  const DirectoryLock lock(temporary / "out.previous.3");
  CHECK(contains(refusal([&] { begin_run(out, 1); }), "another run is writing into"));
  CHECK(run_in(out) == "title: 5\n");
}

TEST_CASE("A move that was interrupted anywhere is finished by the next run") {
  const TemporaryDirectory temporary;
  do_run(temporary / "whole", "first");
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(temporary / "whole"))
    if (entry.path().filename() != kLockName) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  for (const bool own : {true, false})
    for (std::size_t moved = 0; moved <= names.size(); ++moved) {
      CAPTURE(moved);
      const fs::path out = temporary / ("out" + std::to_string(moved) + (own ? "own" : ""));
      if (!own) fs::create_directories(out / "source");
      do_run(out, "first");
      fs::create_directory(out / ".halfstep.earlier");
      for (std::size_t n = 0; n < moved; ++n)
        fs::rename(out / names[n], out / ".halfstep.earlier" / names[n]);
      const auto aside = do_run(out, "second");
      REQUIRE(aside.has_value());
      CHECK(*aside == out.string() + ".previous");
      CHECK_FALSE(fs::exists(out / ".halfstep.earlier"));
      for (const std::string& name : names) CHECK_MESSAGE(fs::exists(*aside / name), name);
      CHECK(run_in(*aside) == "title: first\n");
      CHECK(run_in(out) == "title: second\n");
    }
}

TEST_CASE("A move that fails part-way says where the files are, and loses none") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  do_run(out, "first");
  fs::create_directory(out / ".halfstep.earlier");
  put(out / ".halfstep.earlier/history.csv", "of an older run");
  const std::string reason = refusal([&] { begin_run(out); });
  CHECK(contains(reason, "history.csv': File exists"));
  CHECK(contains(reason,
                 "part there, part in '" + (out / ".halfstep.earlier").string() + "'; nothing is lost"));
  CHECK(contents(out / ".halfstep.earlier/history.csv") == "of an older run");
  CHECK(fs::exists(out / "history.csv"));
  CHECK(run_in(out / ".halfstep.earlier") == "title: first\n");
}

TEST_CASE("A file of the same name that no run wrote is not overwritten") {
  const TemporaryDirectory temporary;
  put(temporary / "deck.yaml", "title: a deck of mine\n");
  const std::string reason = refusal([&] { begin_run(temporary.path()); });
  CHECK(contains(reason, "it holds 'deck.yaml', which is not of an earlier run"));
  CHECK(contains(reason, "choose another output.directory"));
  CHECK(run_in(temporary.path()) == "title: a deck of mine\n");
  CHECK(std::distance(fs::directory_iterator(temporary.path()), {}) == 1);
}

TEST_CASE("What is there already is neither moved nor removed: the next number is taken") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  do_run(out, "first");
  put(temporary / "out.previous", "a file");
  fs::create_directory(temporary / "out.previous.2");
  fs::create_symlink("nowhere", temporary / "out.previous.3");
  CHECK(begin_run(out, 1) == temporary / "out.previous.4");
  CHECK(contents(temporary / "out.previous") == "a file");
  CHECK(fs::is_empty(temporary / "out.previous.2"));
  CHECK(fs::is_symlink(temporary / "out.previous.3"));
}

TEST_CASE("The present directory, a link to one and a path with dots are the directory they lead to") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out", before = fs::current_path();
  do_run(out, "first");
  fs::create_directory_symlink("out", temporary / "link");
  fs::current_path(out);
  const auto aside = do_run(".", "second");
  const fs::path present = fs::current_path();
  do_run(temporary / "link", "third");
  do_run(temporary / "link/", "fourth");
  do_run("../out/../out/.", "fifth");
  fs::current_path(before);
  CHECK(present == out);
  CHECK(aside == out.string() + ".previous");
  CHECK(run_in(out.string() + ".previous") == "title: first\n");
  CHECK(run_in(out.string() + ".previous.2") == "title: second\n");
  CHECK(run_in(out.string() + ".previous.3") == "title: third\n");
  CHECK(run_in(out.string() + ".previous.4") == "title: fourth\n");
  CHECK(run_in(out) == "title: fifth\n");
  CHECK(fs::is_symlink(temporary / "link"));
}

TEST_CASE("A restart keeps what is there") {
  const TemporaryDirectory temporary;
  do_run(temporary / "out", "first");
  reopen_output_directory(temporary / "out");
  CHECK(run_in(temporary / "out") == "title: first\n");
  CHECK(fs::exists(temporary / "out/fields_000000.vtkhdf"));
  CHECK_FALSE(fs::exists(temporary / "out.previous"));
  reopen_output_directory(temporary / "elsewhere");
  CHECK(fs::is_directory(temporary / "elsewhere"));
}

TEST_CASE("What a killed run had not finished is removed, and nothing else") {
  const TemporaryDirectory temporary;
  pretend_run(temporary.path(), "killed");
  for (const char* name : {".checkpoint_00000007.h5.partial", ".fields_000001.vtkhdf.partial",
                           ".checkpoint_latest.h5.partial", "mine.partial", ".notes.partial"})
    put(temporary / name, "");
  remove_partial_files(temporary.path());
  for (const auto& entry : fs::directory_iterator(temporary.path())) {
    const std::string name = entry.path().filename();
    CAPTURE(name);
    CHECK((!name.ends_with(".partial") || name == "mine.partial" || name == ".notes.partial"));
  }
  CHECK(fs::exists(temporary / "mine.partial"));
  CHECK(fs::exists(temporary / ".notes.partial"));
  CHECK(run_in(temporary.path()) == "title: killed\n");
}

TEST_CASE("A run in progress is not moved aside, nor written into, nor is one below it; afterwards it is") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  do_run(out, "first");
  do_run(out / "a/b", "nested");
  {
    const DirectoryLock lock(out);
    CHECK(contains(refusal([&] { DirectoryLock again(out); }), "process " + std::to_string(getpid())));
    CHECK(contains(refusal([&] { begin_run(out); }), "another run is writing into '" + out.string() + "'"));
  }
  {
    const DirectoryLock lock(out / "a/b");
    CHECK(contains(refusal([&] { begin_run(out); }),
                   "another run is writing into '" + (out / "a/b").string() + "'"));
    CHECK(contains(refusal([&] { prepare_output_directory(temporary.path()); }),
                   "another run is writing into"));
    CHECK_FALSE(fs::exists(temporary / kLockName));
  }
  CHECK(run_in(out) == "title: first\n");
  CHECK(begin_run(out).has_value());
  CHECK(run_in(out / "a/b") == "title: nested\n");
}

TEST_CASE("Files of outputs are moved aside with their run, and those of others never") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out", aside = temporary / "out.previous";
  do_run_with(out, {"first", "second"});
  restart_with(out, {"second", "third"}, {"first", "second"});
  put(out / "other.csv", "mine");
  do_run_with(out, {});
  for (const std::string name : {"first.csv", "second.csv", "third.csv"}) {
    CHECK_FALSE(fs::exists(out / name));
    CHECK(contents(aside / name) == "of a run");
  }
  CHECK(contents(out / "other.csv") == "mine");

  // The names of the run that was moved aside are of no account any longer.
  put(out / "first.csv", "mine");
  do_run_with(out, {"second"});
  CHECK(contents(out / "first.csv") == "mine");
  // What is kept of earlier runs is that, too.
  begin_run(out, 1);
  CHECK_FALSE(fs::exists(aside));
  CHECK(contents(out / "first.csv") == "mine");
}

TEST_CASE("A file that an output would write over is refused before anything is written") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  const auto expect_refused = [&](const auto& run) {
    const bool had_run = fs::exists(out / "deck.yaml"), had_mark = fs::exists(out / ".halfstep");
    CHECK(contains(refusal(run), "it holds 'fine.csv', which the output of that name would write over"));
    CHECK(contents(out / "fine.csv") == "mine");
    CHECK(fs::exists(out / "deck.yaml") == had_run);
    CHECK(fs::exists(out / ".halfstep") == had_mark);
    CHECK_FALSE(fs::exists(temporary / "out.previous"));
  };
  fs::create_directory(out);
  put(out / "fine.csv", "mine");
  expect_refused([&] { do_run_with(out, {"fine"}); });
  // Without that output the file is nobody's business, and stays so in later runs.
  do_run_with(out, {"coarse"});
  expect_refused([&] { do_run_with(out, {"fine"}); });
  expect_refused([&] { restart_with(out, {"fine"}, {}); });
  expect_refused([&] { restart_with(out, {"fine"}, {"fine"}); });  // its checkpoint came from elsewhere

  // An output that was left away and comes back would add rows of other points.
  fs::remove(out / "fine.csv");
  restart_with(out, {"fine"}, {});
  restart_with(out, {"fine"}, {"fine"});
  put(out / "fine.csv", "mine");
  expect_refused([&] { restart_with(out, {"fine"}, {}); });
}

TEST_CASE("An interrupted move knows the outputs by the mark, wherever that is") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out", gathered = out / ".halfstep.earlier";
  do_run_with(out, {"fine"});
  fs::create_directory(gathered);
  fs::rename(out / ".halfstep", gathered / ".halfstep");
  do_run_with(out, {"fine"});
  CHECK(contents(temporary / "out.previous/fine.csv") == "of a run");
}

TEST_CASE("A place that cannot be written is one clear message") {
  const TemporaryDirectory temporary;
  put(temporary / "file", "");
  CHECK(contains(refusal([&] { prepare_output_directory(temporary / "file"); }), "Not a directory"));
  CHECK(contains(refusal([&] { prepare_output_directory(temporary / "file/below"); }), "Not a directory"));
  if (geteuid() == 0) {
    MESSAGE("the superuser may write everywhere: permissions not tested");
    return;
  }
  fs::create_directory(temporary / "locked");
  fs::permissions(temporary / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(contains(refusal([&] { prepare_output_directory(temporary / "locked"); }), "Permission denied"));
  CHECK(
      contains(refusal([&] { prepare_output_directory(temporary / "locked/below"); }), "Permission denied"));
  fs::permissions(temporary / "locked", fs::perms::owner_all);
}
