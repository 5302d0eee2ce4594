// The values that a mass or volume fraction may have.
#pragma once

namespace halfstep {

/// Whether `y` is between 0 and 1, but for round-off.
inline bool is_fraction(double y) {
  constexpr double round_off = 1e-12;
  return y >= -round_off && y <= 1 + round_off;
}

}  // namespace halfstep
