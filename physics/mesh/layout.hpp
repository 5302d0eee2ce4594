// The memory layout of a state's fields.
#pragma once

#include <array>
#include <cstdint>

#include "physics/gas/gases.hpp"
#include "physics/gas/state.hpp"
#include "physics/mesh/mesh.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// A structure of arrays with ghost cells on the active axes, x fastest. The first interior cell of every row
/// is aligned to kAlignment values, so that warps and vectors read whole cache lines. Of a rank's part of a
/// mesh of points, rows of near elements follow behind the own ones.
struct Layout {
  static constexpr int kAlignment = 16;

  int cells[3];
  int ghosts[3];
  std::int64_t stride[3];
  std::int64_t field_stride;
  std::int64_t origin;  ///< index of cell (0, 0, 0)
  int fields;           ///< kFields, the scalars and the volume fraction
  bool two_gases;       ///< the last field is the volume fraction of the second gas

  Layout(const Mesh& mesh, int layers, int field_count = kFields, bool of_two_gases = false)
      : Layout({mesh.cells[0], mesh.cells[1], mesh.cells[2]},
               {mesh.active(0) ? layers : 0, mesh.active(1) ? layers : 0, mesh.active(2) ? layers : 0},
               field_count, of_two_gases, mesh.rows_near()) {}

  Layout(const std::array<int, 3>& n, const std::array<int, 3>& layers, int field_count = kFields,
         bool of_two_gases = false, int rows_behind = 0)
      : fields(field_count), two_gases(of_two_gases) {
    for (int a = 0; a < 3; ++a) {
      cells[a] = n[a];
      ghosts[a] = layers[a];
    }
    const auto aligned = [](std::int64_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; };
    const std::int64_t before = aligned(ghosts[0]);
    stride[0] = 1;
    stride[1] = aligned(before + cells[0] + ghosts[0]);
    stride[2] = stride[1] * (cells[1] + 2 * ghosts[1] + rows_behind);
    field_stride = stride[2] * (cells[2] + 2 * ghosts[2]);
    origin = before + ghosts[1] * stride[1] + ghosts[2] * stride[2];
  }

  HALFSTEP_HD std::int64_t index(int i, int j, int k) const {
    return origin + i + j * stride[1] + k * stride[2];
  }
  HALFSTEP_HD std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
  /// Whether a cell belongs to the domain and is no ghost.
  HALFSTEP_HD bool holds(int i, int j, int k) const {
    return i >= 0 && i < cells[0] && j >= 0 && j < cells[1] && k >= 0 && k < cells[2];
  }
  /// Returns the number of fields behind the flow's own.
  HALFSTEP_HD int carried() const { return fields - kFields; }
  /// Returns the number of those that are masses per volume.
  HALFSTEP_HD int scalars() const { return carried() - (two_gases ? 1 : 0); }
  std::int64_t values() const { return fields * field_stride; }
};

/// Returns the conserved fields of a cell.
template <class Real>
HALFSTEP_HD Conserved<Real> load(const Layout& l, const Real* u, int i, int j, int k) {
  const Real* p = u + l.index(i, j, k);
  const std::int64_t f = l.field_stride;
  return {p[0], p[f], p[2 * f], p[3 * f], p[4 * f]};
}

template <class Real>
HALFSTEP_HD void store(const Layout& l, Real* u, int i, int j, int k, const Conserved<Real>& c) {
  Real* p = u + l.index(i, j, k);
  const std::int64_t f = l.field_stride;
  p[0] = c.density;
  p[f] = c.mu;
  p[2 * f] = c.mv;
  p[3 * f] = c.mw;
  p[4 * f] = c.energy;
}

/// Returns field s of those behind the flow's own, in a cell: the mass of scalar s per volume, s <
/// l.scalars(), or the volume fraction of the second gas, s = l.scalars().
template <class Real /* const or not */>
HALFSTEP_HD Real& scalar(const Layout& l, Real* u, int s, int i, int j, int k) {
  return u[l.index(i, j, k) + (kFields + s) * l.field_stride];
}

/// Returns the mass fraction of scalar s in a cell.
template <class Real>
HALFSTEP_HD Real mass_fraction(const Layout& l, const Real* u, int s, int i, int j, int k) {
  return scalar(l, u, s, i, j, k) / u[l.index(i, j, k)];
}

/// Returns the gas in a cell of the state u: the first, or the mixture that the cell holds.
template <class Real, class Stored>
HALFSTEP_HD IdealGas<Real> gas_in(const Gases<Real>& gases, const Layout& l, const Stored* u, int i, int j,
                                  int k) {
  return l.two_gases ? gases.mixed(Real(scalar(l, u, l.scalars(), i, j, k))) : gases.first;
}

}  // namespace halfstep
