// A state whose primitive fields are numbers or functions of the place.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "physics/base/expression.hpp"
#include "physics/base/parameter.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

class StateOfPlace {
 public:
  /// Takes density, velocity, pressure and reactant from the values whose names begin with `prefix`. Throws
  /// ExpressionError for what is no expression in `names`.
  StateOfPlace(const Values& values, const std::string& prefix, const NamedNumbers& names,
               const IdealGas<double>& gas)
      : gas_(gas) {
    const auto& velocity = values.get<std::vector<FieldValue>>(prefix + "velocity");
    const FieldValue* const given[kCount] = {&values.get<FieldValue>(prefix + "density"),
                                             &velocity[0],
                                             &velocity[1],
                                             &velocity[2],
                                             &values.get<FieldValue>(prefix + "pressure"),
                                             &values.get<FieldValue>(prefix + "reactant")};
    for (int f = 0; f < kCount; ++f) {
      numbers_[f] = given[f]->number;
      if (!given[f]->expression.empty()) expressions_[f].emplace(given[f]->expression, names);
    }
  }

  /// Whether any field but the reactant depends on the coordinate.
  bool depends_on(int axis) const {
    for (int f = 0; f < kReactantField; ++f)
      if (expressions_[f] && expressions_[f]->depends_on(axis)) return true;
    return false;
  }
  bool reactant_depends_on(int axis) const {
    const bool by_itself = expressions_[kReactantField] && expressions_[kReactantField]->depends_on(axis);
    return by_itself || (expressions_[0] && expressions_[0]->depends_on(axis));
  }
  bool has_reactant() const { return expressions_[kReactantField] || numbers_[kReactantField] != 0; }

  Conserved<double> at(const std::array<double, 3>& x) const {
    return to_conserved<double>({value(0, x), value(1, x), value(2, x), value(3, x), value(4, x)}, gas_);
  }
  /// Returns rho Y, the reactant's mass per volume.
  double reactant_at(const std::array<double, 3>& x) const { return value(0, x) * value(kReactantField, x); }

 private:
  static constexpr int kReactantField = 5, kCount = 6;

  double value(int f, const std::array<double, 3>& x) const {
    return expressions_[f] ? (*expressions_[f])(x) : numbers_[f];
  }

  IdealGas<double> gas_;
  std::array<double, kCount> numbers_{};
  std::array<std::optional<Expression>, kCount> expressions_;
};

}  // namespace halfstep
