// The corrections of fourth order on a CUDA device. Twin of covariance_host.hpp.
#pragma once

#include "physics/covariance_cuda_body.cuh"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Queues what makes the state that a stage starts from, with the corrections, in its output; nothing that
/// has been cancelled is computed.
template <class Real>
void launch_covariances(const StageArguments<Real>& a, const double* dt,
                        const soft_error::Reporter<>& reporter, cudaStream_t stream) {
  const ColumnsOfCells box(a.layout, 0);
  const dim3 grid(box.tiles(), box.pieces()), block(kTermsWidth, static_cast<unsigned>(box.rows));
  add_covariances<<<grid, block, 0, stream>>>(a, box, dt, reporter);
  HALFSTEP_CUDA_LAUNCHED("the corrections of averages");
}

}  // namespace halfstep
