// The numerical scheme a deck chooses, and the one table of names for each choice.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "physics/riemann/table.hpp"

namespace halfstep {

enum class Reconstruction { constant, plm, ppm, weno5z };
enum class Limiter { minmod, van_leer, mc };
enum class Variables { primitive, characteristic };
#define HALFSTEP_NAME(name, Type, summary) name,
enum class Riemann { HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_NAME) };
#undef HALFSTEP_NAME
/// The value that stands for a type of the table. Not a member of the type, because the values are made from
/// the table of types.
template <class RiemannSolver>
struct RiemannOf;
#define HALFSTEP_VALUE(name, Type, summary)         \
  template <>                                       \
  struct RiemannOf<Type> {                          \
    static constexpr Riemann value = Riemann::name; \
  };
HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_VALUE)
#undef HALFSTEP_VALUE
enum class Averages { midpoint, fourth_order };
enum class Integrator { euler, ssprk2, ssprk3 };
enum class Positivity { none, hu_adams_shu };
enum class Precision { double_precision, single_precision };

/// The bytes of a value in that precision.
constexpr std::size_t bytes_of_real(Precision precision) {
  return precision == Precision::single_precision ? sizeof(float) : sizeof(double);
}

struct Scheme {
  Reconstruction reconstruction = Reconstruction::weno5z;
  Limiter limiter = Limiter::van_leer;
  Variables variables = Variables::characteristic;
  Riemann riemann = Riemann::hllc;
  Averages averages = Averages::midpoint;
  Integrator integrator = Integrator::ssprk3;
  Positivity positivity = Positivity::none;
  Precision precision = Precision::double_precision;
};

/// A choice as a deck spells it, with one line for people.
template <class Enum>
struct Choice {
  Enum value;
  std::string_view name;
  std::string_view summary;
};

inline constexpr Choice<Reconstruction> kReconstructions[] = {
    {Reconstruction::constant, "constant", "piecewise constant, first order (Godunov 1959)"},
    {Reconstruction::plm, "plm", "piecewise linear, second order, with a limiter (van Leer 1979)"},
    {Reconstruction::ppm, "ppm", "piecewise parabolic, extremum-preserving (Colella & Sekora 2008)"},
    {Reconstruction::weno5z, "weno5z",
     "fifth-order weighted essentially non-oscillatory (Borges et al. 2008)"},
};
inline constexpr Choice<Limiter> kLimiters[] = {
    {Limiter::minmod, "minmod", "the most dissipative slope (Roe 1986)"},
    {Limiter::van_leer, "van_leer", "harmonic mean of the one-sided slopes (van Leer 1974)"},
    {Limiter::mc, "mc", "monotonised central slope (van Leer 1977)"},
};
inline constexpr Choice<Variables> kVariables[] = {
    {Variables::primitive, "primitive", "reconstruct density, velocity and pressure"},
    {Variables::characteristic, "characteristic", "reconstruct along the cell's characteristic fields"},
};
inline constexpr Choice<Riemann> kRiemanns[] = {
#define HALFSTEP_CHOICE(name, Type, summary) {Riemann::name, #name, summary},
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CHOICE)
#undef HALFSTEP_CHOICE
};
inline constexpr Choice<Averages> kAverages[] = {
    {Averages::midpoint, "midpoint",
     "of products: the product at the middle of cells and faces, second order"},
    {Averages::fourth_order, "fourth_order",
     "of products: with what varies within cells and over faces, fourth order"},
};
inline constexpr Choice<Integrator> kIntegrators[] = {
    {Integrator::euler, "euler", "forward Euler, first order, one stage"},
    {Integrator::ssprk2, "ssprk2",
     "strong-stability-preserving Runge-Kutta, second order, two stages (Shu & Osher 1988)"},
    {Integrator::ssprk3, "ssprk3",
     "strong-stability-preserving Runge-Kutta, third order, three stages (Shu & Osher 1988)"},
};
inline constexpr Choice<Positivity> kPositivities[] = {
    {Positivity::none, "none", "the fluxes are what the Riemann solver gives"},
    {Positivity::hu_adams_shu, "hu_adams_shu",
     "blended with first-order fluxes where a cell would lose its density or pressure (Hu, Adams & Shu "
     "2013)"},
};
inline constexpr Choice<Precision> kPrecisions[] = {
    {Precision::double_precision, "double", "64-bit state and arithmetic"},
    {Precision::single_precision, "single",
     "32-bit state and arithmetic, for densities between 1e-18 and 1e18"},
};

template <class Enum, std::size_t n>
std::vector<std::string> names(const Choice<Enum> (&table)[n]) {
  std::vector<std::string> all;
  for (const auto& choice : table) all.emplace_back(choice.name);
  return all;
}
/// The table's entry of that name; the table must hold it.
template <class Enum, std::size_t n>
Enum value_of(const Choice<Enum> (&table)[n], std::string_view name) {
  for (const auto& choice : table)
    if (choice.name == name) return choice.value;
  return table[0].value;
}
template <class Enum, std::size_t n>
std::string_view name_of(const Choice<Enum> (&table)[n], Enum value) {
  for (const auto& choice : table)
    if (choice.value == value) return choice.name;
  return "?";
}

/// Ghost layers the stencil of a face needs on each side.
constexpr int ghost_layers(Reconstruction r) {
  return r == Reconstruction::constant ? 1 : r == Reconstruction::plm ? 2 : 3;
}

constexpr int stage_count(Integrator i) {
  return i == Integrator::euler ? 1 : i == Integrator::ssprk2 ? 2 : 3;
}

/// One stage of a Shu-Osher form: U_out = keep * U^n + (1 - keep) * (U_in + dt L(U_in)); U_in is the state at
/// t^n + time * dt. Gottlieb, Shu & Tadmor (2001), eqs. 4.1 and 4.2.
struct StageWeights {
  double keep;
  double time;
};
constexpr StageWeights stage_weights(Integrator i, int stage /* from 1 */) {
  if (stage == 1) return {0.0, 0.0};
  if (i == Integrator::ssprk2) return {0.5, 1.0};
  return stage == 2 ? StageWeights{0.75, 1.0} : StageWeights{1.0 / 3.0, 0.5};
}

}  // namespace halfstep
