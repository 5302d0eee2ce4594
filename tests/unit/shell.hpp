// The program as a shell runs it.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/unit/temporary_directory.hpp"

namespace halfstep {

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// A directory of its own, with a valid deck in it.
class Shell {
 public:
  Shell() {
    write("sod.yaml", "title: Sod\ncase: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\n");
  }

  void write(const std::string& name, const std::string& text) const { put(directory_ / name, text); }
  bool has(const std::string& name) const { return std::filesystem::exists(directory_ / name); }
  std::filesystem::path operator/(const std::string& name) const { return directory_ / name; }

  /// Runs `halfstep ARGUMENTS` in the directory, stdout going to `out`.
  Outcome operator()(const std::string& arguments, const std::string& out = "stdout.txt") const {
    const std::string command = "cd '" + directory_.path().string() + "' && \"" + HALFSTEP_BINARY + "\" " +
                                arguments + " >" + out + " 2>stderr.txt </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(directory_ / "stdout.txt"),
            contents(directory_ / "stderr.txt")};
  }

 private:
  TemporaryDirectory directory_;
};

}  // namespace halfstep
