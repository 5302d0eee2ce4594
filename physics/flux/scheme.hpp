// The numerical scheme of a run, and the table of names for each choice.
#pragma once

#include <cstddef>

#include "physics/base/choice.hpp"
#include "physics/flux/reconstruction/table.hpp"
#include "physics/flux/riemann/table.hpp"

namespace halfstep {

// The enumerations are made from the tables of types, so they are not members of the types: ReconstructionOf
// and RiemannOf give a type's enumerator.
#define HALFSTEP_NAME(name, ...) name,
enum class Reconstruction { HALFSTEP_RECONSTRUCTIONS(HALFSTEP_NAME, HALFSTEP_NAME) };
enum class Riemann { HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_NAME) };
#undef HALFSTEP_NAME
template <Reconstruction reconstruction>
struct ReconstructionValue {
  static constexpr Reconstruction value = reconstruction;
};
template <class Type>
struct ReconstructionOf;
#define HALFSTEP_PLAIN(name, Type, order, summary) \
  template <>                                      \
  struct ReconstructionOf<Type> : ReconstructionValue<Reconstruction::name> {};
#define HALFSTEP_LIMITED(name, Type, order, summary) \
  template <Limiter limiter>                         \
  struct ReconstructionOf<Type<limiter>> : ReconstructionValue<Reconstruction::name> {};
HALFSTEP_RECONSTRUCTIONS(HALFSTEP_PLAIN, HALFSTEP_LIMITED)
#undef HALFSTEP_PLAIN
#undef HALFSTEP_LIMITED
template <class RiemannSolver>
struct RiemannOf;
#define HALFSTEP_VALUE(name, Type, summary)         \
  template <>                                       \
  struct RiemannOf<Type> {                          \
    static constexpr Riemann value = Riemann::name; \
  };
HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_VALUE)
#undef HALFSTEP_VALUE
enum class Method { finite_volumes, flux_reconstruction };
enum class Dealiasing { none, split_form, over_integration };
enum class Variables { primitive, characteristic };
enum class Averages { midpoint, fourth_order };
enum class Integrator { euler, ssprk2, ssprk3, ssprk4 };
enum class Positivity { none, hu_adams_shu };
enum class Precision { double_precision, single_precision };

/// Returns the bytes of a value in that precision.
constexpr std::size_t bytes_of_real(Precision precision) {
  return precision == Precision::single_precision ? sizeof(float) : sizeof(double);
}

struct Scheme {
  Method method = Method::finite_volumes;
  int degree = 3;                            ///< of the polynomials of flux reconstruction, 1 to kMaxDegree
  Dealiasing dealiasing = Dealiasing::none;  ///< of flux reconstruction in hexahedra
  Reconstruction reconstruction = Reconstruction::weno5z;
  Limiter limiter = Limiter::van_leer;
  Variables variables = Variables::characteristic;
  Riemann riemann = Riemann::hllc;
  Averages averages = Averages::midpoint;
  Integrator integrator = Integrator::ssprk3;
  Positivity positivity = Positivity::none;
  Precision precision = Precision::double_precision;
};

/// The highest degree of flux reconstruction.
inline constexpr int kMaxDegree = 5;

inline constexpr Choice<Method> kMethods[] = {
    {Method::finite_volumes, "finite_volumes", "averages over cells, reconstructed to the faces"},
    {Method::flux_reconstruction, "flux_reconstruction",
     "polynomials of `degree` in elements, by their values at Gauss points (Huynh 2007): as nodal "
     "discontinuous Galerkin"},
};
inline constexpr Choice<Dealiasing> kDealiasings[] = {
    {Dealiasing::none, "none",
     "polynomials through the fluxes at the points, whose products alias: the fastest"},
    {Dealiasing::split_form, "split_form",
     "fluxes between two points each, which neither make nor lose kinetic energy (Chan 2018; Shima et al. "
     "2021): for under-resolved turbulence"},
    {Dealiasing::over_integration, "over_integration",
     "fluxes at more points, projected to those of the polynomials (Kirby & Karniadakis 2003; Mengaldo et "
     "al. "
     "2015)"},
};
inline constexpr Choice<Reconstruction> kReconstructions[] = {
#define HALFSTEP_CHOICE(name, Type, order, summary) {Reconstruction::name, #name, summary},
    HALFSTEP_RECONSTRUCTIONS(HALFSTEP_CHOICE, HALFSTEP_CHOICE)
#undef HALFSTEP_CHOICE
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
    {Integrator::ssprk4, "ssprk4",
     "strong-stability-preserving Runge-Kutta, fourth order, ten stages of dt / 6 (Ketcheson 2008): for "
     "Courant numbers up to six times as large"},
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

/// What the table of reconstructions has of one.
struct ReconstructionFacts {
  int radius;  ///< of the stencil of a cell's edge values
  int order;   ///< of these on a smooth profile
  bool has_limiter;
};
constexpr ReconstructionFacts facts_of(Reconstruction reconstruction) {
  constexpr ReconstructionFacts all[] = {
#define HALFSTEP_PLAIN(name, Type, order, summary) {Type::radius, order, false},
#define HALFSTEP_LIMITED(name, Type, order, summary) {Type<Limiter{}>::radius, order, true},
      HALFSTEP_RECONSTRUCTIONS(HALFSTEP_PLAIN, HALFSTEP_LIMITED)
#undef HALFSTEP_PLAIN
#undef HALFSTEP_LIMITED
  };
  return all[static_cast<int>(reconstruction)];
}

/// Returns the number of ghost layers that the stencil of a face needs.
constexpr int ghost_layers(Reconstruction r) { return facts_of(r).radius + 1; }
/// Returns the number that the scheme needs: of flux reconstruction the points of one element along an axis.
constexpr int ghost_layers(const Scheme& scheme) {
  return scheme.method == Method::flux_reconstruction ? scheme.degree + 1
                                                      : ghost_layers(scheme.reconstruction);
}

/// The most ghost layers that a reconstruction needs.
inline constexpr int kMaxLayers = [] {
  int most = 0;
  for (const auto& choice : kReconstructions)
    if (ghost_layers(choice.value) > most) most = ghost_layers(choice.value);
  return most;
}();

}  // namespace halfstep
