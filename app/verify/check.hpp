// A check: what is run, which numbers are taken from it, how far they may go, and who says so.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "app/verify/deck_run.hpp"
#include "physics/initial.hpp"

namespace halfstep {

using Overrides = std::vector<std::string>;  ///< of a deck: "block.key=value"

/// What the runs of a check came to, in their order.
struct Results {
  std::vector<DeckRun> runs;
  std::vector<Norms> errors;  ///< of each run; empty where there is nothing to compare with

  const DeckRun& last() const { return runs.back(); }
  const Norms& error() const { return errors.back(); }
};

/// Both ends are allowed.
struct Bar {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool holds(double value) const { return value >= low && value <= high; }  // never for NaN
};
inline Bar no_more_than(double high) { return {.high = high}; }
inline Bar no_less_than(double low) { return {.low = low}; }
inline Bar within(double tolerance, double of) { return {of - tolerance, of + tolerance}; }

/// A number that is judged.
struct Judged {
  std::string what;  ///< "L1", "order", "shock radius, cells off"
  std::function<double(const Results&)> value;
  Bar bar;
  std::string source;  ///< of the bar: a paper, "exact", "measured", with its date and margin
};

/// What is drawn of the last run: points, and the line they should lie on.
struct Curve {
  std::string across, up;  ///< names of the axes
  std::vector<double> x = {}, y = {};
  std::vector<double> line_x = {}, line_y = {};
  bool logarithmic = false;  ///< the axis upwards
};

enum class Extent { quick, full };

struct Check {
  std::string name;                  ///< on the command line
  std::string deck;                  ///< inputs/DECK.yaml
  Overrides overrides = {};          ///< of all its runs
  std::vector<Overrides> runs = {};  ///< and of a run each, coarse to fine; none: one, as it is
  std::vector<Judged> judged = {};
  Extent extent = Extent::quick;
  std::optional<Probe> probe = {};
  std::string error_of = "density";
  /// Of a run; by default of its density, where the exact solution is known.
  std::function<std::optional<Norms>(const DeckRun&)> error = {};
  std::function<Curve(const DeckRun&)> curve = {};
};

/// Checks of one kind, in one file.
struct CheckGroup {
  std::string name;     ///< on the command line, where it stands for all of them
  std::string summary;  ///< one line
  std::vector<Check> checks;
};

}  // namespace halfstep
