// `halfstep plot`: draws what was measured and computed, as PNG and SVG.
#pragma once

#include <string>
#include <vector>

namespace halfstep {

struct PlotOptions {
  std::vector<std::string> files;    ///< runs' directories and files; JSON of studies and benchmarks
  std::vector<std::string> fields;   ///< of dumps; empty = what a person looks at first
  std::vector<std::string> columns;  ///< of histories; empty = what a person looks at first
  bool movie = false;                ///< of the dumps of runs' directories
  std::string output;                ///< the pictures go into this directory; empty = beside the files
};

/// Returns the exit code. Throws UsageError for a file that cannot be drawn, mostly before any is;
/// std::runtime_error if drawing fails or there is nothing to draw with.
int plot(const PlotOptions& options);

}  // namespace halfstep
