// The kernels of the right-hand-side terms: the motion of all cells that the stencils reach, then the terms
// from that.
//
// A block of the latter owns a tile of the x-y plane and marches along z, a thread per column. Shared memory
// holds the plane's motion and each cell's differences along all axes, so that a derivative in a face's plane
// takes one value of each cell beside the face. A thread computes the x and y faces below its cell; the
// tile's last ones are distributed among the threads, and all are exchanged through shared memory. Along z a
// thread keeps its column's values in registers; the face that its newest plane completes lies `reach` - 1
// planes behind, and so does the finished cell.
#pragma once

#include <cuda_runtime.h>

#include "physics/rhs/closed_walls.hpp"
#include "physics/solver/rhs_arguments.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

inline constexpr int kTermsWidth = 32, kTermsRows = 8, kTermsBlock = kTermsWidth * kTermsRows;

/// A box of cells cut into columns along z that a block works on, `march` planes at a time.
struct ColumnsOfCells {
  int first[3], cells[3];  ///< the box
  int rows;                ///< threads of a block along y
  int tiles_x;             ///< blocks in a row
  int march;

  /// Makes a box of the layout's cells and `reach` more on both sides of the active axes.
  ColumnsOfCells(const Layout& l, int reach, int most_rows = kTermsRows) {
    for (int axis = 0; axis < 3; ++axis) {
      const int beyond = l.ghosts[axis] > 0 ? reach : 0;
      first[axis] = -beyond;
      cells[axis] = l.cells[axis] + 2 * beyond;
    }
    rows = l.ghosts[1] > 0 ? most_rows : 1;
    tiles_x = pieces_of(cells[0], kTermsWidth);
    // As few pieces as keep a large device busy, since each also reads the planes beside it.
    constexpr int enough = 2048;
    const int tiles = tiles_x * pieces_of(cells[1], rows);
    march = std::max(pieces_of(cells[2], pieces_of(enough, tiles)), std::min(cells[2], 8));
  }
  unsigned tiles() const { return static_cast<unsigned>(tiles_x * pieces_of(cells[1], rows)); }
  unsigned pieces() const { return static_cast<unsigned>(pieces_of(cells[2], march)); }

  static constexpr int pieces_of(int n, int size) { return (n + size - 1) / size; }
};

/// Calls `visit` with every cell of this thread's column, within this block's piece of the box.
template <class Visit>
__device__ __forceinline__ void for_column(const ColumnsOfCells& box, const Visit& visit) {
  const int tile = blockIdx.x;
  const int x = tile % box.tiles_x * kTermsWidth + threadIdx.x,
            y = tile / box.tiles_x * box.rows + threadIdx.y;
  if (x >= box.cells[0] || y >= box.cells[1]) return;
  const int z0 = blockIdx.y * box.march, z1 = min(z0 + box.march, box.cells[2]);
  for (int z = z0; z < z1; ++z) visit(box.first[0] + x, box.first[1] + y, box.first[2] + z);
}

template <class Real>
__global__ void __launch_bounds__(kTermsBlock)
    find_motion(const __grid_constant__ RhsArguments<Real> a, const __grid_constant__ ColumnsOfCells box,
                soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  for_column(box, [&](int i, int j, int k) { store_motion(a, i, j, k); });
}

/// Computes the terms of an inviscid gas. `box`: the cells of the layout. `dt`: the step's, in place of the
/// arguments'.
template <class Real>
__global__ void __launch_bounds__(kTermsBlock)
    add_gravity(const __grid_constant__ RhsArguments<Real> a, const __grid_constant__ ColumnsOfCells box,
                const double* dt, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  for_column(
      box, [&](int i, int j, int k) { store_terms(a, static_cast<Real>(*dt), Conserved<Real>{}, i, j, k); });
}

/// Closes the walls across an axis; `stage.out` is the state that the stage starts from.
template <class Real>
__global__ void __launch_bounds__(kTermsBlock)
    close_walls(const __grid_constant__ StageArguments<Real> stage,
                const __grid_constant__ ClosedWalls<Real> walls,
                const __grid_constant__ CellsBesideWalls cells, const double* dt,
                soft_error::Reporter<> reporter) {
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= cells.count() || reporter.cancelled()) return;
  StageArguments<Real> a = stage;
  a.dt = static_cast<Real>(*dt);
  int at[3];
  cells.cell(n, at);
  close_walls(a, walls, cells.axis, at[0], at[1], at[2]);
}

/// A block's shared memory, row by row so that all strides are compile-time constants. For every cell of the
/// tile and `reach` around it: the motion, and the differences along x, y and z of the velocities that faces
/// need. For every cell of the tile: the fluxes through the x and the y face below it, rotated, with one more
/// at the end of the row and one row more; and, for each plane whose z faces are pending, the divergence
/// along x and y.
template <int order>
struct TermsRows {
  static constexpr int reach = reach_of(order);
  static constexpr int field = kTermsWidth + 2 * reach, row = (kMotionFields + 7) * field;
  static constexpr int first_y_face = kTermsWidth + 1, flux = first_y_face + kTermsWidth,
                       flux_row = kMotionFields * flux;
  static constexpr int waiting_row = reach * kMotionFields * kTermsWidth;

  /// Returns the field of a velocity's difference along an axis. Along x and y there are only u and v: w's
  /// are needed by z faces, for which a thread finds them itself.
  HALFSTEP_HD static constexpr int in_cell(int axis, int velocity) {
    return kMotionFields + 2 * axis + velocity;
  }
  static constexpr std::size_t values(int rows) {
    return (rows + 2 * reach) * row + (rows + 1) * flux_row + rows * waiting_row;
  }
  /// Returns the largest number of rows that shared memory allows.
  template <class Real>
  static constexpr int most_rows(std::size_t most_shared_bytes) {
    int rows = kTermsRows;
    while (rows > 1 && values(rows) * sizeof(Real) > most_shared_bytes) --rows;
    return rows;
  }
};

/// The least number of resident blocks per multiprocessor, which caps the registers: fourth order in double
/// takes 128, all others 80.
template <int order, class Real>
inline constexpr int kTermsResident = order == 4 && sizeof(Real) == 8 ? 2 : 3;

/// Computes the terms of a viscous gas. `box`: the cells of the layout. `dt`: the step's, in place of the
/// arguments'.
template <int order, bool is_stretched, class Real>
__global__ void __launch_bounds__(kTermsBlock, kTermsResident<order, Real>)
    add_rhs_terms(const __grid_constant__ RhsArguments<Real> a, const __grid_constant__ ColumnsOfCells box,
                  const double* dt, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  using Rows = TermsRows<order>;
  using Difference = Central<order>;
  constexpr int reach = Rows::reach;
  const Layout& l = a.stage.layout;
  const int lx = threadIdx.x, ly = threadIdx.y, rows = box.rows, tile = blockIdx.x;
  const int thread = ly * kTermsWidth + lx, threads = kTermsWidth * rows;
  const int i0 = tile % box.tiles_x * kTermsWidth, j0 = tile / box.tiles_x * rows;
  const int k0 = blockIdx.y * box.march, k1 = min(k0 + box.march, l.cells[2]);
  const bool in_domain = i0 + lx < l.cells[0] && j0 + ly < l.cells[1];

  extern __shared__ __align__(16) unsigned char shared_memory[];
  Real* const memory = reinterpret_cast<Real*>(shared_memory);
  Real* const plane = memory + reach * (Rows::row + 1);  // at the tile's first cell
  Real* const fluxes = memory + (rows + 2 * reach) * Rows::row;
  Real* const own_waiting = fluxes + (rows + 1) * Rows::flux_row + ly * Rows::waiting_row + lx;
  const auto put = [&](int field, int place, Real value) { plane[field * Rows::field + place] = value; };
  const auto keep = [](Real* to, int step, const Conserved<Real>& c) {
    to[0] = c.mu;
    to[step] = c.mv;
    to[2 * step] = c.mw;
    to[3 * step] = c.energy;
  };
  const auto kept = [](const Real* from, int step) -> Conserved<Real> {
    return {Real(0), from[0], from[step], from[2 * step], from[3 * step]};
  };
  const auto face = [&](int axis, int x, int y) {
    return fluxes + y * Rows::flux_row + x + (axis == 0 ? 0 : Rows::first_y_face);
  };
  const auto waiting = [&](int k) { return own_waiting + k % reach * (kMotionFields * kTermsWidth); };

  // The places around a row or column of the tile that is `size` cells long.
  const auto around = [](int n, int size) { return n < reach ? n - reach : n - reach + size; };

  // The nearest cell whose motion is known: threads outside the domain do harmless work, and along an
  // inactive axis all cells are the same.
  const auto known = [&](int axis, int n) {
    return l.ghosts[axis] > 0 ? min(n, l.cells[axis] - 1 + reach) : 0;
  };
  const auto column_at = [&](int x, int y) {
    return a.motion + l.index(known(0, i0 + x), known(1, j0 + y), 0);
  };
  // The cell above a face that is looked up in tables: beyond the tile's last one in the domain there are
  // none.
  const auto cell_at = [&](int x, int y, int k) -> std::array<int, 3> {
    return {min(i0 + x, l.cells[0]), min(j0 + y, l.cells[1]), k};
  };
  const std::int64_t step_z = l.ghosts[2] > 0 ? l.stride[2] : 0;
  const auto motion_of = [&](const Real* column, int field, int k) {
    return column[field * l.field_stride + k * step_z];
  };

  // This thread's column when the newest plane is k: velocities of the planes from k - order + 1 to
  // k + reach, and up to k the temperature and the differences along x and y.
  const Real* const column = column_at(lx, ly);
  Real velocity[3][order + reach] = {}, temperature[order] = {}, in_cell[2][3][order] = {};
  const auto shift = [](Real* window, int size, Real newest) {
    for (int m = 0; m + 1 < size; ++m) window[m] = window[m + 1];
    window[size - 1] = newest;
  };
  const auto own_motion = [&](int field, int m) {
    return field == 3 ? temperature[m] : velocity[field % 3][m];
  };
  for (int d = 0; d < 3; ++d)
    for (int m = 0; m < reach; ++m) velocity[d][order + m] = motion_of(column, d, k0 - reach + m);

  Conserved<Real> below{};
  for (int k = k0 - reach; k < k1 + reach; ++k) {
    const bool has_faces = k >= k0 && k < k1;
    for (int d = 0; d < 3; ++d)
      shift(velocity[d], order + reach, motion_of(column, d, min(k, l.cells[2] - 1) + reach));
    shift(temperature, order, motion_of(column, 3, k));

    // Stores the plane: this thread's cell, then a share of those around the tile.
    const int own = ly * Rows::row + lx;
    for (int d = 0; d < 3; ++d) put(d, own, velocity[d][order - 1]);
    put(3, own, temperature[order - 1]);
#pragma unroll 1
    for (int n = thread; n < 2 * reach * (Rows::field + rows); n += threads) {
      const int beside = n - 2 * reach * Rows::field;
      const int x = beside < 0 ? n % Rows::field - reach : around(beside % (2 * reach), kTermsWidth);
      const int y = beside < 0 ? around(n / Rows::field, rows) : beside / (2 * reach);
      const Real* from = column_at(x, y);
      for (int field = 0; field < kMotionFields; ++field)
        put(field, y * Rows::row + x, motion_of(from, field, k));
    }
    __syncthreads();

    // Finds the differences of this thread's cell; then, where faces need them, of one beside the tile.
    const auto in_plane_difference = [&](int axis, int d, int place) {
      const Real* at = plane + d * Rows::field + place;
      return Difference::in_cell([&](int n) { return at[axis == 0 ? n : n * Rows::row]; });
    };
    for (int axis = 0; axis < 2; ++axis)
      for (int d = 0; d < 3; ++d) {
        shift(in_cell[axis][d], order, in_plane_difference(axis, d, own));
        if (d < 2) put(Rows::in_cell(axis, d), own, in_cell[axis][d][order - 1]);
      }
    if (has_faces) {
      for (int d = 0; d < 3; ++d)
        put(Rows::in_cell(2, d), own, Difference::in_cell([&](int n) { return velocity[d][order - 1 + n]; }));
#pragma unroll 1
      for (int n = thread; n < 2 * reach * (kTermsWidth + rows); n += threads) {
        const int beside = n - 2 * reach * kTermsWidth, axis = beside < 0 ? 1 : 0, other = 1 - axis;
        const int x = beside < 0 ? n % kTermsWidth : around(beside % (2 * reach), kTermsWidth);
        const int y = beside < 0 ? around(n / kTermsWidth, rows) : beside / (2 * reach);
        const int place = y * Rows::row + x;
        const Real* at = column_at(x, y) + k * step_z;
        for (int d = 0; d < 2; ++d) put(Rows::in_cell(other, d), place, in_plane_difference(other, d, place));
        for (const int d : {axis, 2})
          put(Rows::in_cell(2, d), place, Difference::in_cell([&](int m) { return motion_of(at, d, m); }));
      }
    }
    __syncthreads();

    // The z face that this plane completes, and the cell below it. They precede the faces in the plane, which
    // then have more registers.
    Conserved<Real> above{};
    if (l.ghosts[2] > 0 && k >= k0 + reach - 1)
      above = viscous_flux_between<order, is_stretched>(
          a, 2, cell_at(lx, ly, k - reach + 1), wall_below(a, 2, k - reach + 1),
          [&](int field, int n) { return own_motion(field, reach + n); },
          [&](int tangential, int d, int n) { return in_cell[tangential][d][reach + n]; });
    if (k >= k0 + reach && in_domain) {
      Conserved<Real> divergence = kept(waiting(k), kTermsWidth);
      if (l.ghosts[2] > 0) add_outflow<is_stretched>(divergence, a, 2, k - reach, below, above);
      store_terms(a, static_cast<Real>(*dt), divergence, i0 + lx, j0 + ly, k - reach);
    }
    below = above;

    if (has_faces) {
      // The thread's own cell is not read again from shared memory.
      const auto find_flux = [&]<int axis, bool own_cell>(int x, int y) {
        const Real* const at = plane + y * Rows::row + x;
        constexpr int across = axis == 0 ? 1 : Rows::row;
        keep(face(axis, x, y), Rows::flux,
             viscous_flux_between<order, is_stretched>(
                 a, axis, cell_at(x, y, k), wall_below(a, axis, axis == 0 ? i0 + x : j0 + y),
                 [&](int field, int n) {
                   return own_cell && n == 0 ? own_motion(field, order - 1)
                                             : at[field * Rows::field + n * across];
                 },
                 [&](int tangential, int d, int n) {
                   return own_cell && n == 0 && tangential < 2
                              ? in_cell[tangential % 2][d][order - 1]
                              : at[Rows::in_cell(tangential, d) * Rows::field + n * across];
                 }));
      };
      if (l.ghosts[0] > 0) find_flux.template operator()<0, true>(lx, ly);
      if (l.ghosts[1] > 0) find_flux.template operator()<1, true>(lx, ly);
      // The tile's last faces, along x and y by different warps. Not in a loop, which would take registers.
      const int last = threads - 1 - thread;
      if (l.ghosts[0] > 0 && last < rows) find_flux.template operator()<0, false>(kTermsWidth, last);
      if (l.ghosts[1] > 0 && ly == 0) find_flux.template operator()<1, false>(lx, rows);
      __syncthreads();
      Conserved<Real> divergence{};
      const auto through = [&](int axis, int x, int y) { return kept(face(axis, x, y), Rows::flux); };
      const std::array<int, 3> cell = cell_at(lx, ly, k);
      if (l.ghosts[0] > 0)
        add_outflow<is_stretched>(divergence, a, 0, cell[0], through(0, lx, ly), through(0, lx + 1, ly));
      if (l.ghosts[1] > 0)
        add_outflow<is_stretched>(divergence, a, 1, cell[1], through(1, lx, ly), through(1, lx, ly + 1));
      keep(waiting(k), kTermsWidth, divergence);
    }
  }
}

}  // namespace halfstep
