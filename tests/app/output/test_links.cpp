// Files of a run are never written through a symbolic link, and an open file that is gone is an error.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "app/output/append_file.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace fs = std::filesystem;

TEST_CASE("A file that grows by lines is not opened through a symbolic link, nor is a pipe waited for") {
  const TemporaryDirectory directory;
  const auto refused = [&](const char* name) { return refusal([&] { AppendFile(directory / name); }); };
  put(directory / "notes", "mine\nno end");
  fs::create_symlink("notes", directory / "history.csv");
  CHECK(contains(refused("history.csv"), "there is a symbolic link in its place"));
  CHECK(contents(directory / "notes") == "mine\nno end");
  fs::create_symlink("nowhere", directory / "events.jsonl");
  CHECK(contains(refused("events.jsonl"), "there is a symbolic link in its place"));
  CHECK_FALSE(fs::exists(directory / "nowhere"));
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(contains(refused("pipe"), "cannot open"));
}

TEST_CASE("A file that was removed or replaced under its writer is an error when it is synchronised") {
  const TemporaryDirectory directory;
  AppendFile file(directory / "history.csv");
  file.write_line("step");
  file.synchronise();
  const auto said = [&] { return refusal([&] { file.synchronise(); }); };
  const std::string lost = "'" + (directory / "history.csv").string() + "' was removed or replaced";
  fs::rename(directory / "history.csv", directory / "elsewhere");
  CHECK(contains(said(), lost));
  put(directory / "history.csv", "step\n");
  CHECK(contains(said(), lost));
  fs::rename(directory / "elsewhere", directory / "history.csv");
  CHECK(said().empty());
}

TEST_CASE(
    "A file that is replaced whole goes through no symbolic link, of its own name or its temporary one") {
  const TemporaryDirectory directory;
  for (const char* name : {"deck.yaml", ".deck.yaml.partial"}) {
    put(directory / "notes", "mine");
    fs::create_symlink("notes", directory / name);
    write_file(directory / "deck.yaml", "title: Sod");
    CHECK(contents(directory / "notes") == "mine");
    CHECK_FALSE(fs::is_symlink(directory / "deck.yaml"));
    CHECK(contents(directory / "deck.yaml") == "title: Sod");
    fs::remove(directory / "deck.yaml");
  }
}
