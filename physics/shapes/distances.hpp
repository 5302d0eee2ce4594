// Exact signed distances from primitive shapes, negative inside.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Returns the place or vector with the three numbers of a parameter.
inline Point point(const std::vector<double>& list) { return {list[0], list[1], list[2]}; }
inline double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Point& a) { return std::sqrt(dot(a, a)); }
inline Point sum(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Point multiple(double factor, const Point& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A place in a plane.
struct PlanePoint {
  double x = 0, y = 0;
};
inline PlanePoint operator-(PlanePoint a, PlanePoint b) { return {a.x - b.x, a.y - b.y}; }
inline double dot(PlanePoint a, PlanePoint b) { return a.x * b.x + a.y * b.y; }
inline double cross(PlanePoint a, PlanePoint b) { return a.x * b.y - a.y * b.x; }

/// Returns the distance from a box, or from what has sides at right angles as it: `beyond` has how far a
/// place is beyond each pair of sides, negative between them. Without sides all is deep inside.
inline double distance_from_sides(std::initializer_list<double> beyond) {
  double outside = 0, inside = -std::numeric_limits<double>::infinity();
  for (const double b : beyond) {
    outside += b > 0 ? b * b : 0;
    inside = std::max(inside, b);
  }
  return outside > 0 ? std::sqrt(outside) : inside;
}

/// Returns the distance, never negative, of p from the line between a and b.
inline double distance_from_segment(PlanePoint p, PlanePoint a, PlanePoint b) {
  const PlanePoint along = b - a, from = p - a;
  const double length = dot(along, along);
  const double share = length > 0 ? std::clamp(dot(from, along) / length, 0.0, 1.0) : 0;
  return std::hypot(from.x - share * along.x, from.y - share * along.y);
}

/// Returns the distance from a cone around the axis from the height 0, where it has the radius `lower`, to
/// `height`, where it has `upper`. The place is at the height `along` and at `across` from the axis.
inline double distance_from_cone(double along, double across, double height, double lower, double upper) {
  const PlanePoint p{across, along}, low{lower, 0}, high{upper, height};
  const double nearest = std::min({distance_from_segment(p, {0, 0}, low), distance_from_segment(p, low, high),
                                   distance_from_segment(p, high, {0, height})});
  const bool is_inside = along > 0 && along < height && across < lower + (upper - lower) * (along / height);
  return is_inside ? -nearest : nearest;
}

/// Returns the distance from a polygon whose sides do not cross each other.
inline double distance_from_polygon(PlanePoint p, const std::vector<PlanePoint>& vertices) {
  double nearest = std::numeric_limits<double>::infinity();
  bool is_inside = false;
  for (std::size_t n = 0, last = vertices.size() - 1; n < vertices.size(); last = n++) {
    const PlanePoint a = vertices[last], b = vertices[n];
    nearest = std::min(nearest, distance_from_segment(p, a, b));
    // Counts the sides that a ray along x meets; each has its lower end and not its upper one.
    if ((a.y > p.y) != (b.y > p.y) && (cross(b - a, p - a) > 0) == (b.y > a.y)) is_inside = !is_inside;
  }
  return is_inside ? -nearest : nearest;
}

}  // namespace halfstep
