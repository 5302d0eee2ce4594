// The exact solution of the Riemann problem of an ideal gas, at points and as averages over intervals.
// E. F. Toro, "Riemann Solvers and Numerical Methods for Fluid Dynamics" (3rd ed., 2009), chapter 4; equation
// numbers are the book's.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "physics/gas/eos.hpp"

namespace halfstep {

/// Two constant states meet at x = 0 at time 0; the solution depends on xi = x / t alone. u is normal to the
/// interface; v and w are carried along.
class ExactRiemann {
 public:
  /// A shock has head == tail. The head is the edge on the side of the undisturbed state.
  struct Wave {
    bool shock = false;
    double head = 0, tail = 0;
  };

  /// Throws std::invalid_argument unless both densities and pressures are positive and gamma > 1.
  ExactRiemann(const Primitive<double>& left, const Primitive<double>& right, const IdealGas<double>& gas)
      : left_(left), right_(right), gas_(gas) {
    if (!(left.density > 0 && right.density > 0 && left.pressure > 0 && right.pressure > 0 && gas.gamma > 1))
      throw std::invalid_argument("a Riemann problem needs positive densities and pressures and gamma > 1");
    const double c_l = sound_speed(left.density, left.pressure, gas);
    const double c_r = sound_speed(right.density, right.pressure, gas);
    const double m = 2 / (gas.gamma - 1);
    vacuum_ = m * (c_l + c_r) <= right.u - left.u;  // (4.40)
    if (vacuum_) {
      // Section 4.6: each fan ends where its sound speed is zero. The vacuum has no velocity of its own.
      velocity_l_ = left.u + m * c_l;
      velocity_r_ = right.u - m * c_r;
      left_wave_ = {false, left.u - c_l, velocity_l_};
      right_wave_ = {false, right.u + c_r, velocity_r_};
      return;
    }
    pressure_ = star_pressure(c_l, c_r);
    velocity_l_ = velocity_r_ = 0.5 * (left.u + right.u) + 0.5 * (jump(pressure_, right, c_r).value -
                                                                  jump(pressure_, left, c_l).value);  // (4.9)
    density_l_ = star_density(left);
    density_r_ = star_density(right);
    left_wave_ = wave(left, c_l, density_l_, -1);
    right_wave_ = wave(right, c_r, density_r_, +1);
  }

  bool vacuum() const { return vacuum_; }
  /// Between the waves; pressure and densities are zero in a vacuum.
  double star_pressure() const { return pressure_; }
  double star_velocity() const { return 0.5 * (velocity_l_ + velocity_r_); }
  double star_density_l() const { return density_l_; }
  double star_density_r() const { return density_r_; }
  const Wave& left_wave() const { return left_wave_; }
  const Wave& right_wave() const { return right_wave_; }

  /// The state at xi = x / t (section 4.5). On a discontinuity: the state on its right.
  Primitive<double> sample(double xi) const {
    if (xi < left_wave_.head) return left_;
    if (xi < left_wave_.tail) return in_fan(left_, xi, -1);
    if (xi < velocity_l_) return star_l();
    if (xi < velocity_r_) return {0, star_velocity(), 0, 0, 0};
    if (xi < right_wave_.tail) return star_r();
    if (xi < right_wave_.head) return in_fan(right_, xi, +1);
    return right_;
  }

  /// Mean of the conserved state over a <= xi <= b, a < b, in closed form.
  Conserved<double> average(double a, double b) const {
    Conserved<double> sum{};
    // Adds what [low, high] shares with [a, b]; `mean` gives the mean over the shared part.
    const auto add = [&](double low, double high, auto&& mean) {
      low = std::max(low, a);
      high = std::min(high, b);
      if (low < high) sum = sum + ((high - low) / (b - a)) * mean(low, high);
    };
    const auto constant = [&](const Primitive<double>& q) {
      return [&, state = to_conserved(q, gas_)](double, double) { return state; };
    };
    add(a, left_wave_.head, constant(left_));
    add(left_wave_.head, left_wave_.tail,
        [&](double low, double high) { return fan_mean(left_, low, high, -1); });
    if (!vacuum_) {
      add(left_wave_.tail, velocity_l_, constant(star_l()));
      add(velocity_r_, right_wave_.tail, constant(star_r()));
    }
    add(right_wave_.tail, right_wave_.head,
        [&](double low, double high) { return fan_mean(right_, low, high, +1); });
    add(right_wave_.head, b, constant(right_));
    return sum;
  }

 private:
  struct Function {
    double value, slope;
  };

  /// The velocity jump across the wave between state q and pressure p, (4.6)-(4.7), and its slope, (4.37).
  Function jump(double p, const Primitive<double>& q, double c) const {
    const double g = gas_.gamma;
    if (p > q.pressure) {
      const double a = 2 / ((g + 1) * q.density), b = (g - 1) / (g + 1) * q.pressure;  // (4.8)
      const double root = std::sqrt(a / (p + b));
      return {(p - q.pressure) * root, root * (1 - 0.5 * (p - q.pressure) / (p + b))};
    }
    const double ratio = p / q.pressure;
    const double z = (g - 1) / (2 * g);
    // expm1 keeps weak waves accurate.
    return {2 * c / (g - 1) * std::expm1(z * std::log(ratio)),
            std::pow(ratio, -(g + 1) / (2 * g)) / (q.density * c)};
  }

  /// The root of (4.5). The function rises and is concave, so Newton's method climbs to the root from any
  /// pressure below it; a step from above that would leave the bracket is replaced by one that does not.
  double star_pressure(double c_l, double c_r) const {
    const double g = gas_.gamma, z = (g - 1) / (2 * g), du = right_.u - left_.u;
    // Two rarefactions, (4.46): positive, and exact where both waves are rarefactions.
    double p = std::pow((c_l + c_r - 0.5 * (g - 1) * du) /
                            (c_l / std::pow(left_.pressure, z) + c_r / std::pow(right_.pressure, z)),
                        1 / z);
    double low = 0;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const Function f_l = jump(p, left_, c_l), f_r = jump(p, right_, c_r);
      const double f = f_l.value + f_r.value + du;
      if (f <= 0) low = std::max(low, p);
      double next = p - f / (f_l.slope + f_r.slope);
      if (!(next >= low && next > 0)) next = low > 0 ? std::sqrt(low * p) : 0.1 * p;
      const double change = std::abs(next - p);
      p = next;
      if (change <= 2e-16 * p) break;
    }
    return p;
  }

  double star_density(const Primitive<double>& q) const {
    const double ratio = pressure_ / q.pressure, g = gas_.gamma, k = (g - 1) / (g + 1);
    if (ratio > 1) return q.density * (ratio + k) / (k * ratio + 1);  // (4.50), (4.57)
    return q.density * std::pow(ratio, 1 / g);                        // (4.53), (4.60)
  }

  /// side -1: the wave moving left into q; +1: right.
  Wave wave(const Primitive<double>& q, double c, double density_star, int side) const {
    const double g = gas_.gamma, ratio = pressure_ / q.pressure;
    if (ratio > 1) {
      const double speed = q.u + side * c * std::sqrt(((g + 1) * ratio + g - 1) / (2 * g));  // (4.52), (4.59)
      return {true, speed, speed};
    }
    return {false, q.u + side * c,
            velocity_l_ + side * sound_speed(density_star, pressure_, gas_)};  // (4.55), (4.62)
  }

  Primitive<double> star_l() const { return {density_l_, velocity_l_, left_.v, left_.w, pressure_}; }
  Primitive<double> star_r() const { return {density_r_, velocity_r_, right_.v, right_.w, pressure_}; }

  /// Inside a fan, (4.56) and (4.63): the sound speed is linear in xi and u = xi - side * c.
  double fan_sound_speed(const Primitive<double>& q, double xi, int side) const {
    const double g = gas_.gamma, c = sound_speed(q.density, q.pressure, gas_);
    return std::max(0.0, (2 * c - side * (g - 1) * (q.u - xi)) / (g + 1));
  }
  Primitive<double> in_fan(const Primitive<double>& q, double xi, int side) const {
    const double c = fan_sound_speed(q, xi, side);
    const double ratio = c / sound_speed(q.density, q.pressure, gas_), m = 2 / (gas_.gamma - 1);
    return {q.density * std::pow(ratio, m), xi - side * c, q.v, q.w, q.pressure * std::pow(ratio, m + 2)};
  }

  /// Mean over [low, high] inside a fan. Density is a power of c, u and xi are linear in c, so density,
  /// momentum and energy are sums of powers of c, whose means are elementary.
  Conserved<double> fan_mean(const Primitive<double>& q, double low, double high, int side) const {
    const double g = gas_.gamma, m = 2 / (g - 1), c_0 = sound_speed(q.density, q.pressure, gas_);
    const double near = side < 0 ? low : high;  // the end of the larger sound speed
    const double c = fan_sound_speed(q, near, side), u = near - side * c;
    if (c <= 0) return {};
    const double drop = std::min(1.0, (g - 1) / (g + 1) * (high - low) / c);
    // Mean of (c' / c)^k for c' from c down to c (1 - drop); log1p and expm1 keep short intervals accurate.
    const auto mean = [&](double k) { return -std::expm1((k + 1) * std::log1p(-drop)) / ((k + 1) * drop); };
    const double m0 = mean(m), m1 = mean(m + 1), m2 = mean(m + 2);
    const double density = q.density * std::pow(c / c_0, m);
    const double gain = -side * m * c;  // u' = u + gain (1 - c' / c)
    const double mass = density * m0, lag = m0 - m1, lag2 = m0 - 2 * m1 + m2;
    const double momentum = density * (u * m0 + gain * lag);
    const double normal = density * (u * u * m0 + 2 * u * gain * lag + gain * gain * lag2);
    const double internal = density * c * c * m2 / (g * (g - 1));
    return {mass, momentum, mass * q.v, mass * q.w,
            internal + 0.5 * normal + 0.5 * mass * (q.v * q.v + q.w * q.w)};
  }

  Primitive<double> left_, right_;
  IdealGas<double> gas_;
  bool vacuum_ = false;
  double pressure_ = 0, density_l_ = 0, density_r_ = 0;
  double velocity_l_ = 0, velocity_r_ = 0;  // equal but for the edges of a vacuum
  Wave left_wave_, right_wave_;
};

}  // namespace halfstep
