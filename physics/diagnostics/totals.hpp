// The totals of a state over the domain.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "physics/gas/state.hpp"

namespace halfstep {

/// What the gas does to a body, or to a wall of a mesh of hexahedra.
template <class Number>
struct LoadSums {
  Number pressure_force[3]{};  ///< by the inviscid flux of momentum
  Number friction_force[3]{};  ///< by the viscous one
  Number moment[3]{};          ///< of both, about the point that the body's wall has
  Number heat{};               ///< rate of the energy that conduction and friction bring in

  bool operator==(const LoadSums&) const = default;
};
using BodyLoads = LoadSums<double>;

/// Sums over the domain of conserved densities times cell volume, and extrema; the same bits in every run.
struct Totals {
  double mass = 0;
  std::array<double, 3> momentum{};
  double energy = 0, kinetic_energy = 0;
  double min_density = 0, min_pressure = 0, max_mach = 0;
  std::int64_t fastest_cell = -1;  ///< whose waves and diffusion limit dt, see fastest_cell.hpp; -1: none
  std::array<double, kMaxScalars> scalar_mass{};  ///< of a second gas, behind them: its volume
  double enstrophy = 0;               ///< integral of rho |curl u|^2 / 2; zero where it is not asked for
  std::vector<BodyLoads> loads = {};  ///< of each body, or wall of a mesh of hexahedra
  bool operator==(const Totals&) const = default;
};

}  // namespace halfstep
