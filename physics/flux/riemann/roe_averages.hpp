// Roe's (1981) averages of two states, for his own flux and for bounds on wave speeds.
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

/// The largest density, and one over the least, for which the averages can be formed: the product of two
/// densities, in double precision times their sum, has to be a normal number.
template <class Real>
inline constexpr double kLargestDensity = wide<Real> ? 1e100 : 1e18;

/// The weights of Roe's averages. Roe weights with root(rho_l) and root(rho_r) over their sum; with numerator
/// and denominator multiplied by that sum, one root is enough, that of the product of the densities:
///
///   average of a = (rho_l a_l + rho_r a_r + root (a_l + a_r)) inverse_sum2.
template <class Real>
struct RoeWeights {
  Real root;          ///< root(rho_l rho_r), Roe's density
  Real inverse_sum2;  ///< (root(rho_l) + root(rho_r))^-2
  Real t_l, t_r;      ///< p / rho of either side
};
template <class Real>
HALFSTEP_HD RoeWeights<Real> roe_weights(const Primitive<Real>& l, const Primitive<Real>& r) {
  const Real product = l.density * r.density, root = square_root(product);
  const Real sum2 = fma(Real(2), root, l.density + r.density);
  const auto [inverse_product, inverse_sum2] = reciprocals(product, sum2);
  return {root, inverse_sum2, l.pressure * (r.density * inverse_product),
          r.pressure * (l.density * inverse_product)};
}

/// Returns the square of the sound speed of Roe's averages of velocity and enthalpy. It is a sum of positive
/// terms, as H - V^2 / 2 suffers cancellation in fast flow. `jump2`: the square of the jump in velocity.
template <class Real>
HALFSTEP_HD Real roe_sound_speed2(const RoeWeights<Real>& roe, const Primitive<Real>& l,
                                  const Primitive<Real>& r, Real jump2, const IdealGas<Real>& gas) {
  const Real pressure = fma(roe.root, roe.t_l + roe.t_r, l.pressure + r.pressure);
  return fma(Real(0.5) * (gas.gamma - Real(1)) * roe.root, jump2, gas.gamma * pressure) * roe.inverse_sum2;
}

}  // namespace halfstep
