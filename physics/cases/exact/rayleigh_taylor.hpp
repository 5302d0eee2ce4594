// The fastest-growing mode of heavy gas above light gas: linear theory of the compressible equations between
// two walls, with an interface of finite thickness. In the limit of a thin interface, distant walls and a
// stiff gas it grows as exp(sigma t), sigma^2 = A g k, A = (upper - lower) / (upper + lower) density
// (Rayleigh 1883, Taylor 1950). S. Chandrasekhar, Hydrodynamic and Hydromagnetic Stability (1961), chapter
// 10; its equations with compressibility are I. B. Bernstein & D. L. Book, Phys. Fluids 26 (1983) 453, in the
// variables of RayleighTaylorMode::slopes().
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "physics/gas/eos.hpp"

namespace halfstep {

/// The gas at rest under its weight: density lower + (upper - lower) (1 + tanh(y / thickness)) / 2 at the
/// height y above the interface, in hydrostatic equilibrium.
struct HeavyOverLight {
  double lower, upper;  ///< densities
  double thickness;     ///< of the interface
  double pressure_at_interface;
  double gravity;  ///< downwards, > 0

  double density(double y) const {
    return 0.5 * (lower + upper) + 0.5 * (upper - lower) * std::tanh(y / thickness);
  }
  double pressure(double y) const {
    const double s = std::abs(y / thickness), log_cosh = s + std::log1p(std::exp(-2 * s)) - std::numbers::ln2;
    return pressure_at_interface -
           gravity * (0.5 * (lower + upper) * y + 0.5 * (upper - lower) * thickness * log_cosh);
  }
  /// Returns the growth rate of the mode with `wavenumber` in the limit above.
  double ideal_growth_rate(double wavenumber) const {
    return std::sqrt((upper - lower) / (upper + lower) * gravity * wavenumber);
  }
};

class RayleighTaylorMode {
 public:
  /// The mode at the height y, per displacement of the interface; it grows as exp(growth_rate() t).
  struct Amplitudes {
    double up;        ///< displacement upwards, times cos(k x)
    double along;     ///< displacement along x, times sin(k x)
    double pressure;  ///< change of a displaced particle's pressure, times cos(k x)
  };

  /// Walls at the heights bottom < 0 < top above the interface. Throws std::invalid_argument where the
  /// pressure is not positive everywhere or nothing grows.
  RayleighTaylorMode(const IdealGas<double>& gas, const HeavyOverLight& rest, double wavenumber,
                     double bottom, double top)
      : rest_(rest), k_(wavenumber) {
    if (!(rest.upper > rest.lower && rest.gravity > 0))
      throw std::invalid_argument(
          "nothing grows: the denser gas must be above, and gravity must pull it down");
    if (!(rest.pressure(top) > 0))
      throw std::invalid_argument(
          "the pressure at the top is not positive: make the pressure larger, or the weight or the height "
          "smaller");
    below_ = Side(gas, rest, bottom);
    above_ = Side(gas, rest, top);
    find_growth_rate(gas, top);
    const Pair lower = shoot(below_, growth_rate_, true), upper = shoot(above_, growth_rate_, true);
    for (Pair& p : below_.solution) p = {p.up / lower.up, p.pressure / lower.up};
    for (Pair& p : above_.solution) p = {p.up / upper.up, p.pressure / upper.up};
  }

  double growth_rate() const { return growth_rate_; }
  const HeavyOverLight& at_rest() const { return rest_; }

  Amplitudes at(double y) const {
    const Side& side = y < 0 ? below_ : above_;
    // Cubic between two nodes, from values and slopes.
    const double place = std::clamp(1 - y / side.wall, 0.0, 1.0) * side.steps;
    const int node = std::min(static_cast<int>(place), side.steps - 1);
    const double s = place - node, h = -side.wall / side.steps;
    const Pair &a = side.solution[node], &b = side.solution[node + 1];
    const Pair slope_a = slopes(side, 2 * node, a, growth_rate_),
               slope_b = slopes(side, 2 * node + 2, b, growth_rate_);
    const auto cubic = [&](double from, double slope_from, double to, double slope_to) {
      const double t = 1 - s;
      return t * t * ((1 + 2 * s) * from + s * h * slope_from) +
             s * s * ((1 + 2 * t) * to - t * h * slope_to);
    };
    const double up = cubic(a.up, slope_a.up, b.up, slope_b.up);
    const double pressure = cubic(a.pressure, slope_a.pressure, b.pressure, slope_b.pressure);
    const double density = rest_.density(y);
    const double along =
        k_ * (pressure + density * rest_.gravity * up) / (density * growth_rate_ * growth_rate_);
    return {up, along, pressure};
  }

 private:
  /// Displacement upwards and change of a particle's pressure: both are smooth across the thinnest interface.
  struct Pair {
    double up, pressure;
  };

  /// From a wall to the interface in `steps` steps, with the state at rest at their ends and middles.
  struct Side {
    Side() = default;
    Side(const IdealGas<double>& gas, const HeavyOverLight& rest, double wall_at) : wall(wall_at) {
      const double reach = std::abs(wall);
      steps = static_cast<int>(std::clamp(40 * reach / rest.thickness, 1000.0, 40000.0));
      for (int n = 0; n <= 2 * steps; ++n) {
        const double y = wall * (1 - 0.5 * n / steps);
        density.push_back(rest.density(y));
        compressibility.push_back(1 / (gas.gamma * rest.pressure(y)));
      }
    }
    double wall = 0;
    int steps = 0;
    std::vector<double> density, compressibility;
    std::vector<Pair> solution;
  };

  /// d/dy. From rho sigma^2 displacement = -grad p' - rho' g e_y and p' = -displacement . grad p - gamma p
  /// div displacement; the derivative of the density drops out.
  Pair slopes(const Side& side, int half_node, const Pair& q, double sigma) const {
    const double density = side.density[half_node], s2 = sigma * sigma, g = rest_.gravity;
    const double turn = g * k_ * k_ / s2;
    return {-turn * q.up - (side.compressibility[half_node] + k_ * k_ / (density * s2)) * q.pressure,
            density * (g * turn - s2) * q.up + turn * q.pressure};
  }

  /// From the wall, where nothing moves up or down, to the interface; Runge and Kutta's method.
  Pair shoot(Side& side, double sigma, bool keep) const {
    const double h = -side.wall / side.steps;
    Pair q{0, 1};
    const auto moved = [](const Pair& from, double step, const Pair& slope) {
      return Pair{from.up + step * slope.up, from.pressure + step * slope.pressure};
    };
    if (keep) side.solution = {q};
    for (int n = 0; n < side.steps; ++n) {
      const Pair a = slopes(side, 2 * n, q, sigma), b = slopes(side, 2 * n + 1, moved(q, 0.5 * h, a), sigma),
                 c = slopes(side, 2 * n + 1, moved(q, 0.5 * h, b), sigma),
                 d = slopes(side, 2 * n + 2, moved(q, h, c), sigma);
      q = {q.up + h / 6 * (a.up + 2 * (b.up + c.up) + d.up),
           q.pressure + h / 6 * (a.pressure + 2 * (b.pressure + c.pressure) + d.pressure)};
      if (keep) side.solution.push_back(q);
    }
    return q;
  }

  /// Finds the largest sigma for which both sides' solutions match at the interface.
  void find_growth_rate(const IdealGas<double>& gas, double top) {
    const auto mismatch = [&](double sigma) {
      const Pair lower = shoot(below_, sigma, false), upper = shoot(above_, sigma, false);
      return lower.up * upper.pressure - upper.up * lower.pressure;
    };
    const double ideal = rest_.ideal_growth_rate(k_);
    const double convective = rest_.gravity / sound_speed(rest_.density(top), rest_.pressure(top), gas);
    double high = 1.5 * std::hypot(ideal, convective);
    const double far = mismatch(high), least = 0.01 * ideal;
    double low = high;
    while ((mismatch(low) > 0) == (far > 0)) {
      high = low;
      low *= 0.96;
      if (low < least)
        throw std::invalid_argument(
            "nothing grows as fast as a hundredth of sqrt(A g k): make the interface thinner, or the wave "
            "longer");
    }
    for (int n = 0; n < 60 && low < high; ++n) {
      const double middle = 0.5 * (low + high);
      ((mismatch(middle) > 0) == (far > 0) ? high : low) = middle;
    }
    growth_rate_ = 0.5 * (low + high);
  }

  HeavyOverLight rest_;
  double k_;
  Side below_, above_;
  double growth_rate_ = 0;
};

}  // namespace halfstep
