// The numerical scheme of a run, and the table of names for each choice.
#pragma once

#include <cstddef>

#include "physics/base/choice.hpp"
#include "physics/flux/riemann/table.hpp"

namespace halfstep {

enum class Reconstruction { constant, plm, ppm, weno5z };
enum class Limiter { minmod, van_leer, mc };
enum class Variables { primitive, characteristic };
#define HALFSTEP_NAME(name, Type, summary) name,
enum class Riemann { HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_NAME) };
#undef HALFSTEP_NAME
/// The enumerator of a Riemann solver's type. Not a member of the type, because the enumeration is made from
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

/// Returns the bytes of a value in that precision.
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

/// Returns the number of ghost layers that the stencil of a face needs.
constexpr int ghost_layers(Reconstruction r) {
  return r == Reconstruction::constant ? 1 : r == Reconstruction::plm ? 2 : 3;
}

}  // namespace halfstep
