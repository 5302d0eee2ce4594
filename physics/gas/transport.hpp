// Viscosity and heat conductivity of a gas. Temperature is p / rho: the gas constant is one.
#pragma once

#include "physics/base/choice.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

/// The transport coefficients of a gas at one temperature.
template <class Real>
struct Transport {
  Real viscosity = 0;     ///< dynamic, mu
  Real conductivity = 0;  ///< of heat, kappa
};

/// Returns the coefficients with kappa = mu c_p / Pr, c_p = gamma / (gamma - 1).
template <class Real>
HALFSTEP_HD Transport<Real> transport(Real viscosity, Real prandtl, const IdealGas<Real>& gas) {
  return {viscosity, viscosity * gas.gamma / ((gas.gamma - Real(1)) * prandtl)};
}

template <class Real>
HALFSTEP_HD Real temperature(const Primitive<Real>& q) {
  return q.pressure / q.density;
}

enum class ViscosityLaw { constant, sutherland };

inline constexpr Choice<ViscosityLaw> kViscosityLaws[] = {
    {ViscosityLaw::constant, "constant", "the same at every temperature"},
    {ViscosityLaw::sutherland, "sutherland", "mu ~ T^1.5 / (T + S) (Sutherland 1893)"},
};

/// The coefficients as functions of temperature; their ratio, and so the Prandtl number, is constant.
template <class Real>
struct TransportLaw {
  Transport<Real> reference;  ///< at reference_temperature; zeros: an inviscid gas
  ViscosityLaw law = ViscosityLaw::constant;
  Real reference_temperature = 1;     ///< of sutherland
  Real sutherland_temperature = 0.4;  ///< S of sutherland

  /// Returns the coefficients at a temperature. White (2006), Viscous Fluid Flow, eq. 1-36: mu / mu_ref = (T
  /// / T_ref)^1.5 (T_ref + S) / (T + S).
  HALFSTEP_HD Transport<Real> at(Real temperature) const {
    if (law == ViscosityLaw::constant) return reference;
    const Real ratio = quotient(temperature, reference_temperature);
    const Real scale = quotient(ratio * square_root(ratio) * (reference_temperature + sutherland_temperature),
                                temperature + sutherland_temperature);
    return {scale * reference.viscosity, scale * reference.conductivity};
  }

  template <class Other>
  HALFSTEP_HD TransportLaw<Other> as() const {
    return {{Other(reference.viscosity), Other(reference.conductivity)},
            law,
            Other(reference_temperature),
            Other(sutherland_temperature)};
  }
};

}  // namespace halfstep
