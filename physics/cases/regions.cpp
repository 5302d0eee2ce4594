// A flow that the deck describes: a background and regions, each with a state of numbers or expressions.
#include <algorithm>
#include <stdexcept>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_parts.hpp"
#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/shapes.hpp"
#include "physics/cases/state_of_place.hpp"

namespace halfstep {
namespace {

/// Returns the parameters of a state whose names begin with `prefix`.
std::vector<Parameter> state_parameters(const std::string& prefix, bool required) {
  std::vector<Parameter> all = {
      {prefix + "density", FieldValue{1}, "", "density of the gas, a number or an expression in x, y and z",
       positive()},
      {prefix + "velocity", std::vector<FieldValue>(3), "",
       "velocity (x, y, z) of the gas, numbers or expressions"},
      {prefix + "pressure", FieldValue{1}, "", "pressure of the gas, a number or an expression", positive()},
      {prefix + "reactant", FieldValue{0}, "", "mass fraction of reactant, a number or an expression",
       between(0, 1)},
      {prefix + "scalars", NamedFields{}, "",
       "mass fractions by name; a scalar without one has that of the deck's own block", between(0, 1)},
      {prefix + "second_gas", FieldValue{0}, "",
       "volume fraction of the second gas, a number or an expression", between(0, 1)}};
  all[0].required = all[2].required = required;
  return all;
}

/// Returns the kinds of shapes, each with a state beside its own parameters.
std::vector<ItemKind> region_kinds() {
  std::vector<ItemKind> kinds = shape_kinds();
  for (ItemKind& kind : kinds)
    for (Parameter& parameter : state_parameters("state.", true))
      kind.parameters.push_back(std::move(parameter));
  return kinds;
}

std::string name_of_region(std::size_t n) { return "case.regions[" + std::to_string(n) + "]"; }

class Regions : public Case {
 public:
  explicit Regions(const CaseSetup& setup)
      : mesh_(setup.mesh),
        rule_(gauss_rule(static_cast<int>(setup.parameters.integer("quadrature")))),
        parts_(setup.mesh, shapes(setup), static_cast<int>(setup.parameters.integer("edge_points"))) {
    NamedNumbers names = setup.parameters.get<NamedNumbers>("parameters");
    names.emplace_back("gamma", setup.gas.gamma);
    states_.emplace_back(setup.parameters, "background.", names, setup.gases);
    for (const Values& region : setup.parameters.get<Items>("regions"))
      states_.emplace_back(region, "state.", names, setup.gases);
    for (std::size_t n = 0; n < states_.size() && !setup.gases.are_two(); ++n)
      if (states_[n].has_second_gas())
        throw CaseError({n == 0 ? "background.second_gas" : name_of_region(n - 1)},
                        "there is no second gas: gas.second.gamma gives one");
  }

  Conserved<double> initial(const Box& cell) const override {
    return average<Conserved<double>>(
        cell, [](const StateOfPlace& state, int axis) { return state.depends_on(axis); },
        [](const StateOfPlace& state, const Point& x) { return state.at(x); });
  }
  bool has_reactant() const override {
    return std::any_of(states_.begin(), states_.end(),
                       [](const auto& state) { return state.has_reactant(); });
  }
  double initial_reactant(const Box& cell) const override { return mass_of(kReactant, cell); }
  ScalarParts initial_scalar(const std::string& name, const Box& cell, double density) const override {
    const auto gives = [&](const StateOfPlace& state) { return state.gives(name); };
    const int region = parts_.region_of(cell);
    const bool in_one = region != CellParts::kCut;
    if (in_one ? !gives(states_[region + 1]) : std::none_of(states_.begin(), states_.end(), gives))
      return {0, density};
    const double mass = mass_of(name, cell);
    if (in_one) return {mass, 0};
    return {mass, average<double>(
                      cell,
                      [&](const StateOfPlace& state, int axis) {
                        return !gives(state) && state.density_depends_on(axis);
                      },
                      [&](const StateOfPlace& state, const Point& x) {
                        return gives(state) ? 0 : state.density_at(x);
                      })};
  }

  bool knows_volume_fraction() const override { return true; }
  double initial_volume_fraction(const Box& cell) const override {
    return average<double>(
        cell, [](const StateOfPlace& state, int axis) { return state.second_gas_depends_on(axis); },
        [](const StateOfPlace& state, const Point& x) { return state.second_gas_at(x); });
  }

  /// Names the regions that no cell of the mesh has a part of.
  std::vector<std::string> remarks() const override {
    std::vector<bool> seen(states_.size());
    for (int k = 0; k < mesh_.cells[2]; ++k)
      for (int j = 0; j < mesh_.cells[1]; ++j)
        for (int i = 0; i < mesh_.cells[0]; ++i) mark(mesh_.sample(i, j, k), seen);
    std::vector<std::string> all;
    for (std::size_t n = 1; n < seen.size(); ++n)
      if (!seen[n]) all.push_back(name_of_region(n - 1) + " covers no cell of the mesh");
    return all;
  }

 private:
  static std::vector<std::unique_ptr<Shape>> shapes(const CaseSetup& setup) {
    std::vector<std::unique_ptr<Shape>> all;
    for (const Values& region : setup.parameters.get<Items>("regions"))
      all.push_back(blaming(name_of_region(all.size()), [&] { return make_shape(region, setup.mesh); }));
    return all;
  }

  /// Marks the states that a cell has a part of.
  void mark(const Box& cell, std::vector<bool>& seen) const {
    const int region = parts_.region_of(cell);
    if (region != CellParts::kCut)
      seen[region + 1] = true;
    else
      parts_.for_parts(cell, [&](const CellPart& part) { seen[part.region + 1] = true; });
  }

  /// Returns the mean of rho Y of a scalar, over the part of the cell whose state gives it.
  double mass_of(const std::string& scalar, const Box& cell) const {
    return average<double>(
        cell, [&](const StateOfPlace& state, int axis) { return state.mass_depends_on(axis, scalar); },
        [&](const StateOfPlace& state, const Point& x) { return state.mass_at(x, scalar); });
  }

  const StateOfPlace& state_of(const CellPart& part) const { return states_[part.region + 1]; }

  /// Returns the mean over a cell of at(state, place), which varies along the axes with varies(state, axis).
  /// In a cell of one region whose state is constant it is that constant, to the bit.
  template <class T, class Varies, class At>
  T average(const Box& cell, const Varies& varies, const At& at) const {
    const auto mean = [&](const CellPart& part) -> T {
      static const GaussRule middle = gauss_rule(1);
      const StateOfPlace& state = state_of(part);
      return box_average(part.cut_small ? middle : rule_, part.box, axes_of(state, varies),
                         [&](const Point& x) { return at(state, x); });
    };
    if (const int region = parts_.region_of(cell); region != CellParts::kCut)
      return mean({region, cell, 1, false});
    const std::vector<CellPart> parts = merged_parts(cell, varies);
    const auto in_first = [&](const CellPart& part) { return part.region == parts[0].region; };
    if (std::all_of(parts.begin(), parts.end(), in_first)) return mean({parts[0].region, cell, 1, false});
    T sum = parts[0].share * mean(parts[0]);
    for (std::size_t n = 1; n < parts.size(); ++n) sum = sum + parts[n].share * mean(parts[n]);
    return sum;
  }

  /// Returns the axes along which a state has to be averaged.
  template <class Varies>
  std::array<bool, 3> axes_of(const StateOfPlace& state, const Varies& varies) const {
    return {mesh_.active(0) && varies(state, 0), mesh_.active(1) && varies(state, 1),
            mesh_.active(2) && varies(state, 2)};
  }

  /// Returns the parts of a cell; those that have the same constant state are one.
  template <class Varies>
  std::vector<CellPart> merged_parts(const Box& cell, const Varies& varies) const {
    std::vector<CellPart> parts;
    parts_.for_parts(cell, [&](const CellPart& part) {
      const bool is_constant = axes_of(state_of(part), varies) == std::array<bool, 3>{};
      auto same = is_constant ? parts.begin() : parts.end();
      while (same != parts.end() && same->region != part.region) ++same;
      if (same != parts.end())
        same->share += part.share;
      else
        parts.push_back(part);
    });
    return parts;
  }

  Mesh mesh_;
  GaussRule rule_;
  CellParts parts_;
  std::vector<StateOfPlace> states_;  ///< the background's, then the regions'
};

const RegisterCase registered{{
    .name = "regions",
    .summary = "a flow from the deck: a background and regions, with states of numbers or expressions",
    .reference = "Expressions are those of muParser, muparser.beltoforion.de",
    .parameters =
        [] {
          std::vector<Parameter> all = state_parameters("background.", false);
          all.push_back({.name = "regions",
                         .fallback = Items{},
                         .unit = "",
                         .meaning = "shapes, each with a state; later ones cover earlier ones",
                         .kind_key = kShapeKey,
                         .kinds = region_kinds()});
          all.push_back({"parameters", NamedNumbers{}, "",
                         "numbers by name, which all expressions but those of gas may use"});
          all.push_back({"quadrature", std::int64_t{3}, "points",
                         "Gauss points per axis for the average of an expression over a cell",
                         between(1, 16)});
          all.push_back(
              {"edge_points", std::int64_t{32}, "points",
               "per axis in a cell that an edge cuts, rounded up to a power of two; faces across an axis "
               "need none",
               between(1, 1024)});
          return all;
        }(),
    .make = [](const CaseSetup& setup) { return std::make_unique<Regions>(setup); },
}};

}  // namespace
}  // namespace halfstep
