// STL files, for tests.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "physics/mesh/mesh.hpp"
#include "physics/shapes/stl.hpp"

namespace halfstep {

/// Whether STL files can be read here; says so if they cannot.
inline bool can_read_stl() {
  const bool can = !stl_libraries().empty();
  if (!can) MESSAGE("skipped: built without assimp and Embree (packages libassimp-dev, libembree-dev)");
  return can;
}

using Soup = std::vector<std::array<Point, 3>>;

/// Returns the twelve triangles of a box, turned outwards.
inline Soup box_soup(const Point& lower, const Point& upper) {
  Soup soup;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool is_upper : {false, true}) {
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      std::array<Point, 4> ring{lower, lower, lower, lower};
      ring[1][a] = ring[2][a] = upper[a];
      ring[2][b] = ring[3][b] = upper[b];
      for (Point& corner : ring) corner[axis] = is_upper ? upper[axis] : lower[axis];
      const int second = is_upper ? 1 : 3, fourth = is_upper ? 3 : 1;
      soup.push_back({ring[0], ring[second], ring[2]});
      soup.push_back({ring[0], ring[2], ring[fourth]});
    }
  return soup;
}

/// Returns an icosahedron whose triangles were divided into four, `divisions` times, with its corners on a
/// sphere.
inline Soup sphere_soup(const Point& center, double radius, int divisions) {
  const double t = 0.5 * (1 + std::sqrt(5.0));
  const Point corners[] = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                           {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
  const int faces[][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                          {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                          {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  Soup soup;
  for (const auto& face : faces) soup.push_back({corners[face[0]], corners[face[1]], corners[face[2]]});
  const auto middle = [](const Point& a, const Point& b) {
    return Point{0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])};
  };
  for (int n = 0; n < divisions; ++n) {
    Soup finer;
    for (const auto& [a, b, c] : soup) {
      const Point ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const auto& part : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
        finer.push_back(part);
    }
    soup = finer;
    for (auto& face : soup)
      for (Point& corner : face) {
        const double length = std::hypot(corner[0], corner[1], corner[2]);
        for (double& x : corner) x /= length;
      }
  }
  for (auto& face : soup)
    for (Point& corner : face)
      for (int axis = 0; axis < 3; ++axis) corner[axis] = center[axis] + radius * corner[axis];
  return soup;
}

inline std::string binary_stl(const Soup& soup) {
  std::string bytes(80, ' ');
  const auto add = [&](const auto& number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
  };
  add(static_cast<std::uint32_t>(soup.size()));
  for (const auto& face : soup) {
    for (int n = 0; n < 3; ++n) add(0.0f);
    for (const Point& corner : face)
      for (const double x : corner) add(static_cast<float>(x));
    add(std::uint16_t{0});
  }
  return bytes;
}

inline std::string text_stl(const Soup& soup) {
  std::ostringstream text;
  text.precision(9);
  text << "solid body\n";
  for (const auto& face : soup) {
    text << "facet normal 0 0 0\nouter loop\n";
    for (const Point& corner : face)
      text << "vertex " << corner[0] << ' ' << corner[1] << ' ' << corner[2] << '\n';
    text << "endloop\nendfacet\n";
  }
  text << "endsolid body\n";
  return text.str();
}

}  // namespace halfstep
