#include "app/output/cell_values.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "physics/diagnostics/mixture_of_cell.hpp"

namespace halfstep {
namespace {

/// Cell count below which threads cost more than they save.
constexpr std::size_t kManyCells = 100'000;

Conserved<double> state(const Fields& fields, std::size_t n) {
  const auto& u = fields.conserved;
  return {u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]};
}

CellIndex neighbour(const Mesh& mesh, CellIndex cell, int axis, int side) {
  if (mesh.active(axis)) cell[axis] += 2 * side - 1;
  return cell;
}

/// Returns the distance between the centres of a cell's neighbours along an axis.
double between_neighbours(const Mesh& mesh, int axis, int cell) {
  if (!mesh.is_stretched(axis)) return 2 * mesh.spacing(axis);
  const StretchedAxis& own = *mesh.stretched[axis];
  return own.center(cell + 1) - own.center(cell - 1);
}

}  // namespace

std::vector<std::string> field_names(const OutputRequest& request, const Problem& problem) {
  std::vector<std::string> names;
  for (const FlowField field : request.fields) names.emplace_back(name_of(kFlowFieldNames, field));
  if (request.mass_fractions) names.insert(names.end(), problem.scalars.begin(), problem.scalars.end());
  return names;
}

CellValues::CellValues(Solver& solver, const Problem& problem, const OutputRequest& request,
                       const std::vector<CellIndex>& cells)
    : fields_(request.fields),
      names_(field_names(request, problem)),
      gases_(problem.gases()),
      mesh_(problem.mesh),
      cells_(cells.size()),
      cells_read_(cells.size()) {
  if (!request.has_gradients()) {
    read_cells_ = solver.cell_reader(cells);
    return;
  }

  if (mesh_.is_stretched()) at_ = cells;
  std::vector<CellIndex> all = cells;
  for (const CellIndex& cell : cells)
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) all.push_back(neighbour(mesh_, cell, axis, side));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > std::numeric_limits<std::uint32_t>::max())
    throw std::runtime_error("an output with gradients has too many cells; give it fewer");
  const auto place = [&](const CellIndex& cell) {
    return static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), cell) - all.begin());
  };
  for (const CellIndex& cell : cells) {
    Stencil& stencil = stencils_.emplace_back(Stencil{place(cell), {}});
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) stencil.beside[axis][side] = place(neighbour(mesh_, cell, axis, side));
  }
  cells_read_ = all.size();
  read_cells_ = solver.cell_reader(all);
}

FlowGradients CellValues::gradients_in(const Fields& states, std::size_t cell) const {
  Neighbourhood n{.cell = state(states, stencils_[cell].cell)};
  for (int axis = 0; axis < 3; ++axis) {
    n.distance[axis] = between_neighbours(mesh_, axis, at_.empty() ? 0 : at_[cell][axis]);
    for (const int side : {0, 1}) n.beside[axis][side] = state(states, stencils_[cell].beside[axis][side]);
  }
  return FlowGradients(n);
}

std::vector<std::vector<double>> CellValues::values(const Fields& states) const {
  std::vector<std::vector<double>> values(names_.size(), std::vector<double>(cells_));
#pragma omp parallel for if (cells_ > kManyCells)
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    const std::size_t own = stencils_.empty() ? cell : stencils_[cell].cell;
    const IdealGas<double> gas = gas_in(gases_, states, own);
    const Conserved<double> c = state(states, own);
    const Primitive<double> q = to_primitive(c, gas);
    const FlowGradients gradients = stencils_.empty() ? FlowGradients() : gradients_in(states, cell);
    for (std::size_t f = 0; f < fields_.size(); ++f)
      values[f][cell] = is_of_gradient(fields_[f]) ? gradient_value(fields_[f], gradients)
                                                   : state_value(fields_[f], c, q, gas);
    for (std::size_t f = fields_.size(); f < values.size(); ++f)
      values[f][cell] = fraction_in(gases_, states, f - fields_.size(), own);
  }
  return values;
}

}  // namespace halfstep
