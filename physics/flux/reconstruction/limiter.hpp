// Slope limiters, for reconstructions that take one as a parameter. A limiter is a line of the table and a
// case of limited_slope().
#pragma once

#include "physics/base/arithmetic.hpp"
#include "physics/base/choice.hpp"
#include "physics/base/select.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

// clang-format off
#define HALFSTEP_LIMITERS(LIMITER)                                                                                       \
  LIMITER(minmod, "the most dissipative slope (Roe 1986)")                                                               \
  LIMITER(van_leer, "harmonic mean of the one-sided slopes (van Leer 1974)")                                             \
  LIMITER(mc, "monotonised central slope (van Leer 1977)")
// clang-format on

#define HALFSTEP_NAME(name, summary) name,
enum class Limiter { HALFSTEP_LIMITERS(HALFSTEP_NAME) };
#undef HALFSTEP_NAME

inline constexpr Choice<Limiter> kLimiters[] = {
#define HALFSTEP_CHOICE(name, summary) {Limiter::name, #name, summary},
    HALFSTEP_LIMITERS(HALFSTEP_CHOICE)
#undef HALFSTEP_CHOICE
};

/// Returns the limited slope from the two one-sided differences; zero at an extremum.
template <Limiter limiter, class Real>
HALFSTEP_HD Real limited_slope(Real below, Real above) {
  const Real product = below * above;
  if constexpr (limiter == Limiter::van_leer) {  // van Leer (1974): the harmonic mean
    const Real sum = below + above;
    return product > Real(0) ? quotient(Real(2) * product, sum) : Real(0);
  } else {
    const Real a = magnitude(below), b = magnitude(above);
    Real size = min(a, b);
    if constexpr (limiter == Limiter::mc)  // van Leer (1977), eq. 66
      size = min(Real(2) * size, Real(0.5) * (a + b));
    return product > Real(0) ? with_sign(size, below) : Real(0);
  }
}

}  // namespace halfstep
