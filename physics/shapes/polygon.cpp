#include "physics/shapes/polygon.hpp"

#include <string>

#include "physics/shapes/shape_error.hpp"

namespace halfstep {
namespace {

/// Returns on which side of the line from a to b the place p is: 1 on its left, -1 on its right, 0 on it.
int side(PlanePoint a, PlanePoint b, PlanePoint p) {
  const double area = cross(b - a, p - a);
  return (area > 0) - (area < 0);
}

/// Whether p, which is on the line through a and b, lies between them.
bool is_between(PlanePoint a, PlanePoint b, PlanePoint p) { return dot(a - p, b - p) <= 0; }

bool meet(PlanePoint a, PlanePoint b, PlanePoint c, PlanePoint d) {
  const int c_side = side(a, b, c), d_side = side(a, b, d), a_side = side(c, d, a), b_side = side(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) return true;
  return (c_side == 0 && is_between(a, b, c)) || (d_side == 0 && is_between(a, b, d)) ||
         (a_side == 0 && is_between(c, d, a)) || (b_side == 0 && is_between(c, d, b));
}

[[noreturn]] void refuse(const std::string& message, const std::string& remedy) {
  throw ShapeError("vertices", message, remedy);
}

std::string side_name(std::size_t from, std::size_t to) {
  return std::to_string(from) + "-" + std::to_string(to);
}

}  // namespace

void expect_simple_polygon(const std::vector<PlanePoint>& vertices) {
  const std::size_t count = vertices.size();
  if (count < 3)
    refuse("a polygon has three vertices or more, not " + std::to_string(count), "list them in their order");
  for (std::size_t n = 0; n < count; ++n)
    for (std::size_t m = n + 1; m < count; ++m)
      if (vertices[n].x == vertices[m].x && vertices[n].y == vertices[m].y)
        refuse("the vertices " + std::to_string(n) + " and " + std::to_string(m) + " are at one place",
               "they count from 0; the last is joined to the first without saying so");
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t next = (n + 1) % count, after = (n + 2) % count;
    // Neighbours have a vertex in common; a side that turns back on the one before covers it.
    if (side(vertices[n], vertices[next], vertices[after]) == 0 &&
        dot(vertices[n] - vertices[next], vertices[after] - vertices[next]) > 0)
      refuse("the side " + side_name(next, after) + " goes back along the side " + side_name(n, next),
             "a polygon encloses an area; vertices count from 0");
    for (std::size_t m = n + 2; m < count - (n == 0); ++m)
      if (meet(vertices[n], vertices[next], vertices[m], vertices[(m + 1) % count]))
        refuse("the sides " + side_name(n, next) + " and " + side_name(m, (m + 1) % count) +
                   " cross or touch each other",
               "list the vertices in their order around the area; they count from 0");
  }
}

}  // namespace halfstep
