#include "app/deck/hexahedra_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "app/deck/nearest.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "physics/hexahedra/cgns_file.hpp"
#include "physics/hexahedra/hexahedra_error.hpp"
#include "physics/hexahedra/map_kinds.hpp"

namespace halfstep {

bool has_map(const RunConfig& config) { return config.map[0].word(kMapKey) != kNoMap; }

namespace {

void refuse_finite_volumes(const ValidatedDeck& deck, const std::string& key, Diagnostics& errors) {
  errors.error(deck.place_of(key), fmt::format("'{}' beside 'scheme.method: finite_volumes'", key),
               "scheme.method: flux_reconstruction has elements that can be curved");
}

BoxOfElements box_of(const RunConfig& config) {
  const Problem& problem = config.problem;
  BoxOfElements box{.count = config.cells,
                    .lower = problem.mesh.lower,
                    .upper = problem.mesh.upper,
                    .order = config.map_order};
  for (int axis = 0; axis < 3; ++axis) {
    const auto [lower, upper] = problem.boundary[axis];
    box.is_periodic[axis] = lower == Boundary::periodic && upper == Boundary::periodic;
  }
  return box;
}

/// Reports a box that no elements of two or three dimensions make.
bool is_mappable(const ValidatedDeck& deck, Diagnostics& errors) {
  constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();
  const auto [nx, ny, nz] = deck.config.cells;
  if (nx == 1 || ny == 1)
    errors.error(deck.place_of("mesh.cells"), "'mesh.map' needs elements along x and y",
                 "at least 2 along both; 1 along z makes two dimensions");
  else if (std::int64_t{nx} * ny > kMostElements / nz)
    errors.error(
        deck.place_of("mesh.cells"),
        fmt::format("{} x {} x {} elements are too many: at most {} altogether", nx, ny, nz, kMostElements),
        "take fewer elements, and a higher scheme.degree");
  else
    return true;
  return false;
}

/// Makes the points of the elements the mesh. Its ends stay those of the deck's box.
void set_points(Problem& problem) {
  problem.mesh =
      mesh_of_points(*problem.hexahedra, problem.scheme.degree, problem.mesh.lower, problem.mesh.upper);
}

}  // namespace

void set_hexahedra(ValidatedDeck& deck, Diagnostics& errors) {
  RunConfig& config = deck.config;
  if (!deck.sound({"mesh.map"}) || !has_map(config)) return;
  if (config.problem.scheme.method != Method::flux_reconstruction) {
    refuse_finite_volumes(deck, "mesh.map", errors);
    return;
  }
  if (!deck.sound({"mesh.order", "mesh.boundary.x", "mesh.boundary.y", "mesh.boundary.z", "gas.gamma",
                   "case.parameters"}) ||
      !is_mappable(deck, errors))
    return;
  try {
    config.problem.hexahedra =
        std::make_shared<const Hexahedra>(elements_of(config.map[0], deck.names, box_of(config)));
    set_points(config.problem);
  } catch (const HexahedraError& e) {
    errors.error(deck.place_of("mesh.map"), fmt::format("'mesh.map': {}", e.what()), e.remedy);
  }
}

namespace {

/// Reports what a deck with mesh.file says of another mesh.
bool is_alone(const ValidatedDeck& deck, Diagnostics& errors) {
  const RunConfig& config = deck.config;
  if (config.problem.scheme.method != Method::flux_reconstruction) {
    refuse_finite_volumes(deck, "mesh.file", errors);
    return false;
  }
  bool alone = true;
  const auto refuse = [&](const std::string& key, bool is_there, const std::string& help) {
    if (!is_there || !deck.sound({key})) return;
    errors.error(deck.place_of(key), fmt::format("'{}' beside 'mesh.file'", key), help);
    alone = false;
  };
  refuse("mesh.cells", config.cells != std::array{1, 1, 1}, "the file has the elements: leave it out");
  refuse("mesh.map", has_map(config), "the file has the elements: leave one of them out");
  for (int axis = 0; axis < 3; ++axis) {
    const std::string of_axis(1, "xyz"[axis]);
    refuse("mesh.boundary." + of_axis, config.boundary_values[axis] != without_values(kAllOutflow[axis]),
           "mesh.sides has the boundaries of the file's sides");
    refuse("mesh.spacing." + of_axis, config.spacings[axis] != uniform_spacing(),
           "the file has the elements: leave it out");
  }
  return alone;
}

const Values* values_of_side(const RunConfig& config, const std::string& name) {
  for (const auto& [own, values] : config.sides)
    if (own == name) return &values;
  return nullptr;
}

/// Sets the boundaries of the mesh's sides, and reports those that the deck or the file has not.
void set_boundaries(ValidatedDeck& deck, const Hexahedra& mesh, Diagnostics& errors) {
  RunConfig& config = deck.config;
  const std::string known = alternatives(mesh.sides);
  for (std::size_t side = 0; side < mesh.sides.size(); ++side)
    if (const Values* values = values_of_side(config, mesh.sides[side]))
      config.problem.boundary[side / 2][side % 2] = value_of(kBoundaries, values->word(kBoundaryKey));
    else
      errors.error(
          deck.place_of("mesh.sides"),
          fmt::format("'mesh.sides' has no boundary for the side {} of the file", quote(mesh.sides[side])),
          fmt::format("for example 'sides: {{{}: reflecting}}'", mesh.sides[side]));
  for (const auto& [name, values] : config.sides)
    if (std::find(mesh.sides.begin(), mesh.sides.end(), name) == mesh.sides.end())
      errors.error(deck.place_of("mesh.sides." + name),
                   fmt::format("the file has no side {}{}", quote(name), did_you_mean(name, mesh.sides)),
                   fmt::format("it has {}", known));
}

}  // namespace

void set_mesh_of_file(ValidatedDeck& deck, Diagnostics& errors) {
  RunConfig& config = deck.config;
  if (!deck.sound({"mesh.file"}) || config.mesh_file.empty()) {
    if (deck.sound({"mesh.file", "mesh.sides"}) && !config.sides.empty())
      errors.error(deck.place_of("mesh.sides"), "'mesh.sides' without 'mesh.file'",
                   "mesh.boundary has the boundaries of a box");
    return;
  }
  if (!deck.sound({"mesh.sides", "scheme.method", "scheme.degree"}) || !is_alone(deck, errors)) return;
  try {
    config.problem.hexahedra = std::make_shared<const Hexahedra>(read_cgns(config.mesh_file));
    set_points(config.problem);
    set_boundaries(deck, *config.problem.hexahedra, errors);
  } catch (const HexahedraError& e) {
    errors.error(deck.place_of("mesh.file"), fmt::format("'mesh.file': {}", e.what()), e.remedy);
  }
}

void check_sides_of_file(const ValidatedDeck& deck, Diagnostics& errors) {
  const RunConfig& config = deck.config;
  if (!config.flow_case || !config.problem.dirichlet.empty()) return;
  for (const auto& [name, values] : config.sides)
    if (value_of(kBoundaries, values.word(kBoundaryKey)) == Boundary::prescribed)
      errors.error(deck.place_of("mesh.sides." + name),
                   fmt::format("case '{}' prescribes no boundary state", deck.info->name),
                   "inflow holds the case's initial state for all time");
}

std::optional<SideOfDeck> side_of_deck(const RunConfig& config, int axis, int side) {
  const Problem& problem = config.problem;
  if (config.mesh_file.empty()) {
    if (!problem.mesh.active(axis)) return std::nullopt;
    return SideOfDeck{fmt::format("mesh.boundary.{}", "xyz"[axis]), &config.boundary_values[axis][side]};
  }
  const auto number = static_cast<std::size_t>(2 * axis + side);
  if (!problem.hexahedra || number >= problem.hexahedra->sides.size()) return std::nullopt;
  const std::string& name = problem.hexahedra->sides[number];
  const Values* values = values_of_side(config, name);
  if (!values) return std::nullopt;
  return SideOfDeck{"mesh.sides." + name, values};
}

}  // namespace halfstep
