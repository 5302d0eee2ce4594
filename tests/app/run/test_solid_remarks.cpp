// What is told of bodies before a run, and by check.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/run/solid_remarks.hpp"
#include "tests/support/shell.hpp"

using namespace halfstep;

namespace {

std::string deck_with(const std::string& solids) {
  return "case: {name: uniform, pressure: 1}\nscheme: {reconstruction: plm}\nmesh: {cells: [64, 64, "
         "1]}\ntime: {end: 1, max_steps: "
         "1}\nsolids:\n" +
         solids;
}

std::vector<std::string> remarks(const std::string& solids) {
  return remarks_on_solids(parse_deck(deck_with(solids), "deck.yaml").problem);
}

}  // namespace

TEST_CASE("cells where the mesh is too coarse for a body are counted, and the first is named") {
  CHECK(remarks("  - {shape: ball, center: [0.5, 0.5, 0], radius: 0.3}\n").empty());
  // A wall of two cells across the whole mesh.
  CHECK(
      remarks("  - {shape: box, lower: [0.5, -1, 0], upper: [0.53125, 2, 1]}\n") ==
      std::vector<std::string>{"solids: 128 cells where a body is thinner than the scheme's stencil, the "
                               "first at (0.507812, 0.0078125, "
                               "0.5): each holds a state for the gas on one side alone; more cells cure it"});
  // The corners of a box: the nearest of the first row and the last.
  const auto of_box = remarks("  - {shape: box, lower: [0.25, 0.25, 0], upper: [0.75, 0.75, 1]}\n");
  REQUIRE(of_box.size() == 1);
  CHECK(contains(of_box[0],
                 " cells at an edge, or where a surface bends within a cell, the first at (0.257812, "
                 "0.257812, 0.5): walls are of first order there; more cells make the place smaller"));
  // A gap of one cell.
  const auto of_gap = remarks(
      "  - {shape: box, lower: [-1, -1, 0], upper: [0.5, 2, 1]}\n"
      "  - {shape: box, lower: [0.515625, -1, 0], upper: [2, 2, 1]}\n");
  REQUIRE(of_gap.size() == 1);
  CHECK(contains(of_gap[0],
                 " cells whose probe has no gas alone around it, as before a gap narrower than the stencil, "
                 "the first at ("));
  CHECK(contains(of_gap[0],
                 "the nearest cell of gas takes its place, which is of first order; more cells cure it"));
}

TEST_CASE("run and check tell of bodies once, and of none where there are none") {
  const Shell shell;
  shell.write("wall.yaml", deck_with("  - {shape: box, lower: [0.5, -1, 0], upper: [0.53125, 2, 1]}\n"));
  const std::string told = "solids: 128 cells where a body is thinner";
  const auto times = [&](const std::string& text) {
    const std::size_t first = text.find(told);
    return first == std::string::npos ? 0 : text.find(told, first + 1) == std::string::npos ? 1 : 2;
  };
  const Outcome checked =
      shell.expect(0, "check wall.yaml",
                   {"\n# solids: 1 body with 128 cells, 3.12 % of the mesh; the gas reads 128 of them\n",
                    " more there for the cells in bodies\n"});
  CHECK(times(checked.out) == 1);
  const Outcome ran = shell.expect(0, "run wall.yaml --backend host --threads 1 --no-progress");
  CHECK(times(ran.out) == 1);
  CHECK_FALSE(contains(shell("check sod.yaml").out, "# solids"));
}
