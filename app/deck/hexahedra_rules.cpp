#include "app/deck/hexahedra_rules.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <string>

#include "physics/hexahedra/hexahedra_error.hpp"
#include "physics/hexahedra/map_kinds.hpp"

namespace halfstep {
namespace {

bool has_map(const RunConfig& config) { return config.map[0].word(kMapKey) != kNoMap; }

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

}  // namespace

void set_hexahedra(ValidatedDeck& deck, Diagnostics& errors) {
  RunConfig& config = deck.config;
  if (!deck.sound({"mesh.map"}) || !has_map(config)) return;
  if (config.problem.scheme.method != Method::flux_reconstruction) {
    errors.error(deck.place_of("mesh.map"), "'mesh.map' beside 'scheme.method: finite_volumes'",
                 "scheme.method: flux_reconstruction has elements that can be curved");
    return;
  }
  if (!deck.sound({"mesh.order", "mesh.boundary.x", "mesh.boundary.y", "mesh.boundary.z", "gas.gamma",
                   "case.parameters"}) ||
      !is_mappable(deck, errors))
    return;
  const BoxOfElements box = box_of(config);
  try {
    config.problem.hexahedra = std::make_shared<const Hexahedra>(mapped_box(
        box, map_of(config.map[0], deck.names, {box.lower, box.upper}, config.problem.mesh.dimensions())));
  } catch (const HexahedraError& e) {
    errors.error(deck.place_of("mesh.map"), fmt::format("'mesh.map': {}", e.what()), e.remedy);
  }
}

void refuse_hexahedra(const Problem& problem) {
  if (!problem.hexahedra) return;
  throw DeckError({{.where = "mesh.map",
                    .message = "runs of curved elements are not there yet: this deck can be checked alone",
                    .help = "leave mesh.map out, and the elements are those of a box"}});
}

}  // namespace halfstep
