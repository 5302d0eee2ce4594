#include "app/output/run_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/deck/field_names.hpp"
#include "app/deck/outputs.hpp"
#include "app/output/history.hpp"

namespace halfstep {

namespace {

constexpr const char* kNameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/// Returns the history's columns as alternatives of a regular expression.
std::string columns(const NamesInRun& run) {
  std::string names = std::string(kHistoryHeader) + ",enstrophy," + std::string(kSpongeColumns);
  for (const std::string& body : run.bodies)
    names += "," + columns_of_body(body) + "," + coefficient_columns_of_body(body);
  for (const std::string& column : run.budgets) names += "," + column;
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

bool is_output_file(const std::string& output, std::string_view name) {
  if (output.ends_with(kNumbersSuffix)) return name == output;
  if (!output.ends_with(kSeriesSuffix)) return name == output + ".csv";
  constexpr std::string_view partial = ".partial";
  if (name.starts_with('.') && name.ends_with(partial))
    name = name.substr(1, name.size() - 1 - partial.size());
  const std::string_view stem(output.data(), output.size() - kSeriesSuffix.size());
  if (!name.starts_with(stem)) return false;
  std::string_view rest = name.substr(stem.size());
  if (rest == ".xmf" || rest == ".vtkhdf.series") return true;
  if (!rest.starts_with('_') || !rest.ends_with(kSeriesSuffix)) return false;
  const std::string_view number = rest.substr(1, rest.size() - 1 - kSeriesSuffix.size());
  return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

PictureNames::PictureNames(const NamesInRun& run, const std::vector<std::string>& outputs) {
  std::vector<std::string> fields = kDrawnFields, masses = {"reactant"}, dumps = {"fields"},
                           tables = {"histogram"};
  for (const std::string& output : outputs) {
    const std::string name = output.substr(0, output.find('.'));
    // The mark that holds these names may have been changed by hand.
    if (name.find_first_not_of(kNameLetters) == std::string::npos)
      (output.ends_with(kSeriesSuffix) ? dumps : tables).push_back(name);
  }
  fields.insert(fields.end(), {"mass_fraction", "reactant"});
  fields.insert(fields.end(), kSolidFields.begin(), kSolidFields.end());
  for (const auto& [field, name, meaning] : kFlowFieldNames) fields.emplace_back(name);
  fields.insert(fields.end(), run.scalars.begin(), run.scalars.end());
  masses.insert(masses.end(), run.scalars.begin(), run.scalars.end());
  const std::string number = R"(-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?)";
  const std::string flow =
      fmt::format(R"((_({}))*(_maximum)?(_[xyz]={}(\.\.{})?)*)", fmt::join(fields, "|"), number, number);
  names_ = fmt::format(R"(report\.html|\.report\.html\.partial|movie(_({3}))?{0}(_[0-9]+)?\.(gif|mp4)|)"
                       R"((events|dissipation|({4})(_({5}))*|({3})_[0-9]+{0}|)"
                       R"(history(_({1}|({2})_(mass|volume)))*)(_[0-9]+)?\.(png|svg))",
                       flow, columns(run), fmt::join(masses, "|"), fmt::join(dumps, "|"),
                       fmt::join(tables, "|"), fmt::join(fields, "|"));
}

}  // namespace halfstep
