// Flows with a stiff source: the cooling box and the detonation.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "physics/cases/exact/cooling.hpp"
#include "physics/cases/exact/znd.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

Source burning(double rate, double activation_energy) {
  Source source;
  source.kind = SourceKind::reaction;
  source.reaction = {.rate = rate, .activation_energy = activation_energy, .heat_release = 50};
  return source;
}

/// The mesh has 40 cells per unit of length; the shock starts at 10.
const Mesh tube{{1600, 1, 1}, {0, 0, 0}, {40, 1, 1}};

}  // namespace

TEST_CASE("the box cools as its exact solution says, and its motion goes on") {
  Source source;
  source.kind = SourceKind::cooling;
  source.cooling = {.coefficient = 2, .exponent = 1, .equilibrium = 0.5};
  const auto flow =
      make_case("cooling_box", tube, 1.4,
                {{"density", 3.0}, {"temperature", 7.0}, {"velocity", std::vector<double>{1, 2, 3}}}, source);
  for (const double time : {0.0, 0.1, 1.0, 100.0}) {
    CAPTURE(time);
    REQUIRE(flow->has_exact(time));
    const Primitive<double> q = to_primitive(flow->exact(tube.cell(3, 0, 0), time), IdealGas<double>{1.4});
    CHECK(q.density == 3);
    CHECK(q.u == doctest::Approx(1).epsilon(1e-15));
    CHECK(q.w == doctest::Approx(3).epsilon(1e-15));
    CHECK(q.pressure == doctest::Approx(3 * (0.5 + 6.5 * std::exp(-0.4 * 3 * 2 * time))).epsilon(1e-13));
  }
  CHECK_FALSE(flow->has_reactant());
  CHECK(flow->initial_reactant(tube.cell(0, 0, 0)) == 0);
}

TEST_CASE("a detonation starts as the ZND wave at its position and runs at its speed") {
  const auto flow =
      make_case("detonation", tube, 1.2, {{"overdrive", 1.8}, {"position", 10.0}}, burning(145.6890815, 50));
  const ZndDetonation wave({1.2}, {145.6890815, 50, 50}, 1.8);
  REQUIRE(wave.half_reaction_length() == doctest::Approx(1).epsilon(1e-9));
  REQUIRE(flow->has_reactant());
  const double rest = 1 / (1.2 - 1);
  CHECK(flow->initial(tube.cell(400, 0, 0)).energy == doctest::Approx(rest).epsilon(1e-15));
  CHECK(flow->initial(tube.cell(400, 0, 0)).mu == 0);
  CHECK(flow->initial_reactant(tube.cell(1599, 0, 0)) == doctest::Approx(1).epsilon(1e-15));
  // The cell behind the shock is a little past the von Neumann state; the first cell of the mesh is burnt.
  const Primitive<double> peak = to_primitive(flow->initial(tube.cell(399, 0, 0)), IdealGas<double>{1.2});
  CHECK(peak.pressure == doctest::Approx(75.786).epsilon(2e-3));
  CHECK(flow->initial_reactant(tube.cell(0, 0, 0)) < 1e-9);

  // The gain of mass, momentum and energy over the mesh is what flows in from the left. Reactant is lost to
  // the reaction in the wave alone, which consumes speed * time of it.
  Conserved<double> gain{};
  double burnt = 0;
  const double time = 2;
  for (int i = 0; i < tube.cells[0]; ++i) {
    const Box cell = tube.cell(i, 0, 0);
    gain = gain + 0.025 * (flow->exact(cell, time) - flow->initial(cell));
    burnt += 0.025 * (flow->initial_reactant(cell) - flow->exact_reactant(cell, time));
  }
  const Primitive<double> q = wave.burnt().flow;
  const double mass = time * q.density * q.u;
  CHECK(gain.density == doctest::Approx(mass).epsilon(1e-8));
  CHECK(gain.mu == doctest::Approx(mass * q.u + time * (q.pressure - 1)).epsilon(1e-8));
  CHECK(burnt == doctest::Approx(wave.speed() * time).epsilon(1e-8));
  CHECK(
      gain.energy ==
      doctest::Approx(time * q.u * (to_conserved(q, {1.2}).energy + q.pressure) + 50 * burnt).epsilon(1e-8));

  Boundaries open{};
  open[0] = {Boundary::inflow, Boundary::outflow};
  CHECK(flow->lost_exact(open, 30 / wave.speed() * 0.999) == "");
  CHECK(flow->lost_exact(open, 30 / wave.speed() * 1.001) == "a wave has met a boundary");
}

TEST_CASE("a detonation runs along any axis") {
  const Mesh column{{1, 1, 64}, {0, 0, 0}, {1, 1, 4}};
  const auto along_x =
      make_case("detonation", {{64, 1, 1}, {0, 0, 0}, {4, 1, 1}}, 1.2, {{"position", 3.0}}, burning(16, 20));
  const auto along_z =
      make_case("detonation", column, 1.2, {{"position", 3.0}, {"axis", "z"}}, burning(16, 20));
  for (const int n : {0, 20, 47, 48, 60}) {
    const Box x{{n / 16.0, 0, 0}, {(n + 1) / 16.0, 1, 1}}, z = column.cell(0, 0, n);
    const Conserved<double> a = along_x->initial(x), b = along_z->initial(z);
    CHECK(same_bits(a, {b.density, b.mw, b.mu, b.mv, b.energy}));
    CHECK(along_x->initial_reactant(x) == along_z->initial_reactant(z));
  }
}

TEST_CASE("a case with a source says which one it needs") {
  const auto message = [](const std::string& name, const Source& source) {
    return refusal([&] { make_case(name, tube, 1.2, {}, source); });
  };
  CHECK(contains(message("detonation", {}), "source.kind: reaction"));
  CHECK(contains(message("cooling_box", burning(1, 1)), "source.kind: cooling"));
  Source inert = burning(1, 1);
  inert.reaction.heat_release = 0;
  CHECK(contains(message("detonation", inert), "heat release"));
  CHECK_THROWS_AS(make_case("detonation", {{1, 8, 1}}, 1.2), std::invalid_argument);
}
