// The point blast in a cold uniform gas: L. I. Sedov, "Similarity and Dimensional Methods in Mechanics"
// (1959), chapter IV; J. R. Kamm & F. X. Timmes, LA-UR-07-2849 (2007).
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "physics/gas/eos.hpp"

namespace halfstep {

/// A blast of energy E in `dimensions` (1: a plane source, E both sides, per area; 2: a line, per length; 3:
/// a point), in a gas of given density and no pressure. The shock is at R = (E t^2 / (alpha density))^(1 / (d
/// + 2)).
///
/// With lambda = r / R and R' = dR/dt the flow is  u = R' lambda w,  rho = density g,  p = density R'^2 P,
/// and the Euler equations become ordinary ones in eta = ln lambda. Energy within any fixed lambda is
/// constant, which gives w from q = g lambda^2 / P alone (Sedov's energy integral):
///     q (gamma - 1) w^2 (1 - w) = 2 (gamma w - 1).
/// So one equation, for q, is integrated inwards from the shock; g and P are quadratures beside it. Behind
/// the shock all change over thickness() of the radius, which is little for gamma near 1, and from there on
/// as powers of lambda: steps are even in s, eta = -thickness() sinh(s).
class SedovBlast {
 public:
  /// Throws std::invalid_argument where the blast has a hollow core (spherical, gamma >= 7) or gamma <= 1.
  SedovBlast(int dimensions, double gamma) : d_(dimensions), gamma_(gamma) {
    if (!(gamma > 1)) throw std::invalid_argument("the Sedov solution needs gamma > 1");
    if (d_ == 3 && gamma >= 7)
      throw std::invalid_argument(
          "the spherical Sedov solution has a hollow core from gamma = 7 on, which is not provided");
    integrate();
  }

  /// Returns alpha of E = alpha density R^(d + 2) / t^2.
  double alpha() const { return alpha_; }
  /// Returns the thickness of the shell behind the shock, relative to its radius, times the dimensions.
  double thickness() const { return (gamma_ - 1) / (gamma_ + 1); }

  double shock_radius(double energy, double density, double time) const {
    return std::pow(energy * time * time / (alpha_ * density), 1.0 / (d_ + 2));
  }

  /// Returns density, radial velocity (as u) and pressure at distance r.
  Primitive<double> sample(double r, double energy, double density, double time) const {
    const double radius = shock_radius(energy, density, time);
    if (r >= radius) return {density, 0, 0, 0, 0};
    const double speed = 2.0 / (d_ + 2) * radius / time;
    const double at = std::asinh(-std::log(std::max(r / radius, 1e-300)) / thickness()) / kStep;
    if (at >= static_cast<double>(profile_.size() - 1))
      return {0, 0, 0, 0, density * speed * speed * profile_.back().p};
    const auto i = static_cast<std::size_t>(at);
    const double x = at - static_cast<double>(i);
    const Knot &a = profile_[i], &b = profile_[i + 1];
    // Cubic Hermite interpolation inwards from a to b.
    const double ha = (1 + 2 * x) * (1 - x) * (1 - x), hb = x * x * (3 - 2 * x);
    const double sa = kStep * x * (1 - x) * (1 - x), sb = -kStep * x * x * (1 - x);
    const double log_g = ha * a.log_g + hb * b.log_g + sa * a.log_g_slope + sb * b.log_g_slope;
    const double w = ha * a.w + hb * b.w + sa * a.w_slope + sb * b.w_slope;
    const double p = ha * a.p + hb * b.p + sa * a.p_slope + sb * b.p_slope;
    return {density * std::exp(log_g), speed * (r / radius) * w, 0, 0, density * speed * speed * p};
  }

 private:
  static constexpr double kStep = 1e-3;

  /// The integrated variables, or their slopes.
  struct Profile {
    double log_q, log_g, log_p;
  };
  /// The stored values, with slopes d/ds, for interpolation.
  struct Knot {
    double log_g, w, p, log_g_slope, w_slope, p_slope;
  };

  /// w from the energy integral, which rises in w from 1 / gamma (the centre) on.
  double velocity(const Profile& s) const {
    const double k = std::exp(s.log_q) * (gamma_ - 1);
    double low = 1 / gamma_, high = 2 / (gamma_ + 1) * (1 + 1e-9), w = high;
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double f = 2 * (gamma_ * w - 1) - k * w * w * (1 - w);
      (f > 0 ? high : low) = w;
      double next = w - f / (2 * gamma_ - k * w * (2 - 3 * w));
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      const double change = std::abs(next - w);
      w = next;
      if (change < 1e-16) break;
    }
    return w;
  }

  /// dU / d lambda of the velocity U = lambda w.
  double gradient(double w, double q) const {
    return (0.5 * d_ * q * w * (w - 1) - d_ + gamma_ * (d_ - 1) * w) / (q * (w - 1) * (w - 1) - gamma_);
  }

  double eta(double s) const { return -thickness() * std::sinh(s); }
  double eta_slope(double s) const { return -thickness() * std::cosh(s); }

  /// d/ds.
  Profile slope(double s, const Profile& q) const {
    const double w = velocity(q), divergence = gradient(w, std::exp(q.log_q)) + (d_ - 1) * w;
    const double log_g = -divergence / (w - 1), log_p = (d_ - gamma_ * divergence) / (w - 1);
    const double scale = eta_slope(s);
    return {scale * (2 + log_g - log_p), scale * log_g, scale * log_p};
  }

  static Profile plus(const Profile& a, double h, const Profile& b) {
    return {a.log_q + h * b.log_q, a.log_g + h * b.log_g, a.log_p + h * b.log_p};
  }

  /// Classical Runge-Kutta from the shock to lambda^d < 1e-18; the energy by Simpson's rule on the same
  /// steps.
  void integrate() {
    const double jump = 1 / thickness(), p = 2 / (gamma_ + 1);
    const int steps = 2 * static_cast<int>(std::ceil(0.5 * std::asinh(42.0 / d_ * jump) / kStep));
    Profile q{std::log(jump / p), std::log(jump), std::log(p)};
    double sum = 0;
    for (int i = 0; i <= steps; ++i) {
      const double s = i * kStep, w = velocity(q);
      const Profile k1 = slope(s, q);
      const Knot knot{q.log_g,
                      w,
                      std::exp(q.log_p),
                      k1.log_g,
                      eta_slope(s) * (gradient(w, std::exp(q.log_q)) - w),
                      k1.log_p * std::exp(q.log_p)};
      profile_.push_back(knot);
      const double energy = knot.p * (0.5 * std::exp(q.log_q) * w * w + 1 / (gamma_ - 1));
      sum += (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) * energy * std::exp(d_ * eta(s)) * -eta_slope(s);
      const Profile k2 = slope(s + 0.5 * kStep, plus(q, 0.5 * kStep, k1)),
                    k3 = slope(s + 0.5 * kStep, plus(q, 0.5 * kStep, k2)),
                    k4 = slope(s + kStep, plus(q, kStep, k3));
      q = plus(plus(plus(plus(q, kStep / 6, k1), kStep / 3, k2), kStep / 3, k3), kStep / 6, k4);
    }
    const double sphere = d_ == 1 ? 2 : d_ == 2 ? 2 * std::numbers::pi : 4 * std::numbers::pi;
    const double delta = 2.0 / (d_ + 2);
    alpha_ = sphere * delta * delta * sum * kStep / 3;
  }

  int d_;
  double gamma_, alpha_ = 0;
  std::vector<Knot> profile_;  // at s = i kStep
};

}  // namespace halfstep
