// The steady detonation of Zel'dovich, von Neumann and Doering for one irreversible Arrhenius reaction
// (physics/sources/reaction.hpp): a shock, and behind it the flow as the reactant is consumed.
// W. Fickett & W. C. Davis, Detonation (1979), chapter 2; J. J. Erpenbeck, Phys. Fluids 7 (1964) 684.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "physics/cases/exact/inverted_integral.hpp"
#include "physics/gas/eos.hpp"
#include "physics/sources/reaction.hpp"

namespace halfstep {

/// A flow state with reactant.
struct ReactingState {
  Primitive<double> flow;
  double mass_fraction;  ///< of reactant, Y
};

/// The conserved form, or an average of it.
struct ReactingAverage {
  Conserved<double> flow;
  double reactant;  ///< rho Y
};
inline ReactingAverage operator+(const ReactingAverage& a, const ReactingAverage& b) {
  return {a.flow + b.flow, a.reactant + b.reactant};
}
inline ReactingAverage operator*(double s, const ReactingAverage& a) { return {s * a.flow, s * a.reactant}; }

/// The wave moves along +x into gas at rest with density 1, pressure 1 and Y = 1. Lengths are measured from
/// the shock into the burning gas; u is in the frame of the gas at rest.
class ZndDetonation {
 public:
  /// `overdrive` f = (D / D_CJ)^2 >= 1. Throws std::invalid_argument where there is no such wave.
  ZndDetonation(const IdealGas<double>& gas, const Reaction& reaction, double overdrive)
      : gas_(gas),
        reaction_(checked(reaction, overdrive)),
        speed_(std::sqrt(overdrive) * chapman_jouguet_speed(gas, reaction.heat_release)),
        drive_(speed_ * speed_ - gas.gamma),
        heat_(2 * (gas.gamma * gas.gamma - 1) * reaction.heat_release * speed_ * speed_),
        surplus_(overdrive > 1 ? drive_ * drive_ - heat_ : 0),
        distance_([this](double s) { return distance_per_depletion(s); }, kEnd) {}
  ZndDetonation(const ZndDetonation&) = delete;  // the integral holds its address
  ZndDetonation& operator=(const ZndDetonation&) = delete;

  /// Returns the speed of the slowest wave that the heat release can sustain.
  static double chapman_jouguet_speed(const IdealGas<double>& gas, double heat_release) {
    const double heat = 2 * (gas.gamma * gas.gamma - 1) * heat_release;
    return 0.5 * (std::sqrt(heat) + std::sqrt(heat + 4 * gas.gamma));
  }

  double speed() const { return speed_; }
  ReactingState von_neumann() const { return at(1); }
  ReactingState burnt() const { return at(0); }

  /// Returns the distance behind the shock at which half the reactant is consumed.
  double half_reaction_length() const { return distance_.integral(std::log(2.0)); }

  /// Returns the state at distance `behind` behind the shock; the gas at rest where `behind` <= 0.
  ReactingState state(double behind) const {
    return behind > 0 ? at(std::exp(-distance_.inverse(behind))) : ahead();
  }

  /// Returns the mean over [from, to], from < to; negative values are ahead of the shock.
  ReactingAverage average(double from, double to) const {
    double length = std::max(0.0, std::min(to, 0.0) - from);
    ReactingAverage sum = length * conserved(ahead());
    if (to > 0) {
      // Over s = -ln Y, in which the profile is smooth from the shock to its end, panel by panel.
      const double last = distance_.inverse(to);
      double s = from > 0 ? distance_.inverse(from) : 0;
      const auto& panels = distance_.panels();
      auto next = std::upper_bound(panels.begin(), panels.end(), s);
      while (s < last) {
        const double end = next == panels.end() ? last : std::min(*next++, last);
        const GaussRule& rule = InvertedIntegral::rule();
        for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
          const double node = 0.5 * (s + end) + 0.5 * (end - s) * rule.nodes[i];
          const double weight = 0.5 * (end - s) * rule.weights[i] * distance_per_depletion(node);
          sum = sum + weight * conserved(at(std::exp(-node)));
          length += weight;
        }
        s = end;
      }
    }
    return (1 / length) * sum;  // not to - from, so that a uniform part keeps its state to the last digit
  }

 private:
  static constexpr double kEnd = 80;  // Y = e^-80

  static const Reaction& checked(const Reaction& reaction, double overdrive) {
    if (!(reaction.rate > 0 && reaction.heat_release > 0))
      throw std::invalid_argument("a detonation needs a reaction with a rate and a heat release above 0");
    if (!(overdrive >= 1))
      throw std::invalid_argument("a detonation cannot be slower than Chapman and Jouguet's: overdrive >= 1");
    return reaction;
  }

  static ReactingState ahead() { return {{1, 0, 0, 0, 1}, 1}; }

  /// The strong branch of the Hugoniot curve with the heat of 1 - Y released: D being the mass flux, x = 1 -
  /// 1 / rho solves (gamma + 1) D^2 x^2 / 2 - (D^2 - gamma) x + (gamma - 1) heat_release (1 - Y) = 0. The
  /// discriminant is written so that nothing cancels where Chapman and Jouguet's wave ends, at surplus_ = Y =
  /// 0.
  ReactingState at(double y) const {
    const double d2 = speed_ * speed_;
    const double x = (drive_ + std::sqrt(surplus_ + heat_ * y)) / ((gas_.gamma + 1) * d2);
    return {{1 / (1 - x), speed_ * x, 0, 0, 1 + d2 * x}, y};
  }

  ReactingAverage conserved(const ReactingState& state) const {
    return {to_conserved(state.flow, gas_), state.flow.density * state.mass_fraction};
  }

  /// dx/ds with s = -ln Y: a particle has the velocity D / rho relative to the shock.
  double distance_per_depletion(double s) const {
    const Primitive<double> q = at(std::exp(-s)).flow;
    return speed_ / q.density * std::exp(reaction_.activation_energy * q.density / q.pressure) /
           reaction_.rate;
  }

  IdealGas<double> gas_;
  Reaction reaction_;
  double speed_;
  double drive_, heat_,
      surplus_;  ///< D^2 - gamma; the heat and what drive_^2 exceeds it by, as at() uses them
  InvertedIntegral distance_;
};

}  // namespace halfstep
