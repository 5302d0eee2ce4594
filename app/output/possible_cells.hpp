// Check of the cell counts that a file claims.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace halfstep {

/// Returns the claimed cells along each axis as a mesh has them. Throws std::runtime_error if a count is less
/// than 1 or too large.
inline std::array<int, 3> possible_cells(const std::array<std::int64_t, 3>& claimed) {
  constexpr std::int64_t most_an_axis = std::numeric_limits<int>::max(), most = std::int64_t{1} << 40;
  std::array<int, 3> cells{};
  std::int64_t left = most;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (claimed[axis] < 1 || claimed[axis] > most_an_axis || claimed[axis] > left)
      throw std::runtime_error("it claims a mesh that cannot be: " + std::to_string(claimed[0]) + " x " +
                               std::to_string(claimed[1]) + " x " + std::to_string(claimed[2]) + " cells");
    cells[axis] = static_cast<int>(claimed[axis]);
    left /= claimed[axis];
  }
  return cells;
}

}  // namespace halfstep
