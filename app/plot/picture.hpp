// Pictures drawn by the scripts in this folder with this machine's matplotlib.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfstep {

struct Picture {
  std::vector<std::filesystem::path> files = {};  ///< a PNG and an SVG; empty if there is nothing to draw
  std::string why_not = {};                       ///< the reason if `files` is empty
};

/// Kind of a JSON report: a study has its own picture, a benchmark a roofline plot, a sweep errors over mesh
/// size.
enum class ReportKind { study, bench, sweep };

/// Draws the report of a study, a benchmark or a sweep to STEM.png and STEM.svg. With a source the name gets
/// a number where a picture of another one has it. Throws std::runtime_error with one line if python3 or
/// matplotlib is missing (and how to install it) or the script fails; RefusedInput if the rows are not those
/// of such a report.
Picture draw_report(ReportKind kind, const std::filesystem::path& json, const std::filesystem::path& stem,
                    const std::string& source = "");

/// Draws the verify.json of `halfstep verify` into `directory`: each kind of curve, and errors over mesh
/// size. Throws as draw_report() does.
void draw_verification(const std::filesystem::path& json, const std::filesystem::path& directory);

}  // namespace halfstep
