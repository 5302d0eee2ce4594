// What a sweep varies: keys of the deck with several values each, and all combinations of them.
#pragma once

#include <string>
#include <vector>

namespace halfstep {

/// A key and its values, spelt as on the command line.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

/// Splits "key=a,b,c" at the commas outside brackets, braces and quotation marks. Throws UsageError for an
/// empty value and for one given twice.
SweepAxis parse_axis(const std::string& argument);

/// Returns every combination, one value of each axis, the last axis fastest.
std::vector<std::vector<std::string>> combinations(const std::vector<SweepAxis>& axes);

/// Returns the name of a combination's directory, such as "scheme.riemann=hll,mesh.cells.x=64". Characters
/// that are awkward in a path become '_'.
std::string combination_name(const std::vector<SweepAxis>& axes, const std::vector<std::string>& values);

}  // namespace halfstep
