// The keys of the cells of a mesh among which the fastest is looked for.
#pragma once

#include "physics/gas/fastest_cell.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/rhs/rhs_of_cell.hpp"

namespace halfstep {

/// Returns the key of a cell of the state u, by the rate that limits dt.
template <class Real>
struct FastestCellOfMesh {
  Layout layout;
  Gases<double> gases;
  RhsTerms terms;
  AxisTableViews<Real> axes;
  double inverse_dx[3]{};
  std::int64_t first[3]{}, whole[3]{};  ///< of the block and of all cells
  const std::int32_t* rows = nullptr;   ///< of a part of rows: their numbers along y

  FastestCellOfMesh(const Mesh& mesh, const Layout& of, const Gases<double>& mixed, const RhsTerms& rhs,
                    const AxisTableViews<Real>& tables)
      : layout(of),
        gases(mixed),
        terms(rhs),
        axes(tables),
        rows(mesh.rows ? mesh.rows->own.data() : nullptr) {
    for (int axis = 0; axis < 3; ++axis) {
      if (mesh.active(axis)) inverse_dx[axis] = 1 / mesh.spacing(axis);
      first[axis] = mesh.first[axis];
      whole[axis] = mesh.extent(axis);
    }
  }

  HALFSTEP_HD std::uint64_t operator()(const Real* u, int i, int j, int k) const {
    const IdealGas<double> gas = gas_in(gases, layout, u, i, j, k);
    const int cell[3] = {i, j, k};
    double inverse[3];
    for (int axis = 0; axis < 3; ++axis) {
      const Real* const of = axes[axis].inverse_width;
      inverse[axis] = of ? double(of[cell[axis]]) : inverse_dx[axis];
    }
    return key(cfl_rate(to_primitive(widened(load(layout, u, i, j, k)), gas), inverse, gas, terms), i, j, k);
  }
  /// Returns the key of a cell with that rate.
  HALFSTEP_HD std::uint64_t key(double rate, int i, int j, int k) const {
    const std::int64_t row = rows ? rows[j] : first[1] + j;
    return FastestCell::key(rate, first[0] + i + whole[0] * (row + whole[1] * (first[2] + k)));
  }
};

}  // namespace halfstep
