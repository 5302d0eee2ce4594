#include "physics/hexahedra/cgns_nodes.hpp"

#include <array>

namespace halfstep {
namespace {

/// A node's numbers along the axes, or a step from one to another.
using Index = std::array<int, 3>;

Index moved(const Index& from, const Index& step, int steps) {
  return {from[0] + steps * step[0], from[1] + steps * step[1], from[2] + steps * step[2]};
}

class Nodes {
 public:
  explicit Nodes(int order) : order_(order) {}

  std::vector<int> quadrilateral() {
    for (int n = 0; n < 4; ++n) add(corner(n));
    add_ring_of_edges(0);
    add_inside_of_face(0, 1, 3);
    return numbers_;
  }

  std::vector<int> hexahedron() {
    for (int n = 0; n < 8; ++n) add(corner(n));
    add_ring_of_edges(0);
    for (int n = 0; n < 4; ++n) add_edge(n, n + 4);
    add_ring_of_edges(4);
    add_inside_of_face(0, 1, 3);
    for (int n = 0; n < 4; ++n) add_inside_of_face(n, (n + 1) % 4, n + 4);
    add_inside_of_face(4, 5, 7);
    for (int layer = 1; layer < order_; ++layer) add_spiral({1, 1, layer}, {1, 0, 0}, {0, 1, 0}, order_ - 1);
    return numbers_;
  }

 private:
  /// Returns a corner: counter-clockwise below, then above.
  Index corner(int n) const {
    return {n % 4 == 1 || n % 4 == 2 ? order_ : 0, n % 4 >= 2 ? order_ : 0, n >= 4 ? order_ : 0};
  }
  Index step(int from, int to) const {
    const Index a = corner(from), b = corner(to);
    return {(b[0] - a[0]) / order_, (b[1] - a[1]) / order_, (b[2] - a[2]) / order_};
  }

  void add(const Index& node) {
    numbers_.push_back((node[2] * (order_ + 1) + node[1]) * (order_ + 1) + node[0]);
  }
  void add_edge(int from, int to) {
    for (int n = 1; n < order_; ++n) add(moved(corner(from), step(from, to), n));
  }
  void add_ring_of_edges(int first) {
    for (int n = 0; n < 4; ++n) add_edge(first + n, first + (n + 1) % 4);
  }
  void add_inside_of_face(int origin, int first, int second) {
    const Index along = step(origin, first), across = step(origin, second);
    add_spiral(moved(moved(corner(origin), along, 1), across, 1), along, across, order_ - 1);
  }
  /// Adds a square of nodes: around its edge, then inwards.
  void add_spiral(const Index& origin, const Index& along, const Index& across, int side) {
    if (side <= 0) return;
    if (side == 1) return add(origin);
    const int n = side - 1;
    const Index second = moved(origin, along, n), third = moved(second, across, n),
                fourth = moved(origin, across, n);
    for (int i = 0; i < n; ++i) add(moved(origin, along, i));
    for (int i = 0; i < n; ++i) add(moved(second, across, i));
    for (int i = 0; i < n; ++i) add(moved(third, along, -i));
    for (int i = 0; i < n; ++i) add(moved(fourth, across, -i));
    add_spiral(moved(moved(origin, along, 1), across, 1), along, across, side - 2);
  }

  int order_;
  std::vector<int> numbers_;
};

}  // namespace

std::vector<int> cgns_nodes(int order, int dimensions) {
  return dimensions == 3 ? Nodes(order).hexahedron() : Nodes(order).quadrilateral();
}

}  // namespace halfstep
