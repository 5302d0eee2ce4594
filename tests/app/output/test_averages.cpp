// Averages over cells and over time.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "app/output/cell_averages.hpp"
#include "app/output/mesh_faces.hpp"
#include "app/output/running_averages.hpp"
#include "tests/support/averages_of_run.hpp"

using namespace halfstep;

TEST_CASE("averages along an axis are those of the rows, and of wide cells more") {
  const Mesh mesh{.cells = {2, 3, 2}, .upper = {2, 3, 4}};
  std::vector<double> values;
  for (int n = 0; n < 12; ++n) values.push_back(n);
  const CellAverages along_x(mesh, {true, false, false}), along_xz(mesh, {true, false, true});
  CHECK(along_x.mesh().cells == std::array{1, 3, 2});
  CHECK(along_x.of(values) == std::vector{0.5, 2.5, 4.5, 6.5, 8.5, 10.5});
  CHECK(along_xz.mesh().cells == std::array{1, 3, 1});
  CHECK(along_xz.of(values) == std::vector{3.5, 5.5, 7.5});
  const std::vector<double> along_yz = CellAverages(mesh, {false, true, true}).of(values);
  REQUIRE(along_yz.size() == 2);
  CHECK(along_yz[0] == doctest::Approx(5).epsilon(1e-15));
  CHECK(along_yz[1] == doctest::Approx(6).epsilon(1e-15));

  Mesh stretched{.cells = {2, 2, 1}, .upper = {4, 1, 1}};
  set_faces(stretched, 0, {0, 1, 4});
  const CellAverages wide(stretched, {true, false, false});
  CHECK(wide.of({1, 5, 2, 6}) == std::vector{4.0, 5.0});
  CHECK_FALSE(wide.mesh().is_stretched());
}

TEST_CASE("averages leave bodies out, and are NaN where there is nothing else") {
  const Mesh mesh{.cells = {2, 3, 1}, .upper = {4, 3, 1}};
  const CellAverages gas(mesh, {true, false, true}, {0, 1, 1, 1, 0, 0});
  const std::vector<double> averages = gas.of({1, 2, 3, 4, 5, 8});
  REQUIRE(averages.size() == 3);
  CHECK(averages[0] == 1);
  CHECK(std::isnan(averages[1]));
  CHECK(averages[2] == 6.5);
}

TEST_CASE("averages over time are those of copies of all states: walls, scalars, sources, stretched meshes") {
  struct Row {
    const char* deck;
    Overrides overrides;
  };
  const Row rows[] = {
      {"isentropic_vortex", {"mesh.cells=[12,15,1]", "scalars={dye: 0.25}"}},
      {"rayleigh_taylor", {"mesh.cells=[8,24,1]", "scheme.integrator=ssprk3"}},
      {"kelvin_helmholtz", {"mesh.cells=[16,16,1]", "scheme.precision=single"}},
      {"detonation", {"mesh.cells=[60,1,1]", "scheme.integrator=ssprk2"}},
      {"boundary_layer", {"mesh.cells=[16,12,1]"}},
      {"sod",
       {"mesh.cells=[40,1,1]", "scheme.integrator=euler", "time.cfl=0.2", "soft_error.max_halvings=9"}},
  };
  for (const Row& row : rows)
    for (const int sample_steps : {1, 2, 3, 5}) {
      CAPTURE(row.deck);
      CAPTURE(sample_steps);
      CaseRun run(row.deck, row.overrides);
      AveragesOfRun averages(run, request_for_averages(sample_steps));
      for (int step = 0; step < 17; ++step) averages.step();
      averages.expect_those_of_states(1e-12);
    }
}

TEST_CASE("averages over time go on from their numbers with the same bits, and not from those of others") {
  CaseRun run("isentropic_vortex", {"mesh.cells=[12,15,1]"});
  const OutputRequest request = request_for_averages(1);
  AveragesOfRun whole(run, request);
  for (int step = 0; step < 7; ++step) whole.step();
  RunningAverages parts(*run.solver, run.config.problem, request, 0);
  parts.restore(whole.averages.numbers());
  for (int step = 0; step < 4; ++step) {
    whole.step();
    parts.accepted(run.state);
    if (parts.rests_after(run.state.step)) parts.take_in();
  }
  CHECK(parts.numbers() == whole.averages.numbers());

  OutputRequest of_others = request;
  of_others.fields = {FlowField::density};
  RunningAverages others(*run.solver, run.config.problem, of_others, 0);
  others.restore(whole.averages.numbers());
  CHECK(others.weight() == 0);
  CHECK(others.names() == std::vector<std::string>{"density_mean", "density_rms"});
}

TEST_CASE("results with covariances have the names and order of their numbers") {
  CaseRun run("sod", {"mesh.cells=[3,1,1]"});
  OutputRequest request;
  request.fields = {FlowField::density, FlowField::pressure};
  request.covariances = true;
  RunningAverages averages(*run.solver, run.config.problem, request, 0);
  CHECK(averages.names() == std::vector<std::string>{"density_mean", "pressure_mean", "density_rms",
                                                     "density_pressure_covariance", "pressure_rms"});
  // The weight, two means, three products of deviations of three cells, and a time.
  const std::vector<double> numbers = {2, 1, 1, 1, 5, 5, 5, 8, 2, 0, 6, 4, 2, 18, 32, 50, 0.5};
  averages.restore(numbers);
  CHECK(averages.numbers() == numbers);
  CHECK(averages.results(numbers) ==
        std::vector<std::vector<double>>{{1, 1, 1}, {5, 5, 5}, {2, 1, 0}, {3, 2, 1}, {3, 4, 5}});
}
