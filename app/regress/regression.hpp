// A test deck run now, against its golden numbers.
#pragma once

#include <string>
#include <vector>

#include "app/regress/test_decks.hpp"
#include "app/verify/deck_run.hpp"
#include "physics/measure/digest.hpp"

namespace halfstep {

/// What the deck comes to on this machine: physics/measure/digest.hpp's groups after the time it reached and
/// `counts`, and `remedies` where a step took one.
struct TestRun {
  Digest digest;
  double tolerance = 0;      ///< in parts of a group's scale
  std::string gave_up = {};  ///< why, if it did
};
TestRun run_test_deck(const TestDeck& deck, const Machine& machine);

struct FigureDifference {
  std::string figure;          ///< "density.probe2"
  double golden = 0, now = 0;  ///< NaN where it is not there
  double allowed = 0;

  double difference() const;
  bool within() const;
  /// Of what is allowed; 0 where nothing is different.
  double part() const;
};

/// Every figure of either digest.
std::vector<FigureDifference> differences(const Digest& golden, const Digest& now, double tolerance,
                                          double count_tolerance);

}  // namespace halfstep
