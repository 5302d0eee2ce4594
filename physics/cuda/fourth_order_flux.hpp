// The fourth-order flux corrections on a CUDA device. Twin of host/fourth_order_flux.hpp.
#pragma once

#include "physics/cuda/fourth_order_flux_body.cuh"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Queues the computation of the state that a stage starts from, with the corrections, in `a.out`; a
/// cancelled attempt computes nothing. `uncorrected`: the faces that do without them.
template <class Real>
void launch_fourth_order_fluxes(const StageArguments<Real>& a, const UncorrectedFaces& uncorrected,
                                const double* dt, const soft_error::Reporter<>& reporter,
                                cudaStream_t stream) {
  const ColumnsOfCells box(a.layout, 0);
  const dim3 grid(box.tiles(), box.pieces()), block(kTermsWidth, static_cast<unsigned>(box.rows));
  add_fourth_order_fluxes<<<grid, block, 0, stream>>>(a, box, dt, reporter);
  HALFSTEP_CUDA_LAUNCHED("the corrections of averages");
  if (!uncorrected.of_cells) return;
  const auto blocks = static_cast<unsigned>((a.layout.cell_count() + kTermsBlock - 1) / kTermsBlock);
  take_corrections_back<<<blocks, kTermsBlock, 0, stream>>>(a, uncorrected, dt, reporter);
  HALFSTEP_CUDA_LAUNCHED("the corrections of faces near bodies");
}

}  // namespace halfstep
