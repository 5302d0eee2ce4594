// Remarks on schemes that are allowed, but rarely meant.
#pragma once

#include <string>
#include <vector>

#include "physics/flux/scheme.hpp"

namespace halfstep {

/// Returns a sentence for each choice that goes ill with another one.
inline std::vector<std::string> remarks_on_scheme(const Scheme& scheme) {
  std::vector<std::string> remarks;
  if (scheme.method == Method::finite_volumes && scheme.riemann == Riemann::lhllc &&
      facts_of(scheme.reconstruction).radius > 0 && scheme.variables == Variables::characteristic)
    remarks.push_back(
        "scheme.riemann: lhllc with characteristic variables is unstable below Mach 0.1; set "
        "scheme.variables "
        "to primitive");
  if (scheme.method == Method::flux_reconstruction && scheme.integrator != Integrator::ssprk3 &&
      scheme.integrator != Integrator::ssprk4 &&
      !(scheme.integrator == Integrator::ssprk2 && scheme.degree == 1))
    remarks.push_back(
        "scheme.integrator: " + std::string(name_of(kIntegrators, scheme.integrator)) +
        " with flux_reconstruction is unstable at any Courant number in the long run; take ssprk3");
  return remarks;
}

}  // namespace halfstep
