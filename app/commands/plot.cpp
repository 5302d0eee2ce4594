#include "app/commands/plot.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "app/commands/commands.hpp"
#include "app/output/json.hpp"
#include "app/output/writable_directory.hpp"
#include "app/plot/picture.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhatIsDrawn = "a file to draw is the NAME.json of 'halfstep study NAME --output DIR'";

/// Throws UsageError unless the file is the report of a study that has rows.
void check_study(const fs::path& file) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("'{}' {}", file.string(), why), kWhatIsDrawn);
  };
  std::ifstream stream(file);
  if (!stream) refuse("cannot be read");
  Json report;
  try {
    report = Json::parse(stream);
  } catch (const Json::parse_error& e) {
    refuse(fmt::format("is not JSON: byte {} is wrong", e.byte));
  }
  if (!report.is_object() || !report.contains("study") || !report["study"].is_string())
    refuse("is not of a study");
  if (!report.contains("rows") || !report["rows"].is_array() || report["rows"].empty()) refuse("has no rows");
}

}  // namespace

int plot(const PlotOptions& options) {
  for (const fs::path file : options.files) {
    if (file.extension() != ".json")
      throw UsageError(fmt::format("cannot draw '{}'", file.string()), kWhatIsDrawn);
    check_study(file);
  }
  if (!options.output.empty()) make_writable(options.output);
  for (const fs::path file : options.files) {
    const Picture picture =
        draw_study(file, options.output.empty() ? file.parent_path() : fs::path(options.output));
    if (picture.files.empty()) fmt::print("{}: {}\n", file.string(), picture.why_not);
    for (const fs::path& drawn : picture.files) fmt::print("{}\n", drawn.string());
  }
  return kFinished;
}

}  // namespace halfstep
