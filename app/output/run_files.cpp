#include "app/output/run_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/deck/field_names.hpp"
#include "app/output/history.hpp"

namespace halfstep {

namespace {

/// Returns the history's columns as alternatives of a regular expression.
std::string columns() {
  std::string names = std::string(kHistoryHeader) + ",enstrophy," + std::string(kSpongeColumns);
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

PictureNames::PictureNames(const std::vector<std::string>& scalars) {
  std::vector<std::string> fields = kDrawnFields, masses = {"reactant"};
  fields.insert(fields.end(), {"mass_fraction", "reactant"});
  fields.insert(fields.end(), scalars.begin(), scalars.end());
  masses.insert(masses.end(), scalars.begin(), scalars.end());
  const std::string number = R"(-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?)";
  const std::string flow =
      fmt::format(R"((_({}))*(_maximum)?(_[xyz]={}(\.\.{})?)*)", fmt::join(fields, "|"), number, number);
  names_ = fmt::format(R"(report\.html|\.report\.html\.partial|movie{0}(_[0-9]+)?\.(gif|mp4)|)"
                       R"((events|dissipation|histogram|fields_[0-9]+{0}|)"
                       R"(history(_({1}|({2})_mass))*)(_[0-9]+)?\.(png|svg))",
                       flow, columns(), fmt::join(masses, "|"));
}

}  // namespace halfstep
