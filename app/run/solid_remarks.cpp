#include "app/run/solid_remarks.hpp"

#include <fmt/format.h>

#include "app/run/initial_state.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {

std::string extent_of_solids(const Problem& problem) {
  const SolidCells& cells = problem.solids->cells();
  const auto bodies = problem.solids->bodies().size();
  const auto near = std::ssize(cells.near), all = near + std::ssize(cells.rim) + std::ssize(cells.core);
  return fmt::format("{} {} with {} cells, {:.3g} % of the mesh; the gas reads {} of them", bodies,
                     bodies == 1 ? "body" : "bodies", all,
                     100 * static_cast<double>(all) / static_cast<double>(problem.mesh.cell_count()), near);
}

std::vector<std::string> remarks_on_solids(const Problem& problem) {
  std::vector<std::string> remarks;
  if (!problem.has_solids()) return remarks;
  const SolidCells& cells = problem.solids->cells();
  const auto remark = [&](const CountedCells& those, const char* what, const char* done) {
    if (those.count > 0)
      remarks.push_back(fmt::format("solids: {} {} {}, the first {}: {}", those.count,
                                    those.count == 1 ? "cell" : "cells", what,
                                    place_of(those.first, problem.mesh), done));
  };
  remark(cells.thin, "where a body is thinner than the scheme's stencil",
         "each holds a state for the gas on one side alone; more cells cure it");
  remark(cells.sharp, "at an edge, or where a surface bends within a cell",
         "walls are of first order there; more cells make the place smaller");
  remark(cells.crowded, "whose probe has no gas alone around it, as before a gap narrower than the stencil",
         "the nearest cell of gas takes its place, which is of first order; more cells cure it");
  return remarks;
}

}  // namespace halfstep
