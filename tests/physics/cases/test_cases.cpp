#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <vector>

#include "physics/cases/exact/quadrature.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/stretched.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const Mesh line{{50, 1, 1}, {0, 0, 0}, {1, 1, 1}};
const Mesh sheet{{24, 24, 1}, {-1, -1, 0}, {1, 1, 1}};
const Mesh cube{{12, 12, 12}, {-1, -1, -1}, {1, 1, 1}};

Conserved<double> total(const Mesh& mesh, const auto& state) {
  Conserved<double> sum{};
  for_every_cell(mesh, [&](const auto& cell) {
    const Box box = box_of(mesh, cell);
    sum = sum + volume(box) * state(box);
  });
  return sum;
}

}  // namespace

TEST_CASE("initial states are those of u and v exchanged, to the last bit") {
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> random(-3, 3);
  for (int n = 0; n < 1000; ++n) {
    const double u = random(generator), v = random(generator);
    const auto energy = [&](const std::vector<double>& velocity) {
      return make_case("uniform", cube, 1.4, {{"velocity", velocity}})->initial(cube.cell(3, 4, 5)).energy;
    };
    REQUIRE(energy({u, v, 0.3}) == energy({v, u, 0.3}));
  }
}

TEST_CASE("the registry holds every case, sorted, with summary, reference and described parameters") {
  std::istringstream known(
      "cooling_box couette detonation double_mach gresho isentropic_vortex jet kelvin_helmholtz linear_wave "
      "noh "
      "poiseuille "
      "rayleigh_taylor regions riemann sedov shu_osher taylor_green uniform viscous_shock");
  for (std::string name; known >> name;) CHECK_MESSAGE(find_case(name) != nullptr, name);
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    CHECK(find_case(info.name) == &info);
    CHECK_FALSE(info.summary.empty());
    CHECK_FALSE(info.reference.empty());
    for (const Parameter& p : info.parameters) {
      CAPTURE(p.name);
      CHECK_FALSE(p.meaning.empty());
      if (!p.choices.empty())
        CHECK(std::count(p.choices.begin(), p.choices.end(), std::get<std::string>(p.fallback)) == 1);
      if (const double* x = std::get_if<double>(&p.fallback))
        CHECK((*x >= p.range.low && *x <= p.range.high));
    }
  }
  CHECK(std::is_sorted(cases().begin(), cases().end(), [](auto& a, auto& b) { return a.name < b.name; }));
  CHECK(find_case("sodd") == nullptr);
  CHECK(find_case("") == nullptr);
}

TEST_CASE("an exact solution known at the start is the initial state") {
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    const auto flow = make_case(info.name, cube, 1.4);
    if (!flow->has_exact(0)) continue;
    for (int i = -3; i < 15; ++i) {
      const Box cell = cube.cell(i, 5, 7);
      CHECK(same_bits(flow->initial(cell), flow->exact(cell, 0)));
      CHECK(flow->initial_reactant(cell) == flow->exact_reactant(cell, 0));
    }
  }
}

TEST_CASE("every case starts from positive density and pressure, ghost cells included") {
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    const auto flow = make_case(info.name, cube, 1.4);
    for (int k = -3; k < 15; ++k)
      for (int j = -3; j < 15; ++j)
        for (int i = -3; i < 15; ++i) {
          const auto q = to_primitive(flow->initial(cube.cell(i, j, k)), IdealGas<double>{1.4});
          REQUIRE(q.density > 0);
          REQUIRE(q.pressure > 0);
          REQUIRE(std::isfinite(q.u + q.v + q.w));
        }
  }
}

TEST_CASE("a cell of a stretched mesh holds what the cells of a uniform one hold in its place") {
  const Mesh fine{{36, 36, 36}, {-1, -1, -1}, {1, 1, 1}};
  Mesh mesh{{3, 4, 5}, {-1, -1, -1}, {1, 1, 1}};
  const std::vector<int> faces[] = {{0, 4, 20, 36}, {0, 2, 10, 25, 36}, {0, 3, 9, 16, 22, 36}};
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> places;
    for (const int n : faces[axis]) places.push_back(fine.face(axis, n));
    mesh.stretched[axis] = std::make_shared<StretchedAxis>(places, false);
  }
  for (const CaseInfo& info : cases()) {
    if (info.needs_uniform_mesh) continue;
    CAPTURE(info.name);
    const auto flow = make_case(info.name, mesh, 1.4), finer = make_case(info.name, fine, 1.4);
    for_every_cell(mesh, [&](const std::array<int, 3>& c) {
      const Box cell = box_of(mesh, c);
      Conserved<double> sum{};
      for (int k = faces[2][c[2]]; k < faces[2][c[2] + 1]; ++k)
        for (int j = faces[1][c[1]]; j < faces[1][c[1] + 1]; ++j)
          for (int i = faces[0][c[0]]; i < faces[0][c[0] + 1]; ++i) {
            const Box part = fine.cell(i, j, k);
            sum = sum + (volume(part) / volume(cell)) * finer->initial(part);
          }
      REQUIRE(distance(flow->initial(cell), sum) < 1e-4 * largest_component(sum));
    });
  }
}

TEST_CASE("a case that does not fit the mesh says what to change") {
  const std::vector<std::int64_t> oblique{0, 1, 0}, none{0, 0, 0};
  const auto check = [](const std::string& key, const std::string& name, const Mesh& mesh,
                        std::initializer_list<std::pair<std::string, Value>> changes) {
    CHECK(contains(refusal([&] { make_case(name, mesh, 1.4, changes); }), key));
  };
  check("mesh.cells", "riemann", line, {{"axis", "y"}});
  check("mesh.cells", "taylor_green", sheet, {});
  check("case.mach", "taylor_green", cube, {{"mach", 2.0}});
  check("case.waves", "linear_wave", line, {{"waves", oblique}});
  check("case.waves", "linear_wave", line, {{"waves", none}});
  check("mesh.cells", "isentropic_vortex", line, {});
  check("case.strength", "isentropic_vortex", sheet, {{"strength", 20.0}});
  check("mesh.cells", "gresho", line, {});
  check("case.radius", "gresho", sheet, {{"radius", 0.7}});
  check("case.mach", "gresho", sheet, {{"mach", 1.3}});
  check("mesh.cells", "kelvin_helmholtz", line, {});
  check("mesh.cells", "double_mach", line, {});
}

TEST_CASE("a shock tube lies along any axis and is cut at its position") {
  for (int axis = 0; axis < 3; ++axis) {
    Mesh mesh;
    mesh.cells[axis] = 10;
    const auto flow = make_case("riemann", mesh, 1.4,
                                {{"axis", std::string(1, "xyz"[axis])},
                                 {"position", 0.52},
                                 {"left.velocity", std::vector<double>{1, 2, 3}},
                                 {"right.velocity", std::vector<double>{-1, -2, -3}}});
    const auto cell = [&](int i) {
      return mesh.cell(axis == 0 ? i : 0, axis == 1 ? i : 0, axis == 2 ? i : 0);
    };
    CHECK(same_bits(flow->initial(cell(4)), {1, 1, 2, 3, 2.5 + 7}));
    CHECK(same_bits(flow->initial(cell(6)), to_conserved({0.125, -1, -2, -3, 0.1}, IdealGas<double>{1.4})));
    CHECK(flow->initial(cell(5)).density == doctest::Approx(0.2 + 0.8 * 0.125).epsilon(1e-13));
    // The exact solution holds until the first wave reaches an end of the tube.
    Boundaries open{};
    open[axis] = {Boundary::outflow, Boundary::outflow};
    CHECK(flow->lost_exact(open, 0.01) == "");
    CHECK(flow->lost_exact(open, 1) == "a wave has met a boundary");
    // The tangential velocity jumps at the contact alone.
    const double t = 0.01;
    const auto start = total(mesh, [&](const Box& b) { return flow->initial(b); });
    const auto end = total(mesh, [&](const Box& b) { return flow->exact(b, t); });
    const double u = axis + 1;
    CHECK(end.density - start.density == doctest::Approx(t * (u + 0.125 * u)).epsilon(1e-12));
  }
}

TEST_CASE("the Shu-Osher density wave is averaged exactly, also in the cell that holds the shock") {
  const Mesh mesh{{73, 1, 1}, {-5, 0, 0}, {5, 1, 1}};
  const auto flow = make_case("shu_osher", mesh, 1.4);
  const GaussRule rule = gauss_rule(20);
  for (int i = -3; i < 76; ++i) {
    const Box cell = mesh.cell(i, 0, 0);
    const double a = cell.lower[0], b = cell.upper[0], cut = std::clamp(-4.0, a, b);
    double density = 3.857143 * (cut - a);
    if (cut < b)
      density +=
          (b - cut) * interval_average(rule, cut, b, [](double x) { return 1 + 0.2 * std::sin(5 * x); });
    CHECK(flow->initial(cell).density == doctest::Approx(density / (b - a)).epsilon(1e-13));
  }
  CHECK_FALSE(flow->has_exact(0));
}

TEST_CASE("the double Mach shock is Woodward and Colella's and cuts cells by area") {
  const Mesh mesh{{40, 10, 1}, {0, 0, 0}, {4, 1, 1}};
  const auto flow = make_case("double_mach", mesh, 1.4);
  const DirichletState beyond = flow->dirichlet();
  // At the top the front passes x = 1/6 + 1 / sqrt 3 at t = 0, and 2 further after t = sqrt(3) / 10.
  const auto at_top = [&](double x, double t) { return beyond.at(std::array{x, 1.0, 0.0}.data(), t); };
  const double start = 1.0 / 6 + 1 / std::sqrt(3.0), later = 0.1 * std::sqrt(3.0);
  const Primitive<double> behind = at_top(start - 1e-9, 0), ahead = at_top(start + 1e-9, 0);
  CHECK(at_top(start + 2 - 1e-9, later).density == behind.density);
  CHECK(at_top(start + 2 + 1e-9, later).density == ahead.density);
  CHECK(behind.density == doctest::Approx(8));
  CHECK(behind.u == doctest::Approx(8.25 * std::sqrt(0.75)));
  CHECK(behind.v == doctest::Approx(-8.25 / 2));
  CHECK(behind.pressure == doctest::Approx(116.5));
  CHECK(beyond.has_parts(1, 0));
  CHECK_FALSE(beyond.has_parts(1, 1));
  for (const double x : {1.0 / 6 - 1e-9, 1.0 / 6 + 1e-9}) {
    const double below[3] = {x, -0.05, 0};
    CHECK(beyond.kind_at(1, 0, below, Boundary::prescribed) ==
          (x > 1.0 / 6 ? Boundary::reflecting : Boundary::prescribed));
  }
  // The domain is a trapezium of density 8 and one of density 1.4.
  const double area = 1.0 / 6 + 0.5 / std::sqrt(3.0);
  CHECK(total(mesh, [&](const Box& b) { return flow->initial(b); }).density ==
        doctest::Approx(8 * area + 1.4 * (4 - area)).epsilon(1e-13));
  CHECK(same_bits(flow->initial(mesh.cell(0, 3, 0)), to_conserved(behind, IdealGas<double>{1.4})));
  CHECK(same_bits(flow->initial(mesh.cell(30, 3, 0)), to_conserved(ahead, IdealGas<double>{1.4})));
  // Compares the average over one cut cell with a count of sample points.
  const Box cell = mesh.cell(3, 3, 0);
  int left = 0;
  const int n = 2000;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double x = cell.lower[0] + (i + 0.5) / n * cell.width(0),
                   y = cell.lower[1] + (j + 0.5) / n * cell.width(1);
      left += x < 1.0 / 6 + y / std::sqrt(3.0);
    }
  REQUIRE((left > 0 && left < n * n));
  const double share = static_cast<double>(left) / n / n;
  CHECK(flow->initial(cell).density == doctest::Approx(8 * share + 1.4 * (1 - share)).epsilon(1e-3));
}

TEST_CASE("a uniform stream is the same everywhere and for all time") {
  const auto flow =
      make_case("uniform", cube, 1.4, {{"velocity", std::vector<double>{1, -2, 3}}, {"density", 2.0}});
  CHECK(same_bits(flow->initial(cube.cell(0, 0, 0)), {2, 2, -4, 6, 2.5 + 14}));
  CHECK(same_bits(flow->initial(cube.cell(7, 3, 1)), flow->exact(cube.cell(0, 11, 0), 3)));
}
