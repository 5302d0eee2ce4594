// The integration of a stiff ordinary differential equation y' = f(y) over a span of time in inner steps of
// adaptive length, one trial inner step at a time, so that a long integration can pause anywhere.
//
// RODAS3 of A. Sandu, J. G. Verwer, J. G. Blom, E. J. Spee, G. R. Carmichael & F. A. Potra, "Benchmarking
// stiff ODE solvers for atmospheric chemistry problems II: Rosenbrock solvers", Atmos. Environ. 31 (1997)
// 3459: four stages, order 3 with an embedded order 2, L-stable and stiffly accurate. Stages are in variables
// that avoid products with the Jacobian (Hairer & Wanner, Solving Ordinary Differential Equations II, IV.7).
//
// An Ode has
//   double rate(double y)    f(y); NaN where y is no valid state
//   double slope(double y)   df/dy
//   double scale(double y)   the scale of an error in y; not positive where y is no valid state
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "physics/base/portable_math.hpp"

namespace halfstep {

/// An integration between two of its inner steps: plain data, all that a pause has to keep.
struct InnerIntegration {
  double value = 0;        ///< y
  double elapsed = 0;      ///< time, of the span
  double step = 0;         ///< the inner step to be tried next; 0 at the start
  std::int64_t steps = 0;  ///< inner steps tried, the rejected ones too
};

enum class InnerStep { goes_on, done, gave_up };

/// A inner step's result and the difference to the embedded one of order 2.
struct RosenbrockStep {
  double value, error;
};

template <class Ode>
HALFSTEP_HD RosenbrockStep rodas3(const Ode& ode, double y, double rate, double slope, double h) {
  const double inverse = 1 / (2 - h * slope);  // the diagonal coefficient gamma is 1 / 2
  const double k_1 = inverse * (h * rate);
  const double k_2 = inverse * (h * rate + 4 * k_1);
  const double y_3 = y + 2 * k_1;
  const double k_3 = inverse * (h * ode.rate(y_3) + (k_1 - k_2));
  const double y_4 = y_3 + k_3;
  const double k_4 = inverse * (h * ode.rate(y_4) + (k_1 - k_2 - 8.0 / 3.0 * k_3));
  return {y_4 + k_4, k_4};
}

/// Tries one inner step of the integration over `span`, whose last one ends exactly there. `tolerance` bounds
/// the error of each inner step, in units of the Ode's scale. Gives up after `max_substeps`, when inner steps
/// no longer advance the time, and where f is not finite; the integration is then invalid.
template <class Ode>
HALFSTEP_HD InnerStep advance(InnerIntegration& s, const Ode& ode, double span, double tolerance,
                              std::int64_t max_substeps) {
  if (s.elapsed >= span) return InnerStep::done;
  if (s.steps >= max_substeps) return InnerStep::gave_up;
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double rate = ode.rate(s.value), slope = ode.slope(s.value), scale = ode.scale(s.value);
  if (!(std::abs(rate) <= kLargest && std::abs(slope) <= kLargest && scale > 0)) return InnerStep::gave_up;

  if (s.steps == 0) s.step = 0.01 * scale / std::abs(rate);  // infinite at rest: the whole span
  // For growing solutions the formula has a pole at h slope = 2; half of that is well resolved.
  if (s.step * slope > 1) s.step = 1 / slope;
  const double left = span - s.elapsed;
  const bool lands = s.step >= left;
  // Two equal inner steps at the end instead of a long and a tiny one.
  const double h = lands ? left : 2 * s.step > left ? 0.5 * left : s.step;
  const double elapsed = lands ? span : s.elapsed + h;
  if (!(elapsed > s.elapsed)) return InnerStep::gave_up;

  const RosenbrockStep trial = rodas3(ode, s.value, rate, slope, h);
  const double end_scale = ode.scale(trial.value);
  const double error = std::abs(trial.error) / (tolerance * (end_scale < scale ? end_scale : scale));
  ++s.steps;
  // The error grows as h^3. NaN is the worst error, and so is an error without a positive scale.
  const bool sound = error >= 0 && end_scale > 0;
  const double factor = sound ? 0.9 * portable::pow(error, -1.0 / 3) : 0;
  s.step = h * (factor > 5 ? 5 : factor > 0.2 ? factor : 0.2);
  if (sound && error <= 1) {
    s.value = trial.value;
    s.elapsed = elapsed;
  }
  return s.elapsed >= span ? InnerStep::done : InnerStep::goes_on;
}

}  // namespace halfstep
