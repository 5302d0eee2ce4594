// Decks with meshes of hexahedra: by a map, and from CGNS files.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/deck/deck.hpp"
#include "app/deck/hexahedra_rules.hpp"
#include "tests/support/cgns_files.hpp"
#include "tests/support/hexahedra.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

const std::string kRest =
    "case: {name: uniform}\ntime: {end: 1}\nscheme: {method: flux_reconstruction, degree: 2}\n";

std::string refused(const std::string& mesh) {
  const std::string text = refusal([&] { parse_deck(kRest + "mesh: " + mesh + "\n", "deck"); });
  return text.substr(0, text.find('\n'));
}

TEST_CASE("a deck's map makes its mesh, which the resolved deck makes again") {
  const RunConfig config = parse_deck(
      kRest +
          "mesh: {cells: [4, 8, 2], upper: [1, 1, 3], order: 3, boundary: {x: [reflecting, outflow], y: "
          "periodic}, map: {kind: annulus, inner: 1, outer: 2}}\n",
      "deck");
  REQUIRE(config.problem.hexahedra);
  const Hexahedra& mesh = *config.problem.hexahedra;
  CHECK(mesh.count == 64);
  CHECK(mesh.order == 3);
  CHECK(mesh.neighbour(0, 2).element == 28);  // around
  CHECK(mesh.neighbour(0, 0).side == 0);
  CHECK(mesh.neighbour(0, 4).side == 4);
  CHECK(mesh.nodes.back()[2] == 3);
  const RunConfig again = parse_deck(config.resolved, "resolved");
  CHECK(again.resolved == config.resolved);
  REQUIRE(again.problem.hexahedra);
  CHECK(again.problem.hexahedra->nodes == mesh.nodes);
  CHECK(config.problem.mesh.cells == std::array{27, 64, 1});  // points and elements
}

TEST_CASE("a state beyond a curved side is looked at where its faces are") {
  const auto deck = [](const std::string& where) {
    return "{cells: [4, 8, 1], map: {kind: annulus, inner: 1, outer: 2}, boundary: {y: periodic, x: "
           "[reflecting, {kind: state, density: 1, pressure: 1, where: \"" +
           where + "\"}]}}";
  };
  if (muparser_version().empty()) return;
  CHECK(refused(deck("x < -1.5")) == "");
  CHECK(
      refused(deck("x < -2.5")).ends_with("no cell at the side lies where 'mesh.boundary.x[1].where' holds"));
}

#if HALFSTEP_HAS_CGNS

/// A directory with a mesh of 3 x 2 elements in a file, whose sides are the wall and the others.
struct WithFile {
  WithFile() {
    Hexahedra mesh = mapped_box({.count = {3, 2, 1}, .order = 2}, [](const Point& x) {
      return Point{x[0], x[1] + 0.1 * x[0] * x[0], 0};
    });
    mesh.sides = {"inlet", "outlet", "wall", "top side"};
    write_cgns(path, mesh);
  }
  /// Returns the block mesh with that file and those boundaries.
  std::string mesh(const std::string& sides, const std::string& more = "") const {
    return "{file: " + path + ", sides: {" + sides + "}" + more + "}";
  }

  TemporaryDirectory directory;
  std::string path = directory / "mesh.cgns";
};

const std::string kSides =
    "top side: outflow, wall: reflecting, outlet: {kind: subsonic_outflow, pressure: 2}, inlet: {kind: "
    "state, "
    "density: 1, velocity: [1, 0, 0], pressure: 3}";

TEST_CASE("a deck's file has its mesh, and the deck the boundaries of its sides") {
  if (!can_read_cgns()) return;
  const WithFile own;
  const RunConfig config = parse_deck(kRest + "mesh: " + own.mesh(kSides) + "\n", "deck");
  const Problem& problem = config.problem;
  REQUIRE(problem.hexahedra);
  CHECK(problem.hexahedra->count == 6);
  CHECK(problem.hexahedra->sides == std::vector<std::string>{"inlet", "outlet", "wall", "top side"});
  CHECK(problem.boundary[0] == std::array{Boundary::state, Boundary::subsonic_outflow});
  CHECK(problem.boundary[1] == std::array{Boundary::reflecting, Boundary::outflow});
  const double x[3] = {};
  CHECK(problem.dirichlet.at(0, 0, x, 0).pressure == 3);
  CHECK(problem.dirichlet.at(0, 1, x, 0).pressure == 2);
  CHECK(problem.mesh.dimensions() == 2);
  double highest = 0;
  for (const Point& place : problem.mesh.points->place) highest = std::max(highest, place[1]);
  CHECK(highest > 1);
  CHECK(highest < 1.1);
  const RunConfig again = parse_deck(config.resolved, "resolved");
  CHECK(again.resolved == config.resolved);
  CHECK(again.problem.boundary == problem.boundary);
}

TEST_CASE("a side's boundary can be changed by an override") {
  if (!can_read_cgns()) return;
  const WithFile own;
  const RunConfig config = parse_deck(kRest + "mesh: " + own.mesh(kSides) + "\n", "deck",
                                      {"mesh.sides.wall=outflow", "mesh.sides.inlet.pressure=4"});
  CHECK(config.problem.boundary[1][0] == Boundary::outflow);
  const double x[3] = {};
  CHECK(config.problem.dirichlet.at(0, 0, x, 0).pressure == 4);
}

TEST_CASE("a file beside another mesh, or with other sides than the deck, is refused") {
  if (!can_read_cgns()) return;
  const WithFile own;
  const auto says = [&](const std::string& mesh, const std::string& what) {
    const std::string message = refused(mesh);
    CAPTURE(message);
    CHECK(message.ends_with("error: " + what));
  };
  says("{file: nowhere.cgns}", "'mesh.file': cannot read 'nowhere.cgns'");
  says(own.mesh("wall: outflow, inlet: outflow, outlet: outflow"),
       "'mesh.sides' has no boundary for the side 'top side' of the file");
  says(own.mesh("walls: outflow, " + kSides), "the file has no side 'walls'; did you mean 'wall'?");
  says(own.mesh("wall: periodic"), "'mesh.sides.wall' cannot be 'periodic'");
  says(own.mesh("wall: state"), "'mesh.sides.wall' has to give the values of 'state'");
  says(own.mesh("wall: [outflow]"), "'mesh.sides.wall' takes a word or a block, not a list");
  says("{file: " + own.path + ", sides: outflow}",
       "'mesh.sides' takes a block of names, each with a word or a block, not 'outflow'");
  says(own.mesh(kSides, ", cells: [4, 4, 1]"), "'mesh.cells' beside 'mesh.file'");
  says(own.mesh(kSides, ", map: bend"), "'mesh.map' beside 'mesh.file'");
  says(own.mesh(kSides, ", boundary: {x: reflecting}"), "'mesh.boundary.x' beside 'mesh.file'");
  says("{cells: [4, 4, 1], sides: {wall: outflow}}", "'mesh.sides' without 'mesh.file'");
  says("{file: \"\"}", "nothing to compute: no axis has more than one cell");
  CHECK(refusal([&] {
          parse_deck(kRest + "mesh: " + own.mesh(kSides), "deck", {"scheme.method=finite_volumes"});
        }).starts_with("deck:4:14: error: 'mesh.file' beside 'scheme.method: finite_volumes'"));
}

TEST_CASE("the values of a file's side are looked at on its faces") {
  if (!can_read_cgns() || muparser_version().empty()) return;
  const WithFile own;
  const std::string others = "wall: reflecting, outlet: outflow, inlet: outflow";
  const auto top = [&](const std::string& pressure) {
    return refused(
        own.mesh(others + ", top side: {kind: state, density: 1, pressure: \"" + pressure + "\"}"));
  };
  // The faces' middles there are at y = 1 + 0.1 x^2, x = 1/6, 1/2, 5/6.
  CHECK(top("y - 1") == "");
  const std::string message = top("1.05 - y");
  CHECK(message.find("'mesh.sides.top side.pressure' is -0.01944") != std::string::npos);
  CHECK(message.ends_with(" at (0.833333, 1.06944, 0), time 0"));
}

#endif

}  // namespace
