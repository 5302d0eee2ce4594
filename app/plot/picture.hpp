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

/// Draws STEM.json, which a study wrote, into `directory`. Throws std::runtime_error in one line: python3 or
/// matplotlib is not there and how to install it, or what went wrong.
Picture draw_study(const std::filesystem::path& json, const std::filesystem::path& directory);

/// Draws the verify.json of `halfstep verify` into `directory`: each kind of curve, and errors over meshes.
/// Throws as draw_study() does.
void draw_verification(const std::filesystem::path& json, const std::filesystem::path& directory);

}  // namespace halfstep
