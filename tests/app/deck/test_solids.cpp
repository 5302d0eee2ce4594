// The list `solids` of a deck: what reaches the problem, the resolved deck, and the place of an STL file's
// fault.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "app/deck/deck.hpp"
#include "physics/solids/solid_cell.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/stl_files.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

const std::string kFlow =
    "case: {name: uniform}\nmesh: {cells: [32, 32, 32]}\ntime: {end: 0.2}\ngas: {viscosity: 0.1}\n";

const std::string kBodies = R"(solids:
  - {shape: box, lower: [0.1, 0.1, 0.1], upper: [0.3, 0.2, 0.9], turn: {angle: 90}, name: hull, temperature: 2}
  - {shape: ball, center: [0.2, 0.2, 0.5], radius: 0.05, name: hull, subtract: true}
  - {shape: cylinder, center: [0.5, 0.5, 0.5], axis: x, radius: 0.1, length: 0.2, move: [0.25, 0, 0], spin: [1, 0, 0]}
  - {shape: ball, center: [0.5, 0.8, 0.5], radius: 0.1, wall: slip, turn: {angle: 90, about: [0.5, 0.5, 0.5]}}
)";

void check_bodies(const Problem& problem) {
  REQUIRE(problem.solids->bodies().size() == 3);
  CHECK(problem.has_solids());
  const auto& [hull, shaft, third] =
      std::tie(problem.solids->bodies()[0], problem.solids->bodies()[1], problem.solids->bodies()[2]);
  CHECK(hull.name == "hull");
  CHECK(shaft.name == "body_1");
  CHECK(third.name == "body_2");
  CHECK(hull.surface->distance({0.2, 0.1, 0.5}) == doctest::Approx(-0.05));  // turned about its centre
  CHECK(hull.surface->distance({0.2, 0.2, 0.5}) == doctest::Approx(0.05));   // in the hole
  CHECK(hull.wall.temperature == 2);
  CHECK_FALSE(hull.wall.slip);
  CHECK(shaft.surface->distance({0.75, 0.5, 0.5}) == doctest::Approx(-0.1));
  CHECK(shaft.wall.velocity_at({0, 0.5, 0.75}) == Point{0, -0.25, 0});
  CHECK(third.wall.slip);
  CHECK(third.surface->distance({0.2, 0.5, 0.5}) == doctest::Approx(-0.1));  // turned about another point
}

TEST_CASE("the list solids reaches the problem, and from the resolved deck the same") {
  const RunConfig config = parse_deck(kFlow + kBodies, "deck.yaml");
  check_bodies(config.problem);
  const RunConfig again = parse_deck(config.resolved, "resolved.yaml");
  check_bodies(again.problem);
  CHECK(again.resolved == config.resolved);
  CHECK(config.solids == again.solids);
  CHECK_FALSE(parse_deck(kFlow, "deck.yaml").problem.has_solids());
}

TEST_CASE("an override reaches an entry of solids, and its centre the defaults that follow from it") {
  const RunConfig config = parse_deck(kFlow + kBodies, "deck.yaml", {"solids.2.center=[0.5,0.25,0.5]"});
  CHECK(config.problem.solids->bodies()[1].wall.velocity_at({0, 0.25, 0.75}) == Point{0, -0.25, 0});
}

TEST_CASE("vertices of a polygon are places in the plane, with or without z") {
  const std::string flow =
      "case: {name: uniform}\nmesh: {cells: [32, 32, 1]}\ntime: {end: 0.2}\nsolids:\n  - ";
  const RunConfig flat =
      parse_deck(flow + "{shape: polygon, vertices: [[0.2, 0], [1, 0], [1, 0.2]]}\n", "deck.yaml");
  const RunConfig full =
      parse_deck(flow + "{shape: polygon, vertices: [[0.2, 0, 0], [1, 0, 0], [1, 0.2, 0]]}\n", "deck.yaml");
  CHECK(flat.resolved == full.resolved);
  CHECK(parse_deck(flat.resolved, "resolved.yaml").resolved == full.resolved);
  CHECK(flat.problem.solids->bodies()[0].surface->distance({0.6, -0.1, 0}) == doctest::Approx(0.1));
}

TEST_CASE("a level set may use the numbers that the deck names") {
  if (!can_test_expressions()) return;
  const RunConfig config = parse_deck(
      "case: {name: regions, parameters: {radius: 0.2}}\nmesh: {cells: [32, 32, 1]}\ntime: {end: 0.2}\n"
      "solids: [{shape: level_set, function: \"(x - 0.5)^2 + (y - 0.5)^2 - radius^2\"}]\n",
      "deck.yaml");
  CHECK(config.problem.solids->bodies()[0].surface->distance({0.75, 0.5, 0}) == doctest::Approx(0.05));
  CHECK(parse_deck(config.resolved, "resolved.yaml").resolved == config.resolved);
}

TEST_CASE("the STL file that the program carries is a sphere with the volume of one") {
  if (!can_read_stl()) return;
  const RunConfig config = load_deck("sphere_stl");
  const Surface& sphere = *config.problem.solids->bodies().at(0).surface;
  for (const Point& x : {Point{-0.6, 0, 0}, {0.3, 0.3, 0.3}, {0, 0.1, -0.7}, {0.1, -0.2, 0.05}})
    CHECK(std::abs(sphere.distance(x) - (std::hypot(x[0], x[1], x[2]) - 0.5)) < 0.002);
  const SolidCells& cells = config.problem.solids->cells();  // of an eighth and more: x < 0.2
  const auto count = static_cast<double>(std::count(cells.mask.begin(), cells.mask.end(), 1));
  const double volume = std::numbers::pi / 4 * (0.125 * 2 / 3 + 0.25 * 0.2 - 0.008 / 3);
  CHECK(count / (64 * 64 * 64) == doctest::Approx(volume).epsilon(0.005));
  CHECK(parse_deck(config.resolved, "resolved.yaml").resolved == config.resolved);
}

TEST_CASE("an STL file with a hole is refused at its place in the deck") {
  if (!can_read_stl()) return;
  const TemporaryDirectory directory;
  Soup soup = box_soup({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75});
  const std::string file = (directory / "body.stl").string();
  put(file, text_stl(soup));
  const std::string deck = kFlow + "solids:\n  - {shape: stl, file: " + file + "}\n";
  CHECK(parse_deck(deck, "deck.yaml").problem.solids->bodies()[0].surface->distance({0.5, 0.5, 0.5}) ==
        -0.25);
  soup.pop_back();
  put(file, text_stl(soup));
  const std::string message = refusal([&] { parse_deck(deck, "deck.yaml"); });
  CHECK(
      message.starts_with("deck.yaml:6:24: error: 'solids[0]': the surface is open: 3 edges belong to one "
                          "triangle alone, the first from ("));
  CHECK(message.ends_with("= close its holes in the program that wrote the file"));
}

}  // namespace
