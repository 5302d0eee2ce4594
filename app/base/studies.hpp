// The studies, experiments that produce tables. A new study is a file in app/study and a line in its
// studies.cpp.
#pragma once

#include <algorithm>
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
  bool quick = false;                           ///< a first look: fewer rounds

  /// Returns the rounds of a measurement that has `all` by default: a fifth of them, at least 3, if quick.
  int rounds(int all) const { return quick ? std::max(std::min(all, 3), all / 5) : all; }
};

struct Study {
  std::string name;     ///< on the command line and in its files' names
  std::string summary;  ///< one sentence
  std::string needs;    ///< "nvcc, a GPU for times"
  std::string lasts;    ///< "5 min", with an H200 and 16 cores
  /// Throws std::runtime_error if it cannot measure anything.
  std::function<StudyReport(const StudyRequest&)> run;
  std::vector<std::string> options = {};  ///< of the command line that it takes, e.g. "--arch"
};

const std::vector<Study>& studies();

}  // namespace halfstep
