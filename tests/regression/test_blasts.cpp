// Sedov's blast waves: the shock where theory puts it, and the symmetries of the mesh.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "physics/exact/sedov.hpp"
#include "tests/run_case.hpp"

using namespace halfstep;

namespace {

/// Where the density averaged over shells of one cell's width is largest.
double shock_radius(const CaseRun& run) {
  const Mesh& mesh = run.mesh();
  const Fields fields = run.fields();
  const double h = mesh.spacing(0);
  std::vector<double> sum(4 * mesh.cells[0]), count(sum.size());
  std::size_t n = 0;
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i, ++n) {
        double r2 = 0;
        for (int a = 0; a < 3; ++a)
          if (mesh.swept(a)) r2 += std::pow(mesh.center(i, j, k)[a], 2);
        const auto shell = static_cast<std::size_t>(std::sqrt(r2) / h);
        sum[shell] += fields.conserved[0][n];
        count[shell] += 1;
      }
  std::size_t densest = 0;
  for (std::size_t s = 0; s < sum.size(); ++s)
    if (count[s] > 0 && sum[s] / count[s] > sum[densest] / count[densest]) densest = s;
  return (densest + 0.5) * h;
}

/// Largest difference between the run and its own image: the cell `image(i, j, k)` with momenta exchanged by
/// `axis` and multiplied by `sign`; in units of the largest value of each kind of field.
template <class Image>
double asymmetry(const CaseRun& run, Image image, std::array<int, 3> axis, std::array<int, 3> sign) {
  const Mesh& mesh = run.mesh();
  const auto u = run.fields().conserved;
  const auto at = [&](std::array<int, 3> c) {
    return (static_cast<std::size_t>(c[2]) * mesh.cells[1] + c[1]) * mesh.cells[0] + c[0];
  };
  double worst = 0, momentum = 0, density = 0, energy = 0;
  for (std::size_t n = 0; n < u[0].size(); ++n) {
    density = std::max(density, u[0][n]);
    energy = std::max(energy, u[4][n]);
    for (int a = 0; a < 3; ++a) momentum = std::max(momentum, std::abs(u[1 + a][n]));
  }
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        const std::size_t n = at({i, j, k}), m = at(image(i, j, k));
        worst =
            std::max({worst, std::abs(u[0][n] - u[0][m]) / density, std::abs(u[4][n] - u[4][m]) / energy});
        for (int a = 0; a < 3; ++a)
          worst = std::max(worst, std::abs(u[1 + a][n] - sign[a] * u[1 + axis[a]][m]) / momentum);
      }
  return worst;
}

using Cell = std::array<int, 3>;

}  // namespace

TEST_CASE("the cylindrical blast is where theory puts it, and as symmetric as the mesh") {
  CaseRun run("sedov_2d", {"mesh.cells=[96,96,1]"});
  run.finish();
  const double exact = SedovBlast(2, 1.4).shock_radius(1, 1, 0.75);
  CHECK(exact == doctest::Approx(0.870).epsilon(1e-3));
  CHECK(std::abs(shock_radius(run) - exact) < 1.5 * run.mesh().spacing(0));

  const int last = 95;
  CHECK(asymmetry(run, [](int i, int j, int k) { return Cell{j, i, k}; }, {1, 0, 2}, {1, 1, 1}) < 1e-12);
  CHECK(asymmetry(run,
                  [](int i, int j, int k) {
                    return Cell{last - i, j, k};
                  },
                  {0, 1, 2}, {-1, 1, 1}) < 1e-12);
  CHECK(asymmetry(run,
                  [](int i, int j, int k) {
                    return Cell{i, last - j, k};
                  },
                  {0, 1, 2}, {1, -1, 1}) < 1e-12);
  // The measure sees what is not there.
  CHECK(asymmetry(run, [](int i, int j, int k) { return Cell{last - i, j, k}; }, {0, 1, 2}, {1, 1, 1}) > 0.1);
}

TEST_CASE("the spherical blast is where theory puts it, and as symmetric as the mesh") {
  CaseRun run("sedov_3d", {"mesh.cells=[48,48,48]", "time.end=0.3"});
  run.finish();
  const double exact = SedovBlast(3, 1.4).shock_radius(1, 1, 0.3);
  CHECK(std::abs(shock_radius(run) - exact) < 1.5 * run.mesh().spacing(0));

  const int last = 47;
  CHECK(asymmetry(run, [](int i, int j, int k) { return Cell{j, i, k}; }, {1, 0, 2}, {1, 1, 1}) < 1e-12);
  CHECK(asymmetry(run, [](int i, int j, int k) { return Cell{k, j, i}; }, {2, 1, 0}, {1, 1, 1}) < 1e-12);
  CHECK(asymmetry(run,
                  [](int i, int j, int k) {
                    return Cell{i, j, last - k};
                  },
                  {0, 1, 2}, {1, 1, -1}) < 1e-12);
}
