// `halfstep report`: a run on one page of HTML.
#pragma once

#include <string>

namespace halfstep {

/// Writes DIR/report.html and returns the exit code. Throws UsageError where DIR holds no run,
/// std::runtime_error if it cannot be drawn or written.
int report(const std::string& directory);

}  // namespace halfstep
