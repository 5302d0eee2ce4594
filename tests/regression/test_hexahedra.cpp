// Flux reconstruction in bent elements: a free stream, orders, conservation, the ladder, and the same bits
// however a run is made.
#include <doctest/doctest.h>

#include <cmath>

#include "physics/curved/geometry.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "tests/support/bent_box.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

/// Returns a deck's run in bent elements between the deck's corners, periodic where the deck is.
RunConfig in_bent_elements(const std::string& deck, const std::array<int, 3>& count, int order, int degree,
                           const Overrides& overrides = {}) {
  RunConfig config = load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml",
                               with({"scheme.method=flux_reconstruction", "output.budgets=false",
                                     "mesh.cells=[" + std::to_string(count[0]) + "," +
                                         std::to_string(count[1]) + "," + std::to_string(count[2]) + "]",
                                     "scheme.degree=" + std::to_string(degree)},
                                    overrides));
  Problem& problem = config.problem;
  std::array<bool, 3> is_periodic;
  for (int axis = 0; axis < 3; ++axis) is_periodic[axis] = problem.boundary[axis][0] == Boundary::periodic;
  const auto mesh = std::make_shared<Hexahedra>(
      bent_box(count, order, is_periodic, problem.mesh.lower, problem.mesh.upper));
  problem.hexahedra = mesh;
  problem.mesh = mesh_of_points(HexahedraGeometry(*mesh, degree), mesh->count);
  return config;
}

CaseRun finished_in(const RunConfig& config, int threads = 1) {
  CaseRun run(config, threads);
  run.finish();
  return run;
}

double order_between(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TEST_CASE("a free stream stays in bent elements of every order") {
  for (int order = 1; order <= 4; ++order) {
    CaseRun run(in_bent_elements("uniform", {3, 2, 2}, order, 3));
    run.run(20);
    CHECK(run.error("density").linf < 1e-13);
    CHECK(run.error("velocity").linf < 1e-13);
    CHECK(run.error("pressure").linf < 1e-13);
  }
}

TEST_CASE("a vortex in bent elements converges with order degree + 1, and its mass stays") {
  for (const int degree : {2, 3}) {
    const auto error = [&](int elements) {
      const CaseRun run = finished_in(in_bent_elements(
          "isentropic_vortex", {elements, elements, 1}, degree, degree,
          {"mesh.lower=[-7,-7,0]", "mesh.upper=[7,7,1]", "time.end=0.5",
           "time.dt=" + std::to_string(0.16 * std::pow(1.0 / elements, (degree + 1) / 3.0))}));
      return run.error("density").l2;
    };
    const double coarse = error(16), fine = error(32);
    INFO("degree " << degree << ": " << coarse << " " << fine);
    CHECK(order_between(coarse, fine) == doctest::Approx(degree + 1).epsilon(0.2 / (degree + 1)));
  }
}
