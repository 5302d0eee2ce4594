// `halfstep study`: runs an experiment and prints its table.
#pragma once

#include <string>
#include <vector>

#include "app/base/studies.hpp"

namespace halfstep {

struct StudyOptions {
  std::string name;  ///< a name in studies(); empty = list them
  /// Directory for NAME.csv, NAME_<table>.csv, NAME.json, NAME.png and NAME.svg; empty = no files.
  std::string output = {};
  std::string json = {};    ///< file for NAME.json alone; empty = none
  std::string kernel = {};  ///< FILE.cu:NAME
  bool quick = false;       ///< fewer rounds
  // Items separated by commas; empty = the study's own choice.
  std::string architectures = {}, blocks = {}, caps = {}, schemes = {}, methods = {}, precisions = {};
};

/// Returns the command, this program first, of a study with that request.
std::vector<std::string> study_command(const std::string& study, const StudyRequest& request);

/// Runs a study; returns the exit code. Throws std::exception for an I/O or device error.
int run_study(const StudyOptions& options);

}  // namespace halfstep
