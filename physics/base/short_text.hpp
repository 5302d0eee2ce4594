// Numbers in messages.
#pragma once

#include <sstream>
#include <string>

namespace halfstep {

/// Returns a number with six digits at most: "0.0001", "1e-12".
inline std::string short_text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

}  // namespace halfstep
