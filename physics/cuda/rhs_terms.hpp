// The right-hand-side terms on a CUDA device. Twin of host/rhs_terms.hpp.
#pragma once

#include "physics/cuda/rhs_terms_body.cuh"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Queues the right-hand-side terms of a stage; a cancelled attempt computes nothing. `most_shared_bytes`: a
/// block's limit on this device.
template <class Real>
void launch_rhs_terms(const RhsTerms& terms, const RhsArguments<Real>& a, const double* dt,
                      const soft_error::Reporter<>& reporter, std::size_t most_shared_bytes,
                      cudaStream_t stream) {
  const auto launch = [&](auto* kernel, const ColumnsOfCells& box, std::size_t shared_bytes, auto... more) {
    const dim3 grid(box.tiles(), box.pieces()), block(kTermsWidth, static_cast<unsigned>(box.rows));
    kernel<<<grid, block, shared_bytes, stream>>>(a, box, more..., reporter);
    HALFSTEP_CUDA_LAUNCHED("the explicit terms");
  };
  const Layout& l = a.stage.layout;
  const auto add = [&]<int order, bool stretched>() {
    const ColumnsOfCells box(l, 0, TermsRows<order>::template most_rows<Real>(most_shared_bytes));
    const std::size_t shared_bytes = TermsRows<order>::values(box.rows) * sizeof(Real);
    HALFSTEP_CUDA(cudaFuncSetAttribute(&add_rhs_terms<order, stretched, Real>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shared_bytes)));
    launch(&find_motion<Real>, ColumnsOfCells(l, reach_of(order)), 0);
    launch(&add_rhs_terms<order, stretched, Real>, box, shared_bytes, dt);
  };
  if (!terms.viscous())
    launch(&add_gravity<Real>, ColumnsOfCells(l, 0), 0, dt);
  else if (is_stretched(a.stage.axes))
    add.template operator()<2, true>();
  else if (terms.viscous_order == 2)
    add.template operator()<2, false>();
  else
    add.template operator()<4, false>();
}

/// Queues the closing of walls that bear the gas's weight; `a.out` is the state that the stage starts from.
template <class Real>
void launch_close_walls(const StageArguments<Real>& a, const ClosedWalls<Real>& walls, const double* dt,
                        const soft_error::Reporter<>& reporter, cudaStream_t stream) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!bears_weight(walls.rules, axis)) continue;
    const CellsBesideWalls cells(a.layout, axis);
    const auto blocks = static_cast<unsigned>((cells.count() + kTermsBlock - 1) / kTermsBlock);
    close_walls<<<blocks, kTermsBlock, 0, stream>>>(a, walls, cells, dt, reporter);
    HALFSTEP_CUDA_LAUNCHED("the closed walls");
  }
}

}  // namespace halfstep
