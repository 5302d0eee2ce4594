// `halfstep compare`: what two runs computed, against each other.
#pragma once

#include <string>

#include "physics/measure/difference.hpp"

namespace halfstep {

struct CompareOptions {
  std::string a, b;  ///< two files of one kind, or two directories of runs
  Tolerance tolerance;
  bool quiet = false;  ///< prints the last line alone
};

/// Returns kFinished or kDifference. Throws UsageError where there is nothing to compare, std::runtime_error
/// for a file that cannot be read.
int compare(const CompareOptions& options);

}  // namespace halfstep
