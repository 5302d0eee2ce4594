// `halfstep regress`: does every deck still give the numbers it gave.
#pragma once

#include <string>
#include <vector>

#include "app/verify/deck_run.hpp"

namespace halfstep {

struct RegressOptions {
  std::vector<std::string> decks;  ///< by name; empty = all
  std::string golden;              ///< a file of golden numbers; empty = those the program carries
  bool bless = false;              ///< writes the numbers of this run into `golden`
  Machine machine;
};

/// Returns kFinished or kDifference. Throws UsageError, or std::exception for an I/O or device error.
int regress(const RegressOptions& options);

}  // namespace halfstep
