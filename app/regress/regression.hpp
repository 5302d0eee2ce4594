// Running a test deck and comparing it with its golden numbers.
#pragma once

#include <string>
#include <vector>

#include "app/regress/test_decks.hpp"
#include "app/verify/deck_run.hpp"
#include "physics/diagnostics/digest.hpp"

namespace halfstep {

/// The result of a test deck on this machine: the time reached, `counts`, `remedies` if a step took one, and
/// the groups of physics/diagnostics/digest.hpp.
struct TestRun {
  Digest digest;
  double tolerance = 0;      ///< as a fraction of a group's scale
  std::string gave_up = {};  ///< the reason, if the run gave up
  double drift = 0;          ///< the largest component; 0 without budgets
  double most_drift = 0;     ///< of that precision
};
TestRun run_test_deck(const TestDeck& deck, const Machine& machine);

struct FigureDifference {
  std::string figure;          ///< "density.probe2"
  double golden = 0, now = 0;  ///< NaN if missing
  double allowed = 0;

  double difference() const;
  bool within() const;
  /// Returns the difference as a fraction of the allowed one; 0 if there is none, infinity if a figure is
  /// missing.
  double part() const;
};

/// Returns every figure that is in either digest.
std::vector<FigureDifference> differences(const Digest& golden, const Digest& now, double tolerance,
                                          double count_tolerance);

}  // namespace halfstep
