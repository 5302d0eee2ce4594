// The closed list of the names of a run's files. Only files with these names are ever moved aside or removed.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace halfstep {

/// Name of the file that marks an output directory.
inline constexpr const char* kRunMark = ".halfstep";

/// Whether a run creates files with this name, unfinished ones included.
bool is_run_file(const std::string& name);

/// Returns the file of an output of that name.
inline std::string output_file(const std::string& output) { return output + ".csv"; }

/// Names that 'halfstep plot' and 'halfstep report' give to files in the directory of a run.
class PictureNames {
 public:
  /// `scalars`: the names of the run's scalars.
  explicit PictureNames(const std::vector<std::string>& scalars);
  bool contains(const std::string& name) const { return std::regex_match(name, names_); }

 private:
  std::regex names_;
};

}  // namespace halfstep
