// Bounds on the fastest left- and right-going waves of a Riemann problem.
#pragma once

#include <cmath>

#include "physics/eos.hpp"
#include "physics/select.hpp"

namespace halfstep {

template <class Real>
struct WaveSpeeds {
  Real left, right;
};

/// Einfeldt (1988), eqs. 4.5 and 5.1-5.3: the slower of each side's own characteristic and that of the Roe
/// average. HLL and HLLC with these keep density and pressure positive (Batten, Clarke, Lambert & Causon
/// 1997).
template <class Real>
HALFSTEP_HD WaveSpeeds<Real> einfeldt_speeds(const Primitive<Real>& l, const Primitive<Real>& r,
                                             const IdealGas<Real>& gas) {
  const Real root_l = std::sqrt(l.density), root_r = std::sqrt(r.density);
  const Real roots = root_l + root_r;
  const Real product = l.density * r.density;
  const Real inverse = Real(1) / (product * roots);  // one division serves three
  const Real c2_l = gas.gamma * l.pressure * (inverse * (r.density * roots));
  const Real c2_r = gas.gamma * r.pressure * (inverse * (l.density * roots));
  const Real weight = inverse * product;

  const Real jump = r.u - l.u;
  const Real u = (root_l * l.u + root_r * r.u) * weight;
  const Real c2 = (root_l * c2_l + root_r * c2_r) * weight +
                  Real(0.5) * (gas.gamma - Real(1)) * (root_l * root_r) * square(weight * jump);
  const Real c = std::sqrt(c2);
  return {smaller(l.u - std::sqrt(c2_l), u - c), larger(r.u + std::sqrt(c2_r), u + c)};
}

}  // namespace halfstep
