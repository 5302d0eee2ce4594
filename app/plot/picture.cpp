#include "app/plot/picture.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "app/plot/run_picture.hpp"
#include "app/plot/script.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

// Exit codes of the scripts.
constexpr int kDrawn = 0, kRefused = 2, kNothingToDraw = 4;

/// Runs the script of that name and returns its result. Throws unless it drew, or there was nothing to draw.
ProcessResult draw(const std::string& script, const fs::path& json, const fs::path& stem,
                   const std::string& source = "") {
  std::vector<std::string> arguments = {json.string(), stem.string()};
  if (!source.empty()) arguments.push_back(source);
  const ProcessResult result = run_script(script, arguments);
  if (result.status == kRefused)
    throw RefusedInput(fmt::format("'{}' cannot be drawn: {}", json.string(), last_line(result.output)), "");
  if (result.status != kDrawn && result.status != kNothingToDraw)
    throw std::runtime_error(fmt::format("cannot draw '{}': {}", json.string(), last_line(result.output)));
  return result;
}

}  // namespace

Picture draw_report(ReportKind kind, const fs::path& json, const fs::path& stem, const std::string& source) {
  const char* const script = kind == ReportKind::study   ? "study.py"
                             : kind == ReportKind::bench ? "bench.py"
                                                         : "sweep.py";
  const ProcessResult result = draw(script, json, stem, source);
  if (result.status == kNothingToDraw) return {.why_not = last_line(result.output)};
  const fs::path png = last_line(result.output);
  return {.files = {png, fs::path(png).replace_extension(".svg")}};
}

void draw_verification(const fs::path& json, const fs::path& directory) {
  draw("verify.py", json, directory / json.stem());
}

}  // namespace halfstep
