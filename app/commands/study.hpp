// `halfstep study`: runs an experiment and shows its table.
#pragma once

#include <string>

namespace halfstep {

struct StudyOptions {
  std::string name;  ///< of studies(); empty = list them
  /// NAME.csv, NAME_<table>.csv, NAME.json, NAME.png and NAME.svg go into this directory; empty = nowhere.
  std::string output;
};

/// Returns the exit code. Throws std::exception for an I/O or device error.
int study(const StudyOptions& options);

}  // namespace halfstep
