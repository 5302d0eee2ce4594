#include <doctest/doctest.h>
#include <omp.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "physics/cases/initial_state.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

constexpr IdealGas<double> kGas{1.4};
const Mesh cube{{16, 18, 12}, {0, 0, 0}, {1, 1, 1}};
const Mesh brick{{24, 12, 10}, {-1, 0, 2}, {3, 2, 3.5}};
const Mesh sheet{{24, 20, 1}, {0, 0, 0}, {2, 1.5, 1}};
const Mesh upright{{1, 20, 16}, {0, 0, 0}, {1, 2, 2}};

std::unique_ptr<Case> turbulence(const Mesh& mesh, double peak, std::int64_t seed = 1, double mach = 0.3) {
  return make_case("turbulence", mesh, kGas.gamma,
                   {{"peak", peak}, {"seed", seed}, {"mach", mach}, {"density", 2.0}, {"pressure", 3.0}});
}

/// Returns the discrete Fourier coefficient of a component of the cells' velocities.
Complex coefficient(const std::vector<Primitive<double>>& cells, const Mesh& mesh,
                    const std::array<int, 3>& wave, double Primitive<double>::*component) {
  Complex sum = 0;
  std::size_t n = 0;
  for_every_cell(mesh, [&](const auto& cell) {
    double turns = 0;
    for (int axis = 0; axis < 3; ++axis) turns += wave[axis] * (cell[axis] + 0.5) / mesh.cells[axis];
    sum += cells[n++].*component * std::polar(1.0, -2 * pi * turns);
  });
  return sum / static_cast<double>(n);
}

std::vector<Primitive<double>> cells_of(const Case& flow, const Mesh& mesh) {
  std::vector<Primitive<double>> all;
  for_every_cell(
      mesh, [&](const auto& cell) { all.push_back(to_primitive(flow.initial(box_of(mesh, cell)), kGas)); });
  return all;
}

/// Returns the average of a wave over a cell, of which there are 1 / `waves` in a wave length.
double average_of_wave(double waves) { return waves == 0 ? 1 : std::sin(pi * waves) / (pi * waves); }

double mean_square(const std::vector<Primitive<double>>& cells) {
  double sum = 0;
  for (const auto& q : cells) sum += q.u * q.u + q.v * q.v + q.w * q.w;
  return sum / static_cast<double>(cells.size());
}

/// Returns the average of a component over a face of a cell: over a box without width.
double face_velocity(const Case& flow, Box cell, int axis, bool upper) {
  (upper ? cell.lower : cell.upper)[axis] = (upper ? cell.upper : cell.lower)[axis];
  const Conserved<double> c = flow.initial(cell);
  return (axis == 0 ? c.mu : axis == 1 ? c.mv : c.mw) / c.density;
}

}  // namespace

TEST_CASE("turbulence has the root mean square Mach number of the deck on every mesh, and uniform pressure") {
  for (const Mesh& mesh : {cube, brick, sheet, upright})
    for (const double mach : {0.3, 2.5}) {
      const auto flow = turbulence(mesh, 2, 7, mach);
      const auto cells = cells_of(*flow, mesh);
      CHECK(std::sqrt(mean_square(cells) / (kGas.gamma * 3.0 / 2.0)) == doctest::Approx(mach).epsilon(1e-13));
      double mean[3] = {};
      for (const auto& q : cells) {
        REQUIRE(q.density == 2);
        REQUIRE(q.pressure == doctest::Approx(3).epsilon(1e-13));
        mean[0] += q.u, mean[1] += q.v, mean[2] += q.w;
      }
      for (int axis = 0; axis < 3; ++axis) {
        CHECK(std::abs(mean[axis]) < 1e-12 * static_cast<double>(cells.size()));
        if (!mesh.active(axis)) CHECK(mean[axis] == 0);
      }
    }
}

TEST_CASE("no gas of turbulence gathers anywhere: the averages over the faces of each cell cancel") {
  for (const Mesh& mesh : {cube, brick, sheet, upright}) {
    const auto flow = turbulence(mesh, 2);
    double largest = 0, flux = 0;
    for_every_cell(mesh, [&](const auto& cell) {
      const Box box = box_of(mesh, cell);
      double divergence = 0;
      for (int axis = 0; axis < 3; ++axis) {
        if (!mesh.active(axis)) continue;
        const double lower = face_velocity(*flow, box, axis, false),
                     upper = face_velocity(*flow, box, axis, true);
        divergence += (upper - lower) / mesh.spacing(axis);
        flux = std::max(flux, std::abs(upper) / mesh.spacing(axis));
      }
      largest = std::max(largest, std::abs(divergence));
    });
    CHECK(flux > 1);
    CHECK(largest < 1e-13 * flux);
  }
}

TEST_CASE("every Fourier mode of turbulence is normal to its wave vector, and the shells have the spectrum") {
  const Mesh mesh{{20, 20, 20}, {0, 0, 0}, {1, 1, 1}};
  constexpr double peak = 3;
  const auto cells = cells_of(*turbulence(mesh, peak), mesh);
  std::vector<double> shells(16);
  std::vector<int> modes(16);
  for (int x = -9; x <= 9; ++x)
    for (int y = -9; y <= 9; ++y)
      for (int z = 0; z <= 9; ++z) {
        const double k = std::sqrt(x * x + y * y + z * z);
        if (k == 0) continue;
        const Complex u = coefficient(cells, mesh, {x, y, z}, &Primitive<double>::u),
                      v = coefficient(cells, mesh, {x, y, z}, &Primitive<double>::v),
                      w = coefficient(cells, mesh, {x, y, z}, &Primitive<double>::w);
        REQUIRE(std::abs(u * double(x) + v * double(y) + w * double(z)) < 1e-14 * k);
        const double share =
            average_of_wave(x / 20.0) * average_of_wave(y / 20.0) * average_of_wave(z / 20.0);
        const auto shell = static_cast<std::size_t>(k + 0.5);
        shells[shell] += (std::norm(u) + std::norm(v) + std::norm(w)) / (share * share) * (z > 0 ? 2 : 1);
        modes[shell] += z > 0 ? 2 : 1;
      }
  const auto spectrum = [](double k) { return k * k * k * k * std::exp(-2 * k * k / (peak * peak)); };
  double whole = 0, expected = 0;
  for (std::size_t k = 1; k <= 7; ++k) whole += shells[k], expected += spectrum(static_cast<double>(k));
  for (std::size_t k = 1; k <= 7; ++k) {
    CAPTURE(k);
    // The number of wave vectors in a shell differs from its area, and the spectrum is no line within it.
    const double even = 4 * pi * static_cast<double>(k * k) / modes[k];
    const double ratio = shells[k] / whole * even / (spectrum(static_cast<double>(k)) / expected);
    CHECK(std::abs(ratio - 1) < (k < 2 || k > 6 ? 0.6 : 0.2));
  }
  for (std::size_t k = 10; k < 16; ++k) CHECK(shells[k] < 1e-24);
}

TEST_CASE("turbulence in a plane has the spectrum, too") {
  const Mesh mesh{{40, 40, 1}, {0, 0, 0}, {1, 1, 1}};
  const auto cells = cells_of(*turbulence(mesh, 4), mesh);
  std::vector<double> shells(30);
  std::vector<int> modes(30);
  for (int x = -19; x <= 19; ++x)
    for (int y = -19; y <= 19; ++y) {
      const Complex u = coefficient(cells, mesh, {x, y, 0}, &Primitive<double>::u),
                    v = coefficient(cells, mesh, {x, y, 0}, &Primitive<double>::v);
      REQUIRE(std::abs(u * double(x) + v * double(y)) < 1e-13);
      const auto shell = static_cast<std::size_t>(std::sqrt(x * x + y * y) + 0.5);
      shells[shell] +=
          (std::norm(u) + std::norm(v)) / std::pow(average_of_wave(x / 40.0) * average_of_wave(y / 40.0), 2);
      modes[shell] += 1;
    }
  const auto spectrum = [](double k) { return k * k * k * k * std::exp(-2 * k * k / 16); };
  const auto density = [&](int k) { return shells[k] / modes[k] * k / spectrum(k); };
  for (const int k : {3, 5, 6, 7}) {
    CAPTURE(k);
    CHECK(std::abs(density(k) / density(4) - 1) < 0.2);
  }
}

TEST_CASE("rows of turbulence have the bits of single cells, ghosts those of the cells they repeat") {
  for (const Mesh& mesh : {cube, sheet, upright}) {
    const auto flow = turbulence(mesh, 2);
    const CellRows rows{-3, mesh.cells[0] + 6, -3, mesh.cells[1] + 6, mesh.cells[2] / 2};
    std::vector<Conserved<double>> states(static_cast<std::size_t>(rows.length * rows.count));
    flow->initial_rows(mesh, rows, states.data());
    const auto wrapped = [&](int axis, int i) { return (i + mesh.cells[axis]) % mesh.cells[axis]; };
    std::size_t n = 0;
    for (int j = rows.first_j; j < rows.first_j + rows.count; ++j)
      for (int i = rows.first_i; i < rows.first_i + rows.length; ++i, ++n) {
        REQUIRE(same_bits(states[n], flow->initial(mesh.cell(i, j, rows.k))));
        REQUIRE(same_bits(states[n], flow->initial(mesh.cell(mesh.active(0) ? wrapped(0, i) : i,
                                                             mesh.active(1) ? wrapped(1, j) : j, rows.k))));
      }
  }
}

TEST_CASE("turbulence is the same for any number of threads, and another for another seed") {
  const auto fields = [](int threads, std::int64_t seed) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    const Fields all = extended_initial_fields(*turbulence(brick, 2, seed), brick, {kGas}, 3);
    omp_set_num_threads(before);
    return all.conserved;
  };
  const auto one = fields(1, 5);
  CHECK(one == fields(2, 5));
  CHECK(one == fields(7, 5));
  const auto other = fields(2, 6);
  double difference = 0, size = 0;
  for (std::size_t n = 0; n < one[1].size(); ++n) {
    difference += std::pow(one[1][n] - other[1][n], 2);
    size += std::pow(one[1][n], 2);
  }
  CHECK(difference > 0.5 * size);
}

TEST_CASE("a finer mesh sees the same turbulence, but for the factor that the Mach number takes") {
  const Mesh fine{{32, 36, 24}, cube.lower, cube.upper};
  const auto coarse = turbulence(cube, 1.5), finer = turbulence(fine, 1.5);
  double factor = 0;
  for_every_cell(cube, [&](const auto& cell) {
    const Box box = box_of(cube, cell);
    const double ratio = finer->initial(box).mu / coarse->initial(box).mu;
    if (factor == 0) factor = ratio;
    REQUIRE(ratio == doctest::Approx(factor).epsilon(1e-9));
  });
  CHECK(factor < 1);
  CHECK(factor > 0.9);
}

TEST_CASE("turbulence says what it cannot be") {
  const Mesh line{{64, 1, 1}, {0, 0, 0}, {1, 1, 1}};
  CHECK(contains(refusal([&] { turbulence(line, 4); }), "mesh.cells"));
  CHECK(contains(refusal([&] { turbulence(cube, 4.1); }), "case.peak"));
  CHECK(turbulence(cube, 4) != nullptr);
  CHECK(contains(turbulence(cube, 2)->objection(1, {Boundary::reflecting, Boundary::reflecting}),
                 "mesh.boundary.y=periodic"));
  CHECK(turbulence(cube, 2)->objection(1, {Boundary::periodic, Boundary::periodic}) == "");
}
