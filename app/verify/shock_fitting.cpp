// Shock fitting in time (G. Moretti & M. Abbett, AIAA J. 4 (1966) 2136): the logarithm of the pressure, the
// velocities along r and theta and the entropy are advanced between the body, r = 1, and the shock, r =
// s(theta), which moves as its pressure demands, until nothing changes. Differences are central, of second
// order, and a difference of fourth order damps what they do not resolve.
#include "app/verify/shock_fitting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace halfstep {
namespace {

constexpr double kGamma = 1.4;
constexpr double kEnd = 70 * std::numbers::pi / 180;  // theta of the outflow, which is supersonic
constexpr double kDamping = 0.005;
enum { kPressure, kRadial, kTangential, kEntropy, kVariables };

double entropy_behind(double mach2, double pressure) {
  const double density = (kGamma + 1) * mach2 / ((kGamma - 1) * mach2 + 2);
  return std::log(pressure) - kGamma * std::log(density);
}

/// The flow between body and shock: number i counts from the body to the shock, j from the axis.
struct Layer {
  std::array<std::vector<double>, kVariables> q;
  std::vector<double> shock;  ///< its radius, or the rate of change of that
};

class ShockFitting {
 public:
  ShockFitting(BluntBody body, double mach, int cells)
      : is_sphere_(body == BluntBody::sphere),
        stream_(mach * std::sqrt(kGamma)),
        n_(cells),
        m_(cells * 3 / 2),
        dx_(1.0 / n_),
        dtheta_(kEnd / m_) {
    const double behind = 1 + 2 * kGamma / (kGamma + 1) * (mach * mach - 1);
    stagnation_entropy_ = entropy_behind(mach * mach, behind);
    begin(std::log(behind * std::pow(1 + 0.2 * mach_behind2(mach), 3.5)));
  }

  /// Advances to the time `end`, in radii over the root of pressure / density of the stream.
  double stand_off_at(double end) {
    Layer rate = now_, first = now_, second = now_;
    for (double time = 0; time < end;) {
      const double dt = (time < 0.5 ? 0.25 : 0.5) / largest_rate();
      find_rate(now_, rate);
      combine(first, 0, now_, 1, now_, dt, rate);
      find_rate(first, rate);
      combine(second, 0.75, now_, 0.25, first, dt, rate);
      find_rate(second, rate);
      combine(now_, 1.0 / 3, now_, 2.0 / 3, second, dt, rate);
      time += dt;
    }
    return (9 * now_.shock[0] - now_.shock[1]) / 8 - 1;  // even in theta, half a cell from the axis
  }

 private:
  static double mach_behind2(double mach) { return (1 + 0.2 * mach * mach) / (kGamma * mach * mach - 0.2); }
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(i * m_ + j); }
  double theta(int j) const { return (j + 0.5) * dtheta_; }
  double sound_speed(const Layer& y, std::size_t c) const {
    return std::sqrt(kGamma * std::exp(y.q[kPressure][c] * (1 - 1 / kGamma) + y.q[kEntropy][c] / kGamma));
  }
  /// Returns a value, that beyond the axis by symmetry.
  double value(const Layer& y, int variable, int i, int j) const {
    return j >= 0
               ? y.q[static_cast<std::size_t>(variable)][at(i, j)]
               : (variable == kTangential ? -1 : 1) * y.q[static_cast<std::size_t>(variable)][at(i, -1 - j)];
  }
  double radius(const Layer& y, int j) const { return y.shock[static_cast<std::size_t>(j < 0 ? -1 - j : j)]; }

  template <class F>
  double along_theta(int j, F f) const {
    return (j == m_ - 1 ? 3 * f(j) - 4 * f(j - 1) + f(j - 2) : f(j + 1) - f(j - 1)) / (2 * dtheta_);
  }
  template <class F>
  double across(int i, F f) const {
    return (i == 0    ? -3 * f(0) + 4 * f(1) - f(2)
            : i == n_ ? 3 * f(n_) - 4 * f(n_ - 1) + f(n_ - 2)
                      : f(i + 1) - f(i - 1)) /
           (2 * dx_);
  }
  template <class F>
  static double fourth_difference(int n, F f) {
    return f(n + 2) - 4 * f(n + 1) + 6 * f(n) - 4 * f(n - 1) + f(n - 2);
  }
  double slope_of_shock(const Layer& y, int j) const {
    return along_theta(j, [&](int m) { return radius(y, m); });
  }

  void begin(double nose_pressure) {
    for (auto& variable : now_.q) variable.assign(static_cast<std::size_t>((n_ + 1) * m_), 0);
    now_.shock.resize(static_cast<std::size_t>(m_));
    for (int j = 0; j < m_; ++j)
      now_.shock[static_cast<std::size_t>(j)] =
          1 + (is_sphere_ ? 0.24 : 0.7) * (1 + 0.5 * theta(j) * theta(j));
    for (int j = 0; j < m_; ++j) {
      const double turn = slope_of_shock(now_, j) / radius(now_, j), c = std::cos(theta(j));
      const double into = stream_ * (c - turn * std::sin(theta(j))) / std::hypot(1, turn);
      const double mach2 = std::max(into * into / kGamma, 1.2);
      now_.q[kPressure][at(n_, j)] = std::log(1 + 2 * kGamma / (kGamma + 1) * (mach2 - 1));
      put_behind_shock(now_, j);
      const double on_body = nose_pressure + std::log(std::max(c * c, 0.06));
      for (int i = 0; i < n_; ++i) {
        const double x = i * dx_;
        const auto between = [&](int variable, double low) {
          auto& q = now_.q[static_cast<std::size_t>(variable)];
          q[at(i, j)] = low + (q[at(n_, j)] - low) * x;
        };
        between(kPressure, on_body);
        between(kRadial, 0);
        between(kTangential, 0.6 * now_.q[kTangential][at(n_, j)]);
        between(kEntropy, stagnation_entropy_);
      }
    }
  }

  /// Sets velocity and entropy behind the shock from the pressure there, and returns how fast the shock
  /// moves.
  double put_behind_shock(Layer& y, int j) const {
    const std::size_t c = at(n_, j);
    const double turn = slope_of_shock(y, j) / radius(y, j), length = std::hypot(1, turn);
    const double normal[2] = {1 / length, -turn / length};
    const double u = -stream_ * std::cos(theta(j)), v = stream_ * std::sin(theta(j));
    const double through = u * normal[0] + v * normal[1], pressure = std::exp(y.q[kPressure][c]);
    const double mach2 = std::max(1 + (pressure - 1) * (kGamma + 1) / (2 * kGamma), 1.0001);
    const double into = std::sqrt(kGamma * mach2), moves = into + through;
    const double slowed = into * (1 - ((kGamma - 1) * mach2 + 2) / ((kGamma + 1) * mach2));
    y.q[kRadial][c] = u + slowed * normal[0];
    y.q[kTangential][c] = v + slowed * normal[1];
    y.q[kEntropy][c] = entropy_behind(mach2, pressure);
    return moves / normal[0];
  }

  void find_rate(Layer& y, Layer& rate) const {
    for (int j = 0; j < m_; ++j) {
      y.q[kRadial][at(0, j)] = 0;
      y.q[kEntropy][at(0, j)] = stagnation_entropy_;
      rate.shock[static_cast<std::size_t>(j)] = put_behind_shock(y, j);
    }
    for (int j = 0; j < m_; ++j)
      for (int i = 0; i <= n_; ++i) find_rate_at(y, i, j, rate);
    for (int j = 0; j < m_ - 2; ++j)
      rate.shock[static_cast<std::size_t>(j)] -=
          2 * kDamping / dtheta_ * fourth_difference(j, [&](int m) { return radius(y, m); });
  }
  void find_rate_at(const Layer& y, int i, int j, Layer& rate) const {
    const std::size_t c = at(i, j);
    const double depth = radius(y, j) - 1, x = i * dx_, r = 1 + x * depth;
    const double lean = x * slope_of_shock(y, j) / depth, a = sound_speed(y, c), a2 = a * a;
    const double u = y.q[kRadial][c], v = y.q[kTangential][c];
    double by_r[kVariables], by_theta[kVariables], convected[kVariables];
    for (int k = 0; k < kVariables; ++k) {
      const double by_x = across(i, [&](int n) { return value(y, k, n, j); });
      by_r[k] = by_x / depth;
      by_theta[k] = (along_theta(j, [&](int m) { return value(y, k, i, m); }) - lean * by_x) / r;
      convected[k] =
          u * by_r[k] + v * by_theta[k] - x * rate.shock[static_cast<std::size_t>(j)] / depth * by_x;
    }
    const double spreads = is_sphere_ ? (2 * u + v / std::tan(theta(j))) / r : u / r;
    double own[kVariables] = {
        -convected[kPressure] - kGamma * (by_r[kRadial] + by_theta[kTangential] + spreads),
        -convected[kRadial] + v * v / r - a2 / kGamma * by_r[kPressure],
        -convected[kTangential] - u * v / r - a2 / kGamma * by_theta[kPressure], -convected[kEntropy]};
    if (i == 0) {  // the wave that comes to the body finds its velocity held
      own[kPressure] -= kGamma / a * own[kRadial];
      own[kRadial] = own[kEntropy] = 0;
    }
    for (int k = 0; k < kVariables; ++k) {
      if (i >= 2 && i <= n_ - 2)
        own[k] -= kDamping * (a + std::abs(u)) / (depth * dx_) *
                  fourth_difference(i, [&](int n) { return value(y, k, n, j); });
      if (j < m_ - 2)
        own[k] -= kDamping * (a + std::abs(v)) / (r * dtheta_) *
                  fourth_difference(j, [&](int m) { return value(y, k, i, m); });
      rate.q[static_cast<std::size_t>(k)][c] = own[k];
    }
  }

  double largest_rate() const {
    double largest = 0;
    for (int j = 0; j < m_; ++j)
      for (int i = 0; i <= n_; ++i) {
        const std::size_t c = at(i, j);
        const double a = sound_speed(now_, c), u = std::abs(now_.q[kRadial][c]),
                     v = std::abs(now_.q[kTangential][c]);
        largest = std::max(largest, (a + u + v) / ((radius(now_, j) - 1) * dx_) + (a + v) / dtheta_);
      }
    return largest;
  }
  /// Sets to = a before + b (from + dt rate).
  static void combine(Layer& to, double a, const Layer& before, double b, const Layer& from, double dt,
                      const Layer& rate) {
    const auto add = [&](auto& sum, const auto& old, const auto& last, const auto& change) {
      for (std::size_t n = 0; n < sum.size(); ++n) sum[n] = a * old[n] + b * (last[n] + dt * change[n]);
    };
    for (std::size_t k = 0; k < kVariables; ++k) add(to.q[k], before.q[k], from.q[k], rate.q[k]);
    add(to.shock, before.shock, from.shock, rate.shock);
  }

  bool is_sphere_;
  double stream_;
  int n_, m_;
  double dx_, dtheta_, stagnation_entropy_ = 0;
  Layer now_;
};

}  // namespace

double shock_stand_off(BluntBody body, double mach, int cells) {
  return ShockFitting(body, mach, cells).stand_off_at(body == BluntBody::sphere ? 12 : 25);
}

}  // namespace halfstep
