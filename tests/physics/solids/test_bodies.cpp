// The bodies of a deck: united, cut, turned, moved; their walls; what covers too little or too much.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "physics/shapes/distances.hpp"
#include "physics/solids/bodies.hpp"
#include "physics/solids/coverage.hpp"
#include "physics/solids/placement.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/shape_values.hpp"
#include "tests/support/stretched.hpp"

using namespace halfstep;

namespace {

using Reals = std::vector<double>;
using Settings = std::vector<std::pair<std::string, Value>>;

const Mesh line{{40, 1, 1}, {0, 0, 0}, {1, 1, 1}};
const Mesh sheet{{32, 32, 1}, {0, 0, 0}, {1, 1, 1}};
const Mesh cube{{16, 16, 16}, {0, 0, 0}, {1, 1, 1}};

Values entry(const std::string& shape, const Settings& settings) {
  return shape_values(solid_kinds(), shape, settings);
}

Values ball(const Point& center, double radius, Settings more = {}) {
  more.emplace_back("center", Reals(center.begin(), center.end()));
  more.emplace_back("radius", radius);
  return entry("ball", more);
}

Values box(const Point& lower, const Point& upper, Settings more = {}) {
  more.emplace_back("lower", Reals(lower.begin(), lower.end()));
  more.emplace_back("upper", Reals(upper.begin(), upper.end()));
  return entry("box", more);
}

Body body(const Items& entries, const Mesh& mesh = cube, bool viscous = false) {
  const std::vector<Body> bodies = make_bodies(entries, {}, mesh, viscous);
  REQUIRE(bodies.size() == 1);
  return bodies[0];
}

/// Returns "ENTRY KEY: MESSAGE" of the error.
std::string refused(const Items& entries, const Mesh& mesh = cube, bool viscous = false) {
  try {
    make_bodies(entries, {}, mesh, viscous);
    return "";
  } catch (const SolidError& error) {
    return std::to_string(error.entry) + " " + error.key + ": " + error.what();
  }
}

TEST_CASE("entries with one name are one body, others are bodies of their own") {
  const std::vector<Body> bodies =
      make_bodies({ball({0.2, 0.2, 0.2}, 0.1), ball({0.5, 0.5, 0.5}, 0.1, {{"name", std::string("hull")}}),
                   ball({0.8, 0.8, 0.8}, 0.1), ball({0.6, 0.5, 0.5}, 0.1, {{"name", std::string("hull")}})},
                  {}, cube, false);
  REQUIRE(bodies.size() == 3);
  CHECK(bodies[0].name == "body_0");
  CHECK(bodies[1].name == "hull");
  CHECK(bodies[2].name == "body_2");
  CHECK(bodies[1].surface->distance({0.7, 0.5, 0.5}) == doctest::Approx(0).epsilon(1e-12));
  CHECK(bodies[1].surface->distance({0.65, 0.5, 0.5}) == doctest::Approx(-0.05));
  CHECK(bodies[1].surface->is_lipschitz());
}

TEST_CASE("shapes are cut out of what their body has above them") {
  const Settings hull = {{"name", std::string("hull")}};
  const Settings cut = {{"name", std::string("hull")}, {"subtract", true}};
  const Body hollow = body({ball({0.5, 0.5, 0.5}, 0.4, hull), ball({0.5, 0.5, 0.5}, 0.2, cut)});
  CHECK(hollow.surface->distance({0.5, 0.5, 0.5}) == doctest::Approx(0.2));
  CHECK(hollow.surface->distance({0.75, 0.5, 0.5}) == doctest::Approx(-0.05));
  CHECK(hollow.surface->distance({1, 0.5, 0.5}) == doctest::Approx(0.1));
  // What is united after the cut stays.
  const Body core = body(
      {ball({0.5, 0.5, 0.5}, 0.4, hull), ball({0.5, 0.5, 0.5}, 0.2, cut), ball({0.5, 0.5, 0.5}, 0.1, hull)});
  CHECK(core.surface->distance({0.5, 0.5, 0.5}) == doctest::Approx(-0.1));
  CHECK(refused({ball({0.5, 0.5, 0.5}, 0.4, {{"subtract", true}})}) ==
        "0 subtract: there is nothing to cut the shape out of");
  CHECK(refused({ball({0.5, 0.5, 0.5}, 0.4, hull), ball({0.5, 0.5, 0.5}, 0.5, cut)}) ==
        "0 : the body 'hull' holds no cell's centre");
}

TEST_CASE("a shape is turned about its centre, or another point, and then moved") {
  const Settings quarter = {{"turn.angle", 90.0}};
  const Body turned = body({box({0.2, 0.45, 0}, {0.8, 0.55, 1}, quarter)});
  CHECK(turned.surface->distance({0.5, 0.85, 0.5}) == doctest::Approx(0.05));
  CHECK(turned.surface->distance({0.6, 0.5, 0.5}) == doctest::Approx(0.05));
  CHECK(turned.surface->distance({0.5, 0.5, 0.5}) == doctest::Approx(-0.05));
  // The right-hand rule: x goes to y about z.
  const Values about_origin =
      ball({0.5, 0, 0.5}, 0.1, {{"turn.angle", 90.0}, {"turn.about", Reals{0, 0, 0}}});
  CHECK(body({about_origin}).surface->distance({0, 0.5, 0.5}) == doctest::Approx(-0.1));
  const Values moved =
      ball({0.5, 0, 0.5}, 0.1,
           {{"turn.angle", 90.0}, {"turn.about", Reals{0, 0, 0}}, {"move", Reals{0.25, 0, 0.125}}});
  CHECK(body({moved}).surface->distance({0.25, 0.5, 0.625}) == doctest::Approx(-0.1));
  const Values tilted =
      box({0.2, 0.45, 0.45}, {0.8, 0.55, 0.55}, {{"turn.angle", 30.0}, {"turn.axis", Reals{0, 2, 0}}});
  const double cosine = std::cos(std::acos(-1.0) / 6), sine = 0.5;
  CHECK(body({tilted}).surface->distance({0.5 + 0.3 * cosine, 0.5, 0.5 - 0.3 * sine}) ==
        doctest::Approx(0).epsilon(1e-12));
}

TEST_CASE("a placement's two directions undo each other") {
  const Values values = ball({0.3, 0.4, 0.5}, 0.1,
                             {{"turn.angle", -77.0},
                              {"turn.axis", Reals{1, -2, 0.5}},
                              {"turn.about", Reals{0.1, 0.9, 3}},
                              {"move", Reals{1, 2, 3}}});
  const Placement placement(values);
  const Point x{0.7, -0.2, 0.4}, back = placement.origin_of(placement.placed(x));
  for (int axis = 0; axis < 3; ++axis) CHECK(back[axis] == doctest::Approx(x[axis]).epsilon(1e-14));
  CHECK(norm(difference(back, x)) < 1e-14);
}

TEST_CASE("a turn stays within the mesh's active axes") {
  const Settings upright = {{"turn.angle", 20.0}, {"turn.axis", Reals{1, 0, 0}}};
  CHECK(refused({box({0.2, 0.45, 0}, {0.8, 0.55, 1}, upright)}, sheet) ==
        "0 turn.axis: the turn leaves the plane of the mesh");
  CHECK(refused({box({0.2, 0.45, 0}, {0.8, 0.55, 1}, {{"turn.angle", 20.0}})}, line) ==
        "0 turn.angle: a mesh with one axis of more than one cell has no turns");
  const Body turned = body({box({0.2, 0.45, 0}, {0.8, 0.55, 1}, {{"turn.angle", 90.0}})}, sheet);
  CHECK(turned.surface->distance({0.5, 0.85, 77}) == doctest::Approx(0.05));
  CHECK(body({box({0.2, 0.45, 0}, {0.8, 0.55, 1}, {{"turn.angle", 360.0}})}, line).name == "body_0");
}

TEST_CASE("walls slip in an inviscid gas and stick in a viscous one, unless the deck says otherwise") {
  CHECK(body({ball({0.5, 0.5, 0.5}, 0.2)}).wall.slip);
  CHECK_FALSE(body({ball({0.5, 0.5, 0.5}, 0.2)}, cube, true).wall.slip);
  CHECK(body({ball({0.5, 0.5, 0.5}, 0.2, {{"wall", std::string("slip")}})}, cube, true).wall.slip);
  const Settings sticks = {{"wall", std::string("no_slip")}};
  CHECK(refused({ball({0.5, 0.5, 0.5}, 0.2, sticks)}) == "0 wall: an inviscid gas sticks to no wall");
  const Settings all = {{"temperature", 2.0}, {"velocity", Reals{1, 2, 3}}, {"spin", Reals{0, 0, 4}}};
  const Wall wall = body({ball({0.5, 0.25, 0.5}, 0.2, all)}, cube, true).wall;
  CHECK(wall.temperature == 2);
  CHECK(wall.velocity_at({0.5, 0.25, 0.1}) == Point{1, 2, 3});
  CHECK(wall.velocity_at({0.75, 0.5, 0.1}) == Point{0, 3, 3});
  for (const auto& [key, value] : all) {
    CHECK(refused({ball({0.5, 0.5, 0.5}, 0.2, {{key, value}})}) ==
          "0 " + key + ": a wall with slip has no " + key);
    CHECK(refused({ball({0.5, 0.5, 0.5}, 0.2, {{key, value}, {"wall", std::string("slip")}})}, cube, true) ==
          "0 " + key + ": a wall with slip has no " + key);
  }
}

TEST_CASE("a body spins about its centre where that has come to, or about another point") {
  const Settings spins = {{"spin", Reals{0, 0, 1}}, {"move", Reals{0.25, 0, 0}}};
  CHECK(body({ball({0.5, 0.5, 0.5}, 0.2, spins)}, cube, true).wall.about == Point{0.75, 0.5, 0.5});
  CHECK(body({box({0.25, 0.25, 0.25}, {0.5, 0.5, 0.75}, spins)}, cube, true).wall.about ==
        Point{0.625, 0.375, 0.5});
  const Settings other = {{"spin", Reals{0, 0, 1}}, {"about", Reals{0, 0, 0}}};
  CHECK(body({ball({0.5, 0.5, 0.5}, 0.2, other)}, cube, true).wall.about == Point{0, 0, 0});
  // In a plane the axis of the rotation goes through the cells' centres.
  CHECK(body({ball({0.5, 0.25, 9}, 0.2, spins)}, sheet, true).wall.about == Point{0.75, 0.25, 0.5});
}

TEST_CASE("a body has the wall of its first entry, and others may not contradict it") {
  const std::string hull = "hull";
  const auto part = [&](Settings more) {
    more.emplace_back("name", hull);
    return ball({0.5, 0.5, 0.5}, 0.2, more);
  };
  CHECK(body({part({{"temperature", 2.0}}), part({})}, cube, true).wall.temperature == 2);
  CHECK(refused({part({{"temperature", 2.0}}), part({{"temperature", 2.0}})}, cube, true) == "");
  CHECK(refused({part({{"temperature", 2.0}}), part({{"temperature", 3.0}})}, cube, true) ==
        "1 temperature: the body 'hull' has another temperature by its first entry");
  CHECK(refused({part({}), part({{"wall", std::string("slip")}})}, cube, true) ==
        "1 wall: the body 'hull' has another wall by its first entry");
  CHECK(
      refused({part({{"spin", Reals{0, 0, 1}}}), part({{"spin", Reals{0, 0, 1}}, {"about", Reals{0, 0, 0}}})},
              cube, true) == "1 about: the body 'hull' has another about by its first entry");
}

TEST_CASE("names of bodies are words") {
  for (const std::string name : {"a b", "2nd", "a-b", "Körper"})
    CHECK(refused({ball({0.5, 0.5, 0.5}, 0.2, {{"name", name}})}) ==
          "0 name: '" + name + "' is no name for a body");
  CHECK(refused({ball({0.5, 0.5, 0.5}, 0.2, {{"name", std::string("Hull_2")}})}) == "");
}

TEST_CASE("bodies outside of the mesh, between the centres of its cells or all over it are refused") {
  for (const Mesh& mesh : {cube, sheet, line, stretched(cube), stretched(sheet)}) {
    CHECK(refused({ball({3, 0.5, 0.5}, 0.2)}, mesh) == "0 : the body 'body_0' lies outside of the mesh");
    CHECK(refused({ball({0.5, 0.5, 0.5}, 0.001)}, mesh) == "0 : the body 'body_0' holds no cell's centre");
    CHECK(refused({ball({0.5, 0.5, 0.5}, 2)}, mesh) ==
          "0 : the body 'body_0' fills the mesh: no cell's centre is left to the gas");
    CHECK(refused({ball({0.5, 0.5, 0.5}, 0.2), box({-1, -1, -1}, {0.7, 2, 2}), box({0.2, -1, -1}, {2, 2, 2})},
                  mesh) == "2 : the bodies fill the mesh: no cell's centre is left to the gas");
    CHECK(refused({ball({1.1, 0.5, 0.5}, 0.2)}, mesh) == "");  // it reaches into the mesh
  }
}

TEST_CASE("a body that holds one cell of a large mesh, or leaves one, is found") {
  const Mesh large{{200, 150, 70}, {0, 0, 0}, {200, 150, 70}};
  const Point at{137.5, 80.5, 33.5};
  CHECK(refused({ball(at, 0.4)}, large) == "");
  const Settings hull = {{"name", std::string("hull")}};
  const Settings cut = {{"name", std::string("hull")}, {"subtract", true}};
  CHECK(refused({ball(at, 1000, hull), ball(at, 0.4, cut)}, large) == "");
  CHECK(refused({ball(at, 1000, hull), ball({137, 80, 33}, 0.4, cut)}, large) ==
        "0 : the body 'hull' fills the mesh: no cell's centre is left to the gas");
}

TEST_CASE("places where a level set has no value are refused, the first of them by name") {
  if (!can_test_expressions()) return;
  CHECK(refused({entry("level_set", {{"function", FieldValue{0, "0.1 - sqrt(x - 0.5)"}}})}, line) ==
        "0 function: the function has no finite value at (0.0125, 0.5, 0.5)");
  const Body wave = body(
      {entry("level_set", {{"function", FieldValue{0, "y - 0.25 - 0.1*sin(6.283185307179586*x)"}}})}, sheet);
  CHECK(wave.surface->distance({0.25, 0.3, 0}) < 0);
  CHECK(wave.surface->distance({0.75, 0.3, 0}) > 0);
}

TEST_CASE("512^3 cells are looked through in no time") {
  const Mesh huge{{512, 512, 512}, {0, 0, 0}, {1, 1, 1}};
  const auto begin = std::chrono::steady_clock::now();
  CHECK(refused({ball({0.5, 0.5, 0.5}, 1e-5)}, huge) != "");
  CHECK(refused({ball({0.5, 0.5, 0.5}, 0.3)}, huge) == "");
  CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < 2);
}

}  // namespace
