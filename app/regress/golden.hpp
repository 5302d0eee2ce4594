// The golden numbers: what every test deck came to when somebody last looked and found it good, as text that
// is committed. A line a group of figures, so that a change shows in a diff:
//
//   sod mesh.cells=[128,1,1]
//     counts 0 steps 142 rejections 0 ...
//     density 1 mean 0.4921 rms 0.5869 ...
//
// The number behind a group's name is its scale.
#pragma once

#include <map>
#include <string>

#include "physics/measure/digest.hpp"

namespace halfstep {

/// By TestDeck::key().
using Golden = std::map<std::string, Digest>;

/// `name` stands for the file in messages. Throws std::runtime_error for text that is not golden_text()'s.
Golden parse_golden(const std::string& text, const std::string& name);
std::string golden_text(const Golden& golden);

}  // namespace halfstep
