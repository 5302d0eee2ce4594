// What a mesh consists of, for people.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "app/deck/config.hpp"

namespace halfstep {

/// Returns it in words: "64 x 32 cells", "16 x 24 elements of degree 3", "384 curved elements of degree 3".
/// `times`: between the numbers along axes.
inline std::string mesh_in_words(const RunConfig& config, const std::string& times) {
  const Problem& problem = config.problem;
  const std::string elements = fmt::format("elements of degree {}", problem.scheme.degree);
  if (problem.hexahedra && !problem.hexahedra->widths)
    return fmt::format("{} curved {}", problem.hexahedra->count, elements);
  std::vector<int> cells;
  for (int axis = 0; axis < 3; ++axis)
    if (config.cells[axis] > 1) cells.push_back(config.cells[axis]);
  const bool has_elements = problem.scheme.method == Method::flux_reconstruction;
  return fmt::format("{} {}", fmt::join(cells, times), has_elements ? elements : "cells");
}

}  // namespace halfstep
