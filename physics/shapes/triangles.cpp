#include "physics/shapes/triangles.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "physics/base/short_text.hpp"
#include "physics/shapes/distances.hpp"
#include "physics/shapes/shape_error.hpp"

namespace halfstep {
namespace {

std::string text(const Point& x) {
  return "(" + short_text(x[0]) + ", " + short_text(x[1]) + ", " + short_text(x[2]) + ")";
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

[[noreturn]] void refuse(const std::string& message, const std::string& remedy) {
  throw ShapeError("file", message, remedy);
}

/// Returns twice the area of a triangle along its normal.
Point area_vector(const Triangles& all, const Triangle& face) {
  const Point& a = all.corners[face[0]];
  return cross(difference(all.corners[face[1]], a), difference(all.corners[face[2]], a));
}

Point middle(const Triangles& all, const Triangle& face) {
  return multiple(1.0 / 3, sum(sum(all.corners[face[0]], all.corners[face[1]]), all.corners[face[2]]));
}

/// An edge of a face, from its corner `edge` to the next one.
struct Side {
  std::uint32_t low, high;  ///< corners of the edge
  std::uint32_t face;
  int edge;
  bool rises;  ///< whether the face goes from `low` to `high`
  bool has_edge_of(const Side& other) const { return low == other.low && high == other.high; }
};

/// Returns the sides of all faces, those of one edge after each other.
std::vector<Side> sorted_sides(const Triangles& all) {
  std::vector<Side> sides;
  sides.reserve(3 * all.faces.size());
  for (std::uint32_t face = 0; face < all.faces.size(); ++face)
    for (int edge = 0; edge < 3; ++edge) {
      const std::uint32_t from = all.faces[face][edge], to = all.faces[face][(edge + 1) % 3];
      sides.push_back({std::min(from, to), std::max(from, to), face, edge, from < to});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
  });
  return sides;
}

void expect_areas(const Triangles& all) {
  for (std::size_t n = 0; n < all.faces.size(); ++n) {
    const Triangle& face = all.faces[n];
    double longest = 0;
    for (int edge = 0; edge < 3; ++edge) {
      const Point along = difference(all.corners[face[(edge + 1) % 3]], all.corners[face[edge]]);
      longest = std::max(longest, dot(along, along));
    }
    if (!(norm(area_vector(all, face)) > 1e-10 * longest))
      refuse("triangle " + std::to_string(n) + " has no area: its corners are " + text(all.corners[face[0]]) +
                 ", " + text(all.corners[face[1]]) + " and " + text(all.corners[face[2]]),
             "remove such triangles in the program that wrote the file; they count from 0");
  }
}

/// Throws ShapeError unless each edge has two sides.
void expect_two_sides(const Triangles& all, const std::vector<Side>& sides) {
  std::size_t open = 0, crowded = 0;
  const Side *first_open = nullptr, *first_crowded = nullptr;
  for (std::size_t n = 0, next = 0; n < sides.size(); n = next) {
    while (next < sides.size() && sides[next].has_edge_of(sides[n])) ++next;
    if (next - n == 1 && open++ == 0) first_open = &sides[n];
    if (next - n > 2 && crowded++ == 0) first_crowded = &sides[n];
  }
  const auto first = [&](std::size_t count, const Side& side) {
    return std::string(count == 1 ? "" : "the first ") + "from " + text(all.corners[side.low]) + " to " +
           text(all.corners[side.high]);
  };
  if (open > 0)
    refuse("the surface is open: " + counted(open, "edge belongs", "edges belong") +
               " to one triangle alone, " + first(open, *first_open),
           "close its holes in the program that wrote the file");
  if (crowded > 0)
    refuse(counted(crowded, "edge belongs", "edges belong") + " to more than two triangles, " +
               first(crowded, *first_crowded),
           "a surface has two triangles at each edge: unite its parts in the program that wrote the file");
}

/// A part of a surface whose faces hang together by their edges.
struct Piece {
  std::vector<std::uint32_t> faces;
  std::vector<std::uint32_t> turned;  ///< those turned against the first one
  Point lower, upper;                 ///< corners of the box around it
};

/// Returns the pieces of a surface whose edges have two sides each.
std::vector<Piece> pieces_of(const Triangles& all, const std::vector<Side>& sides) {
  struct Neighbour {
    std::uint32_t face;
    bool is_turned;
  };
  std::vector<std::array<Neighbour, 3>> neighbours(all.faces.size());
  for (std::size_t n = 0; n < sides.size(); n += 2) {
    const Side &a = sides[n], &b = sides[n + 1];
    neighbours[a.face][a.edge] = {b.face, a.rises == b.rises};
    neighbours[b.face][b.edge] = {a.face, a.rises == b.rises};
  }
  enum : char { kUnseen, kAsFirst, kTurned };
  std::vector<char> seen(all.faces.size(), kUnseen);
  std::vector<Piece> pieces;
  for (std::uint32_t first = 0; first < all.faces.size(); ++first) {
    if (seen[first] != kUnseen) continue;
    seen[first] = kAsFirst;
    Piece& piece = pieces.emplace_back();
    piece.faces = {first};
    piece.lower = piece.upper = all.corners[all.faces[first][0]];
    for (std::size_t n = 0; n < piece.faces.size(); ++n) {
      const std::uint32_t face = piece.faces[n];
      if (seen[face] == kTurned) piece.turned.push_back(face);
      for (const std::uint32_t corner : all.faces[face])
        for (int axis = 0; axis < 3; ++axis) {
          piece.lower[axis] = std::min(piece.lower[axis], all.corners[corner][axis]);
          piece.upper[axis] = std::max(piece.upper[axis], all.corners[corner][axis]);
        }
      for (const Neighbour& next : neighbours[face]) {
        if (seen[next.face] != kUnseen) continue;
        seen[next.face] = (seen[face] == kTurned) != next.is_turned ? kTurned : kAsFirst;
        piece.faces.push_back(next.face);
      }
    }
  }
  return pieces;
}

/// Throws ShapeError where neighbours are turned against each other. The fewer are to blame.
void expect_one_orientation(const Triangles& all, const std::vector<Side>& sides,
                            const std::vector<Piece>& pieces) {
  bool agree = true;
  for (std::size_t n = 0; n < sides.size(); n += 2) agree = agree && sides[n].rises != sides[n + 1].rises;
  if (agree) return;
  std::vector<std::uint32_t> turned;
  for (const Piece& piece : pieces) {
    std::vector<std::uint32_t> ones = piece.faces, others = piece.turned;
    std::sort(ones.begin(), ones.end());
    std::sort(others.begin(), others.end());
    std::vector<std::uint32_t> as_first;
    std::set_difference(ones.begin(), ones.end(), others.begin(), others.end(), std::back_inserter(as_first));
    const auto& fewer = others.size() <= as_first.size() ? others : as_first;
    turned.insert(turned.end(), fewer.begin(), fewer.end());
  }
  if (turned.empty()) refuse("the surface has one side only, as a Moebius strip", "a body has an inside");
  const std::uint32_t first = *std::min_element(turned.begin(), turned.end());
  refuse(counted(turned.size(), "triangle is", "triangles are") + " turned against the neighbours, " +
             (turned.size() == 1 ? "" : "the first ") + "triangle " + std::to_string(first) + " at " +
             text(middle(all, all.faces[first])),
         "the corners of each go counter-clockwise as seen from outside; triangles count from 0");
}

/// Returns how often the faces go around x: 1 inside of a closed surface, 0 outside. Van Oosterom and
/// Strackee (1983).
double winding_number(const Triangles& all, const std::vector<std::uint32_t>& faces, const Point& x) {
  double angle = 0;
  for (const std::uint32_t face : faces) {
    Point r[3];
    for (int n = 0; n < 3; ++n) r[n] = difference(all.corners[all.faces[face][n]], x);
    const double a = norm(r[0]), b = norm(r[1]), c = norm(r[2]);
    angle += 2 * std::atan2(dot(r[0], cross(r[1], r[2])),
                            a * b * c + dot(r[0], r[1]) * c + dot(r[0], r[2]) * b + dot(r[1], r[2]) * a);
  }
  return angle / (4 * std::numbers::pi);
}

double volume(const Triangles& all, const Piece& piece) {
  const Point& base = all.corners[all.faces[piece.faces[0]][0]];
  double volume = 0;
  for (const std::uint32_t face : piece.faces)
    volume += dot(difference(middle(all, all.faces[face]), base), area_vector(all, all.faces[face])) / 6;
  return volume;
}

/// Returns how many bodies the other pieces have at x.
double bodies_at(const Triangles& all, const std::vector<Piece>& pieces, const Piece& own, const Point& x) {
  double count = 0;
  for (const Piece& other : pieces) {
    bool is_near = &other != &own;
    for (int axis = 0; axis < 3; ++axis)
      is_near = is_near && other.lower[axis] <= x[axis] && x[axis] <= other.upper[axis];
    if (is_near) count += winding_number(all, other.faces, x);
  }
  return std::round(count);
}

/// Throws ShapeError where a piece is turned inside out, or lies within another.
void expect_outward(const Triangles& all, const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    const Triangle& face = all.faces[piece.faces[0]];
    const double around = bodies_at(all, pieces, piece, all.corners[face[0]]);
    const bool is_outward = volume(all, piece) > 0;
    const std::string where = pieces.size() == 1
                                  ? ""
                                  : " of the piece with triangle " + std::to_string(piece.faces[0]) +
                                        ", at " + text(middle(all, face)) + ",";
    if (!is_outward && around == 0)
      refuse("the normals" + where + " point inwards",
             "the corners of a triangle go counter-clockwise as seen from outside: turn all of them");
    if (is_outward && around != 0)
      refuse(
          "the surface" + where + " lies within another piece",
          "unite the pieces in the program that wrote the file, or give each a file and the bodies one name");
  }
}

/// The place of a triangle nearest to another place.
struct Foot {
  Point at;
  int edge = -1, corner = -1;  ///< where it is, unless within the face
};

/// Returns the place of the triangle nearest to x. Ericson (2005), Real-Time Collision Detection, 5.1.5.
Foot nearest_place(const Point& x, const Point& a, const Point& b, const Point& c) {
  const Point ab = difference(b, a), ac = difference(c, a);
  const Point ax = difference(x, a), bx = difference(x, b), cx = difference(x, c);
  const double d1 = dot(ab, ax), d2 = dot(ac, ax), d3 = dot(ab, bx), d4 = dot(ac, bx), d5 = dot(ab, cx),
               d6 = dot(ac, cx);
  if (d1 <= 0 && d2 <= 0) return {a, -1, 0};
  if (d3 >= 0 && d4 <= d3) return {b, -1, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {sum(a, multiple(d1 / (d1 - d3), ab)), 0};
  if (d6 >= 0 && d5 <= d6) return {c, -1, 2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {sum(a, multiple(d2 / (d2 - d6), ac)), 2};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6)
    return {sum(b, multiple((d4 - d3) / ((d4 - d3) + (d5 - d6)), difference(c, b))), 1};
  const double all = va + vb + vc;
  return {sum(a, sum(multiple(vb / all, ab), multiple(vc / all, ac)))};
}

}  // namespace

Triangles joined(const std::vector<std::array<Point, 3>>& soup) {
  Triangles all;
  all.faces.reserve(soup.size());
  std::map<Point, std::uint32_t> numbers;
  for (const std::array<Point, 3>& places : soup) {
    Triangle& face = all.faces.emplace_back();
    for (int n = 0; n < 3; ++n) {
      const auto [entry, is_new] = numbers.emplace(places[n], static_cast<std::uint32_t>(all.corners.size()));
      if (is_new) all.corners.push_back(places[n]);
      face[n] = entry->second;
    }
  }
  return all;
}

void expect_closed(const Triangles& triangles) {
  if (triangles.faces.empty()) refuse("the file has no triangle", "write the file again");
  expect_areas(triangles);
  const std::vector<Side> sides = sorted_sides(triangles);
  expect_two_sides(triangles, sides);
  const std::vector<Piece> pieces = pieces_of(triangles, sides);
  expect_one_orientation(triangles, sides, pieces);
  expect_outward(triangles, pieces);
}

SignedTriangles::SignedTriangles(Triangles closed)
    : own_(std::move(closed)),
      face_normals_(own_.faces.size()),
      corner_normals_(own_.corners.size()),
      edge_normals_(own_.faces.size()) {
  for (std::uint32_t n = 0; n < own_.faces.size(); ++n) {
    const Triangle& face = own_.faces[n];
    const Point area = area_vector(own_, face);
    face_normals_[n] = multiple(1 / norm(area), area);
    for (int corner = 0; corner < 3; ++corner) {
      const Point& at = own_.corners[face[corner]];
      const Point to = difference(own_.corners[face[(corner + 1) % 3]], at);
      const Point from = difference(own_.corners[face[(corner + 2) % 3]], at);
      const double angle = std::atan2(norm(cross(to, from)), dot(to, from));
      corner_normals_[face[corner]] = sum(corner_normals_[face[corner]], multiple(angle, face_normals_[n]));
    }
  }
  const std::vector<Side> sides = sorted_sides(own_);
  for (std::size_t n = 0; n + 1 < sides.size(); n += 2) {
    const Side &a = sides[n], &b = sides[n + 1];
    edge_normals_[a.face][a.edge] = edge_normals_[b.face][b.edge] =
        sum(face_normals_[a.face], face_normals_[b.face]);
  }
}

double SignedTriangles::distance(const Point& x, std::uint32_t face) const {
  const Triangle& corners = own_.faces[face];
  const Foot foot =
      nearest_place(x, own_.corners[corners[0]], own_.corners[corners[1]], own_.corners[corners[2]]);
  const Point& normal = foot.corner >= 0 ? corner_normals_[corners[foot.corner]]
                        : foot.edge >= 0 ? edge_normals_[face][foot.edge]
                                         : face_normals_[face];
  const Point from = difference(x, foot.at);
  return std::copysign(norm(from), dot(from, normal));
}

}  // namespace halfstep
