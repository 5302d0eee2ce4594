// The kernel of the fourth-order flux corrections.
//
// A block owns a tile of the x-y plane and marches along z, a thread per column, with the states of three
// planes of its column in registers. The middle plane and one cell around the tile are in shared memory,
// where a thread finds its cell's differences. From those it computes the cell's tangential fluxes, which its
// neighbours read. Those of the cells beside the tile are distributed among the threads. A cell is finished
// when the tangential fluxes of the plane above it are known.
#pragma once

#include <cuda_runtime.h>

#include "physics/cuda/rhs_terms_body.cuh"
#include "physics/rhs/fourth_order_face.hpp"

namespace halfstep {

/// Writes the state that the stage starts from to `a.out`. `box`: the cells of the layout. `dt`: the step's,
/// in place of the arguments'.
template <class Real>
__global__ void __launch_bounds__(kTermsBlock, sizeof(Real) == 8 ? 2 : 3)
    add_fourth_order_fluxes(const __grid_constant__ StageArguments<Real> a,
                            const __grid_constant__ ColumnsOfCells box, const double* dt,
                            soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const Layout& l = a.layout;
  const int lx = threadIdx.x, ly = threadIdx.y, rows = box.rows, tile = blockIdx.x;
  const int thread = ly * kTermsWidth + lx, threads = kTermsWidth * rows;
  const int i0 = tile % box.tiles_x * kTermsWidth, j0 = tile / box.tiles_x * rows;
  const int k0 = blockIdx.y * box.march, k1 = min(k0 + box.march, l.cells[2]);
  const bool in_domain = i0 + lx < l.cells[0] && j0 + ly < l.cells[1];

  // The nearest cell with a known state: threads outside the domain do harmless work, and along an inactive
  // axis all cells are the same.
  const auto known = [&](int axis, int n) { return l.ghosts[axis] > 0 ? min(n, l.cells[axis]) : 0; };
  const auto state_at = [&](int x, int y, int k) {
    return flow_state(load(l, a.in, known(0, i0 + x), known(1, j0 + y), known(2, k)), a.gas);
  };

  // The plane with one cell around the tile, field by field; the tangential fluxes along x with one cell on
  // both sides, and along y.
  constexpr int row = kTermsWidth + 2, plane_values = row * (kTermsRows + 2);
  constexpr int x_values = row * kTermsRows, y_values = kTermsWidth * (kTermsRows + 2);
  static __shared__ Real plane[5 * plane_values], along_x[4 * x_values], along_y[4 * y_values];
  const auto place = [](int x, int y) { return (y + 1) * row + x + 1; };
  const auto put_state = [&](int x, int y, const FlowState<Real>& q) {
    Real* const to = plane + place(x, y);
    to[0] = q.density;
    for (int n = 0; n < 3; ++n) to[(1 + n) * plane_values] = q.velocity[n];
    to[4 * plane_values] = q.temperature;
  };
  const auto state = [&](int x, int y) -> FlowState<Real> {
    const Real* const q = plane + place(x, y);
    return {q[0], {q[plane_values], q[2 * plane_values], q[3 * plane_values]}, q[4 * plane_values]};
  };
  const auto put_flux = [](Real* to, int values, const TangentialFlux<Real>& f) {
    for (int n = 0; n < 3; ++n) to[n * values] = f.momentum[n];
    to[3 * values] = f.energy;
  };
  const auto flux = [](const Real* from, int values) -> TangentialFlux<Real> {
    return {{from[0], from[values], from[2 * values]}, from[3 * values]};
  };
  const auto x_flux_at = [&](int x, int y) { return along_x + y * row + x + 1; };
  const auto y_flux_at = [&](int x, int y) { return along_y + (y + 1) * kTermsWidth + x; };

  // The n-th cell around the tile: the rows below and above it, `wide` cells from `first` on, then the
  // columns beside it.
  struct Place {
    int x, y;
  };
  const auto beside_tile = [&](int n, int wide, int first) -> Place {
    const int beside = n - 2 * wide;
    return {beside < 0        ? n % wide + first
            : beside % 2 == 0 ? -1
                              : kTermsWidth,
            beside >= 0 ? beside / 2
            : n < wide  ? -1
                        : rows};
  };

  FlowState<Real> below = state_at(lx, ly, k0 - 1), here = below, above = state_at(lx, ly, k0);
  TangentialFlux<Real> z_below{}, z_here{};  // of the two planes below the current one
  Conserved<Real> in_plane{}, lower_face{};  // of the cell below the current one
  // Finds the tangential fluxes of plane k, then finishes the cell below it.
  for (int k = k0 - 1; k <= k1; ++k) {
    const bool has_cells = k >= k0 && k < k1;
    if (k > k0 - 1) {
      below = here;
      here = above;
      above = state_at(lx, ly, k + 1);
    }
    __syncthreads();
    put_state(lx, ly, here);
    for (int n = thread; n < 2 * (row + rows); n += threads) {  // with the corners
      const auto [x, y] = beside_tile(n, row, -1);
      put_state(x, y, state_at(x, y, k));
    }
    __syncthreads();

    const auto along_x_at = [&](int x, int y) { return half_difference(state(x - 1, y), state(x + 1, y)); };
    const auto along_y_at = [&](int x, int y) { return half_difference(state(x, y - 1), state(x, y + 1)); };
    const HalfDifference<Real> by_x = along_x_at(lx, ly), by_y = along_y_at(lx, ly);
    const TangentialFlux<Real> z_above = tangential_flux<2>(here, by_x, by_y, a.gas);
    if (has_cells) {
      const HalfDifference<Real> by_z = half_difference(below, above);
      put_flux(x_flux_at(lx, ly), x_values, tangential_flux<0>(here, by_y, by_z, a.gas));
      put_flux(y_flux_at(lx, ly), y_values, tangential_flux<1>(here, by_x, by_z, a.gas));
      // Begins with other warps than those that fetched the border's states.
      for (int n = threads - 1 - thread; n < 2 * (kTermsWidth + rows); n += threads) {
        const auto [x, y] = beside_tile(n, kTermsWidth, 0);
        const HalfDifference<Real> up = half_difference(state_at(x, y, k - 1), state_at(x, y, k + 1));
        if (n < 2 * kTermsWidth)
          put_flux(y_flux_at(x, y), y_values, tangential_flux<1>(state(x, y), along_x_at(x, y), up, a.gas));
        else
          put_flux(x_flux_at(x, y), x_values, tangential_flux<0>(state(x, y), along_y_at(x, y), up, a.gas));
      }
    }
    const Conserved<Real> upper_face = k >= k0 ? conversion_flux<2>(below, here, a.gas) : Conserved<Real>{};
    if (k > k0 && in_domain) {
      const Conserved<Real> z = covariance_outflow(a.inverse_dx[2], z_below, z_above, lower_face, upper_face);
      store_corrected(a, static_cast<Real>(*dt), in_plane + z, i0 + lx, j0 + ly, k - 1);
    }
    z_below = z_here;
    z_here = z_above;
    lower_face = upper_face;
    if (has_cells) {
      __syncthreads();
      const auto along = [&]<int axis>(const Real* low, const Real* high, int values) {
        constexpr int dx = axis == 0 ? 1 : 0, dy = 1 - dx;
        return covariance_outflow(a.inverse_dx[axis], flux(low, values), flux(high, values),
                                  conversion_flux<axis>(state(lx - dx, ly - dy), here, a.gas),
                                  conversion_flux<axis>(here, state(lx + dx, ly + dy), a.gas));
      };
      in_plane = along.template operator()<0>(x_flux_at(lx - 1, ly), x_flux_at(lx + 1, ly), x_values) +
                 along.template operator()<1>(y_flux_at(lx, ly - 1), y_flux_at(lx, ly + 1), y_values);
    }
  }
}

/// Takes the corrections of faces that do without them back from `a.out`. `dt`: as above.
template <class Real>
__global__ void __launch_bounds__(kTermsBlock)
    take_corrections_back(const __grid_constant__ StageArguments<Real> stage, const UncorrectedFaces faces,
                          const double* dt, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  const Layout& l = stage.layout;
  const std::int64_t n = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= l.cell_count() || faces.of_cells[n] == 0) return;
  StageArguments<Real> a = stage;
  a.dt = static_cast<Real>(*dt);
  const std::int64_t row = n / l.cells[0];
  take_corrections_back(a, faces, static_cast<int>(n % l.cells[0]), static_cast<int>(row % l.cells[1]),
                        static_cast<int>(row / l.cells[1]));
}

}  // namespace halfstep
