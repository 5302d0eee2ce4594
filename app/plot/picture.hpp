// Pictures, drawn by the scripts in this folder with the matplotlib of this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfstep {

struct Picture {
  std::vector<std::filesystem::path> files = {};  ///< STEM.png and STEM.svg; none: there is nothing to draw
  std::string why_not = {};                       ///< of which this is the reason
};

/// JSON that one picture is made of: of a study its own, of a benchmark the roofline.
enum class ReportKind { study, bench };

/// Draws what a study or a benchmark wrote to STEM.png and STEM.svg. Throws std::runtime_error in one line:
/// python3 or matplotlib is not there and how to install it, or what went wrong; RefusedInput where the rows are
/// not those of such a file.
Picture draw_report(ReportKind kind, const std::filesystem::path& json, const std::filesystem::path& stem);

/// Draws the verify.json of `halfstep verify` into `directory`: each kind of curve, and errors over meshes.
/// Throws as draw_report() does.
void draw_verification(const std::filesystem::path& json, const std::filesystem::path& directory);

}  // namespace halfstep
