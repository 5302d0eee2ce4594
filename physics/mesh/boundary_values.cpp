#include "physics/mesh/boundary_values.hpp"

#include "physics/gas/gases.hpp"
namespace halfstep {
namespace {

Parameter positive_field(const std::string& name, const std::string& meaning) {
  Parameter parameter{name, FieldValue{1}, "", meaning + ", a number or an expression in x, y, z and t",
                      positive()};
  parameter.format = Format::place_and_time;
  parameter.required = true;
  return parameter;
}

Parameter velocity(const std::string& meaning, bool is_required) {
  Parameter parameter{"velocity", std::vector<FieldValue>(3), "", meaning};
  parameter.format = Format::place_and_time;
  parameter.required = is_required;
  return parameter;
}

Parameter fractions(const std::string& meaning) {
  Parameter parameter{"scalars", NamedFields{}, "", meaning, between(0, 1)};
  parameter.format = Format::place_and_time;
  return parameter;
}

Parameter fractions_of_inflow() {
  return fractions(
      "mass fractions of what flows in, by name; a scalar without one has that of the cell inside");
}

Parameter second_gas() {
  Parameter parameter{"second_gas", FieldValue{0}, "", "volume fraction of the second gas there",
                      between(0, 1)};
  parameter.format = Format::place_and_time;
  return parameter;
}

/// Returns the keys that confine a boundary condition to a part of its side.
std::vector<Parameter> part_of_side() {
  Parameter where{"where", FieldValue{1}, "",
                  "the part of the side that this holds for: where the number or expression in x, y and z is "
                  "not 0, for example \"(y - 0.5)^2 + z^2 < 0.01\""};
  where.format = Format::formula_of_place;
  Parameter elsewhere{"elsewhere", std::string("reflecting"), "", "the side outside of that part"};
  for (const Boundary kind : {Boundary::reflecting, Boundary::outflow})
    elsewhere.choices.emplace_back(name_of(kBoundaries, kind));
  return {where, elsewhere};
}

/// Returns the values of a boundary.
std::vector<Parameter> values_of(Boundary kind) {
  switch (kind) {
    case Boundary::state:
      return {positive_field("density", "density beyond the side"),
              velocity("velocity (x, y, z) there, numbers or expressions", false),
              positive_field("pressure", "pressure there"),
              fractions("mass fractions there, by name; of a scalar without one it is 0"), second_gas()};
    case Boundary::far_field:
      return {positive_field("density", "density beyond the side"),
              velocity("velocity (x, y, z) there, numbers or expressions", false),
              positive_field("pressure", "pressure there"), fractions_of_inflow()};
    case Boundary::subsonic_outflow:
      return {positive_field("pressure", "static pressure at the side")};
    case Boundary::subsonic_inflow:
      return {velocity("velocity (x, y, z) of what flows in, numbers or expressions", true),
              positive_field("temperature", "temperature of what flows in, p / density"),
              fractions_of_inflow()};
    case Boundary::reservoir:
      return {positive_field("total_pressure", "pressure of the gas where it is at rest"),
              positive_field("total_temperature", "temperature there, p / density"), fractions_of_inflow()};
    default:
      return {};
  }
}

std::vector<Parameter> parameters_of(Boundary kind) {
  std::vector<Parameter> all = values_of(kind);
  if (!all.empty())
    for (Parameter& parameter : part_of_side()) all.push_back(std::move(parameter));
  return all;
}

}  // namespace

std::vector<ItemKind> boundary_kinds() {
  std::vector<ItemKind> kinds;
  for (const auto& [value, name, summary] : kBoundaries)
    kinds.push_back({std::string(name), std::string(summary), parameters_of(value)});
  return kinds;
}

Items without_values(const std::array<Boundary, 2>& sides) {
  Items items(2);
  for (std::size_t side = 0; side < 2; ++side)
    items[side].set(kBoundaryKey, std::string(name_of(kBoundaries, sides[side])));
  return items;
}

Formula formula_of(const FieldValue& value, const NamedNumbers& names, Formulas& formulas) {
  return value.expression.empty() ? formulas.constant(value.number)
                                  : formula_of(value.expression, names, formulas);
}

namespace {

void set_state(DirichletState& states, int axis, int side, const Values& values, const NamedNumbers& names) {
  Formulas& formulas = states.formulas;
  const auto field = [&](const char* name) {
    return formula_of(values.get<FieldValue>(name), names, formulas);
  };
  const auto component = [&](std::size_t n) {
    return formula_of(values.get<std::vector<FieldValue>>("velocity")[n], names, formulas);
  };
  const Formula zero = formulas.constant(0), one = formulas.constant(1);
  switch (value_of(kBoundaries, values.word(kBoundaryKey))) {
    case Boundary::subsonic_outflow:
      return states.set_side(axis, side, {one, zero, zero, zero, field("pressure")});
    case Boundary::subsonic_inflow:
      return states.set_side(axis, side,
                             {one, component(0), component(1), component(2), field("temperature")});
    case Boundary::reservoir: {
      const Formula pressure = field("total_pressure");
      return states.set_side(axis, side, {pressure / field("total_temperature"), zero, zero, zero, pressure});
    }
    default:
      return states.set_side(axis, side,
                             {field("density"), component(0), component(1), component(2), field("pressure")});
  }
}

/// Sets the mass fractions that a side gives, of the scalars in their order.
void set_fractions(DirichletState& states, int axis, int side, const NamedFields& given,
                   const NamedNumbers& names, const std::vector<std::string>& scalars) {
  for (const auto& [name, fraction] : given)
    for (std::size_t s = 0; s < scalars.size(); ++s)
      if (scalars[s] == name)
        states.set_fraction(axis, side, static_cast<int>(s), formula_of(fraction, names, states.formulas));
}

}  // namespace

void set_side(DirichletState& states, int axis, int side, const Values& values, const NamedNumbers& names,
              const std::vector<std::string>& scalars) {
  set_state(states, axis, side, values, names);
  const Boundary kind = value_of(kBoundaries, values.word(kBoundaryKey));
  if (kind == Boundary::state && values.get<FieldValue>("second_gas") != FieldValue{})
    set_fractions(states, axis, side, {{kSecondGas, values.get<FieldValue>("second_gas")}}, names, scalars);
  if (kind != Boundary::subsonic_outflow)
    set_fractions(states, axis, side, values.get<NamedFields>("scalars"), names, scalars);
  if (const FieldValue& where = values.get<FieldValue>("where"); where != FieldValue{1})
    states.set_part(axis, side, formula_of(where, names, states.formulas),
                    value_of(kBoundaries, values.word("elsewhere")));
}

}  // namespace halfstep
