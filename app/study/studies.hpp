// The studies: each an experiment that ends in tables. A new one is a file beside this one and a line in
// studies.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/study/report.hpp"

namespace halfstep {

struct Study {
  std::string name;      ///< on the command line, and of the files it writes
  std::string summary;   ///< one line
  StudyReport (*run)();  ///< throws std::runtime_error where nothing of it can be known
};

const std::vector<Study>& studies();

}  // namespace halfstep
