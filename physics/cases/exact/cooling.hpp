// Exact cooling of a gas at rest by a power law, physics/sources/cooling.hpp.
#pragma once

#include <cmath>

#include "physics/cases/exact/inverted_integral.hpp"
#include "physics/gas/transport.hpp"
#include "physics/sources/cooling.hpp"

namespace halfstep {

/// The temperature T(t) from dT/dt = -strength (T^b - T_eq^b). With T = T_eq + (T_0 - T_eq) e^(-s) the time
/// is the integral of (T - T_eq) / (strength (T^b - T_eq^b)) over s, a smooth function also where T_eq is
/// reached.
class ExactCooling {
 public:
  /// Temperatures and the density must be positive. Throws std::invalid_argument if the law cannot be
  /// integrated.
  ExactCooling(const Cooling& cooling, double density, double gamma, double temperature_0)
      : equilibrium_(cooling.equilibrium),
        excess_(temperature_0 / cooling.equilibrium - 1),
        time_(
            [b = cooling.exponent, excess = excess_,
             unit = std::pow(cooling.equilibrium, 1 - cooling.exponent) /
                    ((gamma - 1) * density * cooling.coefficient)](double s) {
              const double x = excess * std::exp(-s);
              return unit * (x == 0 ? 1 / b : x / std::expm1(b * std::log1p(x)));
            },
            kEnd) {}

  double temperature(double time) const {
    return equilibrium_ * (1 + excess_ * std::exp(-time_.inverse(time)));
  }

 private:
  static constexpr double kEnd = 100;  // T - T_eq has fallen by e^-100: nothing is left to resolve
  double equilibrium_, excess_;
  InvertedIntegral time_;
};

}  // namespace halfstep
