// A sweep: runs of one deck with every combination of some values.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfstep {

struct SweepOptions {
  std::string deck;
  std::vector<std::string> arguments;  ///< "key=a,b,c"; one value is for every run
  std::string output;                  ///< empty = out/NAME.sweep for NAME.yaml
  std::string backend = "auto";        ///< as in RunOptions
  int threads = 0;
  int jobs = 1;  ///< runs beside each other; more than one on the host alone
};

/// Runs what has no result yet, each run in a directory of its own, and keeps sweep.csv and sweep.json. A run
/// is not repeated if its directory has a result of the same resolved deck; one that was stopped goes on from
/// its checkpoint. Returns the exit code. Throws DeckError or UsageError, before anything is run, if any
/// value is not possible.
int sweep(const SweepOptions& options);

/// Returns the directory of the runs and their table.
std::filesystem::path sweep_directory(const SweepOptions& options);

}  // namespace halfstep
