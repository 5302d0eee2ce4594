// Plane Couette flow of a viscous gas that conducts heat: between two walls that slide past each other,
// steady, with constant viscosity. F. M. White, Viscous Fluid Flow, 3rd ed. (2006), section 3-2.
#pragma once

#include <stdexcept>

#include "physics/gas/eos.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {

/// A wall that slides along itself.
struct SlidingWall {
  double u = 0, w = 0;     ///< velocity along x and z
  double temperature = 0;  ///< p / rho; 0: adiabatic
};

class CouetteFlow {
 public:
  /// Throws std::invalid_argument if both walls are adiabatic: the gas then heats up without limit.
  CouetteFlow(const IdealGas<double>& gas, double prandtl, double pressure, const SlidingWall& lower,
              const SlidingWall& upper)
      : pressure_(pressure), lower_(lower), upper_(upper) {
    if (lower.temperature == 0 && upper.temperature == 0)
      throw std::invalid_argument(
          "the gas between two adiabatic walls heats up for ever: give at least one of them a temperature");
    const double du = upper.u - lower.u, dw = upper.w - lower.w;
    heating_ = prandtl * (gas.gamma - 1) / (2 * gas.gamma) * (du * du + dw * dw);
  }

  /// Returns the state at `eta`, from 0 at the lower wall to 1 at the upper. The stress and the pressure are
  /// uniform, the velocity is linear, and the heat of friction leaves through the walls: kappa T'' = -mu
  /// |u'|^2.
  Primitive<double> state(double eta) const {
    return {pressure_ / temperature(eta), lower_.u + eta * (upper_.u - lower_.u), 0,
            lower_.w + eta * (upper_.w - lower_.w), pressure_};
  }

 private:
  double temperature(double eta) const {
    if (lower_.temperature == 0) return upper_.temperature + heating_ * (1 - eta * eta);
    if (upper_.temperature == 0) return lower_.temperature + heating_ * eta * (2 - eta);
    return lower_.temperature + eta * (upper_.temperature - lower_.temperature) + heating_ * eta * (1 - eta);
  }

  double pressure_;
  SlidingWall lower_, upper_;
  double heating_;  ///< Pr (gamma - 1) / (2 gamma) |u_upper - u_lower|^2, in units of the temperature
};

}  // namespace halfstep
