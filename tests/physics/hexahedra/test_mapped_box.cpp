// Boxes of elements under maps: places, sides, closed circles, and maps that make no mesh.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "physics/base/gauss_rule.hpp"
#include "physics/hexahedra/element_map.hpp"
#include "physics/hexahedra/map_kinds.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

/// Returns a map's values with its defaults, and what `settings` change.
Values map_values(const std::string& name, const std::vector<std::pair<std::string, Value>>& settings = {}) {
  Values values;
  for (const ItemKind& kind : map_kinds())
    if (kind.name == name) {
      values.set(kMapKey, name);
      for (const Parameter& p : kind.parameters) values.set(p.name, p.fallback);
    }
  for (const auto& [key, value] : settings) {
    values.at(key);
    values.set(key, value);
  }
  return values;
}

std::string refused(const BoxOfElements& box, const Values& values) {
  return refusal([&] { elements_of(values, {}, box); });
}

/// Returns the area of a mesh in two dimensions, by Gauss's rule.
double area(const Hexahedra& mesh) {
  constexpr double step = 1e-5;
  const GaussRule rule = gauss_rule(6);
  double sum = 0;
  for (std::int32_t element = 0; element < mesh.count; ++element)
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      for (std::size_t j = 0; j < rule.nodes.size(); ++j) {
        const double x = rule.nodes[i], y = rule.nodes[j];
        const auto slope = [&](const Point& a, const Point& b) {
          const Point p = place_in_element(mesh, element, a), q = place_in_element(mesh, element, b);
          return std::pair((q[0] - p[0]) / (2 * step), (q[1] - p[1]) / (2 * step));
        };
        const auto [xx, yx] = slope({x - step, y, 0}, {x + step, y, 0});
        const auto [xy, yy] = slope({x, y - step, 0}, {x, y + step, 0});
        sum += rule.weights[i] * rule.weights[j] * (xx * yy - xy * yx);
      }
  return sum;
}

TEST_CASE("a box of elements has its nodes at equidistant places, x fastest") {
  const BoxOfElements box{.count = {2, 3, 2}, .lower = {0, -1, 2}, .upper = {4, 2, 3}, .order = 3};
  const Hexahedra mesh = mapped_box(box, [](const Point& x) { return Point{2 * x[0], x[1] + x[0], x[2]}; });
  CHECK(mesh.dimensions == 3);
  CHECK(mesh.count == 12);
  REQUIRE(mesh.nodes.size() == 12 * 64);
  CHECK(mesh.sides ==
        std::vector<std::string>{"x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper"});
  // Element (1, 2, 1) is the last one, and its node (3, 0, 1) at x = 4, y = 1, z = 2.5 + 1 / 6.
  const Point& node = mesh.nodes[11 * 64 + 16 + 3];
  CHECK(node[0] == 8);
  CHECK(node[1] == doctest::Approx(5).epsilon(1e-15));
  CHECK(node[2] == doctest::Approx(2.5 + 0.5 / 3).epsilon(1e-15));
  // It is at the upper sides of x and y, and element (1, 1, 1) is below it.
  CHECK(mesh.neighbour(11, 1).element == -1);
  CHECK(int{mesh.neighbour(11, 1).side} == 1);
  CHECK(int{mesh.neighbour(11, 3).side} == 3);
  CHECK(mesh.neighbour(11, 2).element == 9);
  CHECK(int{mesh.neighbour(11, 2).face} == 3);

  const Hexahedra plane = mapped_box({.count = {2, 2, 1}, .lower = {0, 0, 7}, .upper = {1, 1, 8}},
                                     [](const Point& x) { return x; });
  CHECK(plane.dimensions == 2);
  CHECK(plane.sides.size() == 4);
  for (const Point& x : plane.nodes) CHECK(x[2] == 0);
}

TEST_CASE("a place in an element is its map's, of the degree of the nodes") {
  const auto cubic = [](const Point& x) {
    return Point{x[0] + 0.1 * x[1] * x[1] * x[1], x[1] - 0.05 * x[0] * x[0] * x[2], x[2] + 0.1 * x[0] * x[1]};
  };
  const Hexahedra mesh = mapped_box({.count = {2, 2, 2}, .order = 3}, cubic);
  const Point place = place_in_element(mesh, 3, {0.3, -0.7, 0.1}), own = cubic({0.825, 0.575, 0.275});
  for (int d = 0; d < 3; ++d) CHECK(place[d] == doctest::Approx(own[d]).epsilon(1e-13));
  const Point middle = middle_of_face(mesh, 0, 1), at = cubic({0.5, 0.25, 0.25});
  for (int d = 0; d < 3; ++d) CHECK(middle[d] == doctest::Approx(at[d]).epsilon(1e-13));
}

TEST_CASE("neighbours have the bits of the nodes that they share, a closed circle's too") {
  const BoxOfElements box{.count = {4, 6, 1}, .is_periodic = {false, true, false}, .order = 4};
  for (const Values& values : {map_values("annulus"), map_values("cylinder")}) {
    const Hexahedra mesh = elements_of(values, {}, box);
    for (std::int32_t element = 0; element < mesh.count; ++element)
      for (int n = 0; n < 5; ++n) {
        const auto at = [&](std::int32_t own, int node) { return mesh.nodes[own * 25u + node]; };
        CHECK(at(element, 20 + n) == at(mesh.neighbour(element, 3).element, n));
        if (mesh.neighbour(element, 1).element >= 0)
          CHECK(at(element, 5 * n + 4) == at(mesh.neighbour(element, 1).element, 5 * n));
      }
  }
}

TEST_CASE("an annulus has the area of one, up to the order of its elements") {
  const double exact = std::numbers::pi * (2.25 - 0.25);
  for (int order = 1; order <= 4; ++order) {
    const auto error = [&](int elements) {
      const BoxOfElements box{.count = {2, elements, 1}, .is_periodic = {false, true, false}, .order = order};
      return std::abs(area(elements_of(map_values("annulus", {{"inner", 0.5}, {"outer", 1.5}}), {}, box)) -
                      exact);
    };
    CAPTURE(order);
    const double found = std::log2(error(8) / error(16));
    CHECK(found > (order + 1) / 2 * 2 - 0.3);  // of even order: a circle is symmetric
  }
  const BoxOfElements quarter{.count = {4, 8, 1}, .order = 4};
  const Hexahedra mesh = elements_of(map_values("annulus", {{"from", 90.0}, {"to", 180.0}}), {}, quarter);
  CHECK(area(mesh) == doctest::Approx(0.75 * std::numbers::pi).epsilon(1e-6));
  for (const Point& x : mesh.nodes) CHECK((x[0] < 1e-12 && x[1] > -1e-12));
}

TEST_CASE("an O-grid's rings grow by one factor, or as much as is asked for") {
  const BoxOfElements box{.count = {4, 8, 1}, .is_periodic = {false, true, false}, .order = 2};
  const auto radii = [&](const Values& values) {
    const Hexahedra mesh = elements_of(values, {}, box);
    std::vector<double> all;
    for (int ring = 0; ring < 4; ++ring) all.push_back(mesh.nodes[ring * 9u][0]);
    return all;
  };
  const std::vector<double> even = radii(map_values("cylinder", {{"radius", 0.5}, {"far", 8.0}}));
  for (int ring = 0; ring < 4; ++ring)
    CHECK(even[ring] == doctest::Approx(std::exp2(ring - 1)).epsilon(1e-14));
  const std::vector<double> none =
      radii(map_values("cylinder", {{"radius", 0.5}, {"far", 8.5}, {"stretching", 1.0}}));
  for (int ring = 0; ring < 4; ++ring) CHECK(none[ring] == doctest::Approx(0.5 + 2 * ring).epsilon(1e-14));
}

TEST_CASE("a bent box has the sides of the box, and is periodic") {
  for (const std::array<int, 3>& count : {std::array{4, 4, 4}, std::array{4, 4, 1}}) {
    const BoxOfElements box{.count = count, .lower = {-1, 0, 0}, .upper = {1, 3, 1}, .order = 3};
    const Hexahedra mesh = elements_of(map_values("bend", {{"amplitude", 0.1}}), {}, box),
                    straight = mapped_box(box, [](const Point&x) { return x; });
    double moved = 0;
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      const Point &x = mesh.nodes[n], &own = straight.nodes[n];
      bool is_on_side = false;
      for (int d = 0; d < mesh.dimensions; ++d)
        is_on_side = is_on_side || own[d] == box.lower[d] || own[d] == box.upper[d];
      if (is_on_side) CHECK(x == own);
      moved = std::max(moved, std::abs(x[1] - own[1]));
    }
    CHECK(moved > 0.15);
    BoxOfElements periodic = box;
    periodic.is_periodic = {true, true, true};
    CHECK(refused(periodic, map_values("bend", {{"amplitude", 0.1}})) == "");
  }
  CHECK(refused({.count = {8, 8, 1}, .order = 2}, map_values("bend", {{"amplitude", 0.2}}))
            .find("has a Jacobian of -") != std::string::npos);
}

TEST_CASE("the bump is the workshop's, and the channel is straight above it") {
  const BoxOfElements box{.count = {12, 4, 1}, .lower = {-1.5, 0, 0}, .upper = {1.5, 0.8, 1}, .order = 4};
  const Hexahedra mesh = elements_of(map_values("bump"), {}, box);
  for (int i = 0; i < 12; ++i)
    for (int node = 0; node < 5; ++node) {
      const Point &low = mesh.nodes[i * 25u + node], &high = mesh.nodes[(36u + i) * 25 + 20 + node];
      CHECK(low[1] == doctest::Approx(0.0625 * std::exp(-25 * low[0] * low[0])).epsilon(1e-14));
      CHECK(high[1] == 0.8);
    }
}

TEST_CASE("a channel with a step has no elements in it, and its faces are on the lower side") {
  const auto step = [](double at, double height) {
    return map_values("step", {{"at", at}, {"height", height}});
  };
  const BoxOfElements box{.count = {6, 4, 1}, .lower = {0, -1, 0}, .upper = {3, 1, 1}};
  const Hexahedra mesh = elements_of(step(1, 0.5), {}, box);
  REQUIRE(mesh.count == 6 * 4 - 4);
  CHECK(mesh.widths == Point{0.5, 0.5, 1});
  CHECK(area(mesh) == doctest::Approx(6 - 2 * 0.5).epsilon(1e-8));
  int on_side[4] = {}, above_step = 0;
  for (std::int32_t element = 0; element < mesh.count; ++element)
    for (int face = 0; face < mesh.faces(); ++face) {
      const Neighbour& beyond = mesh.neighbour(element, face);
      const Point middle = middle_of_face(mesh, element, face);
      if (beyond.element >= 0) {
        CHECK(mesh.neighbour(beyond.element, beyond.face).element == element);
        CHECK(middle == middle_of_face(mesh, beyond.element, beyond.face));
      } else {
        on_side[beyond.side] += 1;
        above_step += beyond.side == 2 && middle[1] == -0.5;
      }
    }
  CHECK(on_side[0] == 4);
  CHECK(on_side[1] == 3);
  CHECK(on_side[2] == 2 + 1 + 4);
  CHECK(on_side[3] == 6);
  CHECK(above_step == 4);
  const Hexahedra deep = elements_of(step(1, 0.5), {}, {.count = {6, 4, 3}, .upper = {3, 2, 1}});
  CHECK(deep.count == 3 * mesh.count);

  BoxOfElements periodic = box;
  periodic.is_periodic = {true, false, false};
  const Hexahedra ring = elements_of(step(1, 0.5), {}, periodic);
  CHECK(ring.neighbour(0, 0).side == 2);  // the last element beside it is in the step
  CHECK(ring.neighbour(2, 0).element == 7);
  periodic.is_periodic[1] = true;
  CHECK(refused(periodic, step(1, 0.5)) ==
        "the step has the boundary of the lower side of y, which is periodic");
  CHECK(refused(box, step(1.2, 0.5)) == "no elements end at the step's front");
  CHECK(refused(box, step(0.2, 0.5)) == "no elements end at the step's front");
  CHECK(refused(box, step(1, 0.4)) == "no elements end at the step's height");
  CHECK(refused(box, step(0, 0.5)) == "the step's front is not inside the box");
  CHECK(refused(box, step(1, 2)) == "the step's height is not inside the box");
  CHECK(refused(box, step(-7, 0.5)) == "the step's front is not inside the box");
}

TEST_CASE("a map may be written as expressions, and one that makes no mesh is refused") {
  if (!can_test_expressions()) return;
  const auto given = [](const char* x, const char* y) {
    return map_values("expressions",
                      {{"x", FieldValue{0, x}}, {"y", FieldValue{0, y}}, {"z", FieldValue{0, "z"}}});
  };
  const BoxOfElements box{.count = {2, 2, 1}, .upper = {2, 1, 1}};
  CHECK(elements_of(given("x", "y + x^2"), {}, box).nodes.back() == Point{2, 5, 0});
  CHECK(refused(box, given("-x", "y")).starts_with("element 0 has a Jacobian of -"));
  CHECK(refused(box, given("x", "y / (x - 1)")) == "the map is not finite at (1, 0, 0)");
  BoxOfElements periodic = box;
  periodic.is_periodic = {true, false, false};
  CHECK(refused(periodic, given("x", "y + 0.1 * x")) == "");
  CHECK(refused(periodic, given("x", "y * (1 + x)")) ==
        "the sides of x are periodic, and the map makes them no translated images of each other");
  CHECK(refused({.count = {2, 8, 1}}, map_values("annulus")) ==
        "the map brings the sides of y to one place, and they are not periodic");
}

}  // namespace
