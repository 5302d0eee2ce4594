// A chain of runs in every order into default, named and nested directories: every file of every run and of
// the user is there in the end.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/support/shell.hpp"

using namespace halfstep;
namespace fs = std::filesystem;

namespace {

/// Returns how many files of a name with the same bytes are below `root`, by name and bytes.
std::map<std::pair<std::string, std::string>, int> files_below(const fs::path& root) {
  std::map<std::pair<std::string, std::string>, int> all;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = entry.path().filename();
    // Locks and markers belong to a directory, not to a run; the shell's own files change with each command.
    const bool other =
        name == ".halfstep.lock" || name == ".halfstep" || name == "stdout.txt" || name == "stderr.txt";
    if (entry.is_regular_file() && !other) ++all[{name, contents(entry.path())}];
  }
  return all;
}

/// Returns the names of the files of which `after` has fewer than `before`.
std::vector<std::string> lost(const std::map<std::pair<std::string, std::string>, int>& before,
                              const std::map<std::pair<std::string, std::string>, int>& after) {
  std::vector<std::string> names;
  for (const auto& [file, count] : before)
    if (const auto found = after.find(file); found == after.end() || found->second < count)
      names.push_back(file.first);
  return names;
}

}  // namespace

TEST_CASE("A chain of runs in every order, with files of others: nothing is lost") {
  // The default is out/sod; out is above it and out/sod/fine below.
  std::vector<std::string> where = {"", "--output out", "--output out/sod/fine/"};
  std::sort(where.begin(), where.end());
  int number = 0;
  do {
    const Shell halfstep;
    std::map<std::pair<std::string, std::string>, int> before;
    for (int round = 0; round < 2; ++round)
      for (const std::string& output : where) {
        CAPTURE(output);
        const std::string name = "run" + std::to_string(++number);
        const Outcome outcome = halfstep(
            "run sod.yaml --backend host --threads 1 --quiet time.max_steps=2 title=" + name + " " + output);
        CHECK(outcome.err.empty());
        REQUIRE(outcome.code == 0);
        const auto after = files_below(halfstep / ".");
        CHECK(lost(before, after).empty());
        const std::string directory = output.empty() ? "out/sod" : output.substr(output.find(' ') + 1);
        for (const char* foreign : {"/notes.txt", "/fields_mine.vtkhdf", "/plot.png"})
          halfstep.write(directory + foreign, name);
        fs::create_directories(halfstep / (directory + "/data"));
        halfstep.write(directory + "/data/history.csv", name);
        before = files_below(halfstep / ".");
      }
    for (const char* run :
         {"out", "out/sod", "out/sod/fine", "out.previous", "out/sod.previous", "out/sod/fine.previous"})
      CHECK_MESSAGE(halfstep.has(std::string(run) + "/summary.json"), run);
  } while (std::next_permutation(where.begin(), where.end()));
}
