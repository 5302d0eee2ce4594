// Linear theory of parallel shear flow in an ideal gas of uniform pressure: how fast a wave along the stream
// grows. W. Blumen, J. Fluid Mech. 40 (1970) 769, with a density that varies across the stream.
#pragma once

#include <cmath>
#include <complex>
#include <stdexcept>

namespace halfstep {

/// Stream at one place across the layer.
struct ShearFlow {
  double density = 1, speed = 0;
};

/// The growth rate k Im(c) of the disturbance p(y) exp(i k (x - c t)) of the stream flow(y) whose pressure
/// disturbance vanishes at y = lower and y = upper, where it is odd about both ends of half a period (so that
/// the velocity across is even there). `bulk`: gamma times the pressure. `guess`: of c, near the mode that is
/// meant.
///
/// With q = p' / (density (U - c)^2), proportional to the displacement, and so continuous where the stream
/// has kinks,
///     p' = density (U - c)^2 q,   q' = k^2 (1 / (density (U - c)^2) - 1 / bulk) p.
/// Runge-Kutta's classical method from lower to upper, in `steps` steps, which should meet the kinks; c by
/// the secant method. Throws std::runtime_error where that finds no mode that grows.
template <class Flow>
double shear_layer_growth(const Flow& flow, double lower, double upper, double wavenumber, double bulk,
                          std::complex<double> guess, int steps = 4000) {
  using Complex = std::complex<double>;
  struct Pair {
    Complex p, q;
  };
  const double h = (upper - lower) / steps, k2 = wavenumber * wavenumber;
  const auto mismatch = [&](Complex c) {
    const auto slope = [&](const ShearFlow& at, const Pair& s) {
      const Complex inertia = at.density * (at.speed - c) * (at.speed - c);
      return Pair{inertia * s.q, k2 * (1.0 / inertia - 1.0 / bulk) * s.p};
    };
    const auto plus = [](const Pair& a, double size, const Pair& b) {
      return Pair{a.p + size * b.p, a.q + size * b.q};
    };
    Pair s{0.0, 1.0};
    for (int n = 0; n < steps; ++n) {
      const double y = lower + n * h;
      const ShearFlow start = flow(y), middle = flow(y + 0.5 * h), end = flow(y + h);
      const Pair k1 = slope(start, s), k2_ = slope(middle, plus(s, 0.5 * h, k1)),
                 k3 = slope(middle, plus(s, 0.5 * h, k2_)), k4 = slope(end, plus(s, h, k3));
      s = plus(plus(plus(plus(s, h / 6, k1), h / 3, k2_), h / 3, k3), h / 6, k4);
    }
    return s.p;
  };
  Complex a = guess, b = guess * Complex(1.02, 0.01);
  Complex at_a = mismatch(a), at_b = mismatch(b);
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Complex next = b - at_b * (b - a) / (at_b - at_a);
    a = b, at_a = at_b;
    b = next, at_b = mismatch(b);
    if (std::abs(b - a) < 1e-12 * std::abs(b)) {
      if (b.imag() > 1e-6 * std::abs(guess)) return wavenumber * b.imag();
      break;
    }
  }
  throw std::runtime_error("no growing mode of the shear layer near the guess");
}

}  // namespace halfstep
