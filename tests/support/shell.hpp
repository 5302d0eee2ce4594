// Runs the program as a shell does.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"

namespace halfstep {

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// A temporary directory with a valid deck in it, in which the program is run.
class Shell {
 public:
  Shell() {
    write("sod.yaml", "title: Sod\ncase: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\n");
  }

  void write(const std::string& name, const std::string& text) const { put(directory_ / name, text); }
  bool has(const std::string& name) const { return std::filesystem::exists(directory_ / name); }
  std::filesystem::path operator/(const std::string& name) const { return directory_ / name; }

  /// Runs `halfstep ARGUMENTS` in the directory, with stdout redirected to `out`.
  Outcome operator()(const std::string& arguments, const std::string& out = "stdout.txt") const {
    const std::string command = "cd '" + directory_.path().string() + "' && \"" + HALFSTEP_BINARY + "\" " +
                                arguments + " >" + out + " 2>stderr.txt </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(directory_ / "stdout.txt"),
            contents(directory_ / "stderr.txt")};
  }

  /// Checks the exit code, and that every part is on stdout (exit code 0 or 5) or on stderr (any other code).
  Outcome expect(int code, const std::string& arguments, const std::vector<std::string>& parts = {}) const {
    CAPTURE(arguments);
    const Outcome outcome = (*this)(arguments);
    const std::string& told = code == 0 || code == 5 ? outcome.out : outcome.err;
    CHECK_MESSAGE(outcome.code == code, outcome.err);
    for (const std::string& part : parts) CHECK_MESSAGE(contains(told, part), part << " is not in " << told);
    return outcome;
  }

 private:
  TemporaryDirectory directory_;
};

}  // namespace halfstep
