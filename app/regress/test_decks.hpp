// Every deck of inputs/ at the size its tests run it at: tests/regression/decks.txt, which the program
// carries.
#pragma once

#include <string>
#include <vector>

#include "physics/scheme.hpp"

namespace halfstep {

struct TestDeck {
  std::string name;                    ///< of inputs/NAME.yaml
  std::vector<std::string> overrides;  ///< "block.key=value"
  /// How far figures may be from the golden ones, in parts of their scale; 0: as the precision has it.
  double tolerance = 0;
  double cuda_tolerance = 0;   ///< on a GPU, where that is another
  double count_tolerance = 0;  ///< how far steps, rejections and repaired faces may be
  std::vector<std::string> without =
      {};  ///< groups of figures that are round-off alone, and are not looked at

  /// The name and the overrides: what its golden numbers are filed under.
  std::string key() const;
  double tolerance_of(Precision precision, bool on_cuda) const;
};

/// In the order of the file; a deck may be there more than once. Throws std::logic_error for a line it cannot
/// read.
std::vector<TestDeck> test_decks();

}  // namespace halfstep
