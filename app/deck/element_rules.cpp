#include "app/deck/element_rules.hpp"

#include <fmt/format.h>

#include <string>

#include "app/deck/hexahedra_rules.hpp"
#include "physics/elements/element_axis.hpp"

namespace halfstep {

void set_elements(ValidatedDeck& deck, Diagnostics& errors) {
  Problem& problem = deck.config.problem;
  Mesh& mesh = problem.mesh;
  deck.config.limits.first_remedy = Remedy::scaling;
  if (deck.info && deck.info->needs_uniform_mesh)
    errors.error(deck.place_of("scheme.method"),
                 fmt::format("case '{}' has formulas of cells of one width, which solution points are not",
                             deck.info->name),
                 "take finite_volumes, or another case");
  for (int axis = 0; axis < 3; ++axis) {
    if (!mesh.active(axis)) continue;
    const std::string key = fmt::format("mesh.spacing.{}", "xyz"[axis]);
    if (deck.sound({key}) && deck.config.spacings[axis][0].word(kSpacingKey) != kUniformSpacing)
      errors.error(deck.place_of(key), fmt::format("'{}' beside 'scheme.method: flux_reconstruction'", key),
                   "elements are of one width: leave one of them out");
    mesh.stretched[axis] =
        axis_of_elements(deck.config.cells[axis], problem.scheme.degree, mesh.lower[axis], mesh.upper[axis],
                         problem.boundary[axis][0] == Boundary::periodic);
  }
}

namespace {

/// Refuses what needs cells with neighbours along axes.
void refuse_for_hexahedra(const ValidatedDeck& deck, Diagnostics& errors) {
  const Problem& problem = deck.config.problem;
  const auto refuse = [&](const std::string& key, bool is_there, const std::string& what,
                          const std::string& help) {
    if (is_there && deck.sound({key}))
      errors.error(deck.place_of(key), fmt::format("elements of 'mesh.map' and 'mesh.file' have no {}", what),
                   help);
  };
  refuse("case.name", deck.info && deck.info->name == "file", "cells that those of a file overlap",
         "take a case with formulas");
  for (int axis = 0; axis < 3; ++axis) {
    const auto& [lower, upper] = problem.boundary[axis];
    refuse(fmt::format("mesh.boundary.{}", "xyz"[axis]),
           problem.mesh.active(axis) && (lower == Boundary::inflow || upper == Boundary::inflow),
           "'inflow' that holds a case's state", "take 'state', with the values");
  }
}

}  // namespace

void check_elements(const ValidatedDeck& deck, Diagnostics& errors) {
  const Problem& problem = deck.config.problem;
  if (problem.scheme.method != Method::flux_reconstruction) {
    if (deck.config.limits.last_remedy == Remedy::scaling)
      errors.error(deck.place_of("soft_error.on_exhausted"),
                   "'soft_error.on_exhausted: scaling' beside 'scheme.method: finite_volumes'",
                   "cells have nothing to scale: take first_order");
    if (deck.sound({"scheme.dealiasing"}) && problem.scheme.dealiasing != Dealiasing::none)
      errors.error(deck.place_of("scheme.dealiasing"),
                   "'scheme.dealiasing' beside 'scheme.method: finite_volumes'",
                   "cells have no polynomials: leave it out");
    return;
  }
  const auto refuse = [&](const std::string& key, bool is_there, const std::string& what) {
    if (deck.sound({key}) && is_there)
      errors.error(deck.place_of(key), fmt::format("'scheme.method: flux_reconstruction' has no {}", what),
                   "take finite_volumes, or leave it out");
  };
  const bool is_plain_box =
      deck.sound({"mesh.map", "mesh.file"}) && !has_map(deck.config) && deck.config.mesh_file.empty();
  const auto refuse_in_plain_box = [&](const std::string& key, bool is_there) {
    if (is_plain_box && deck.sound({key}) && is_there)
      errors.error(
          deck.place_of(key), fmt::format("'{}' in elements of a box without 'mesh.map'", key),
          "the same elements have it with 'mesh.map: straight', at least 2 of them along x and along y");
  };
  refuse_in_plain_box("gas.viscosity", problem.terms.viscous());
  refuse_in_plain_box("scheme.dealiasing", problem.scheme.dealiasing != Dealiasing::none);
  refuse("gravity", problem.terms.has_gravity(), "gravity");
  const bool has_gradient = problem.terms.driving.pressure_gradient != std::array<double, 3>{};
  refuse("driving.pressure_gradient", has_gradient, "driving");
  refuse("driving.acceleration", problem.terms.driving.is_random(), "driving");
  refuse("source.kind", problem.source.active(), "sources");
  refuse("sponges", !deck.config.sponges.empty(), "sponges");
  refuse("solids", !deck.config.solids.empty(), "bodies");
  refuse("scalars", !problem.scalars.empty() && !problem.second_gamma, "scalars");
  refuse("gas.second.gamma", problem.second_gamma.has_value(), "second gas");
  refuse("scheme.averages", problem.has_fourth_order_flux(), "averages to correct: its points have values");
  refuse("positivity", problem.scheme.positivity != Positivity::none, "fluxes of cells to limit");
  if (problem.hexahedra) refuse_for_hexahedra(deck, errors);
  refuse("output.enstrophy", problem.enstrophy, "enstrophy");
}

}  // namespace halfstep
