// The studies: each an experiment that ends in a table. A new one is a file beside this one and a line in
// studies.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/study/table.hpp"

namespace halfstep {

struct Study {
  std::string name;     ///< on the command line, and of the files it writes
  std::string summary;  ///< one line
  Table (*run)();       ///< throws std::runtime_error where it cannot run, for example without a GPU
};

const std::vector<Study>& studies();

}  // namespace halfstep
