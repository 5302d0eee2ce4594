// The kernels of the explicit terms: the motion of all cells that the stencils reach, then the terms from
// that.
//
// A block of the second owns a tile of the x-y plane and marches along z, one thread a column. A thread finds
// the fluxes below its cell along x and y and the one above it along z; those along x and y are exchanged
// through shared memory, and what the tile's last faces need beyond that is shared out among the threads. One
// body serves all axes, so that a face has the same bits wherever it is computed.
#pragma once

#include <cuda_runtime.h>

#include "physics/terms_arguments.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

inline constexpr int kTermsWidth = 32, kTermsRows = 8, kTermsBlock = kTermsWidth * kTermsRows;

/// A box of cells cut into columns along z that a block works on, `march` planes at a time.
struct ColumnsOfCells {
  int first[3], cells[3];  ///< the box
  int rows;                ///< of a block: threads along y
  int tiles_x;             ///< blocks in a row
  int march;

  /// The cells of the layout and `reach` more on both sides of the swept axes.
  ColumnsOfCells(const Layout& l, int reach) {
    for (int axis = 0; axis < 3; ++axis) {
      const int beyond = l.ghosts[axis] > 0 ? reach : 0;
      first[axis] = -beyond;
      cells[axis] = l.cells[axis] + 2 * beyond;
    }
    rows = l.ghosts[1] > 0 ? kTermsRows : 1;
    tiles_x = pieces_of(cells[0], kTermsWidth);
    // As few pieces as keep a large device busy: each has a plane of faces more.
    constexpr int enough = 4096;
    const int tiles = tiles_x * pieces_of(cells[1], rows);
    march = std::max(pieces_of(cells[2], pieces_of(enough, tiles)), std::min(cells[2], 8));
  }
  unsigned tiles() const { return static_cast<unsigned>(tiles_x * pieces_of(cells[1], rows)); }
  unsigned pieces() const { return static_cast<unsigned>(pieces_of(cells[2], march)); }

  static constexpr int pieces_of(int n, int size) { return (n + size - 1) / size; }
};

template <class Real>
__global__ void __launch_bounds__(kTermsBlock)
    find_motion(const __grid_constant__ TermsArguments<Real> a, const __grid_constant__ ColumnsOfCells box,
                soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const int tile = blockIdx.x;
  const int x = tile % box.tiles_x * kTermsWidth + threadIdx.x,
            y = tile / box.tiles_x * box.rows + threadIdx.y;
  if (x >= box.cells[0] || y >= box.cells[1]) return;
  const int z0 = blockIdx.y * box.march, z1 = min(z0 + box.march, box.cells[2]);
  for (int z = z0; z < z1; ++z) store_motion(a, box.first[0] + x, box.first[1] + y, box.first[2] + z);
}

/// `box`: the cells of the layout. `dt`: of the step, in place of the arguments'. Of order 0 there are no
/// viscous terms.
template <int order, class Real>
__global__ void __launch_bounds__(kTermsBlock)
    add_terms(const __grid_constant__ TermsArguments<Real> a, const __grid_constant__ ColumnsOfCells box,
              const double* dt, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const Layout& l = a.stage.layout;
  const int lx = threadIdx.x, ly = threadIdx.y, rows = box.rows, tile = blockIdx.x;
  const int i0 = tile % box.tiles_x * kTermsWidth, j0 = tile / box.tiles_x * rows;
  const int k0 = blockIdx.y * box.march, k1 = min(k0 + box.march, l.cells[2]);
  const bool in_domain = i0 + lx < l.cells[0] && j0 + ly < l.cells[1];

  // Momentum and energy through the tile's x and y faces, rotated.
  constexpr int faces_x = (kTermsWidth + 1) * kTermsRows, faces = faces_x + kTermsWidth * (kTermsRows + 1);
  static __shared__ Real fluxes[order > 0 ? kMotionFields : 1][order > 0 ? faces : 1];
  const auto face = [](int axis, int x, int y) {
    return axis == 0 ? y * (kTermsWidth + 1) + x : faces_x + y * kTermsWidth + x;
  };
  const auto through = [&](int n) -> Conserved<Real> {
    return {Real(0), fluxes[0][n], fluxes[1][n], fluxes[2][n], fluxes[3][n]};
  };

  Conserved<Real> below{};
  for (int k = order > 0 ? k0 - 1 : k0; k < k1; ++k) {
    Conserved<Real> above{};
    if constexpr (order > 0) {
#pragma unroll 1
      for (int pass = 0; pass < (k < k0 ? 1 : 4); ++pass) {
        // Above the cell along z; below it along x and along y; one of the tile's last faces.
        int axis = pass == 0 ? 2 : pass - 1, x = lx, y = ly;
        const int plane = pass == 0 ? k + 1 : k;
        if (pass == 3) {
          const int n = ly * kTermsWidth + lx, along_y = l.ghosts[1] > 0 ? kTermsWidth : 0;
          axis = n < along_y ? 1 : 0;
          x = axis == 1 ? n : kTermsWidth;
          y = axis == 1 ? rows : n - along_y;
          if (axis == 0 && y >= rows) break;
        }
        const int at[3] = {i0 + x, j0 + y, plane};
        bool of_domain = l.ghosts[axis] > 0;
        for (int n = 0; n < 3; ++n) of_domain &= at[n] < l.cells[n] + (n == axis);
        if (!of_domain) continue;
        const Conserved<Real> flux = viscous_flux_below<order>(a, l.index(at[0], at[1], at[2]), axis,
                                                               wall_below(a, axis,
                                                                          axis == 0   ? at[0]
                                                                          : axis == 1 ? at[1]
                                                                                      : at[2]));
        if (pass == 0) {
          above = flux;
        } else {
          const int n = face(axis, x, y);
          fluxes[0][n] = flux.mu;
          fluxes[1][n] = flux.mv;
          fluxes[2][n] = flux.mw;
          fluxes[3][n] = flux.energy;
        }
      }
      if (k >= k0) __syncthreads();
    }
    if (k >= k0 && in_domain) {
      Conserved<Real> divergence{};
      if constexpr (order > 0) {
        if (l.ghosts[0] > 0)
          add_outflow(divergence, a, 0, through(face(0, lx, ly)), through(face(0, lx + 1, ly)));
        if (l.ghosts[1] > 0)
          add_outflow(divergence, a, 1, through(face(1, lx, ly)), through(face(1, lx, ly + 1)));
        if (l.ghosts[2] > 0) add_outflow(divergence, a, 2, below, above);
      }
      store_terms(a, static_cast<Real>(*dt), divergence, i0 + lx, j0 + ly, k);
    }
    if constexpr (order > 0)
      if (k >= k0) __syncthreads();
    below = above;
  }
}

}  // namespace halfstep
