#include <doctest/doctest.h>
#include <unistd.h>

#include "app/output/directory_lock.hpp"
#include "app/output/history.hpp"
#include "app/output/output_directory.hpp"
#include "tests/unit/temporary_directory.hpp"

using namespace halfstep;

namespace fs = std::filesystem;

namespace {

/// What a run leaves; `name` tells runs apart.
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

}  // namespace

TEST_CASE("An output directory is made with its parents") {
  const TemporaryDirectory temporary;
  CHECK_FALSE(prepare_output_directory(temporary / "a/b/c").has_value());
  CHECK(fs::is_directory(temporary / "a/b/c"));
  CHECK_FALSE(holds_run(temporary / "a/b/c"));
}

TEST_CASE("An earlier run is moved aside whole, and only one generation is kept") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out", previous = temporary / "out.previous";
  for (const std::string name : {"first", "second", "third"}) {
    const auto aside = prepare_output_directory(out.string() + (name == "second" ? "/" : ""));
    CHECK(aside.has_value() == (name != "first"));
    CHECK(run_in(out).empty());
    CHECK_FALSE(fs::exists(out / "checkpoint_latest.h5"));
    if (aside) CHECK(fs::equivalent(*aside, previous));
    pretend_run(out, name);
    put(out / "plot.png", name);
  }
  CHECK(run_in(previous) == "title: second\n");
  CHECK(contents(previous / "plot.png") == "second");
  CHECK(contents(previous / "checkpoint_latest.h5") == "second");
  CHECK(holds_run(previous));
}

TEST_CASE("A directory of someone else's is written into, and their files are never moved or deleted") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "project", previous = temporary / "project.previous";
  fs::create_directories(out / "source");
  put(out / "notes.txt", "mine");
  for (const std::string name : {"first", "second", "third"}) {
    CHECK(prepare_output_directory(out).has_value() == (name != "first"));
    CHECK(run_in(out).empty());
    CHECK(contents(out / "notes.txt") == "mine");
    CHECK(fs::is_directory(out / "source"));
    pretend_run(out, name);
  }
  CHECK(run_in(previous) == "title: second\n");
  CHECK(contents(previous / "checkpoint_latest.h5") == "second");
  put(previous / "notes.txt", "also mine");
  prepare_output_directory(out);
  CHECK(run_in(previous) == "title: third\n");
  CHECK(contents(previous / "notes.txt") == "also mine");
}

TEST_CASE("A file of the same name that no run wrote is not overwritten") {
  const TemporaryDirectory temporary;
  put(temporary / "deck.yaml", "title: a deck of mine\n");
  const std::string reason = refusal([&] { prepare_output_directory(temporary.path()); });
  CHECK(contains(reason, "it holds 'deck.yaml', which is not of an earlier run"));
  CHECK(contains(reason, "choose another output.directory"));
  CHECK(run_in(temporary.path()) == "title: a deck of mine\n");
}

TEST_CASE("A DIR.previous that is not a run is never removed") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out", previous = temporary / "out.previous";
  prepare_output_directory(out);
  pretend_run(out, "first");
  fs::create_directory(previous);
  put(previous / "thesis.tex", "years of work");
  CHECK(contains(refusal([&] { prepare_output_directory(out); }), "is not a halfstep run"));
  CHECK(contents(previous / "thesis.tex") == "years of work");
  CHECK(run_in(out) == "title: first\n");
  fs::remove_all(previous);
  put(previous, "a file");
  CHECK(contains(refusal([&] { prepare_output_directory(out); }), "is not a halfstep run"));
  CHECK(contents(previous) == "a file");
}

TEST_CASE("A run into the present directory leaves the directory where it is") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out", before = fs::current_path();
  prepare_output_directory(out);
  pretend_run(out, "first");
  fs::current_path(out);
  const auto aside = prepare_output_directory(".");
  const fs::path present = fs::current_path();
  fs::current_path(before);
  CHECK(present == out);
  REQUIRE(aside.has_value());
  CHECK(*aside == out.string() + ".previous");
  CHECK(run_in(*aside) == "title: first\n");
  CHECK(run_in(out).empty());
}

TEST_CASE("A restart keeps what is there") {
  const TemporaryDirectory temporary;
  prepare_output_directory(temporary / "out");
  pretend_run(temporary / "out", "first");
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

TEST_CASE("A run in progress is not moved aside, nor written into; afterwards it is") {
  const TemporaryDirectory temporary;
  const fs::path out = temporary / "out";
  prepare_output_directory(out);
  pretend_run(out, "first");
  {
    const DirectoryLock lock(out);
    CHECK(contains(refusal([&] { prepare_output_directory(out); }), "another run is writing into"));
    CHECK(contains(refusal([&] { DirectoryLock again(out); }), "process " + std::to_string(getpid())));
    CHECK(run_in(out) == "title: first\n");
  }
  CHECK(prepare_output_directory(out).has_value());
  // Nor is one removed that writes where the earlier run would go.
  pretend_run(out, "second");
  const DirectoryLock lock(temporary / "out.previous");
  CHECK(contains(refusal([&] { prepare_output_directory(out); }), "another run is writing into"));
  CHECK(run_in(out) == "title: second\n");
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
