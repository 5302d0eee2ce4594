// A list of cells of a mesh as a backend needs it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "physics/mesh/layout.hpp"

namespace halfstep {

/// Returns the index of each cell within a field.
inline std::vector<std::int64_t> indices_of(const Layout& l, const std::vector<std::array<int, 3>>& cells) {
  std::vector<std::int64_t> indices;
  indices.reserve(cells.size());
  for (const auto& [i, j, k] : cells) indices.push_back(l.index(i, j, k));
  return indices;
}

inline bool has_ghosts(const Layout& l, const std::vector<std::array<int, 3>>& cells) {
  return std::any_of(cells.begin(), cells.end(),
                     [&](const auto& cell) { return !l.holds(cell[0], cell[1], cell[2]); });
}

}  // namespace halfstep
