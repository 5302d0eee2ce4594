// The integrators' coefficients.
#pragma once

#include "physics/flux/scheme.hpp"

namespace halfstep {

constexpr int stage_count(Integrator i) {
  return i == Integrator::euler ? 1 : i == Integrator::ssprk2 ? 2 : 3;
}

/// The weights of a stage in Shu-Osher form: U_out = alpha * U^n + (1 - alpha) * (U_in + dt L(U_in)); U_in is
/// the state at t^n + time * dt. Gottlieb, Shu & Tadmor (2001), eqs. 4.1 and 4.2.
struct StageWeights {
  double alpha;
  double time;
};
constexpr StageWeights stage_weights(Integrator i, int stage /* from 1 */) {
  if (stage == 1) return {0.0, 0.0};
  if (i == Integrator::ssprk2) return {0.5, 1.0};
  return stage == 2 ? StageWeights{0.75, 1.0} : StageWeights{1.0 / 3.0, 0.5};
}

}  // namespace halfstep
