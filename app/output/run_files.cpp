#include "app/output/run_files.hpp"

#include <algorithm>
#include <regex>

#include "app/output/history.hpp"

namespace halfstep {

namespace {

/// Returns the history's columns as alternatives of a regular expression.
std::string columns() {
  std::string names = std::string(kHistoryHeader) + ",reactant_mass,enstrophy";
  std::replace(names.begin(), names.end(), ',', '|');
  return names;
}

}  // namespace

bool is_run_file(const std::string& name) {
  static const std::string names =
      R"(deck\.yaml|history\.csv|histogram\.csv|events\.jsonl|summary\.json|)"
      R"(fields_[0-9]+\.vtkhdf|fields\.vtkhdf\.series|fields\.xmf|checkpoint_([0-9]+|latest)\.h5|\.halfstep)";
  static const std::regex whole_or_partial("(" + names + R"()|\.()" + names + R"()\.partial)");
  return std::regex_match(name, whole_or_partial);
}

bool is_run_picture(const std::string& name) {
  static const std::string fields =
      "(_(density|velocity|pressure|mass_fraction|reactant|mach|vorticity|schlieren|temperature|entropy))*";
  static const std::regex names(R"(report\.html|\.report\.html\.partial|movie)" + fields +
                                R"(\.(gif|mp4)|(events|dissipation|fields_[0-9]+)" + fields + "|history(_(" +
                                columns() + R"())*)\.(png|svg))");
  return std::regex_match(name, names);
}

}  // namespace halfstep
