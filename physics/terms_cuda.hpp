// The explicit terms on a CUDA device. Twin of terms_host.hpp.
#pragma once

#include "physics/terms_cuda_body.cuh"
#include "runtime/device/memory.hpp"

namespace halfstep {

/// Queues the terms of a stage; nothing that has been cancelled is computed.
template <class Real>
void launch_terms(const ExplicitTerms& terms, const TermsArguments<Real>& a, const double* dt,
                  const soft_error::Reporter<>& reporter, cudaStream_t stream) {
  const auto launch = [&](auto* kernel, const ColumnsOfCells& box, auto... more) {
    const dim3 grid(box.tiles(), box.pieces()), block(kTermsWidth, static_cast<unsigned>(box.rows));
    kernel<<<grid, block, 0, stream>>>(a, box, more..., reporter);
    HALFSTEP_CUDA_LAUNCHED("the explicit terms");
  };
  const Layout& l = a.stage.layout;
  const auto add = [&]<int order>() {
    if constexpr (order > 0) launch(&find_motion<Real>, ColumnsOfCells(l, reach_of(order)));
    launch(&add_terms<order, Real>, ColumnsOfCells(l, 0), dt);
  };
  if (!terms.viscous())
    add.template operator()<0>();
  else if (terms.viscous_order == 2)
    add.template operator()<2>();
  else
    add.template operator()<4>();
}

}  // namespace halfstep
