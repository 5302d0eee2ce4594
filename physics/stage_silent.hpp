// The stage kernels that report nothing. They exist for a few schemes, to measure what reports cost.
#pragma once

#include "physics/face_flux.hpp"
#include "physics/stage_cuda.hpp"

namespace halfstep {

/// nullptr where there is none: they are built for hllc with plm (van_leer), ppm and weno5z.
template <class Real>
StageKernel<Real> silent_stage_kernel(const Scheme& scheme) {
  const auto with = [&]<class R>() {
    return scheme.variables == Variables::characteristic
               ? stage_kernel<R, Variables::characteristic, Hllc, Real, Reporting::none>()
               : stage_kernel<R, Variables::primitive, Hllc, Real, Reporting::none>();
  };
  if (scheme.riemann != Riemann::hllc) return nullptr;
  switch (scheme.reconstruction) {
    case Reconstruction::plm:
      return scheme.limiter == Limiter::van_leer ? with.template operator()<Plm<Limiter::van_leer>>()
                                                 : nullptr;
    case Reconstruction::ppm:
      return with.template operator()<Ppm>();
    case Reconstruction::weno5z:
      return with.template operator()<Weno5z>();
    case Reconstruction::constant:
      break;
  }
  return nullptr;
}

}  // namespace halfstep
