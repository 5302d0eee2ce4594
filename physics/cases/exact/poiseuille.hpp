// Plane Poiseuille flow of a viscous gas that conducts heat: between two walls at rest and of the same
// temperature, driven by gravity along them, steady, with constant viscosity and any Mach number. Derived
// here: gravity pulls each mass alike, so that the velocity is no parabola where friction heats the gas and
// thins it.
#pragma once

#include <array>
#include <cmath>
#include <stdexcept>

#include "physics/gas/eos.hpp"

namespace halfstep {

/// The pressure p is uniform, and gravity's work cancels the stress's part of it in the energy equation:
///   mu u'' = -g p / T,   kappa T'' = -mu u'^2.
/// With eta from -1 to 1 between the walls, half_width h, T = T_c tau(eta), u' = (g p h / (mu T_c))
/// omega(eta), this is
///   omega' = -1 / tau,   tau'' = -epsilon omega^2,   tau(0) = 1, omega(0) = 0,
/// one family of solutions, power series in eta^4. epsilon follows from the temperature of the walls.
class PoiseuilleFlow {
 public:
  /// `gravity` along x. Throws std::invalid_argument where friction makes the gas more than 1.7 times as hot
  /// as the walls.
  PoiseuilleFlow(const IdealGas<double>& gas, double viscosity, double prandtl, double gravity,
                 double half_width, double wall_temperature, double pressure)
      : pressure_(pressure) {
    const double pull = gravity * pressure * half_width / viscosity;
    const double heating = prandtl * (gas.gamma - 1) / gas.gamma * pull * pull * half_width * half_width;
    // epsilon = heating / T_c^3, and T_c = wall_temperature / tau(1), which falls as epsilon grows: one
    // solution.
    const double target = heating / (wall_temperature * wall_temperature * wall_temperature);
    double low = 0, high = 5;
    const auto too_large = [&](double epsilon) {
      solve(epsilon);
      const double wall = tau(1);
      return epsilon > target * wall * wall * wall;
    };
    if (!too_large(high))
      throw std::invalid_argument(
          "friction heats the gas to more than 1.7 times the walls' temperature: make gravity or the "
          "channel's "
          "width smaller, or the viscosity larger");
    for (double middle = 0.5 * high; low < middle && middle < high; middle = 0.5 * (low + high))
      (too_large(middle) ? high : low) = middle;
    solve(low);
    centre_temperature_ = wall_temperature / tau(1);
    speed_ = pull * half_width / centre_temperature_;
  }

  /// At `eta`, -1 <= eta <= 1.
  Primitive<double> state(double eta) const {
    return {pressure_ / (centre_temperature_ * tau(eta)), speed_ * (upsilon(eta) - upsilon(1)), 0, 0,
            pressure_};
  }

 private:
  static constexpr int kTerms = 64;  // tau(1) > 0.56, so that the series converge at least as 0.56^n

  /// The coefficients of tau and, by it, of its reciprocal and of omega^2.
  void solve(double epsilon) {
    tau_[0] = reciprocal_[0] = 1;
    for (int n = 0; n + 1 < kTerms; ++n) {
      double square = 0;
      for (int i = 0; i <= n; ++i)
        square += reciprocal_[i] / (4 * i + 1) * reciprocal_[n - i] / (4 * (n - i) + 1);
      tau_[n + 1] = -epsilon * square / ((4 * n + 3) * (4 * n + 4));
      double sum = 0;
      for (int i = 1; i <= n + 1; ++i) sum += tau_[i] * reciprocal_[n + 1 - i];
      reciprocal_[n + 1] = -sum;
    }
  }

  double tau(double eta) const {
    const double power = eta * eta * eta * eta;
    double sum = 0;
    for (int n = kTerms - 1; n >= 0; --n) sum = sum * power + tau_[n];
    return sum;
  }
  /// The integral of omega from 0 to eta.
  double upsilon(double eta) const {
    const double square = eta * eta, power = square * square;
    double sum = 0;
    for (int n = kTerms - 1; n >= 0; --n) sum = sum * power - reciprocal_[n] / ((4 * n + 1) * (4 * n + 2));
    return square * sum;
  }

  double pressure_;
  std::array<double, kTerms> tau_{}, reciprocal_{};
  double centre_temperature_ = 0, speed_ = 0;  ///< T_c; g p h^2 / (mu T_c)
};

}  // namespace halfstep
