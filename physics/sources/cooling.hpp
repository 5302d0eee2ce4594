// Radiative loss of an optically thin gas as a power law, balanced at an equilibrium temperature.
#pragma once

#include "physics/base/portable_math.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

/// The law de/dt = -rho coefficient (T^exponent - equilibrium^exponent), e the internal energy per mass and T
/// = p / rho = (gamma - 1) e: the gas cools above the equilibrium temperature and is heated below it. (The
/// loss per volume is proportional to rho^2, as radiation from collisions is; exponent 1/2 is
/// bremsstrahlung.)
struct Cooling {
  double coefficient = 1;  ///< energy / (mass density time temperature^exponent); >= 0
  double exponent = 0.5;   ///< > 0, else a hotter gas would radiate less and the balance be unstable
  double equilibrium = 1;  ///< temperature, > 0
};

/// Cooling at constant density, for the sub-integration: y is the temperature.
struct CoolingOde {
  double strength;  ///< (gamma - 1) rho coefficient
  double exponent, equilibrium_power /* equilibrium^exponent */;

  HALFSTEP_HD CoolingOde(const Cooling& cooling, double density, double gamma)
      : strength(pressure_per_energy(IdealGas<double>{gamma}) * density * cooling.coefficient),
        exponent(cooling.exponent),
        equilibrium_power(portable::pow(cooling.equilibrium, cooling.exponent)) {}

  HALFSTEP_HD double rate(double t) const {
    return -strength * (portable::pow(t, exponent) - equilibrium_power);
  }
  HALFSTEP_HD double slope(double t) const { return -strength * exponent * portable::pow(t, exponent - 1); }
  HALFSTEP_HD double scale(double t) const { return t; }
};

}  // namespace halfstep
