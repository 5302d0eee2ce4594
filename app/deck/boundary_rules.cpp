#include "app/deck/boundary_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

#include "app/deck/hexahedra_rules.hpp"
#include "app/deck/spelling.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/hexahedra/element_map.hpp"
#include "physics/mesh/boundary_values.hpp"
#include "physics/mesh/characteristics.hpp"

namespace halfstep {
namespace {

/// A place and a time at which the values of a side are looked at.
struct Instant {
  double x[3], t;
};

std::string text_of(const Instant& at) {
  return fmt::format("at ({:.6g}, {:.6g}, {:.6g}), time {:.6g}", at.x[0], at.x[1], at.x[2], at.t);
}

/// The most places of a side to look at.
constexpr std::int64_t kMost = 2000;

class SideRules {
 public:
  SideRules(ValidatedDeck& deck, Diagnostics& errors, Side side, const SideOfDeck& own)
      : deck_(deck),
        problem_(deck.config.problem),
        values_(*own.values),
        side_(side),
        key_(own.key),
        name_(deck.config.mesh_file.empty() ? fmt::format("{}[{}]", key_, side.side) : key_),
        errors_(errors) {}

  void apply() {
    try {
      set_side(problem_.dirichlet, side_.axis, side_.side, values_, deck_.names, problem_.scalars);
    } catch (const std::length_error& e) {
      return refuse("", fmt::format("the values of all boundaries together are {}", e.what()),
                    "use shorter expressions, or the same on several sides");
    }
    find_places();
    if (places_.empty())
      return refuse(".where", fmt::format("no cell at the side lies where '{}.where' holds", name_),
                    problem_.hexahedra ? "the places are the middles of the elements' faces"
                                       : "the places are the middles of the cells beyond the side");
    if (check_ranges()) check_states();
  }

 private:
  Boundary kind() const { return problem_.boundary[side_.axis][side_.side]; }

  void refuse(const std::string& value, const std::string& message, const std::string& help = "") {
    // A block for both sides has no number.
    const std::string own = name_ + value;
    const bool is_own = deck_.given.count(own) || deck_.block_places.count(own);
    errors_.error(!is_own && deck_.given.count(key_ + value) ? deck_.place_of(key_ + value)
                  : is_own                                   ? deck_.place_of(own)
                                                             : deck_.place_of_item(key_, side_.side),
                  message, help);
  }

  /// Finds the middles of the cells beyond the side to look at, in the part where its values hold.
  void find_places() {
    if (problem_.hexahedra) return find_places_of_faces(*problem_.hexahedra);
    const Mesh& mesh = problem_.mesh;
    const int first = side_.axis == 0 ? 1 : 0, second = side_.axis == 2 ? 1 : 2;
    const auto place = [&](std::int64_t n) {
      int cell[3];
      cell[side_.axis] = side_.side == 0 ? -1 : mesh.cells[side_.axis];
      cell[first] = static_cast<int>(n % mesh.cells[first]);
      cell[second] = static_cast<int>(n / mesh.cells[first]);
      return mesh.center(cell[0], cell[1], cell[2]);
    };
    std::int64_t count = std::int64_t{mesh.cells[first]} * mesh.cells[second];
    std::vector<std::int64_t> held;
    const DirichletState& states = problem_.dirichlet;
    const bool has_parts = states.has_parts(side_.axis, side_.side);
    for (std::int64_t n = 0; has_parts && n < count; ++n)
      if (states.kind_at(side_.axis, side_.side, place(n).data(), kind()) == kind()) held.push_back(n);
    if (has_parts) count = std::ssize(held);
    const std::int64_t looks = std::min(count, kMost);
    for (std::int64_t look = 0; look < looks; ++look) {
      const std::int64_t n = look * count / looks;
      places_.push_back(place(has_parts ? held[static_cast<std::size_t>(n)] : n));
    }
  }

  /// Finds the middles of the elements' faces in the same way.
  void find_places_of_faces(const Hexahedra& mesh) {
    const DirichletState& states = problem_.dirichlet;
    const bool has_parts = states.has_parts(side_.axis, side_.side);
    std::vector<std::array<double, 3>> all;
    for (std::int32_t element = 0; element < mesh.count; ++element)
      for (int face = 0; face < mesh.faces(); ++face)
        if (mesh.neighbour(element, face).side == 2 * side_.axis + side_.side) {
          const Point x = middle_of_face(mesh, element, face);
          if (!has_parts || states.kind_at(side_.axis, side_.side, x.data(), kind()) == kind())
            all.push_back(x);
        }
    const std::int64_t count = std::ssize(all), looks = std::min(count, kMost);
    for (std::int64_t look = 0; look < looks; ++look)
      places_.push_back(all[static_cast<std::size_t>(look * count / looks)]);
  }

  /// Looks at the first instant for which fails(instant) is true.
  std::optional<Instant> first_of(const std::function<bool(const Instant&)>& fails) const {
    constexpr int kTimes = 17;
    for (int time = 0; time < kTimes; ++time)
      for (const auto& [x, y, z] : places_) {
        const Instant at{{x, y, z}, deck_.config.limits.end * time / (kTimes - 1)};
        if (fails(at)) return at;
      }
    return std::nullopt;
  }

  /// Refuses values that are not finite or not in their parameter's range.
  bool check_ranges() {
    bool good = true;
    for (const ItemKind& kind : boundary_kinds())
      if (kind.name == values_.word(kBoundaryKey))
        for (const Parameter& parameter : kind.parameters) good = check_range(parameter) && good;
    return good;
  }
  bool check_range(const Parameter& parameter) {
    const std::string name = "." + parameter.name;
    if (const auto* one = std::get_if<FieldValue>(&values_.at(parameter.name)))
      return check_range(parameter, name, name, *one);
    bool good = true;
    if (const auto* list = std::get_if<std::vector<FieldValue>>(&values_.at(parameter.name)))
      for (std::size_t n = 0; n < list->size(); ++n)
        good = check_range(parameter, name, fmt::format("{}[{}]", name, n), (*list)[n]) && good;
    if (const auto* named = std::get_if<NamedFields>(&values_.at(parameter.name)))
      for (const auto& [own, value] : *named)
        good = check_range(parameter, name + "." + own, name + "." + own, value) && good;
    return good;
  }
  bool check_range(const Parameter& parameter, const std::string& place, const std::string& name,
                   const FieldValue& given) {
    if (given.expression.empty()) return true;
    Formulas own;
    const int result = formula_of(given, deck_.names, own).index();
    double results[Formulas::kMaxOperations];
    const auto at = first_of([&](const Instant& instant) {
      own.evaluate(result + 1, instant.x, instant.t, results);
      return !std::isfinite(results[result]) || !parameter.range.has(results[result]);
    });
    if (!at) return true;
    const std::string range = range_text(parameter.range);
    refuse(place, fmt::format("'{}{}' is {} {}", name_, name, results[result], text_of(*at)),
           range.empty() ? "it must be finite" : "it must be finite and " + range);
    return false;
  }

  Primitive<double> reference(const Instant& at) const {
    return problem_.dirichlet.at(side_.axis, side_.side, at.x, at.t);
  }

  void check_states() {
    const IdealGas<double> gas{problem_.gamma};
    // A curved side has no normal of its own: what flows in there is for the solver to see.
    if (kind() == Boundary::subsonic_inflow && !problem_.hexahedra) {
      if (const auto at = first_of([&](const Instant& i) { return side_.outward(reference(i)) > 0; }))
        refuse(".velocity", fmt::format("the velocity points out of the domain {}", text_of(*at)),
               side_.side == 0 ? "at a lower side gas flows in along the axis"
                               : "at an upper side gas flows in against the axis");
      else if (const auto fast = first_of([&](const Instant& i) {
                 return -side_.outward(reference(i)) >= speed_of_sound(reference(i), gas);
               }))
        refuse(".velocity", fmt::format("the inflow is faster than sound {}", text_of(*fast)),
               "take 'state', which gives the pressure, too");
    }
    const bool is_single = problem_.scheme.precision == Precision::single_precision;
    const auto lost =
        first_of([&](const Instant& i) { return !(is_single ? is_held<float>(i) : is_held<double>(i)); });
    if (lost)
      refuse("",
             fmt::format("'{}' is no admissible state in {} precision {}", name_,
                         is_single ? "single" : "double", text_of(*lost)),
             "its pressure is lost beside the kinetic energy, or a number is too large or too small");
  }

  /// Whether the reference state is still admissible as a state of the solver.
  template <class Real>
  bool is_held(const Instant& at) const {
    const Conserved<double> c = to_conserved(reference(at), IdealGas<double>{problem_.gamma});
    return is_admissible(Conserved<Real>{Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)},
                         IdealGas<Real>{Real(problem_.gamma)});
  }

  ValidatedDeck& deck_;
  Problem& problem_;
  const Values& values_;
  Side side_;
  std::string key_, name_;  // of the side's axis, and of the side
  Diagnostics& errors_;
  std::vector<std::array<double, 3>> places_;
};

}  // namespace

void set_boundary_values(ValidatedDeck& deck, Diagnostics& errors) {
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side)
      if (const auto own = side_of_deck(deck.config, axis, side);
          own && has_values(deck.config.problem.boundary[axis][side]))
        SideRules(deck, errors, {axis, side}, *own).apply();
}

}  // namespace halfstep
