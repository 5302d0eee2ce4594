// The steady shock of a viscous gas that conducts heat with Prandtl number 3/4: then the total enthalpy is
// the same everywhere, and the profile is known. R. Becker, Z. Phys. 8 (1922) 321; M. Morduchow & P. A.
// Libby, J. Aeronaut. Sci. 16 (1949) 674.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "physics/gas/eos.hpp"

namespace halfstep {

/// Seen by an observer on the shock: gas comes from x = -infinity at v1 and leaves at v2 < v1, both along +x.
/// The origin is where the velocity is their mean. Viscosity is constant.
class ViscousShock {
 public:
  /// `density` and `pressure` of the gas ahead, the Mach number of what comes from there. Throws
  /// std::invalid_argument where there is no such shock.
  ViscousShock(const IdealGas<double>& gas, double density, double pressure, double mach, double viscosity)
      : gas_(gas) {
    if (!(mach > 1))
      throw std::invalid_argument("a shock is faster than sound: the Mach number must exceed 1");
    if (!(viscosity > 0)) throw std::invalid_argument("a shock without viscosity has no thickness");
    const double g = gas.gamma, c = sound_speed(density, pressure, gas);
    ahead_ = mach * c;
    behind_ = ahead_ * ((g - 1) * mach * mach + 2) / ((g + 1) * mach * mach);
    jump_ = ahead_ - behind_;
    mass_flux_ = density * ahead_;
    enthalpy_ = c * c / (g - 1) + 0.5 * ahead_ * ahead_;
    length_ = 8 * g / (3 * (g + 1)) * viscosity / mass_flux_;
  }

  double speed_ahead() const { return ahead_; }
  double speed_behind() const { return behind_; }
  /// Returns the shock's thickness: the jump v1 - v2 over the steepest slope of the velocity, at sqrt(v1 v2).
  double thickness() const {
    const double root = std::sqrt(ahead_) - std::sqrt(behind_);
    return length_ * jump_ / (root * root);
  }

  Primitive<double> state(double x) const { return state_at(parameter(x)); }

  /// Returns the mean of the conserved state over [from, to], from < to: every field has an antiderivative.
  Conserved<double> average(double from, double to) const {
    const double a = parameter(from), b = parameter(to);
    // Not to - from, so that a part that is uniform to round-off has its state to the last digits.
    const double width = position(b) - position(a);
    const double density = mass_flux_ * length_ / jump_ * (b - a) / width;
    const double velocity = length_ * (velocity_integral(b) - velocity_integral(a)) / width;
    return {density, mass_flux_, 0, 0, energy(density, velocity)};
  }

 private:
  // With z = ln((v1 - v) / (v - v2)), which grows from -infinity ahead to +infinity behind, the momentum
  // equation length v dv/dx = (v - v1) (v - v2) has the solution x(z) below.

  /// ln(1 + exp(z)).
  static double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }
  /// Derivative of softplus: the part of the jump that has happened.
  static double sigmoid(double z) {
    const double e = std::exp(-std::abs(z));
    return (z > 0 ? 1 : e) / (1 + e);
  }

  double position(double z) const { return length_ * (ahead_ / jump_ * z - softplus(z) + std::numbers::ln2); }

  /// z at x by Newton's method: x(z) is concave and increasing, so it converges from everywhere.
  double parameter(double x) const {
    double z = x / length_ * jump_ / (x > 0 ? behind_ : ahead_);
    for (int iteration = 0; iteration < 100; ++iteration) {
      const double change = (x - position(z)) / (length_ * (ahead_ / jump_ - sigmoid(z)));
      z += change;
      if (std::abs(change) <= 1e-15 * std::max(1.0, std::abs(z))) break;
    }
    return z;
  }

  Primitive<double> state_at(double z) const {
    const double v = behind_ + jump_ * sigmoid(-z), density = mass_flux_ / v;
    return {density, v, 0, 0, (gas_.gamma - 1) / gas_.gamma * density * (enthalpy_ - 0.5 * v * v)};
  }

  /// Returns the antiderivative of v dx / length.
  double velocity_integral(double z) const {
    return behind_ + jump_ * sigmoid(-z) + ahead_ * ahead_ / jump_ * z - (ahead_ + behind_) * softplus(z);
  }

  /// p / (gamma - 1) + rho v^2 / 2 at uniform total enthalpy: linear in density and velocity.
  double energy(double density, double velocity) const {
    const double g = gas_.gamma;
    return enthalpy_ / g * density + 0.5 * (g - 1) / g * mass_flux_ * velocity;
  }

  IdealGas<double> gas_;
  double ahead_, behind_, jump_;  ///< v1, v2, v1 - v2
  double mass_flux_;              ///< rho v
  double enthalpy_;               ///< total, per mass
  double length_;                 ///< 8 gamma / (3 (gamma + 1)) mu / (rho v)
};

}  // namespace halfstep
