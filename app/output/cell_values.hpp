// Values of fields in some cells of the present state: only these cells, and for gradients their neighbours,
// are copied from a device. The fields are computed on the host, by the same arithmetic for both backends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/deck/outputs.hpp"
#include "physics/mesh/cell_of.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

using CellIndex = std::array<int, 3>;

/// Returns the names of the fields of an output: those of the request, then those of scalars if it has mass
/// fractions.
std::vector<std::string> field_names(const OutputRequest& request, const Problem& problem);

class CellValues {
 public:
  /// Returns what gradients take in a cell beside the states.
  static std::int64_t gradient_bytes(const Mesh& mesh) {
    return static_cast<std::int64_t>(sizeof(Stencil) + (mesh.is_stretched() ? sizeof(CellIndex) : 0));
  }

  /// `cells`: cells of the domain, at least one. `solver` has to outlive this.
  CellValues(Solver& solver, const Problem& problem, const OutputRequest& request,
             const std::vector<CellIndex>& cells);

  /// Returns field_names() of the request.
  const std::vector<std::string>& names() const { return names_; }
  /// Returns the number of cells whose states are read.
  std::size_t cells_read() const { return cells_read_; }
  /// Whether read() may be called with one attempt under way.
  bool reads_beside_an_attempt() const { return read_cells_.beside_an_attempt; }
  /// Begins to copy the present states of the cells and what else values() needs. With no attempt under way,
  /// or one of them if reads_beside_an_attempt().
  std::shared_ptr<Snapshot> read() const { return read_cells_(); }
  /// Returns the values of such states, field by field in the order of names(), each in the order of the
  /// cells. In any thread.
  std::vector<std::vector<double>> values(const Fields& states) const;

 private:
  /// Places of a cell and its neighbours in what read_cells_ returns.
  struct Stencil {
    std::uint32_t cell;
    std::array<std::array<std::uint32_t, 2>, 3> beside;
  };

  /// Returns the gradients in cell number `cell`, with stencils.
  FlowGradients gradients_in(const Fields& states, std::size_t cell) const;

  std::vector<FlowField> fields_;
  std::vector<std::string> names_;
  Gases<double> gases_;
  Mesh mesh_;
  std::size_t cells_, cells_read_;
  std::vector<Stencil> stencils_;  // none without gradients: then the states are those of the cells alone
  std::vector<CellIndex> at_;      // of gradients on a stretched mesh: the cells
  Solver::CellReader read_cells_;
};

}  // namespace halfstep
