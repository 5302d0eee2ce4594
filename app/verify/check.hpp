// A check: the runs, the numbers taken from them, the bounds these must keep, and the bounds' sources.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/verify/deck_run.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/cases/initial_state.hpp"

namespace halfstep {

using Overrides = std::vector<std::string>;  ///< "block.key=value"

/// The results of a check's runs, in order.
struct Results {
  std::vector<DeckRun> runs;
  std::vector<Norms> errors;  ///< by run; without norms if there is nothing to compare with

  const DeckRun& last() const { return runs.back(); }
  const Norms& error() const { return errors.back(); }
};

/// A closed interval that a value must lie in.
struct Bar {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool holds(double value) const { return value >= low && value <= high; }  // false for NaN
};
inline Bar no_more_than(double high) { return {.high = high}; }
inline Bar no_less_than(double low) { return {.low = low}; }
inline Bar within(double tolerance, double of) { return {of - tolerance, of + tolerance}; }

/// A number that is compared with a bar.
struct Judged {
  std::string what;  ///< "L1", "order", "shock radius, cells off"
  std::function<double(const Results&)> value;
  Bar bar;
  std::string source;  ///< origin of the bar: a paper, "exact", or "measured" with its date and margin
};

/// The figure of the last run: points, and the line they should lie on.
struct Curve {
  std::string across, up;  ///< axis labels
  std::vector<double> x = {}, y = {};
  std::vector<double> line_x = {}, line_y = {};
  bool logarithmic = false;  ///< scale of the vertical axis
};

enum class Extent { quick, full };

struct Check {
  std::string name;                  ///< on the command line
  std::string deck;                  ///< inputs/DECK.yaml
  Overrides overrides = {};          ///< for all runs
  std::vector<Overrides> runs = {};  ///< further overrides of each run, coarse to fine; empty: a single run
  std::vector<Judged> judged = {};
  Extent extent = Extent::quick;
  std::optional<Probe> probe = {};
  std::string error_of = "density";
  /// Error norms of a run; by default those of its density, if the exact solution is known.
  std::function<std::optional<Norms>(const DeckRun&)> error = {};
  std::function<Curve(const DeckRun&)> curve = {};
};

/// A group of related checks, in one file.
struct CheckGroup {
  std::string name;     ///< on the command line; selects all its checks
  std::string summary;  ///< one line
  std::vector<Check> checks;
};

}  // namespace halfstep
