#include "app/deck/spacing_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "physics/spacing/spacing.hpp"

namespace halfstep {
namespace {

std::string key_of(const std::string& block, int axis) {
  return fmt::format("mesh.{}.{}", block, "xyz"[axis]);
}

/// Makes an axis of faces. Throws SpacingError where the case or a periodic axis cannot have it.
std::shared_ptr<const StretchedAxis> axis_of(const ValidatedDeck& deck, int axis,
                                             const std::vector<double>& faces) {
  if (deck.info && deck.info->needs_uniform_mesh)
    throw SpacingError(fmt::format("case '{}' has formulas of cells of one width", deck.info->name),
                       "leave the spacing out, or take another case");
  const bool is_periodic = deck.config.problem.boundary[axis][0] == Boundary::periodic;
  auto made = std::make_shared<StretchedAxis>(faces, is_periodic);
  const double ratio = made->width(0) / made->width(-1);
  if (is_periodic && std::max(ratio, 1 / ratio) > kMostGrowth)
    throw SpacingError(
        fmt::format("its first and last cells, neighbours on a periodic axis, differ in width by a factor "
                    "of {:.3g}: at most {}",
                    std::max(ratio, 1 / ratio), kMostGrowth),
        "make both ends as wide, a computed spacing by 'towards: both'");
  return made;
}

}  // namespace

void set_spacings(ValidatedDeck& deck, Diagnostics& errors) {
  Mesh& mesh = deck.config.problem.mesh;
  for (int axis = 0; axis < 3; ++axis) {
    const std::string key = key_of("spacing", axis);
    if (!mesh.active(axis) || !deck.sound({key, key_of("boundary", axis)})) continue;
    try {
      const std::vector<double> faces =
          faces_of(deck.config.spacings[axis][0], mesh.cells[axis], mesh.lower[axis], mesh.upper[axis]);
      if (!faces.empty()) mesh.stretched[axis] = axis_of(deck, axis, faces);
    } catch (const SpacingError& e) {
      errors.error(deck.place_of(key), fmt::format("'{}': {}", key, e.what()), e.remedy());
    }
  }
}

void check_stretched(const ValidatedDeck& deck, Diagnostics& errors) {
  const Problem& problem = deck.config.problem;
  const Mesh& mesh = problem.mesh;
  if (problem.scheme.method == Method::flux_reconstruction) return;  // its axes are no deck's
  int axis = 0;
  while (axis < 3 && !mesh.is_stretched(axis)) ++axis;
  if (axis == 3) return;
  const std::string key = key_of("spacing", axis),
                    text = fmt::format("cells along {} of different widths", "xyz"[axis]);
  const auto refuse = [&](const std::string& other, const std::string& what, const std::string& help) {
    if (!deck.sound({other})) return;
    // Report at the one that was given last.
    const Place own = deck.place_of(key), others = deck.place_of(other);
    const bool is_later = others.source && own.source && others.source->order() > own.source->order();
    errors.error(is_later ? others : own, fmt::format("{} beside {}", text, what), help);
  };
  const Scheme& scheme = problem.scheme;
  if (scheme.riemann != Riemann::hllc)
    refuse("scheme.riemann", fmt::format("'scheme.riemann: {}'", name_of(kRiemanns, scheme.riemann)),
           "take hllc");
  if (scheme.positivity != Positivity::none)
    refuse("positivity", "'positivity'", "its limits are those of cells of one width: leave one of them out");
  if (problem.has_fourth_order_flux())
    refuse("scheme.averages", "'scheme.averages: fourth_order'",
           "take midpoint: the scheme is of second order here");
  if (problem.terms.viscous() && problem.terms.viscous_order == 4)
    refuse("scheme.viscous_order", "'scheme.viscous_order: 4'", "take 2");
}

}  // namespace halfstep
