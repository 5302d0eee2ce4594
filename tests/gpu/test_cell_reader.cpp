// Cells that a solver reads one by one, against the whole state.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "app/output/cell_values.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

/// Checks every fifth cell of U^n, read by its index, against the copy of the whole.
void expect_cells_of_state(CaseRun& run) {
  const Mesh& mesh = run.mesh();
  std::vector<CellIndex> cells;
  std::vector<std::size_t> places;
  for (std::size_t n = 0; n < static_cast<std::size_t>(mesh.cell_count()); n += 5) {
    const auto cell = static_cast<int>(n);
    cells.push_back(
        {cell % mesh.cells[0], cell / mesh.cells[0] % mesh.cells[1], cell / mesh.cells[0] / mesh.cells[1]});
    places.push_back(n);
  }
  const auto read = run.solver->cell_reader(cells);
  for (int times = 0; times < 2; ++times) {
    const Fields some = widened(read()->fields()), all = run.fields();
    REQUIRE(some.count() == all.count());
    for (int f = 0; f < all.count(); ++f) {
      REQUIRE(some.field(f).size() == cells.size());
      std::size_t wrong = 0;
      for (std::size_t n = 0; n < cells.size(); ++n) wrong += some.field(f)[n] != all.field(f)[places[n]];
      CHECK(wrong == 0);
    }
    run.run(run.state.step + 3);
  }
}

}  // namespace

TEST_CASE(
    "cells read one by one are those of the whole state on CUDA, in either precision and with scalars") {
  for (const char* precision : {"double", "single"}) {
    const Overrides overrides = {"mesh.cells=[33,20,17]", std::string("scheme.precision=") + precision,
                                 "scalars={dye: 0.25}"};
    CaseRun run("taylor_green", overrides, 0, "cuda");
    run.run(2);
    expect_cells_of_state(run);
  }
}

TEST_CASE("gradients at periodic sides and walls are those of the host") {
  for (const char* deck : {"isentropic_vortex", "rayleigh_taylor"}) {
    CAPTURE(deck);
    std::vector<std::vector<double>> values[2];
    for (const bool cuda : {false, true}) {
      CaseRun run(deck, {"mesh.cells=[24,24,1]"}, 0, cuda ? "cuda" : "host");
      run.run(3);
      OutputRequest request;
      request.fields = {FlowField::density, FlowField::vorticity_z, FlowField::divergence,
                        FlowField::schlieren};
      std::vector<CellIndex> sides;
      for (int n = 0; n < 24; ++n)
        for (const CellIndex& cell : {CellIndex{n, 0, 0}, {n, 23, 0}, {0, n, 0}, {23, n, 0}})
          sides.push_back(cell);
      const CellValues of_sides(*run.solver, run.config.problem, request, sides);
      values[cuda] = of_sides.values(widened(of_sides.read()->fields()));
    }
    REQUIRE(values[0].size() == 4);
    for (std::size_t f = 0; f < 4; ++f)
      for (std::size_t n = 0; n < values[0][f].size(); ++n)
        CHECK(values[1][f][n] == doctest::Approx(values[0][f][n]).epsilon(1e-8));
  }
}
