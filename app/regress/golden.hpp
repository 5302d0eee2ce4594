// The golden numbers: the last approved results of every test deck, as committed text. One line per group of
// figures, so that a change shows in a diff:
//   sod mesh.cells=[128,1,1]
//     counts 0 steps 142 rejections 0 ...
//     density 1 mean 0.4921 rms 0.5869 ...
// The number after a group's name is its scale.
#pragma once

#include <map>
#include <string>

#include "physics/diagnostics/digest.hpp"

namespace halfstep {

/// Digests by TestDeck::key().
using Golden = std::map<std::string, Digest>;

/// Parses golden_text(). `name`: the file, for messages. Throws std::runtime_error for other text.
Golden parse_golden(const std::string& text, const std::string& name);
std::string golden_text(const Golden& golden);

}  // namespace halfstep
