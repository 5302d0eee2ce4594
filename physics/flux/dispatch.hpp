// Dispatch from the scheme chosen at run time to the compiled types.
#pragma once

#include <stdexcept>
#include <type_traits>

#include "physics/flux/any_scheme.hpp"
#include "physics/flux/face_flux.hpp"

namespace halfstep {

/// Calls `f.template operator()<Reconstruction, variables, RiemannSolver>()` for the scheme.
template <class F>
auto with_scheme(const Scheme& scheme, F&& f) {
  const auto with_variables = [&]<class Reconstruction, Variables variables>() {
    switch (scheme.riemann) {
#define HALFSTEP_CASE(name, Type, summary) \
  case Riemann::name:                      \
    return f.template operator()<Reconstruction, variables, Type>();
      HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
    }
    throw std::logic_error("no such Riemann solver");
  };
  return with_reconstruction(scheme, [&](auto reconstruction) {
    using Reconstruction = decltype(reconstruction);
    // Without slopes both choices of variables are the same kernel.
    if constexpr (Reconstruction::radius > 0)
      if (scheme.variables == Variables::characteristic)
        return with_variables.template operator()<Reconstruction, Variables::characteristic>();
    return with_variables.template operator()<Reconstruction, Variables::primitive>();
  });
}

/// Calls `f.template operator()<Reconstruction, variables, RiemannSolver, has_scalars, positive>()` for the
/// scheme. Only hllc carries scalars or has limited fluxes, and not both: otherwise throws std::runtime_error
/// with a message for the user.
template <class F>
auto with_stage(const Scheme& scheme, bool has_scalars, F&& f) {
  return with_scheme(scheme, [&]<class Reconstruction, Variables variables, class RiemannSolver>() {
    const bool positive = scheme.positivity != Positivity::none;
    if (!has_scalars && !positive)
      return f.template operator()<Reconstruction, variables, RiemannSolver, false, false>();
    if constexpr (std::is_same_v<RiemannSolver, Hllc>) {
      if (!positive) return f.template operator()<Reconstruction, variables, RiemannSolver, true, false>();
      if (!has_scalars) return f.template operator()<Reconstruction, variables, RiemannSolver, false, true>();
    }
    throw std::runtime_error(positive ? "only the fluxes of hllc can be limited, and without scalars"
                                      : "scalars are carried by the Riemann solver hllc alone");
  });
}

}  // namespace halfstep
