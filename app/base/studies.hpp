// The studies, experiments that produce tables. A new study is a file in app/study and a line in its
// studies.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/base/report.hpp"

namespace halfstep {

struct Study {
  std::string name;      ///< on the command line and in its files' names
  std::string summary;   ///< one sentence
  StudyReport (*run)();  ///< throws std::runtime_error if it cannot measure anything
};

const std::vector<Study>& studies();

}  // namespace halfstep
