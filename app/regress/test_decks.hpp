// The decks of inputs/ at test size, listed in tests/regression/decks.txt, which is embedded in the program.
#pragma once

#include <string>
#include <vector>

#include "physics/flux/scheme.hpp"

namespace halfstep {

struct TestDeck {
  std::string name;                    ///< inputs/NAME.yaml
  std::vector<std::string> overrides;  ///< "block.key=value"
  /// Allowed difference from the golden figures as a fraction of their scale; 0: by precision.
  double tolerance = 0;
  double cuda_tolerance = 0;              ///< on a GPU, if different
  double count_tolerance = 0;             ///< allowed difference of steps, rejections and repaired faces
  std::vector<std::string> without = {};  ///< groups of figures that are only round-off and are not compared

  /// Returns the name and the overrides, the key of its golden numbers.
  std::string key() const;
  double tolerance_of(Precision precision, bool on_cuda) const;
};

/// Returns the decks in the order of the file; a deck may occur more than once. Throws std::logic_error for a
/// line it cannot read.
std::vector<TestDeck> test_decks();

}  // namespace halfstep
