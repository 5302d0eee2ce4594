#include "physics/solids/bodies.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "physics/base/choice.hpp"
#include "physics/base/short_text.hpp"
#include "physics/shapes/distances.hpp"
#include "physics/shapes/surfaces.hpp"
#include "physics/solids/coverage.hpp"
#include "physics/solids/placement.hpp"

namespace halfstep {
namespace {

enum class WallKind { automatic, slip, no_slip };

constexpr Choice<WallKind> kWallKinds[] = {
    {WallKind::automatic, "auto", "no_slip in a viscous gas, slip in an inviscid one"},
    {WallKind::slip, "slip", "only the velocity through the surface is the wall's"},
    {WallKind::no_slip, "no_slip", "the velocity is the wall's"},
};

constexpr std::size_t kLongestName = 100;

/// Surfaces one after another: each is united with those before it, or cut out of them.
class CompoundSurface final : public Surface {
 public:
  struct Part {
    std::shared_ptr<const Surface> surface;
    bool is_cut_out;
  };
  explicit CompoundSurface(std::vector<Part> parts) : parts_(std::move(parts)) {}

  /// Where surfaces meet inside of a body or outside of a cut, at an angle, the distance is too small.
  double distance(const Point& x) const override {
    double result = parts_[0].surface->distance(x);
    for (std::size_t n = 1; n < parts_.size(); ++n) {
      const double own = parts_[n].surface->distance(x);
      // Keeps what is not a number: std::min and std::max would hide it in one of their places.
      if (parts_[n].is_cut_out)
        result = -own > result || std::isnan(own) ? -own : result;
      else
        result = own < result || std::isnan(own) ? own : result;
    }
    return result;
  }
  bool is_lipschitz() const override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const Part& part) { return part.surface->is_lipschitz(); });
  }

 private:
  std::vector<Part> parts_;
};

std::vector<Parameter> wall_parameters(const std::string& center) {
  const std::vector<double> origin{0, 0, 0};
  std::string kinds;
  for (const auto& kind : kWallKinds)
    kinds += (kinds.empty() ? "" : "; ") + std::string(kind.name) + ": " + std::string(kind.summary);
  return {
      {.name = "wall",
       .fallback = std::string("auto"),
       .unit = "",
       .meaning = kinds,
       .choices = names(kWallKinds)},
      {"temperature", 0.0, "temperature", "p / density of a wall without slip; 0 = adiabatic", at_least(0)},
      {"velocity", origin, "speed", "velocity of a wall without slip, which slides within itself"},
      {"spin", origin, "1 / time", "rate of a rotation of a wall without slip, as a vector along its axis"},
      {.name = "about",
       .fallback = origin,
       .unit = "length",
       .meaning = "a point of that axis",
       .computed = {center + ", where it has been placed",
                    [](const Values& v) {
                      const Point own = Placement(v).placed(center_of(v));
                      return std::vector<double>(own.begin(), own.end());
                    }}},
  };
}

std::shared_ptr<const Surface> placed_surface(const Values& values, const NamedNumbers& names,
                                              const Mesh& mesh, const FileReader& read) {
  const Placement placement(values);
  placement.expect_in(mesh);
  std::shared_ptr<const Surface> surface = make_surface(values, names, mesh, read);
  return placement.is_none() ? surface : std::make_shared<PlacedSurface>(surface, placement);
}

/// Throws ShapeError where the wall is not that of a gas of its kind.
void expect_sound_wall(const Values& values, bool viscous) {
  const WallKind kind = value_of(kWallKinds, values.word("wall"));
  if (kind == WallKind::no_slip && !viscous)
    throw ShapeError("wall", "an inviscid gas sticks to no wall", "give gas.viscosity, or take wall: slip");
  if (viscous && kind != WallKind::slip) return;
  const std::pair<const char*, bool> given[] = {{"temperature", values.real("temperature") != 0},
                                                {"velocity", point(values.reals("velocity")) != Point{}},
                                                {"spin", point(values.reals("spin")) != Point{}}};
  for (const auto& [key, is_given] : given)
    if (is_given)
      throw ShapeError(key, std::string("a wall with slip has no ") + key,
                       viscous ? "take wall: no_slip" : "an inviscid gas slips: give gas.viscosity");
}

Wall wall_of(const Values& values, const Mesh& mesh, bool viscous) {
  expect_sound_wall(values, viscous);
  Wall wall{.slip = !viscous || values.word("wall") == "slip",
            .temperature = values.real("temperature"),
            .velocity = point(values.reals("velocity")),
            .spin = point(values.reals("spin")),
            .about = point(values.reals("about"))};
  // Along an axis with one cell every place is as far as the axis of the rotation.
  for (int axis = 0; axis < 3; ++axis)
    if (!mesh.active(axis)) wall.about[axis] = 0.5 * (mesh.lower[axis] + mesh.upper[axis]);
  return wall;
}

/// Throws ShapeError where an entry gives its body another wall than the body's first entry.
void expect_same_wall(const Values& first, const Values& entry, const std::string& name) {
  for (const Parameter& own : wall_parameters("")) {
    const bool is_given =
        own.computed.of_block ? point(entry.reals("spin")) != Point{} : entry.at(own.name) != own.fallback;
    if (is_given && entry.at(own.name) != first.at(own.name))
      throw ShapeError(own.name, "the body '" + name + "' has another " + own.name + " by its first entry",
                       "a body has one wall: give it in the first of its entries alone");
  }
}

void expect_name(const std::string& name) {
  const bool has_letters =
      std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (!has_letters || name.size() > kLongestName || std::isdigit(static_cast<unsigned char>(name[0])))
    throw ShapeError("name", "'" + name + "' is no name for a body",
                     "a name has letters, digits and '_', " + std::to_string(kLongestName) +
                         " at most, and begins with no digit");
}

/// The entries that make one body.
struct Group {
  std::string name;
  std::vector<std::size_t> entries;
};

/// Returns what `make` returns, and makes SolidError of the ShapeError that it throws.
template <class Make>
auto blaming(std::size_t entry, const Make& make) {
  try {
    return make();
  } catch (const ShapeError& error) {
    throw SolidError(entry, error);
  }
}

/// Puts an entry into the group of its name. Throws ShapeError for one that is cut out of nothing, and for a
/// name that cannot be one.
void add_to_group(std::vector<Group>& groups, const Values& entry, std::size_t number) {
  std::string name = entry.word("name");
  if (name.empty()) name = "body_" + std::to_string(groups.size());
  expect_name(name);
  const auto same =
      std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.name == name; });
  if (same == groups.end() && entry.flag("subtract"))
    throw ShapeError("subtract", "there is nothing to cut the shape out of",
                     "give it the name of a body that stands above it");
  if (same == groups.end())
    groups.push_back({name, {number}});
  else
    same->entries.push_back(number);
}

Body make_body(const Group& group, const Items& entries, const NamedNumbers& names, const Mesh& mesh,
               bool viscous, const FileReader& read) {
  const Values& first = entries[group.entries[0]];
  std::vector<CompoundSurface::Part> parts;
  for (const std::size_t n : group.entries)
    blaming(n, [&] {
      if (n != group.entries[0]) expect_same_wall(first, entries[n], group.name);
      parts.push_back({placed_surface(entries[n], names, mesh, read), entries[n].flag("subtract")});
    });
  Body body{group.name, parts[0].surface, {}};
  if (parts.size() > 1) body.surface = std::make_shared<CompoundSurface>(std::move(parts));
  body.wall = blaming(group.entries[0], [&] { return wall_of(first, mesh, viscous); });
  return body;
}

std::string text(const Point& x) {
  return "(" + short_text(x[0]) + ", " + short_text(x[1]) + ", " + short_text(x[2]) + ")";
}

/// Throws ShapeError for a body without a cell in it, and for one that leaves the gas none.
void expect_cells(const Body& body, const Mesh& mesh) {
  const Coverage covered = coverage({body.surface.get()}, mesh);
  if (covered.undefined)
    throw ShapeError("function", "the function has no finite value at " + text(*covered.undefined),
                     "it needs one in every cell, negative inside of the body");
  if (!covered.touches)
    throw ShapeError("", "the body '" + body.name + "' lies outside of the mesh",
                     "the mesh extends from " + text(mesh.lower) + " to " + text(mesh.upper));
  if (!covered.inside)
    throw ShapeError("", "the body '" + body.name + "' holds no cell's centre",
                     "it is thinner than the cells there, or cut away: make it larger, or the cells smaller");
  if (!covered.outside)
    throw ShapeError("", "the body '" + body.name + "' fills the mesh: no cell's centre is left to the gas",
                     "the mesh extends from " + text(mesh.lower) + " to " + text(mesh.upper));
}

/// Throws SolidError where all bodies together leave the gas no cell. The last one is to blame.
void expect_gas(const std::vector<Body>& bodies, const std::vector<Group>& groups, const Mesh& mesh) {
  if (bodies.size() < 2) return;
  std::vector<const Surface*> surfaces;
  for (const Body& body : bodies) surfaces.push_back(body.surface.get());
  if (!coverage(surfaces, mesh).outside)
    throw SolidError(groups.back().entries[0],
                     {"", "the bodies fill the mesh: no cell's centre is left to the gas",
                      "leave one of them out, or make them smaller"});
}

}  // namespace

std::vector<ItemKind> solid_kinds() {
  std::vector<ItemKind> kinds = surface_kinds();
  for (ItemKind& kind : kinds) {
    const std::string center = name_of_center(kind.name);
    const auto add = [&](const std::vector<Parameter>& more) {
      kind.parameters.insert(kind.parameters.end(), more.begin(), more.end());
    };
    add(placement_parameters(center));
    add({{"name", std::string(), "",
          "name of the body; entries with one name are one body, others have the names body_0, body_1, ..."},
         {"subtract", false, "", "whether the shape is cut out of what its body has so far"}});
    add(wall_parameters(center));
  }
  return kinds;
}

std::vector<Body> make_bodies(const Items& entries, const NamedNumbers& names, const Mesh& mesh, bool viscous,
                              const FileReader& read) {
  std::vector<Group> groups;
  for (std::size_t n = 0; n < entries.size(); ++n) blaming(n, [&] { add_to_group(groups, entries[n], n); });
  std::vector<Body> bodies;
  for (const Group& group : groups) {
    bodies.push_back(make_body(group, entries, names, mesh, viscous, read));
    blaming(group.entries[0], [&] { expect_cells(bodies.back(), mesh); });
  }
  expect_gas(bodies, groups, mesh);
  return bodies;
}

}  // namespace halfstep
