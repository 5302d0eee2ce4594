// The explicit terms on a CUDA device. Twin of terms_host.hpp.
#pragma once

#include "physics/terms_arguments.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

inline constexpr int kTermsBlock = 256;

/// A box of cells cut into boxes that a block of threads does at once: threads that share a multiprocessor
/// share the neighbours their stencils reach.
struct BlocksOfCells {
  int first[3], cells[3];  ///< the box
  int block[3];            ///< threads along each axis
  int blocks[3];

  /// The cells of the layout and `reach` more on both sides of the swept axes.
  BlocksOfCells(const Layout& l, int reach) {
    for (int axis = 0; axis < 3; ++axis) {
      const int beyond = l.ghosts[axis] > 0 ? reach : 0;
      first[axis] = -beyond;
      cells[axis] = l.cells[axis] + 2 * beyond;
    }
    block[2] = cells[2] > 1 ? 2 : 1;
    block[1] = cells[1] > 1 ? 4 : 1;
    block[0] = kTermsBlock / block[1] / block[2];
    for (int axis = 0; axis < 3; ++axis) blocks[axis] = (cells[axis] + block[axis] - 1) / block[axis];
  }
  dim3 threads() const {
    return dim3(static_cast<unsigned>(block[0]), static_cast<unsigned>(block[1]),
                static_cast<unsigned>(block[2]));
  }
  unsigned count() const {
    return static_cast<unsigned>(blocks[0]) * static_cast<unsigned>(blocks[1]) *
           static_cast<unsigned>(blocks[2]);
  }
#if defined(__CUDACC__)
  /// This thread's; false beyond the box.
  __device__ bool cell(int& i, int& j, int& k) const {
    const int n = static_cast<int>(blockIdx.x), plane = n / blocks[0];
    const int x = n % blocks[0] * block[0] + static_cast<int>(threadIdx.x),
              y = plane % blocks[1] * block[1] + static_cast<int>(threadIdx.y),
              z = plane / blocks[1] * block[2] + static_cast<int>(threadIdx.z);
    i = first[0] + x;
    j = first[1] + y;
    k = first[2] + z;
    return x < cells[0] && y < cells[1] && z < cells[2];
  }
#endif
};

template <class Real>
__global__ void __launch_bounds__(kTermsBlock)
    find_motion(const __grid_constant__ TermsArguments<Real> a, const __grid_constant__ BlocksOfCells cells,
                soft_error::Reporter<> reporter) {
  int i, j, k;
  if (reporter.cancelled() || !cells.cell(i, j, k)) return;
  store_motion(a, i, j, k);
}

/// `dt`: of the step, in place of the arguments'.
template <int order, class Real>
__global__ void __launch_bounds__(kTermsBlock)
    add_terms(const __grid_constant__ TermsArguments<Real> a, const __grid_constant__ BlocksOfCells cells,
              const double* dt, soft_error::Reporter<> reporter) {
  int i, j, k;
  if (reporter.cancelled() || !cells.cell(i, j, k)) return;
  Conserved<Real> divergence{};
  if constexpr (order > 0) {
    const Layout& l = a.stage.layout;
    Conserved<Real> lower{};
    // One body for all faces, so that a face has the same bits for the cells on both of its sides.
#pragma unroll 1
    for (int face = 0; face < 6; ++face) {
      const int axis = face / 2, side = face % 2;
      if (l.ghosts[axis] == 0) continue;
      const int n = (axis == 0 ? i : axis == 1 ? j : k) + side;
      const Conserved<Real> flux = viscous_flux_below<order>(a, l.index(i, j, k) + side * l.stride[axis],
                                                             axis, wall_below(a, axis, n));
      if (side == 0)
        lower = flux;
      else
        add_outflow(divergence, a, axis, lower, flux);
    }
  }
  store_terms(a, static_cast<Real>(*dt), divergence, i, j, k);
}

/// Queues the terms of a stage; nothing that has been cancelled is computed.
template <class Real>
void launch_terms(const ExplicitTerms& terms, const TermsArguments<Real>& a, const double* dt,
                  const soft_error::Reporter<>& reporter, cudaStream_t stream) {
  const Layout& l = a.stage.layout;
  const BlocksOfCells interior(l, 0);
  const auto add = [&]<int order>() {
    if constexpr (order > 0) {
      const BlocksOfCells reached(l, reach_of(order));
      find_motion<<<reached.count(), reached.threads(), 0, stream>>>(a, reached, reporter);
      HALFSTEP_CUDA_LAUNCHED("find_motion");
    }
    add_terms<order><<<interior.count(), interior.threads(), 0, stream>>>(a, interior, dt, reporter);
    HALFSTEP_CUDA_LAUNCHED("add_terms");
  };
  if (!terms.viscous())
    add.template operator()<0>();
  else if (terms.viscous_order == 2)
    add.template operator()<2>();
  else
    add.template operator()<4>();
}

}  // namespace halfstep
