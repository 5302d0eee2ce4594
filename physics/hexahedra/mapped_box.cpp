#include "physics/hexahedra/mapped_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "physics/hexahedra/element_map.hpp"
#include "physics/hexahedra/hexahedra_error.hpp"
#include "physics/hexahedra/jacobian.hpp"

namespace halfstep {
namespace {

constexpr char kAxes[] = "xyz";
/// Beside the mesh's size a smaller distance is round-off.
constexpr double kRoundOff = 1e-10;

class MappedBox {
 public:
  MappedBox(const BoxOfElements& box, const PlaceMap& map) : box_(box), map_(map) {}

  Hexahedra make() {
    mesh_.dimensions = box_.count[2] > 1 ? 3 : 2;
    mesh_.order = box_.order;
    mesh_.count = box_.count[0] * box_.count[1] * box_.count[2];
    for (int axis = 0; axis < mesh_.dimensions; ++axis)
      for (const char* end : {"_lower", "_upper"}) mesh_.sides.push_back(kAxes[axis] + std::string(end));
    for (int k = 0; k < box_.count[2]; ++k)
      for (int j = 0; j < box_.count[1]; ++j)
        for (int i = 0; i < box_.count[0]; ++i) {
          add_nodes({i, j, k});
          add_neighbours({i, j, k});
        }
    expect_positive_jacobians(mesh_);
    for (int axis = 0; axis < mesh_.dimensions; ++axis) check_sides(axis);
    return std::move(mesh_);
  }

 private:
  using Index = std::array<int, 3>;

  std::int32_t number(const Index& element) const {
    return (element[2] * box_.count[1] + element[1]) * box_.count[0] + element[0];
  }

  /// Returns the coordinate of a node that counts from the lower end; exact at both ends.
  double coordinate(int axis, int node) const {
    const int last = box_.count[axis] * box_.order;
    return node == last ? box_.upper[axis]
                        : box_.lower[axis] + (box_.upper[axis] - box_.lower[axis]) * (double(node) / last);
  }

  void add_nodes(const Index& element) {
    const int q = box_.order, layers = mesh_.dimensions == 3 ? q : 0;
    for (int c = 0; c <= layers; ++c)
      for (int b = 0; b <= q; ++b)
        for (int a = 0; a <= q; ++a) {
          const Point before{coordinate(0, element[0] * q + a), coordinate(1, element[1] * q + b),
                             coordinate(2, element[2] * q + c)};
          Point place = map_(before);
          if (mesh_.dimensions == 2) place[2] = 0;
          if (!std::isfinite(place[0]) || !std::isfinite(place[1]) || !std::isfinite(place[2]))
            throw HexahedraError("the map is not finite at " + text_of_place(before),
                                 "the place is one of the box from mesh.lower to mesh.upper");
          mesh_.nodes.push_back(place);
        }
  }

  void add_neighbours(const Index& element) {
    for (int face = 0; face < mesh_.faces(); ++face) {
      const int axis = face / 2, upper = face % 2, n = box_.count[axis];
      Index other = element;
      other[axis] += upper ? 1 : -1;
      const bool is_outside = other[axis] < 0 || other[axis] == n;
      other[axis] = (other[axis] + n) % n;
      Neighbour beyond{.element = number(other), .face = static_cast<std::int8_t>(2 * axis + 1 - upper)};
      if (is_outside && !box_.is_periodic[axis])
        beyond = {.element = -1, .side = static_cast<std::int8_t>(face)};
      mesh_.beyond.push_back(beyond);
    }
  }

  /// Returns the vector from a node of the lower side of an axis to that of the upper side.
  Point across(int axis, std::int32_t lower, std::int32_t upper, int node) const {
    int stride = 1;
    for (int d = 0; d < axis; ++d) stride *= box_.order + 1;
    const auto nodes = static_cast<std::size_t>(mesh_.nodes_of_element());
    const Point& from = mesh_.nodes[lower * nodes + node];
    const Point& to = mesh_.nodes[upper * nodes + node + static_cast<std::size_t>(stride) * box_.order];
    return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  }

  /// Calls f(element at the lower side, element at the upper side, node of the former) for all nodes there.
  template <class F>
  void for_nodes_of_sides(int axis, F f) const {
    const int n = box_.order + 1;
    const int strides[] = {1, n, n * n};
    for (int k = 0; k < (axis == 2 ? 1 : box_.count[2]); ++k)
      for (int j = 0; j < (axis == 1 ? 1 : box_.count[1]); ++j)
        for (int i = 0; i < (axis == 0 ? 1 : box_.count[0]); ++i) {
          Index upper{i, j, k};
          upper[axis] = box_.count[axis] - 1;
          for (int node = 0; node < mesh_.nodes_of_element(); ++node)
            if (node / strides[axis] % n == 0) f(number({i, j, k}), number(upper), node);
        }
  }

  double size() const {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax_element(mesh_.nodes.begin(), mesh_.nodes.end(),
                              [axis](const Point& a, const Point& b) { return a[axis] < b[axis]; });
      largest = std::max(largest, (*high)[axis] - (*low)[axis]);
    }
    return largest;
  }

  void check_sides(int axis) const {
    const Point first = across(axis, 0, upper_of_first(axis), 0);
    const double round_off = kRoundOff * size();
    bool is_translated = true, is_same = true;
    for_nodes_of_sides(axis, [&](std::int32_t lower, std::int32_t upper, int node) {
      const Point vector = across(axis, lower, upper, node);
      for (int d = 0; d < 3; ++d) {
        is_translated = is_translated && std::abs(vector[d] - first[d]) <= round_off;
        is_same = is_same && std::abs(vector[d]) <= round_off;
      }
    });
    const std::string name(1, kAxes[axis]);
    if (box_.is_periodic[axis] && !is_translated)
      throw HexahedraError(
          "the sides of " + name + " are periodic, and the map makes them no translated images of each other",
          "take another boundary along " + name);
    if (!box_.is_periodic[axis] && is_same)
      throw HexahedraError("the map brings the sides of " + name + " to one place, and they are not periodic",
                           "take mesh.boundary." + name + ": periodic");
  }

  std::int32_t upper_of_first(int axis) const {
    Index upper{};
    upper[axis] = box_.count[axis] - 1;
    return number(upper);
  }

  const BoxOfElements& box_;
  const PlaceMap& map_;
  Hexahedra mesh_;
};

}  // namespace

Hexahedra mapped_box(const BoxOfElements& box, const PlaceMap& map) { return MappedBox(box, map).make(); }

Hexahedra straight_box(BoxOfElements box) {
  box.order = 1;
  Hexahedra mesh = mapped_box(box, [](const Point& x) { return x; });
  mesh.widths.emplace();
  for (int axis = 0; axis < 3; ++axis)
    (*mesh.widths)[axis] = (box.upper[axis] - box.lower[axis]) / box.count[axis];
  return mesh;
}

namespace {

/// Returns how many elements end at a place along an axis.
int elements_up_to(const BoxOfElements& box, int axis, double place, const std::string& what) {
  const double width = (box.upper[axis] - box.lower[axis]) / box.count[axis];
  const double elements = (place - box.lower[axis]) / width;
  constexpr double round_off = 1e-6;
  if (!(elements > round_off) || !(elements < box.count[axis] - round_off))
    throw HexahedraError("the step's " + what + " is not inside the box",
                         "a step leaves elements before it and above it");
  const int whole = static_cast<int>(std::lround(elements));
  if (std::abs(elements - whole) > round_off)
    throw HexahedraError(
        "no elements end at the step's " + what,
        "choose mesh.cells so that elements along " + std::string(1, kAxes[axis]) + " end there");
  return whole;
}

/// Returns the mesh without some elements, whose faces with the others are on a side.
Hexahedra without(const Hexahedra& mesh, const std::function<bool(std::int32_t)>& is_left_out, int side) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(mesh.count), -1);
  Hexahedra rest = mesh;
  rest.count = 0;
  for (std::int32_t element = 0; element < mesh.count; ++element)
    if (!is_left_out(element)) number[element] = rest.count++;
  rest.nodes.clear();
  rest.beyond.clear();
  for (std::int32_t element = 0; element < mesh.count; ++element) {
    if (number[element] < 0) continue;
    const auto first = mesh.nodes.begin() + std::int64_t{element} * mesh.nodes_of_element();
    rest.nodes.insert(rest.nodes.end(), first, first + mesh.nodes_of_element());
    for (int face = 0; face < mesh.faces(); ++face) {
      Neighbour beyond = mesh.neighbour(element, face);
      if (beyond.element >= 0) {
        beyond.element = number[beyond.element];
        if (beyond.element < 0) beyond = {.element = -1, .side = static_cast<std::int8_t>(side)};
      }
      rest.beyond.push_back(beyond);
    }
  }
  return rest;
}

}  // namespace

Hexahedra box_with_step(const BoxOfElements& box, const StepInChannel& step) {
  if (box.is_periodic[1])
    throw HexahedraError("the step has the boundary of the lower side of y, which is periodic",
                         "take another boundary along y");
  const int front = elements_up_to(box, 0, step.at, "front");
  const int top = elements_up_to(box, 1, box.lower[1] + step.height, "height");
  const auto is_in_step = [&](std::int32_t element) {
    return element % box.count[0] >= front && element / box.count[0] % box.count[1] < top;
  };
  return without(straight_box(box), is_in_step, 2);
}

}  // namespace halfstep
