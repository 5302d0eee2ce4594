#include "physics/shapes/level_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/shapes/distances.hpp"

namespace halfstep {
namespace {

constexpr double kNearCells = 8;  // of the largest width; beyond, the sign is all that counts
constexpr int kIterations = 8;

}  // namespace

LevelSet::LevelSet(const FieldValue& function, const NamedNumbers& names, const Mesh& mesh)
    : constant_(function.number), active_{mesh.active(0), mesh.active(1), mesh.active(2)} {
  if (!function.expression.empty()) function_.emplace(function.expression, names);
  double least = std::numeric_limits<double>::infinity(), greatest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!active_[axis]) continue;
    least = std::min(least, mesh.least_width(axis));
    for (int i = 0; i < mesh.cells[axis]; ++i) greatest = std::max(greatest, mesh.width(axis, i));
  }
  // Differences over so much have errors by curvature and by round-off that are both of no account.
  step_ = 1e-4 * least;
  near_ = kNearCells * greatest;
}

Point LevelSet::gradient(const Point& x) const {
  Point slope{};
  for (int axis = 0; axis < 3; ++axis) {
    if (!active_[axis]) continue;
    Point lower = x, upper = x;
    lower[axis] -= step_;
    upper[axis] += step_;
    slope[axis] = (value(upper) - value(lower)) / (upper[axis] - lower[axis]);
  }
  return slope;
}

double LevelSet::distance(const Point& x) const {
  const double here = value(x), sign = here < 0 ? -1 : 1;
  if (!std::isfinite(here)) return std::numeric_limits<double>::quiet_NaN();
  Point slope = gradient(x);
  const double first = std::abs(here) / norm(slope);
  // A gradient of 0 is that of a place far from the surface, e.g. a centre.
  if (!(first < near_)) return sign * (std::isfinite(first) ? first : std::numeric_limits<double>::max());
  // Chopp (2001): to the surface along the gradient, and within the tangent plane below x.
  Point foot = x;
  double at_foot = here;
  for (int n = 0; n < kIterations; ++n) {
    const double steepness = dot(slope, slope);
    const Point offset = difference(x, foot);
    const Point moved = sum(offset, multiple((-at_foot - dot(offset, slope)) / steepness, slope));
    foot = sum(foot, moved);
    at_foot = value(foot);
    slope = gradient(foot);
    if (!(norm(moved) > 1e-9 * near_)) break;
  }
  const double found = norm(difference(x, foot));
  const bool is_on_surface = std::abs(at_foot) < 1e-3 * (std::abs(here) + step_ * norm(slope));
  return sign * (is_on_surface && found < 2 * near_ ? found : first);
}

}  // namespace halfstep
