// A CGNS file whose elements are neither in the order of a box nor turned like each other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "physics/hexahedra/connect.hpp"
#include "tests/support/cgns_files.hpp"
#include "tests/support/hexahedra.hpp"

#if HALFSTEP_HAS_CGNS

namespace halfstep {

/// Returns a bent box of 4 x 3 x 3 elements, in any order, whose sides are x_lower, x_upper, ...
inline Hexahedra shuffled_mesh() {
  const BoxOfElements box{.count = {4, 3, 3}, .order = 2};
  const Hexahedra straight = mapped_box(box, [](const Point& x) {
    const double bend = 0.05 * std::sin(3 * x[0]) * std::sin(3 * x[1]) * std::sin(3 * x[2]);
    return Point{x[0] + bend, x[1] - bend, x[2] + bend};
  });
  const std::vector<std::int64_t> ids = corner_ids(box);
  std::mt19937 bits(7);
  std::vector<int> order(static_cast<std::size_t>(straight.count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), bits);
  Hexahedra mesh;
  mesh.order = straight.order;
  mesh.count = straight.count;
  mesh.sides = straight.sides;
  std::vector<std::int64_t> corners;
  for (const int element : order) {
    mesh.nodes.insert(mesh.nodes.end(), &straight.nodes[27 * element], &straight.nodes[27 * element] + 27);
    corners.insert(corners.end(), &ids[8 * element], &ids[8 * element] + 8);
    const int turn = static_cast<int>(bits() % 3);
    const std::array<int, 3> axes{turn, (turn + 1) % 3, (turn + 2) % 3};
    const bool first = bits() % 2 == 0, last = bits() % 2 == 0;
    const std::array<bool, 3> reversed{first, first != last, last};  // none or two: no mirror image
    reorient(&mesh.nodes[mesh.nodes.size() - 27], 3, 3, axes, reversed);
    reorient(&corners[corners.size() - 8], 2, 3, axes, reversed);
  }
  connect(mesh, corners, [&](std::span<const std::int64_t> of_face) {
    for (int side = 0; side < 6; ++side) {
      const auto is_there = [&](std::int64_t id) {
        const std::int64_t index[] = {id % 5, id / 5 % 4, id / 20};
        return index[side / 2] == (side % 2 == 0 ? 0 : box.count[side / 2]);
      };
      if (std::all_of(of_face.begin(), of_face.end(), is_there)) return side;
    }
    return -1;
  });
  return mesh;
}

/// Returns a deck of viscous gas in that mesh, between walls, which reads it from a file.
inline std::string deck_of_mesh(const std::filesystem::path& file) {
  return "case: {name: regions, background: {density: '1 + 0.2*x', velocity: [0.3, '0.1*z', '-0.2*y'], "
         "pressure: '1 + 0.5*(x < 0.5)'}}\n"
         "mesh: {file: " +
         file.string() +
         ", sides: {x_lower: outflow, x_upper: outflow, y_lower: no_slip, y_upper: reflecting, z_lower: "
         "no_slip, z_upper: reflecting}}\n"
         "gas: {viscosity: 0.01}\nscheme: {method: flux_reconstruction, degree: 3}\n"
         "time: {end: 1, max_steps: 8}\noutput: {budgets: true}\n";
}

}  // namespace halfstep

#endif
