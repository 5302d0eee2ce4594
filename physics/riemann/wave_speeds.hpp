// Bounds on the fastest left- and right-going waves of a Riemann problem.
#pragma once

#include "physics/arithmetic.hpp"
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
  // Roe's weights are root(rho_l) and root(rho_r) over their sum. Multiplied by that sum they need one root,
  // of the product of the densities.
  const Real product = l.density * r.density, root = square_root(product);
  const Real sum2 = multiply_add(Real(2), root, l.density + r.density);
  const auto [inverse_product, weight] = reciprocals(product, sum2);
  const Real t_l = l.pressure * (r.density * inverse_product),
             t_r = r.pressure * (l.density * inverse_product);

  const Real momentum = multiply_add(r.density, r.u, l.density * l.u);
  const Real u = multiply_add(root, l.u + r.u, momentum) * weight;
  const Real pressure = multiply_add(root, t_l + t_r, l.pressure + r.pressure);
  const Real c2 =
      multiply_add(Real(0.5) * (gas.gamma - Real(1)) * root, square(r.u - l.u), gas.gamma * pressure) *
      weight;
  const Real c = square_root(c2);
  return {smaller(l.u - square_root(gas.gamma * t_l), u - c),
          larger(r.u + square_root(gas.gamma * t_r), u + c)};
}

}  // namespace halfstep
