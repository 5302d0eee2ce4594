// The run itself, as `halfstep run` starts it.
#pragma once

#include <string>
#include <vector>

namespace halfstep {

struct RunOptions {
  std::string deck;  ///< may be empty with `restart`
  std::vector<std::string> overrides;
  std::string output;            ///< overrides output.directory; empty = the deck's
  std::string backend = "auto";  ///< auto, cuda or host
  int threads = 0;               ///< of the host backend; 0 = as many as are useful
  std::string restart;           ///< a checkpoint; empty = start at time 0
  std::string wall_time;         ///< "HH:MM:SS", valid for parse_duration(); empty = no limit
  bool share_devices = false;    ///< ranks may share a device
  bool quiet = false;
  bool no_progress = false;
};

/// Runs a deck or continues a checkpoint; returns the exit code. Throws DeckError, UsageError for an unusable
/// checkpoint, or std::exception for an I/O or device error.
int run(const RunOptions& options);

}  // namespace halfstep
