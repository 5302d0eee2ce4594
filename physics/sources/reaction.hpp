// A single irreversible reaction, reactant -> product, with Arrhenius' law.
#pragma once

#include <limits>

#include "physics/base/portable_math.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {

/// The law dY/dt = -rate Y exp(-activation_energy / T), Y the mass fraction of the reactant. The reaction
/// releases heat_release per mass of reactant consumed, so e + heat_release Y is constant; the energy of a
/// state, and e with it, holds no chemical energy. T = p / rho = (gamma - 1) e.
struct Reaction {
  double rate = 1;                ///< 1 / time, >= 0
  double activation_energy = 50;  ///< in units of T, >= 0
  double heat_release = 50;       ///< energy per mass of reactant, >= 0
};

/// The reaction at constant density, for the sub-integration: y is the mass fraction. The law is linear in Y
/// and is not changed where advection has carried Y a little out of [0, 1]: a negative Y decays to 0 like a
/// positive one, heat and reactant stay in proportion, and the rate has no kink. At temperatures that are not
/// positive the rate is NaN.
struct ReactionOde {
  double frequency, activation_energy;
  double heating;           ///< dT / d(-Y) = (gamma - 1) heat_release
  double temperature_at_0;  ///< when all reactant is consumed

  /// `temperature`: that of the state with mass fraction `y`.
  HALFSTEP_HD ReactionOde(const Reaction& reaction, double temperature, double y, double gamma)
      : frequency(reaction.rate),
        activation_energy(reaction.activation_energy),
        heating(pressure_per_energy(IdealGas<double>{gamma}) * reaction.heat_release),
        temperature_at_0(temperature + heating * y) {}

  HALFSTEP_HD double temperature(double y) const { return temperature_at_0 - heating * y; }
  HALFSTEP_HD double per_time(double t) const {
    return t > 0 ? frequency * portable::exp(-activation_energy / t)
                 : std::numeric_limits<double>::quiet_NaN();
  }
  HALFSTEP_HD double rate(double y) const { return -y * per_time(temperature(y)); }
  HALFSTEP_HD double slope(double y) const {
    const double t = temperature(y);
    return per_time(t) * (y * activation_energy * heating / (t * t) - 1);
  }
  /// Returns the scale of an error in y: 1, or less where the gas holds less heat than the reactant can
  /// release.
  HALFSTEP_HD double scale(double y) const {
    const double t = temperature(y);
    return t < heating ? t / heating : 1;
  }
};

}  // namespace halfstep
