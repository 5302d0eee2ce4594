// A state whose primitive fields and mass fractions are numbers or functions of the place.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "physics/base/expression.hpp"
#include "physics/base/parameter.hpp"
#include "physics/cases/scalars.hpp"
#include "physics/gas/gases.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

class StateOfPlace {
 public:
  /// Takes density, velocity, pressure, reactant, scalars and second_gas from the values whose names begin
  /// with `prefix`. Throws ExpressionError for what is no expression in `names`.
  StateOfPlace(const Values& values, const std::string& prefix, const NamedNumbers& names,
               const Gases<double>& gases)
      : gases_(gases) {
    const auto& velocity = values.get<std::vector<FieldValue>>(prefix + "velocity");
    const FieldValue* const given[kCount] = {&values.get<FieldValue>(prefix + "density"), &velocity[0],
                                             &velocity[1], &velocity[2],
                                             &values.get<FieldValue>(prefix + "pressure")};
    for (int f = 0; f < kCount; ++f) fields_[f] = Field(*given[f], names);
    second_gas_ = Field(values.get<FieldValue>(prefix + "second_gas"), names);
    has_second_gas_ = values.get<FieldValue>(prefix + "second_gas") != FieldValue{};
    for (const auto& [name, fraction] : values.get<NamedFields>(prefix + "scalars"))
      fractions_.emplace_back(name, Field(fraction, names));
    const auto& reactant = values.get<FieldValue>(prefix + "reactant");
    has_reactant_ = reactant != FieldValue{};
    if (has_reactant_ && !gives(kReactant)) fractions_.emplace_back(kReactant, Field(reactant, names));
  }

  /// Whether density, velocity, pressure or the gas depends on the coordinate.
  bool depends_on(int axis) const {
    return second_gas_.depends_on(axis) ||
           std::any_of(fields_.begin(), fields_.end(),
                       [&](const Field& field) { return field.depends_on(axis); });
  }
  bool second_gas_depends_on(int axis) const { return second_gas_.depends_on(axis); }
  bool has_second_gas() const { return has_second_gas_; }
  bool density_depends_on(int axis) const { return fields_[0].depends_on(axis); }
  bool mass_depends_on(int axis, const std::string& scalar) const {
    const Field* const own = fraction(scalar);
    return own && (fields_[0].depends_on(axis) || own->depends_on(axis));
  }
  /// Whether `reactant` is given, apart from the other scalars.
  bool has_reactant() const { return has_reactant_; }
  /// Whether the state gives the mass fraction of that scalar.
  bool gives(const std::string& scalar) const { return fraction(scalar) != nullptr; }

  Conserved<double> at(const std::array<double, 3>& x) const {
    return to_conserved<double>({fields_[0](x), fields_[1](x), fields_[2](x), fields_[3](x), fields_[4](x)},
                                gases_.are_two() ? gases_.mixed(second_gas_(x)) : gases_.first);
  }
  /// Returns the volume fraction of the second gas.
  double second_gas_at(const std::array<double, 3>& x) const { return second_gas_(x); }
  double density_at(const std::array<double, 3>& x) const { return fields_[0](x); }
  /// Returns rho Y, the scalar's mass per volume; 0 where the state does not give it.
  double mass_at(const std::array<double, 3>& x, const std::string& scalar) const {
    const Field* const own = fraction(scalar);
    return own ? fields_[0](x) * (*own)(x) : 0;
  }

 private:
  static constexpr int kCount = 5;

  /// A number or a function of the place.
  class Field {
   public:
    Field() = default;
    Field(const FieldValue& value, const NamedNumbers& names) : number_(value.number) {
      if (!value.expression.empty()) expression_.emplace(value.expression, names);
    }
    bool depends_on(int axis) const { return expression_ && expression_->depends_on(axis); }
    double operator()(const std::array<double, 3>& x) const {
      return expression_ ? (*expression_)(x) : number_;
    }

   private:
    double number_ = 0;
    std::optional<Expression> expression_;
  };

  const Field* fraction(const std::string& scalar) const {
    for (const auto& [name, own] : fractions_)
      if (name == scalar) return &own;
    return nullptr;
  }

  Gases<double> gases_;
  std::array<Field, kCount> fields_;
  Field second_gas_;
  std::vector<std::pair<std::string, Field>> fractions_;
  bool has_reactant_ = false, has_second_gas_ = false;
};

}  // namespace halfstep
