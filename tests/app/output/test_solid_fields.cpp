// What dumps have of bodies: the mask and the distance, of the mesh, of a block and of every n-th cell.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/deck/deck.hpp"
#include "app/output/dump.hpp"
#include "app/output/solid_fields.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const std::string kDeck = R"(case: {name: uniform}
mesh: {cells: [20, 16, 1], upper: [2, 1.6, 1]}
solids:
  - {shape: ball, center: [0.5, 0.5, 0], radius: 0.3}
  - {shape: half_space, point: [1.6, 0, 0], normal: x}
time: {end: 1}
)";

double distance(const Point& x) { return std::min(std::hypot(x[0] - 0.5, x[1] - 0.5) - 0.3, 1.6 - x[0]); }

}  // namespace

TEST_CASE("cells of any region have the number of their body and the distance from the nearest surface") {
  const Problem problem = parse_deck(kDeck, "deck.yaml").problem;
  SolidFields fields(problem);
  const CellRegion regions[] = {CellRegion::whole(problem.mesh),
                                {.first = {3, 2, 0}, .count = {7, 9, 1}},
                                {.first = {1, 0, 0}, .count = {6, 5, 1}, .stride = {3, 3, 1}}};
  for (const CellRegion& region : regions) {
    const SolidValues& values = *fields.in(region);
    const std::vector<CellIndex> cells = region.list();
    REQUIRE(values.solid.size() == cells.size());
    REQUIRE(values.distance.size() == cells.size());
    for (std::size_t n = 0; n < cells.size(); ++n) {
      const Point x = problem.mesh.center(cells[n][0], cells[n][1], cells[n][2]);
      CHECK(values.distance[n] == doctest::Approx(distance(x)));
      CHECK(int(values.solid[n]) == (distance(x) >= 0 ? 0 : x[0] < 1 ? 1 : 2));
    }
    CHECK(fields.in(region) == &values);  // it is not found again
  }
  const Problem empty =
      parse_deck("case: {name: uniform}\ntime: {end: 1}\nmesh: {cells: [8, 1, 1]}\n", "deck").problem;
  CHECK(SolidFields(empty).in(CellRegion::whole(empty.mesh)) == nullptr);
}

TEST_CASE("a dump has them in its precision, under their names") {
  const Problem problem = parse_deck(kDeck, "deck.yaml").problem;
  const TemporaryDirectory directory;
  SolidFields fields(problem);
  const SolidValues& values = *fields.in(CellRegion::whole(problem.mesh));
  Fields state;
  for_every_cell(problem.mesh, [&](const auto&) { append(state, Conserved<double>{1, 0, 0, 0, 2.5}); });
  for (const std::string precision : {"double", "single"}) {
    const DumpInfo info{.gases = {{1.4}},
                        .title = "",
                        .deck = "",
                        .git = "",
                        .precision = precision,
                        .backend = "host",
                        .solids = &values};
    write_dump(directory / precision,
               dump_image(info, problem.mesh, view_of(state), {"density", "solid", "distance"}));
    const Dump dump = read_dump(directory / precision);
    REQUIRE(dump.fields.size() == 3);
    CHECK(dump.fields[1].name == "distance");
    CHECK(dump.fields[2].name == "solid");
    for (std::size_t n = 0; n < values.solid.size(); ++n) {
      const double own = values.distance[n];
      CHECK(dump.fields[1].values[n] == (precision == "single" ? double(float(own)) : own));
      CHECK(dump.fields[2].values[n] == values.solid[n]);
    }
  }
}
