// `halfstep plot`: draws what was measured, as PNG and SVG.
#pragma once

#include <string>
#include <vector>

namespace halfstep {

struct PlotOptions {
  std::vector<std::string> files;  ///< NAME.json of studies
  std::string output;              ///< the pictures go into this directory; empty = beside the files
};

/// Returns the exit code. Throws UsageError for a file that cannot be drawn, before any is;
/// std::runtime_error if drawing fails or there is nothing to draw with.
int plot(const PlotOptions& options);

}  // namespace halfstep
