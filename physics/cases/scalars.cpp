#include "physics/cases/scalars.hpp"

#include <algorithm>

#include "physics/cases/exact/quadrature.hpp"

namespace halfstep {

Scalars::Scalars(const NamedFields& fractions, const NamedNumbers& names, const Mesh& mesh, bool of_case,
                 const std::optional<FieldValue>& second_gas)
    : of_case_(of_case), has_second_gas_(second_gas.has_value()) {
  if (of_case) names_.push_back(kReactant);
  const auto add = [&](const std::string& name, const FieldValue& value) {
    names_.push_back(name);
    Fraction& fraction = fractions_.emplace_back(Fraction{value.number, {}, {}});
    if (value.expression.empty()) return;
    fraction.expression.emplace(value.expression, names);
    for (int axis = 0; axis < 3; ++axis)
      fraction.varies[axis] = mesh.active(axis) && fraction.expression->depends_on(axis);
  };
  for (const auto& [name, value] : fractions)
    if (name == kReactant) add(name, value);
  for (const auto& [name, value] : fractions)
    if (name != kReactant) add(name, value);
  if (second_gas) add(kSecondGas, *second_gas);
}

double Scalars::Fraction::average(const Box& cell) const {
  if (!expression) return number;
  static const GaussRule rule = gauss_rule(4);
  return box_average(rule, cell, varies, *expression);
}

bool Scalars::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

double Scalars::mass(int s, const Case& flow, const Box& cell, double density) const {
  if (of_case_ && s == 0) return flow.initial_reactant(cell);
  const Fraction& fraction = fractions_[static_cast<std::size_t>(of_case_ ? s - 1 : s)];
  const auto [known, others] = flow.initial_scalar(names_[static_cast<std::size_t>(s)], cell, density);
  return others == 0 ? known : known + others * fraction.average(cell);
}

double Scalars::volume_fraction(const Case& flow, const Box& cell) const {
  return flow.knows_volume_fraction() ? flow.initial_volume_fraction(cell) : fractions_.back().average(cell);
}

}  // namespace halfstep
