// The right-hand-side terms of a stage as pure functions: the gas behind walls, differences of second and
// fourth order, gravity, and the ghost cells that bear the gas's weight.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "physics/gas/transport.hpp"
#include "physics/host/rhs_terms.hpp"
#include "physics/mesh/ghosts.hpp"
#include "tests/support/viscous_flow.hpp"

using namespace halfstep;

namespace {

constexpr double kGamma = 1.4;
const IdealGas<double> kGas{kGamma};
const Boundaries kPeriodic = {{{Boundary::periodic, Boundary::periodic},
                               {Boundary::periodic, Boundary::periodic},
                               {Boundary::periodic, Boundary::periodic}}};

RhsTerms viscous_terms(int order, double viscosity = 0.3) {
  RhsTerms terms;
  terms.transport.reference = transport(viscosity, 0.72, kGas);
  terms.viscous_order = order;
  return terms;
}

/// One stage of a flow and its right-hand-side terms, in memory of its own.
class Stage {
 public:
  Stage(const PeriodicFlow& flow, const RhsTerms& terms, const Boundaries& boundary = kPeriodic)
      : layout(flow.mesh, 3),
        mesh_(flow.mesh),
        in_(layout.values()),
        out_(layout.values()),
        motion_(kMotionFields * layout.field_stride) {
    problem_.mesh = flow.mesh;
    problem_.terms = terms;
    problem_.boundary = boundary;
    const BoundaryConditions<double> rules(layout, flow.mesh, boundary, {}, {{kGamma}}, terms.gravity);
    for_every_cell(flow.mesh, [&](std::array<int, 3> c) {
      store(layout, in_.data(), c[0], c[1], c[2], to_conserved(flow.at(c), kGas));
    });
    const GhostCells ghosts(layout);
    for (std::int64_t n = 0; n < ghosts.count(); ++n) {
      int i, j, k;
      ghosts.cell(layout, n, i, j, k);
      fill_ghost(rules, in_.data(), i, j, k, 0);
    }
  }

  RhsArguments<double> arguments(double keep = 0, double dt = 1) {
    const bool keeps = keep > 0;
    StageArguments<double> stage{
        layout, keeps ? in_.data() : nullptr, in_.data(), nullptr, 1 - keep, dt, {}, kGas, false, false};
    for (int d = 0; d < 3; ++d) stage.inverse_dx[d] = mesh_.active(d) ? 1 / mesh_.spacing(d) : 0;
    return rhs_arguments(problem_, stage, motion_.data(), out_.data());
  }

  /// Adds the stage's terms; returns what the stage starts from, x fastest.
  std::vector<Conserved<double>> terms(double keep = 0, double dt = 1, int threads = 1) {
    add_rhs_terms(problem_.terms, arguments(keep, dt), threads);
    std::vector<Conserved<double>> all;
    for_every_cell(mesh_, [&](std::array<int, 3> c) {
      all.push_back(load<double>(layout, out_.data(), c[0], c[1], c[2]));
    });
    return all;
  }

  const Layout layout;

 private:
  Problem problem_;
  Mesh mesh_;
  std::vector<double> in_, out_, motion_;
};

}  // namespace

TEST_CASE("behind a wall a quantity is continued along its parabola") {
  // Averages of 2 - 3 x + 5 x^2 over cells of width 1, with the wall at 0.
  const auto average = [](int cell) { return 2 - 3 * (cell + 0.5) + 5 * (cell * cell + cell + 1.0 / 3); };
  for (const int layer : {0, 1})
    CHECK(behind_wall(2.0, average(0), average(1), layer) ==
          doctest::Approx(average(-1 - layer)).epsilon(1e-14));
}

TEST_CASE("the motion behind walls is mirrored where gas slips and extrapolated where it sticks") {
  PeriodicFlow flow = smooth_flow({6, 5, 4});
  RhsTerms terms = viscous_terms(4);
  terms.walls.velocity = {{{0.5, 0.6, 0.7}, {-0.1, -0.2, -0.3}}};
  terms.walls.temperature = {1.7, 0};
  terms.gravity = {0.2, -0.3,
                   0.1};  // it changes the pressure of the ghost cells, not the temperature meant here
  Boundaries boundary = kPeriodic;
  boundary[0] = {Boundary::no_slip, Boundary::reflecting};
  boundary[1] = {Boundary::reflecting, Boundary::no_slip};
  Stage stage(flow, terms, boundary);
  const auto a = stage.arguments();
  const auto of_cell = [&](int i, int j, int k) {
    const Primitive<double>& q = flow.at({i, j, k});
    return std::array<double, 4>{q.u, q.v, q.w, temperature(q)};
  };
  const auto check = [&](std::array<int, 3> cell, const std::array<double, 4>& expected) {
    const Motion<double> m = motion_at(a, cell);
    for (int d = 0; d < 3; ++d) CHECK(m.velocity[d] == doctest::Approx(expected[d]).epsilon(1e-12));
    CHECK(m.temperature == doctest::Approx(expected[3]).epsilon(1e-12));
  };
  const auto stuck = [&](const std::array<double, 4>& first, const std::array<double, 4>& second,
                         const std::array<double, 4>& wall, int layer) {
    std::array<double, 4> all;
    for (int n = 0; n < 4; ++n) all[n] = behind_wall(wall[n], first[n], second[n], layer);
    return all;
  };
  const auto mirrored = [](std::array<double, 4> m, int axis) {
    m[axis] = -m[axis];
    return m;
  };
  check({2, 3, 1}, of_cell(2, 3, 1));
  for (const int layer : {0, 1}) {
    check({6 + layer, 3, 1}, mirrored(of_cell(5 - layer, 3, 1), 0));
    check({-1 - layer, 3, 1}, stuck(of_cell(0, 3, 1), of_cell(1, 3, 1), {0, 0.6, 0.7, 1.7}, layer));
    // The mesh is periodic along z.
    check({-1 - layer, 3, 5}, stuck(of_cell(0, 3, 1), of_cell(1, 3, 1), {0, 0.6, 0.7, 1.7}, layer));
    // The upper wall along y is adiabatic: the temperature is the image's.
    auto above = stuck(of_cell(2, 4, 1), of_cell(2, 3, 1), {-0.1, 0, -0.3, 0}, layer);
    above[3] = of_cell(2, 4 - layer, 1)[3];
    check({2, 5 + layer, 1}, above);
    // Where two walls meet, the state is mirrored first along y, then along x.
    check({6 + layer, -1, 1}, mirrored(mirrored(of_cell(5 - layer, 0, 1), 1), 0));
    check({-1 - layer, -2, 1},
          stuck(mirrored(of_cell(0, 1, 1), 1), mirrored(of_cell(1, 1, 1), 1), {0, 0.6, 0.7, 1.7}, layer));
  }
}

TEST_CASE("terms of second order are those of plain loops, in 1D, 2D and 3D, on any number of threads") {
  for (const std::array<int, 3>& cells : kPeriodicMeshes) {
    INFO("cells[0] ", cells[0], ", cells[1] ", cells[1], ", cells[2] ", cells[2]);
    const PeriodicFlow flow = smooth_flow(cells);
    const RhsTerms terms = viscous_terms(2);
    const Transport<double>& t = terms.transport.reference;
    const std::vector<Conserved<double>> divergence = viscous_divergence(flow, t.viscosity, t.conductivity);
    Stage stage(flow, terms);
    const std::vector<Conserved<double>> found = stage.terms(0.25, 0.01);
    double worst = 0, largest = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      const Conserved<double> start = to_conserved(flow.states[n], kGas);
      const Conserved<double> expected = start - (0.75 / 0.25 * 0.01) * divergence[n];
      worst = std::max(worst, largest_component(found[n] - expected));
      largest = std::max(largest, largest_component(divergence[n]));
    }
    CHECK(largest > 1);
    CHECK(worst < 1e-14 * largest);
    const std::vector<Conserved<double>> again = stage.terms(0.25, 0.01, 3);
    bool same = true;
    for (std::size_t n = 0; n < found.size(); ++n) same &= largest_component(again[n] - found[n]) == 0;
    CHECK(same);
  }
}

TEST_CASE("terms of fourth order are of fourth order on averages, cross derivatives and all") {
  // With uniform density and constant coefficients the momentum terms are linear in the velocities.
  const double tau = 2 * std::acos(-1.0), viscosity = 0.3;
  for (const int order : {2, 4}) {
    double errors[2];
    for (const int fine : {0, 1}) {
      const int n = fine ? 32 : 16;
      PeriodicFlow flow{{{n, n, n}, {0, 0, 0}, {1, 1, 1}}, {}};
      // Averages of sin(2 pi x) over cells are smaller than its values by this factor.
      const double half = tau / n / 2, damped = std::sin(half) / half;
      const auto phase = [&](const std::array<int, 3>& c, int d) { return tau * (c[d] + 0.5) / n; };
      for_every_cell(flow.mesh, [&](const std::array<int, 3>& c) {
        const double x = phase(c, 0), y = phase(c, 1), z = phase(c, 2), two = damped * damped;
        flow.states.push_back(
            {1, two * std::sin(x + y), two * std::sin(x + z + 1), two * std::cos(y + z), 1});
      });
      const std::vector<Conserved<double>> found = Stage(flow, viscous_terms(order, viscosity)).terms();
      errors[fine] = 0;
      std::size_t at = 0;
      for_every_cell(flow.mesh, [&](const std::array<int, 3>& c) {
        const double x = phase(c, 0), y = phase(c, 1), z = phase(c, 2), two = damped * damped, k2 = tau * tau;
        const double u = two * std::sin(x + y), v = two * std::sin(x + z + 1), w = two * std::cos(y + z);
        // The terms are mu (laplacian + grad div / 3); div = tau (cos(x + y) + 0 - sin(y + z)).
        const double expected[3] = {viscosity * k2 * (-2 * u - u / 3),
                                    viscosity * k2 * (-2 * v + (-u - w) / 3),
                                    viscosity * k2 * (-2 * w - w / 3)};
        const Conserved<double>& f = found[at++];
        errors[fine] = std::max({errors[fine], std::abs(f.mu - expected[0]), std::abs(f.mv - expected[1]),
                                 std::abs(f.mw - expected[2])});
      });
    }
    MESSAGE("order " << order << ": error " << errors[1] << ", observed "
                     << std::log2(errors[0] / errors[1]));
    CHECK(std::log2(errors[0] / errors[1]) > order - 0.1);
  }
}

TEST_CASE("viscous terms give to a cell what they take from others, and a moving frame sees the same") {
  for (const int order : {2, 4}) {
    RhsTerms terms = viscous_terms(order);
    terms.transport.law = ViscosityLaw::sutherland;
    PeriodicFlow flow = smooth_flow({9, 12, 7});
    const std::vector<Conserved<double>> at_rest = Stage(flow, terms).terms();
    Conserved<double> sum{};
    double largest = 0;
    for (const Conserved<double>& t : at_rest) {
      sum = sum + t;
      largest = std::max(largest, largest_component(t));
    }
    CHECK(largest > 1);
    CHECK(largest_component(sum) < 1e-14 * largest * static_cast<double>(at_rest.size()));

    const double boost[3] = {3, -2, 5};
    for (Primitive<double>& q : flow.states) {
      q.u += boost[0];
      q.v += boost[1];
      q.w += boost[2];
    }
    const std::vector<Conserved<double>> moving = Stage(flow, terms).terms();
    double worst = 0;
    for (std::size_t n = 0; n < moving.size(); ++n) {
      Conserved<double> expected = at_rest[n];
      expected.energy += boost[0] * expected.mu + boost[1] * expected.mv + boost[2] * expected.mw;
      worst = std::max(worst, largest_component(moving[n] - expected));
    }
    CHECK(worst < 1e-11 * largest);
  }
}

TEST_CASE("gravity pulls at mass and does work on momentum; without viscosity there is nothing else") {
  const PeriodicFlow flow = smooth_flow({6, 5, 4});
  RhsTerms terms;
  terms.gravity = {0.5, -2, 3};
  const std::vector<Conserved<double>> found = Stage(flow, terms).terms(0, 0.1);
  for (std::size_t n = 0; n < found.size(); ++n) {
    const Conserved<double> c = to_conserved(flow.states[n], kGas);
    CHECK(found[n].density == 0);
    CHECK(found[n].mu == doctest::Approx(0.1 * 0.5 * c.density).epsilon(1e-14));
    CHECK(found[n].mv == doctest::Approx(0.1 * -2 * c.density).epsilon(1e-14));
    CHECK(found[n].mw == doctest::Approx(0.1 * 3 * c.density).epsilon(1e-14));
    CHECK(found[n].energy == doctest::Approx(0.1 * (0.5 * c.mu - 2 * c.mv + 3 * c.mw)).epsilon(1e-12));
  }
}

TEST_CASE("the pressure behind a wall goes on as in a column at rest, unless it would vanish") {
  const PeriodicFlow flow = smooth_flow({6, 5, 1});
  const Layout layout(flow.mesh, 3);
  std::vector<double> u(layout.values());
  for_every_cell(flow.mesh, [&](std::array<int, 3> c) {
    store(layout, u.data(), c[0], c[1], c[2], to_conserved(flow.at(c), kGas));
  });
  Boundaries walls = kPeriodic;
  walls[1] = {Boundary::reflecting, Boundary::no_slip};
  const auto ghost = [&](double gravity, int i, int j) {
    const BoundaryConditions<double> rules(layout, flow.mesh, walls, {}, {{kGamma}}, {0, gravity, 0});
    Conserved<double> c{};
    REQUIRE(ghost_state(rules, u.data(), i, j, 0, 0.0, c));
    return to_primitive(c, kGas);
  };
  const double dy = flow.mesh.spacing(1);
  for (int layer = 0; layer < 3; ++layer) {
    const Primitive<double>&below = flow.at({2, layer, 0}), &above = flow.at({2, 4 - layer, 0});
    const double far = (2 * layer + 1) * dy;
    const Primitive<double> low = ghost(-0.7, 2, -1 - layer), high = ghost(-0.7, 2, 5 + layer);
    CHECK(low.pressure == doctest::Approx(below.pressure + 0.7 * below.density * far).epsilon(1e-13));
    CHECK(high.pressure == doctest::Approx(above.pressure - 0.7 * above.density * far).epsilon(1e-13));
    CHECK(low.density == below.density);
    CHECK(low.v == doctest::Approx(-below.v).epsilon(1e-14));
    CHECK(ghost(-100, 2, 5 + layer).pressure == doctest::Approx(above.pressure).epsilon(1e-13));
  }
}

TEST_CASE("Sutherland's law: air at 300 K and 600 K, and the reference") {
  // Constants of air from White (2006), table 1-2, good to 2 %: T_ref = 273 K, mu_ref = 1.716e-5 kg/(m s), S
  // = 111 K.
  const TransportLaw<double> air{{1.716e-5, 2 * 1.716e-5}, ViscosityLaw::sutherland, 273, 111};
  CHECK(air.at(273).viscosity == doctest::Approx(1.716e-5).epsilon(1e-14));
  CHECK(air.at(300).viscosity == doctest::Approx(1.846e-5).epsilon(0.01));
  CHECK(air.at(600).viscosity == doctest::Approx(3.018e-5).epsilon(0.02));
  CHECK(air.at(600).conductivity == doctest::Approx(2 * air.at(600).viscosity).epsilon(1e-14));
  const TransportLaw<double> constant{{2, 3}};
  CHECK(constant.at(17).viscosity == 2);
  CHECK(air.as<float>().at(600.f).viscosity == doctest::Approx(air.at(600).viscosity).epsilon(1e-6));
}
