// Distances from shapes, against brute force.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "physics/shapes/distances.hpp"
#include "physics/shapes/shape_error.hpp"
#include "physics/shapes/surfaces.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/shape_values.hpp"
#include "tests/support/stretched.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

using Reals = std::vector<double>;
using Settings = std::vector<std::pair<std::string, Value>>;
using Predicate = std::function<bool(const Point&)>;

const Mesh line{{40, 1, 1}, {0, 0, 0}, {1, 1, 1}};
const Mesh sheet{{32, 32, 1}, {0, 0, 0}, {1, 1, 1}};
const Mesh side_view{{32, 1, 32}, {0, 0, 0}, {1, 1, 1}};  // x and z
const Mesh cube{{16, 16, 16}, {0, 0, 0}, {1, 1, 1}};

std::shared_ptr<const Surface> surface(const Mesh& mesh, const std::string& shape, const Settings& settings,
                                       const NamedNumbers& names = {}) {
  return make_surface(shape_values(surface_kinds(), shape, settings), names, mesh);
}

std::string refused(const Mesh& mesh, const std::string& shape, const Settings& settings) {
  try {
    surface(mesh, shape, settings);
    return "";
  } catch (const ShapeError& error) {
    return error.key + ": " + error.what();
  }
}

/// Places drawn evenly from the unit cube and a little around it, within the mesh's active axes. Elsewhere
/// they are anywhere: shapes must not care.
class RandomPlaces {
 public:
  explicit RandomPlaces(const Mesh& mesh) : mesh_(mesh) {}
  Point next() {
    std::uniform_real_distribution<double> near(-0.2, 1.2), anywhere(-50, 50);
    Point x{};
    for (int axis = 0; axis < 3; ++axis) x[axis] = mesh_.active(axis) ? near(bits_) : anywhere(bits_);
    return x;
  }

 private:
  Mesh mesh_;
  std::mt19937_64 bits_{7};
};

double distance_within(const Mesh& mesh, const Point& a, const Point& b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += mesh.active(axis) ? (a[axis] - b[axis]) * (a[axis] - b[axis]) : 0;
  return std::sqrt(sum);
}

/// Returns places where a shape ends, found by bisection between places inside and outside.
std::vector<Point> edge_of(const Mesh& mesh, const Predicate& is_inside, int count) {
  RandomPlaces places(mesh);
  std::vector<Point> edge;
  while (static_cast<int>(edge.size()) < count) {
    Point in = places.next(), out = places.next();
    for (int axis = 0; axis < 3; ++axis)
      if (!mesh.active(axis)) out[axis] = in[axis];
    if (!is_inside(in) || is_inside(out)) continue;
    for (int n = 0; n < 60; ++n) {
      const Point middle = multiple(0.5, sum(in, out));
      (is_inside(middle) ? in : out) = middle;
    }
    edge.push_back(in);
  }
  return edge;
}

/// Checks the sign against the predicate, and the distance against that from the nearest of many places of
/// the edge, which is too large by what lies between these.
void check_distances(const Mesh& mesh, const Surface& own, const Predicate& is_inside, double coarseness) {
  const std::vector<Point> edge = edge_of(mesh, is_inside, 20000);
  RandomPlaces places(mesh);
  double worst = 0;
  for (int n = 0; n < 300; ++n) {
    const Point x = places.next();
    const double found = own.distance(x);
    double nearest = std::numeric_limits<double>::infinity();
    for (const Point& at : edge) nearest = std::min(nearest, distance_within(mesh, x, at));
    CHECK((found < 0) == is_inside(x));
    CHECK(std::abs(found) <= nearest + 1e-9);
    worst = std::max(worst, nearest - std::abs(found));
  }
  CHECK(worst < coarseness);
}

TEST_CASE("distances from primitive shapes in three dimensions are those from the nearest of many places") {
  const double coarseness = 0.025;
  const Settings round = {{"center", Reals{0.5, 0.4, 0.6}}, {"radius", 0.3}};
  SUBCASE("ball") {
    check_distances(
        cube, *surface(cube, "ball", round),
        [](const Point& x) {
          return norm(difference(x, {0.5, 0.4, 0.6})) < 0.3;
        },
        coarseness);
  }
  SUBCASE("box") {
    check_distances(
        cube, *surface(cube, "box", {{"lower", Reals{0.2, 0.3, 0.4}}, {"upper", Reals{0.5, 0.9, 0.8}}}),
        [](const Point& x) {
          return x[0] > 0.2 && x[0] < 0.5 && x[1] > 0.3 && x[1] < 0.9 && x[2] > 0.4 && x[2] < 0.8;
        },
        coarseness);
  }
  SUBCASE("shell") {
    check_distances(
        cube, *surface(cube, "shell", {{"center", Reals{0.5, 0.5, 0.5}}, {"inner", 0.2}, {"outer", 0.4}}),
        [](const Point& x) {
          const double r = norm(difference(x, {0.5, 0.5, 0.5}));
          return r > 0.2 && r < 0.4;
        },
        coarseness);
  }
  SUBCASE("shell without a hole") {
    const auto own = surface(cube, "shell", {{"center", Reals{0.5, 0.5, 0.5}}, {"outer", 0.4}});
    CHECK(own->distance({0.5, 0.5, 0.5}) == -0.4);
  }
  SUBCASE("cylinder with ends, askew") {
    const auto own = surface(
        cube, "cylinder",
        {{"center", Reals{0.5, 0.5, 0.5}}, {"axis", Reals{1, 1, 0}}, {"radius", 0.15}, {"length", 0.6}});
    check_distances(
        cube, *own,
        [](const Point& x) {
          const double h = (x[0] + x[1] - 1) / std::sqrt(2.0), w = (x[1] - x[0]) / std::sqrt(2.0);
          return std::abs(h) < 0.3 && std::hypot(w, x[2] - 0.5) < 0.15;
        },
        coarseness);
  }
  SUBCASE("cylinder without ends") {
    const auto own = surface(cube, "cylinder", {{"center", Reals{0.5, 0.5, 0.5}}, {"radius", 0.2}});
    CHECK(own->distance({0.9, 0.8, 77}) == doctest::Approx(0.3));
  }
  SUBCASE("cone") {
    const auto own = surface(
        cube, "cone", {{"base", Reals{0.5, 0.5, 0.2}}, {"apex", Reals{0.5, 0.5, 0.9}}, {"radius", 0.35}});
    check_distances(
        cube, *own,
        [](const Point& x) {
          return x[2] > 0.2 && x[2] < 0.9 && std::hypot(x[0] - 0.5, x[1] - 0.5) < 0.35 * (0.9 - x[2]) / 0.7;
        },
        coarseness);
  }
  SUBCASE("truncated cone") {
    const auto own = surface(cube, "cone",
                             {{"base", Reals{0.2, 0.5, 0.5}},
                              {"apex", Reals{0.8, 0.5, 0.5}},
                              {"radius", 0.1},
                              {"apex_radius", 0.3}});
    check_distances(
        cube, *own,
        [](const Point& x) {
          return x[0] > 0.2 && x[0] < 0.8 &&
                 std::hypot(x[1] - 0.5, x[2] - 0.5) < 0.1 + 0.2 * (x[0] - 0.2) / 0.6;
        },
        coarseness);
  }
  SUBCASE("half-space") {
    const auto own = surface(cube, "half_space", {{"point", Reals{0.5, 0.5, 0}}, {"normal", Reals{3, 4, 0}}});
    check_distances(
        cube, *own, [](const Point& x) { return 0.6 * (x[0] - 0.5) + 0.8 * (x[1] - 0.5) > 0; }, 0.1);
  }
}

TEST_CASE("in a plane shapes have no extent across it, and distances are those within it") {
  const double coarseness = 0.005;
  for (const Mesh& mesh : {side_view, stretched(side_view)}) {
    const Predicate disc = [](const Point& x) { return std::hypot(x[0] - 0.5, x[2] - 0.4) < 0.3; };
    check_distances(mesh, *surface(mesh, "ball", {{"center", Reals{0.5, 9, 0.4}}, {"radius", 0.3}}), disc,
                    coarseness);
    check_distances(
        mesh, *surface(mesh, "shell", {{"center", Reals{0.5, 9, 0.4}}, {"inner", 0.1}, {"outer", 0.3}}),
        [&](const Point& x) { return disc(x) && std::hypot(x[0] - 0.5, x[2] - 0.4) > 0.1; }, coarseness);
    check_distances(
        mesh,
        *surface(
            mesh, "cylinder",
            {{"center", Reals{0.5, 9, 0.4}}, {"axis", Reals{0, 1, 0}}, {"radius", 0.3}, {"length", 0.1}}),
        disc, coarseness);
    check_distances(
        mesh,
        *surface(
            mesh, "cylinder",
            {{"center", Reals{0.5, 9, 0.5}}, {"axis", Reals{1, 0, 0}}, {"radius", 0.1}, {"length", 0.6}}),
        [](const Point& x) { return std::abs(x[0] - 0.5) < 0.3 && std::abs(x[2] - 0.5) < 0.1; }, coarseness);
    check_distances(
        mesh, *surface(mesh, "box", {{"lower", Reals{0.2, 5, 0.3}}, {"upper", Reals{0.9, 5, 0.5}}}),
        [](const Point& x) { return x[0] > 0.2 && x[0] < 0.9 && x[2] > 0.3 && x[2] < 0.5; }, coarseness);
    check_distances(
        mesh,
        *surface(mesh, "cone",
                 {{"base", Reals{0.5, 3, 0.2}}, {"apex", Reals{0.5, 8, 0.9}}, {"radius", 0.35}}),
        [](const Point& x) {
          return x[2] > 0.2 && x[2] < 0.9 && std::abs(x[0] - 0.5) < 0.35 * (0.9 - x[2]) / 0.7;
        },
        coarseness);
    check_distances(
        mesh, *surface(mesh, "half_space", {{"point", Reals{0.5, 0, 0.5}}, {"normal", Reals{3, 77, 4}}}),
        [](const Point& x) { return 0.6 * (x[0] - 0.5) + 0.8 * (x[2] - 0.5) > 0; }, coarseness);
  }
}

TEST_CASE("along a line shapes are intervals") {
  const auto ball = surface(line, "ball", {{"center", Reals{0.5, 9, 9}}, {"radius", 0.2}});
  const auto box = surface(line, "box", {{"lower", Reals{0.3, 9, 9}}, {"upper", Reals{0.7, 9, 9}}});
  const auto cylinder =
      surface(line, "cylinder",
              {{"center", Reals{0.5, 9, 9}}, {"axis", Reals{1, 0, 0}}, {"radius", 0.01}, {"length", 0.4}});
  const auto cone =
      surface(line, "cone", {{"base", Reals{0.3, 9, 9}}, {"apex", Reals{0.7, 7, 7}}, {"radius", 0.01}});
  for (const auto& own : {ball, box, cylinder, cone})
    for (const double x : {-0.1, 0.3, 0.4, 0.5, 0.55, 0.7, 2.0})
      CHECK(own->distance({x, 3, -4}) == doctest::Approx(std::abs(x - 0.5) - 0.2));
}

const Places kHook = {{0.1, 0.1, 0}, {0.9, 0.1, 0}, {0.9, 0.9, 0},
                      {0.7, 0.9, 0}, {0.7, 0.3, 0}, {0.1, 0.3, 0}};

TEST_CASE("a polygon's distance is that from its sides, whichever way its vertices go around") {
  const Predicate hook = [](const Point& x) {
    return (x[0] > 0.1 && x[0] < 0.9 && x[1] > 0.1 && x[1] < 0.3) ||
           (x[0] > 0.7 && x[0] < 0.9 && x[1] > 0.1 && x[1] < 0.9);
  };
  check_distances(sheet, *surface(sheet, "polygon", {{"vertices", kHook}}), hook, 0.005);
  check_distances(sheet, *surface(sheet, "polygon", {{"vertices", Places(kHook.rbegin(), kHook.rend())}}),
                  hook, 0.005);
  // A ray through a vertex meets one of its two sides.
  const auto rhomb =
      surface(sheet, "polygon", {{"vertices", Places{{0.5, 0, 0}, {1, 0.5, 0}, {0.5, 1, 0}, {0, 0.5, 0}}}});
  CHECK(rhomb->distance({0.5, 0.5, 0}) < 0);
  CHECK(rhomb->distance({-0.5, 0.5, 0}) == doctest::Approx(0.5));
  CHECK(rhomb->distance({1.5, 0.5, 0}) == doctest::Approx(0.5));
}

TEST_CASE("a polygon lies in the plane of the mesh's active axes") {
  const Places upright = {{0.2, 5, 0.2}, {0.8, 6, 0.2}, {0.8, 7, 0.6}, {0.2, 8, 0.6}};
  check_distances(
      side_view, *surface(side_view, "polygon", {{"vertices", upright}}),
      [](const Point& x) { return x[0] > 0.2 && x[0] < 0.8 && x[2] > 0.2 && x[2] < 0.6; }, 0.005);
}

TEST_CASE("what is no polygon is refused") {
  const auto message = [](const Places& vertices) {
    return refused(sheet, "polygon", {{"vertices", vertices}});
  };
  CHECK(message({}) == "vertices: a polygon has three vertices or more, not 0");
  CHECK(message({{0, 0, 0}, {1, 0, 0}}) == "vertices: a polygon has three vertices or more, not 2");
  CHECK(message({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}) ==
        "vertices: the vertices 0 and 3 are at one place");
  CHECK(message({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}) ==
        "vertices: the sides 0-1 and 2-3 cross or touch each other");
  CHECK(message({{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}) ==
        "vertices: the side 1-2 goes back along the side 0-1");
  // A vertex that touches another side.
  CHECK(message({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0.5, 0, 0}, {0, 1, 0}}) ==
        "vertices: the sides 0-1 and 2-3 cross or touch each other");
  CHECK(message(kHook) == "");
  CHECK(message({{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 1, 0}}) == "");  // a vertex within a straight side
  CHECK(refused(cube, "polygon", {{"vertices", kHook}}) ==
        ": a polygon needs a mesh with two axes of more than one cell");
  CHECK(refused(line, "polygon", {{"vertices", kHook}}) ==
        ": a polygon needs a mesh with two axes of more than one cell");
}

TEST_CASE("shapes without a surface in the mesh's active axes are refused") {
  CHECK(refused(sheet, "half_space", {{"normal", Reals{0, 0, 1}}}) ==
        "normal: the normal has no part along an axis of the mesh with more than one cell");
  CHECK(refused(sheet, "cylinder", {{"axis", Reals{1, 0, 1}}, {"radius", 0.1}}) ==
        "axis: the cylinder's axis leans out of the mesh's plane");
  CHECK(refused(sheet, "cone", {{"apex", Reals{0, 0, 1}}, {"radius", 0.1}}) ==
        "apex: the cone's apex is at its base");
}

TEST_CASE("a level set's distance is the exact one of a ball, however steep the function is") {
  if (!can_test_expressions()) return;
  const NamedNumbers names = {{"radius", 0.3}};
  for (const std::string function : {"(x - 0.5)^2 + (y - 0.4)^2 + (z - 0.6)^2 - radius^2",
                                     "exp(5*sqrt((x - 0.5)^2 + (y - 0.4)^2 + (z - 0.6)^2)) - exp(5*radius)",
                                     "1000*(sqrt((x - 0.5)^2 + (y - 0.4)^2 + (z - 0.6)^2) - radius)"}) {
    CAPTURE(function);
    const auto own = surface(cube, "level_set", {{"function", FieldValue{0, function}}}, names);
    CHECK_FALSE(own->is_lipschitz());
    RandomPlaces places(cube);
    for (int n = 0; n < 2000; ++n) {
      const Point x = places.next();
      const double exact = norm(difference(x, {0.5, 0.4, 0.6})) - 0.3;
      const double found = own->distance(x);
      CHECK((found < 0) == (exact < 0));
      if (std::abs(exact) < 3.0 / 16) CHECK(found == doctest::Approx(exact).epsilon(1e-5));
    }
  }
}

TEST_CASE("a level set that is no ball has the distance from the nearest place, and within a plane") {
  if (!can_test_expressions()) return;
  const auto ellipse =
      surface(sheet, "level_set", {{"function", FieldValue{0, "((x-0.5)/0.4)^2 + ((y-0.5)/0.2)^2 - 1"}}});
  const Predicate inside = [](const Point& x) {
    return std::pow((x[0] - 0.5) / 0.4, 2) + std::pow((x[1] - 0.5) / 0.2, 2) < 1;
  };
  const std::vector<Point> edge = edge_of(sheet, inside, 20000);
  RandomPlaces places(sheet);
  for (int n = 0; n < 500; ++n) {
    const Point x = places.next();
    double nearest = 1;
    for (const Point& at : edge) nearest = std::min(nearest, distance_within(sheet, x, at));
    CHECK((ellipse->distance(x) < 0) == inside(x));
    if (nearest < 3.0 / 32) CHECK(std::abs(ellipse->distance(x)) == doctest::Approx(nearest).epsilon(0.01));
  }
}

TEST_CASE("a level set without a value has no distance") {
  if (!can_test_expressions()) return;
  const auto own = surface(line, "level_set", {{"function", FieldValue{0, "sqrt(x - 0.5)"}}});
  CHECK(std::isnan(own->distance({0.2, 0, 0})));
  CHECK(own->distance({0.7, 0, 0}) > 0);
}

}  // namespace
