// `halfstep study`: runs an experiment and shows its table.
#pragma once

#include <string>

namespace halfstep {

struct StudyOptions {
  std::string name;    ///< of studies(); empty = list them
  std::string output;  ///< NAME.csv and NAME.json go into this directory; empty = nowhere
};

/// Returns the exit code. Throws std::exception for an I/O or device error.
int study(const StudyOptions& options);

}  // namespace halfstep
