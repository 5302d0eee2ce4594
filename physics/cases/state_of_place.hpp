// A state whose primitive fields are numbers or functions of the place.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "physics/base/expression.hpp"
#include "physics/base/parameter.hpp"
#include "physics/gas/gases.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

class StateOfPlace {
 public:
  /// Takes density, velocity, pressure, reactant and second_gas from the values whose names begin with
  /// `prefix`. Throws ExpressionError for what is no expression in `names`.
  StateOfPlace(const Values& values, const std::string& prefix, const NamedNumbers& names,
               const Gases<double>& gases)
      : gases_(gases) {
    const auto& velocity = values.get<std::vector<FieldValue>>(prefix + "velocity");
    const FieldValue* const given[kCount] = {&values.get<FieldValue>(prefix + "density"),
                                             &velocity[0],
                                             &velocity[1],
                                             &velocity[2],
                                             &values.get<FieldValue>(prefix + "pressure"),
                                             &values.get<FieldValue>(prefix + "reactant"),
                                             &values.get<FieldValue>(prefix + "second_gas")};
    for (int f = 0; f < kCount; ++f) {
      numbers_[f] = given[f]->number;
      if (!given[f]->expression.empty()) expressions_[f].emplace(given[f]->expression, names);
    }
  }

  /// Whether any field but the reactant depends on the coordinate.
  bool depends_on(int axis) const {
    for (int f = 0; f < kReactantField; ++f)
      if (field_depends_on(f, axis)) return true;
    return second_gas_depends_on(axis);
  }
  bool reactant_depends_on(int axis) const {
    return field_depends_on(kReactantField, axis) || field_depends_on(0, axis);
  }
  bool second_gas_depends_on(int axis) const { return field_depends_on(kSecondGasField, axis); }
  bool has_reactant() const { return has(kReactantField); }
  bool has_second_gas() const { return has(kSecondGasField); }

  Conserved<double> at(const std::array<double, 3>& x) const {
    return to_conserved<double>({value(0, x), value(1, x), value(2, x), value(3, x), value(4, x)},
                                gases_.are_two() ? gases_.mixed(second_gas_at(x)) : gases_.first);
  }
  /// Returns rho Y, the reactant's mass per volume.
  double reactant_at(const std::array<double, 3>& x) const { return value(0, x) * value(kReactantField, x); }
  /// Returns the volume fraction of the second gas.
  double second_gas_at(const std::array<double, 3>& x) const { return value(kSecondGasField, x); }

 private:
  static constexpr int kReactantField = 5, kSecondGasField = 6, kCount = 7;

  bool has(int f) const { return expressions_[f] || numbers_[f] != 0; }
  bool field_depends_on(int f, int axis) const {
    return expressions_[f] && expressions_[f]->depends_on(axis);
  }

  double value(int f, const std::array<double, 3>& x) const {
    return expressions_[f] ? (*expressions_[f])(x) : numbers_[f];
  }

  Gases<double> gases_;
  std::array<double, kCount> numbers_{};
  std::array<std::optional<Expression>, kCount> expressions_;
};

}  // namespace halfstep
