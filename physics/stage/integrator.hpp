// The integrators' coefficients.
#pragma once

#include "physics/base/rounding.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

constexpr int stage_count(Integrator i) {
  switch (i) {
    case Integrator::euler:
      return 1;
    case Integrator::ssprk2:
      return 2;
    case Integrator::ssprk3:
      return 3;
    default:
      return 10;
  }
}

/// Returns how many of an integrator's stages, forward Euler steps each, a step is as long as: those of
/// ssprk4 go dt / 6.
constexpr int stages_in_step(Integrator i) { return i == Integrator::ssprk4 ? 6 : 1; }

/// The weights of a stage in Shu-Osher form: U_out = alpha U_start + (1 - alpha) (U_in + h L(U_in)), h = dt /
/// stages_in_step; U_in is the state at t^n + time * dt, and U_start is U^n, but see kMiddleStage. Gottlieb,
/// Shu & Tadmor (2001), eqs. 4.1 and 4.2; Ketcheson (2008), SIAM J. Sci. Comput. 30, 2113, algorithm 2.
struct StageWeights {
  double alpha;
  double time;
};
constexpr StageWeights stage_weights(Integrator i, int stage /* from 1 */) {
  if (stage == 1) return {0.0, 0.0};
  if (i == Integrator::ssprk2) return {0.5, 1.0};
  if (i == Integrator::ssprk3) return stage == 2 ? StageWeights{0.75, 1.0} : StageWeights{1.0 / 3.0, 0.5};
  const double alpha = stage == 5 ? 0.6 : stage == 10 ? 0.4 : 0.0;
  return {alpha, stage > 5 ? (stage - 4) / 6.0 : (stage - 1) / 6.0};
}

/// The stage of ssprk4 from whose output, and U^n, what its last stage starts from is made.
inline constexpr int kMiddleStage = 5;
constexpr bool has_middle(Integrator i) { return i == Integrator::ssprk4; }

/// Returns 9/4 U_5 - 5/4 U^n, from which the last stage of ssprk4 starts: with U_5 = 3/5 U^n + 2/5 V, it
/// makes Ketcheson's 1/25 U^n + 9/25 V of it. Equal states keep their bits. `dither`: see rounding.hpp.
template <class Real>
HALFSTEP_HD Real last_start(Real before /* U^n */, Real middle, Real dither) {
  return added(middle, Real(1.25) * (middle - before), dither);
}
/// What the middle stage's output weighs in that.
inline constexpr double kMiddleInLastStart = 2.25;

}  // namespace halfstep
