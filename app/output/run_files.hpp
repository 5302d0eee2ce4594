// The closed list of the names of a run's files. Only files with these names are ever moved aside or removed.
#pragma once

#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace halfstep {

/// Name of the file that marks an output directory.
inline constexpr const char* kRunMark = ".halfstep";

/// Whether a run creates files with this name, unfinished ones included.
bool is_run_file(const std::string& name);

/// Whether an output creates files with this name, unfinished ones included. `output`: as files_of() has it.
bool is_output_file(const std::string& output, std::string_view name);

/// What the deck of a run names.
struct NamesInRun {
  std::vector<std::string> scalars, bodies;
  std::vector<std::string> budgets = {};  ///< columns of the history, as budget_columns() has them
};

/// Names that 'halfstep plot' and 'halfstep report' give to files in the directory of a run.
class PictureNames {
 public:
  /// `outputs`: as files_of() has them.
  PictureNames(const NamesInRun& names, const std::vector<std::string>& outputs);
  bool contains(const std::string& name) const { return std::regex_match(name, names_); }

 private:
  std::regex names_;
};

}  // namespace halfstep
