// The integral x(s) of a positive function from 0 to s, and its inverse s(x), to round-off: for exact
// solutions that give distance or time as a function of the state.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "physics/cases/exact/quadrature.hpp"

namespace halfstep {

class InvertedIntegral {
 public:
  /// `rate` = dx/ds, smooth; beyond s = `end` it is taken for constant. Throws std::invalid_argument if it is
  /// found not to be positive and finite.
  InvertedIntegral(std::function<double(double)> rate, double end) : rate_(std::move(rate)) {
    add_panels(0, end, mean(0, end), 40);
  }

  /// Returns x at s >= 0.
  double integral(double s) const {
    const std::size_t i = panel(s_, s);
    return x_[i] + (s - s_[i]) * (last(i) ? rate_(s_[i]) : mean(s_[i], s));
  }

  /// Returns s at x >= 0.
  double inverse(double x) const {
    const std::size_t i = panel(x_, x);
    const double low = s_[i], rest = x - x_[i];
    if (last(i)) return low + rest / rate_(low);
    const double high = s_[i + 1];
    double s = low + (high - low) * rest / (x_[i + 1] - x_[i]);
    // Newton's method; panels are so short that the integral is nearly a straight line on each.
    for (int iteration = 0; iteration < 20; ++iteration) {
      const double change = (rest - (s - low) * mean(low, s)) / rate_(s);
      s = std::clamp(s + change, low, high);
      if (std::abs(change) <= 1e-16 * high) break;
    }
    return s;
  }

  /// Where panels begin, ascending from 0. A function as smooth as the rate is well resolved by rule() on
  /// each; the last begins at `end` and goes on for ever.
  const std::vector<double>& panels() const { return s_; }

  static const GaussRule& rule() {
    static const GaussRule ten = gauss_rule(10);
    return ten;
  }

 private:
  double mean(double a, double b) const {
    const double value = interval_average(rule(), a, b, rate_);
    if (!(value > 0 && std::isfinite(value)))
      throw std::invalid_argument(
          "the exact solution cannot be integrated: a rate is not positive and finite");
    return value;
  }

  /// Halves [a, b] until the rule agrees with itself.
  void add_panels(double a, double b, double whole, int depth) {
    const double middle = 0.5 * (a + b), lower = mean(a, middle), upper = mean(middle, b);
    if (depth > 0 && std::abs(whole - 0.5 * (lower + upper)) > 1e-14 * whole) {
      add_panels(a, middle, lower, depth - 1);
      add_panels(middle, b, upper, depth - 1);
      return;
    }
    x_.push_back(x_.back() + (b - a) * 0.5 * (lower + upper));
    s_.push_back(b);
  }

  static std::size_t panel(const std::vector<double>& starts, double at) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), at);
    return next == starts.begin() ? 0 : static_cast<std::size_t>(next - starts.begin()) - 1;
  }
  bool last(std::size_t i) const { return i + 1 == s_.size(); }

  std::function<double(double)> rate_;
  std::vector<double> s_{0}, x_{0};  // the two ends of each panel
};

}  // namespace halfstep
