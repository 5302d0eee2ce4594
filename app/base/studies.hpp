// The studies, experiments that produce tables. A new study is a file in app/study and a line in its
// studies.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/base/report.hpp"

namespace halfstep {

/// What a user asks of a study; empty: what the study chooses itself.
struct StudyRequest {
  std::string kernel = {};                      ///< FILE.cu:NAME
  std::vector<std::string> architectures = {};  ///< e.g. "sm_90"
  std::vector<int> blocks = {};                 ///< threads
  std::vector<int> caps = {};                   ///< registers per thread; 0: no cap
  std::vector<std::string> schemes = {};        ///< words of kernels' names, e.g. "plm"
  std::vector<std::string> methods = {};        ///< ways of reporting, e.g. "raise_once"
  std::vector<std::string> precisions = {};     ///< "double", "single"
};

struct Study {
  std::string name;     ///< on the command line and in its files' names
  std::string summary;  ///< one sentence
  std::string needs;    ///< "nvcc, a GPU for times"
  /// Throws std::runtime_error if it cannot measure anything.
  std::function<StudyReport(const StudyRequest&)> run;
  std::vector<std::string> options = {};  ///< of the command line that it takes, e.g. "--arch"
};

const std::vector<Study>& studies();

}  // namespace halfstep
