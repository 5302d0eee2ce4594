// Fields in some cells: which cells are read, and what is computed of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "app/output/cell_values.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

OutputRequest request_of(std::vector<FlowField> fields) {
  OutputRequest request;
  request.fields = std::move(fields);
  return request;
}

std::vector<CellIndex> all_cells(const Mesh& mesh) {
  std::vector<CellIndex> cells;
  for_every_cell(mesh, [&](const auto& cell) { cells.push_back({cell[0], cell[1], cell[2]}); });
  return cells;
}

}  // namespace

TEST_CASE("a point belongs to the cell around it, on a face to the upper one, at the end to the last") {
  const Mesh mesh{.cells = {10, 4, 1}, .lower = {-1, 0, 0}, .upper = {1, 1, 1}};
  CHECK(cell_of(mesh, {-1, 0, 0}) == CellIndex{0, 0, 0});
  CHECK(cell_of(mesh, {-0.05, 0.49, 0.7}) == CellIndex{4, 1, 0});
  CHECK(cell_of(mesh, {0, 0.5, 0.5}) == CellIndex{5, 2, 0});
  CHECK(cell_of(mesh, {1, 1, 1}) == CellIndex{9, 3, 0});
  // 0.3 / 0.1 and others are just below a whole number.
  for (int faces = 1; faces < 200; ++faces) {
    const Mesh fine{.cells = {200, 1, 1}, .lower = {0.1, 0, 0}, .upper = {20.1, 1, 1}};
    CHECK(cell_of(fine, {(faces + 1) / 10.0, 0, 0})[0] == faces);
  }
}

TEST_CASE("on a stretched axis a point on a face, to round-off, belongs to the cell above it") {
  Mesh mesh{.cells = {4, 1, 1}, .lower = {-1, 0, 0}, .upper = {3, 1, 1}};
  const std::vector<double> faces = {-1, -0.9, 0.3, 0.7, 3};
  mesh.stretched[0] = std::make_shared<const StretchedAxis>(faces, false);
  for (int n = 0; n < 4; ++n) {
    CAPTURE(n);
    CHECK(cell_of(mesh, {faces[n] - 1e-13, 0, 0})[0] == n);
    CHECK(cell_of(mesh, {faces[n], 0, 0})[0] == n);
    CHECK(cell_of(mesh, {faces[n + 1] - 1e-6, 0, 0})[0] == n);
  }
  CHECK(cell_of(mesh, {3, 0, 0})[0] == 3);
  CHECK(cell_of(mesh, {9, 0, 0})[0] == 3);
  CHECK(cell_of(mesh, {-9, 0, 0})[0] == 0);
}

TEST_CASE("the cells of a reader are those of the whole state, step after step, with any threads") {
  for (const int threads : {1, 3}) {
    CaseRun run("taylor_green", {"mesh.cells=[12,8,10]", "scalars={dye: 0.25}"}, threads);
    const auto cells = all_cells(run.mesh());
    const auto read = run.solver->cell_reader(cells);
    for (int steps = 0; steps < 3; ++steps) {
      const Fields some = widened(read()->fields()), all = run.fields();
      for (int f = 0; f < all.count(); ++f) CHECK(some.field(f) == all.field(f));
      run.run(run.state.step + 1);
    }
    OutputRequest request = request_of({FlowField::pressure});
    request.mass_fractions = true;
    const CellValues values(*run.solver, run.config.problem, request, {{3, 4, 5}});
    CHECK(values.names() == std::vector<std::string>{"pressure", "dye"});
    CHECK(values.values(widened(values.read()->fields()))[1][0] == doctest::Approx(0.25));
  }
}

TEST_CASE("gradients reach across periodic sides") {
  CaseRun run("isentropic_vortex", {"mesh.cells=[24,20,1]"});
  run.run(5);
  const Mesh& mesh = run.mesh();
  const CellValues values(*run.solver, run.config.problem,
                          request_of({FlowField::density, FlowField::vorticity_z}), all_cells(mesh));
  const auto read = values.values(widened(values.read()->fields()));
  const auto& u = run.fields().conserved;
  const auto velocity = [&](int component, int i, int j) {
    const auto n = static_cast<std::size_t>((j + 20) % 20 * 24 + (i + 24) % 24);
    return u[component + 1][n] / u[0][n];
  };
  CHECK(read[0] == u[0]);
  double largest = 0;
  for (int j = 0; j < 20; ++j)
    for (int i = 0; i < 24; ++i) {
      const double curl = (velocity(1, i + 1, j) - velocity(1, i - 1, j)) / (2 * mesh.spacing(0)) -
                          (velocity(0, i, j + 1) - velocity(0, i, j - 1)) / (2 * mesh.spacing(1));
      const double got = read[1][static_cast<std::size_t>(j * 24 + i)];
      CHECK(std::abs(got - curl) < 1e-13);
      largest = std::max(largest, std::abs(curl));
    }
  CHECK(largest > 0.1);
}

TEST_CASE("gradients of a stretched mesh are over the distance of the neighbours' centres") {
  CaseRun run("isentropic_vortex", {"mesh.cells=[24,20,1]"});
  const OutputRequest request = request_of({FlowField::vorticity_z});
  const auto cells = all_cells(run.mesh());
  const auto vorticity = [&](const Problem& problem) {
    const CellValues values(*run.solver, problem, request, cells);
    return values.values(widened(values.read()->fields()))[0];
  };
  Problem problem = run.config.problem;
  const std::vector<double> uniform = vorticity(problem);
  const Mesh& mesh = run.mesh();
  std::vector<double> faces;
  for (int n = 0; n <= 20; ++n)
    faces.push_back(mesh.lower[1] + n * n * (mesh.upper[1] - mesh.lower[1]) / 400);
  problem.mesh.stretched[1] = std::make_shared<const StretchedAxis>(faces, true);
  const std::vector<double> stretched = vorticity(problem);
  const auto& u = run.fields().conserved;
  for (int j = 1; j < 19; ++j)
    for (int i = 0; i < 24; ++i) {
      const auto at = [&](int row) { return static_cast<std::size_t>(24 * row + i); };
      const double across = u[1][at(j + 1)] / u[0][at(j + 1)] - u[1][at(j - 1)] / u[0][at(j - 1)];
      const double distance = (faces[j + 2] + faces[j + 1] - faces[j] - faces[j - 1]) / 2;
      const double expected = uniform[at(j)] + across / (2 * mesh.spacing(1)) - across / distance;
      CHECK(std::abs(stretched[at(j)] - expected) < 1e-12);
    }
}
