// Scalars in a flow: they are advected, conserved, and stay a part of the mass.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "tests/support/expressions.hpp"
#include "tests/support/with_reactant.hpp"

using namespace halfstep;

namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

/// Returns the average of mean + amplitude sin(2 pi x) over the cell.
double wave(const Box& cell, double mean, double amplitude) {
  return mean + amplitude * (std::cos(kTwoPi * cell.lower[0]) - std::cos(kTwoPi * cell.upper[0])) /
                    (kTwoPi * cell.width(0));
}

double sum(const std::vector<double>& values) {
  double all = 0;
  for (const double value : values) all += value;
  return all;
}

/// Returns the L1 error of a wave of the mass fraction after one turn through a periodic box.
double advection_error(int cells, const std::string& reconstruction, double amplitude) {
  const double dt = 3.2e-3 * std::pow(16.0 / cells, 5.0 / 3);
  CaseRun run(with_reactant(
      "uniform",
      {fmt::format("mesh.cells=[{},1,1]", cells), fmt::format("time.dt={}", dt), "case.velocity=[1,0,0]",
       "time.end=1", "output.every=0", "scheme.reconstruction=" + reconstruction},
      [=](const Box& cell, double) { return wave(cell, 0.5, amplitude); }));
  const std::vector<double> before = mass_fractions(run.fields());
  const std::vector<double> after = mass_fractions(run.finish().fields());
  return difference_norms(after, before).l1;
}

const Overrides kSchemes[] = {{"scheme.reconstruction=constant"},
                              {"scheme.reconstruction=plm"},
                              {"scheme.reconstruction=ppm"},
                              {"scheme.reconstruction=weno5z"}};

}  // namespace

TEST_CASE("a smooth mass fraction is advected with each reconstruction's order") {
  struct Expected {
    std::string reconstruction;
    int coarse;
    double amplitude, order;
  };
  const Expected table[] = {
      {"weno5z", 16, 0.4, 4.9},
      {"weno5z", 32, 0.4, 4.9},
      {"ppm", 32, 0.4, 3.9},
      {"plm", 64, 0.4, 1.9},
      // The wave touches 0 and 1, where edge values are bounded.
      {"weno5z", 64, 0.5, 2.5},
      {"plm", 64, 0.5, 1.9},
  };
  for (const Expected& e : table) {
    const double coarse = advection_error(e.coarse, e.reconstruction, e.amplitude);
    const double fine = advection_error(2 * e.coarse, e.reconstruction, e.amplitude);
    const double order = std::log2(coarse / fine);
    INFO(e.reconstruction, ", amplitude ", e.amplitude, ": ", coarse, ", ", fine, ", order ", order);
    CHECK(order > e.order);
  }
}

TEST_CASE("where density and mass fraction vary together the order is the second of cell averages") {
  const auto error = [](int cells) {
    CaseRun run(with_reactant("entropy_wave", {fmt::format("mesh.cells=[{},1,1]", cells)},
                              [](const Box& cell, double) { return wave(cell, 0.4, 0.3); }));
    const std::vector<double> before = run.fields().scalars.at(0),
                              after = run.finish().fields().scalars.at(0);
    return difference_norms(after, before).l1;
  };
  const double coarse = error(32), fine = error(64);
  INFO(coarse, ", ", fine);
  CHECK(std::log2(coarse / fine) > 1.9);
}

TEST_CASE("a uniform mass fraction stays what it is, whatever the flow does") {
  double repaired_faces = 0;
  for (const auto& [deck, overrides] : {std::pair<std::string, Overrides>{"sod", {"time.dt=0.02"}},
                                        {"leblanc", {"mesh.cells=[300,1,1]"}},
                                        {"kelvin_helmholtz", {"mesh.cells=[40,40,1]"}},
                                        {"sedov_3d", {"mesh.cells=[20,18,16]", "time.end=0.05"}},
                                        {"toro_2", {}}})
    for (const Overrides& reconstruction : kSchemes) {
      CaseRun run(with_reactant(deck, with(overrides, reconstruction), uniform_fraction(0.3)));
      run.run(100);
      repaired_faces += static_cast<double>(run.repaired_faces);
      const double worst = furthest_from(0.3, run.fields());
      INFO((deck + " " + reconstruction[0]));
      CHECK(worst < 1e-13);
    }
  CHECK(repaired_faces > 0);
}

TEST_CASE("the mass of reactant is conserved to round-off, in redone steps and under remedies too") {
  const auto wavy = [](const Box& cell, double density) { return density * wave(cell, 0.5, 0.4); };
  struct Row {
    std::string deck;
    Overrides overrides;
    bool is_redone;
  };
  const Row rows[] = {
      {"isentropic_vortex", {"mesh.cells=[150,20,1]"}, false},
      {"linear_wave_3d", {"mesh.cells=[24,12,12]", "case.amplitude=0.1", "time.end=10"}, false},
      {"kelvin_helmholtz", {"mesh.cells=[48,48,1]", "time.dt=0.02", "time.end=10"}, true},
  };
  for (const Row& row : rows) {
    CaseRun run(with_reactant(row.deck, row.overrides, wavy));
    const double before = run.solver->totals().scalar_mass[0];
    run.run(100);
    INFO(row.deck);
    CHECK(run.solver->totals().scalar_mass[0] == doctest::Approx(before).epsilon(1e-13));
    CHECK((run.rejections.size() > 0) == row.is_redone);
  }
  check_remedies_conserve("host", wavy);
}

TEST_CASE("the totals hold the mass of reactant") {
  CaseRun run(with_reactant("sod", {}, reactant_above(0.5)));
  CHECK(run.solver->totals().scalar_mass[0] == doctest::Approx(0.5 * 0.125).epsilon(1e-14));
  CHECK(CaseRun("sod").solver->totals().scalar_mass[0] == 0);
}

TEST_CASE("no mass fraction leaves [0, 1], through shocks, contacts and near vacuum") {
  for (const std::string deck :
       {"sod", "lax", "toro_1", "toro_2", "toro_3", "toro_4", "toro_5", "leblanc", "shu_osher"})
    for (const Overrides& reconstruction : kSchemes)
      for (const std::string precision : {"double", "single"}) {
        const RunConfig config =
            with_reactant(deck, with(reconstruction, {"scheme.precision=" + precision, "output.every=0"}),
                          uniform_fraction(0));
        const double lower = config.problem.mesh.lower[0], length = config.problem.mesh.upper[0] - lower;
        // The jump is where the waves start in most decks, or in the gas that they run into.
        for (const double at : {lower + 0.5 * length, lower + 0.6 * length}) {
          RunConfig jump = config;
          jump.flow_case = std::make_shared<CaseWithReactant>(config.flow_case, reactant_above(at));
          CaseRun run(std::move(jump));
          double worst = 0;
          for (int steps = 40; run.run(steps) == DriveEnd::stopped && steps < 2000; steps += 40)
            worst = std::max(worst, excess(run.fields()));
          worst = std::max(worst, excess(run.fields()));
          INFO((deck + " " + reconstruction[0] + " " + precision));
          CHECK(worst <= (precision == "double" ? 1e-14 : 1e-6));
        }
      }
}

TEST_CASE("a reactant does not change the flow by a bit") {
  for (const std::string deck : {"sod", "kelvin_helmholtz", "taylor_green"}) {
    const Overrides overrides =
        deck == "sod" ? Overrides{}
                      : Overrides{deck == "taylor_green" ? "mesh.cells=[16,16,16]" : "mesh.cells=[70,20,1]"};
    CaseRun with_it(with_reactant(deck, overrides, reactant_above(0.5))), without(deck, overrides);
    with_it.run(30);
    without.run(30);
    INFO(deck);
    CHECK(with_it.fields().conserved == without.fields().conserved);
  }
}

TEST_CASE("a jump in the reactant goes with the contact, and is no wider than that of the density") {
  CaseRun run(with_reactant("sod", {}, reactant_above(0.5)));
  const Fields fields = run.finish().fields();
  const std::vector<double> y = mass_fractions(fields);
  // Takes the densities on both sides of the contact, 0.42632 and 0.26557 (Toro 2009, table 4.2).
  int partly = 0, partly_dense = 0;
  double first_half = 0;
  for (std::size_t n = 0; n < y.size(); ++n) {
    const double x = (static_cast<double>(n) + 0.5) / 256, density = fields.conserved[0][n];
    partly += y[n] > 0.05 && y[n] < 0.95;
    partly_dense += x > 0.6 && x < 0.8 && density > 0.2736 && density < 0.4183;
    if (first_half == 0 && y[n] >= 0.5) first_half = x;
  }
  CHECK(first_half == doctest::Approx(0.5 + 0.2 * 0.92745).epsilon(0.01));
  CHECK(partly <= partly_dense + 1);
  CHECK(partly > 0);
}

TEST_CASE("right is as left, and y and z are as x, to the last bit") {
  const Overrides tube = {"mesh.boundary.x=[outflow,outflow]", "mesh.boundary.y=[outflow,outflow]",
                          "mesh.boundary.z=[outflow,outflow]", "time.end=0.1"};
  for (const Overrides& reconstruction : kSchemes) {
    const auto on_axis = [&](const std::string& axis, const std::string& cells) {
      return CaseRun(
                 with_reactant("sod",
                               with(with(tube, reconstruction), {"case.axis=" + axis, "mesh.cells=" + cells}),
                               reactant_above(0.55, axis[0] - 'x')))
          .finish()
          .fields()
          .scalars.at(0);
    };
    const auto x = on_axis("x", "[128,1,1]");
    INFO(reconstruction[0]);
    CHECK(on_axis("y", "[1,128,1]") == x);
    CHECK(on_axis("z", "[1,1,128]") == x);

    auto mirrored =
        CaseRun(
            with_reactant(
                "sod",
                with(with(tube, reconstruction),
                     {"mesh.cells=[128,1,1]", "case.left={density: 0.125, velocity: [0,0,0], pressure: 0.1}",
                      "case.right={density: 1.0, velocity: [0,0,0], pressure: 1.0}"}),
                [](const Box& cell, double density) { return cell.center(0) < 0.45 ? density : 0.0; }))
            .finish()
            .fields()
            .scalars.at(0);
    std::reverse(mirrored.begin(), mirrored.end());
    CHECK(difference_norms(x, mirrored).linf < 1e-14);
  }
}

TEST_CASE("threads and a run taken up again change no bit of the reactant") {
  const Overrides overrides = {"mesh.cells=[20,9,24]", "case.amplitude=0.2"};
  const auto made = [&](int threads) {
    return CaseRun(with_reactant("linear_wave_3d", overrides, reactant_above(0.7)), threads);
  };
  CaseRun one = made(1);
  one.run(10);
  for (int threads = 2; threads <= 3; ++threads) {
    CaseRun many = made(threads);
    many.run(10);
    CHECK(identical(many.fields(), one.fields()));
    CHECK(many.solver->totals() == one.solver->totals());
  }
  CaseRun first = made(1), second = made(2);
  first.run(4);
  second.go_on_from(first);
  second.run(10);
  CHECK(identical(second.fields(), one.fields()));
}

TEST_CASE("an inflow brings the reactant it holds") {
  CaseRun run(with_reactant(
      "uniform",
      {"mesh.cells=[64,1,1]", "case.velocity=[1,0,0]", "time.end=0.5", "mesh.boundary.x=[inflow,outflow]"},
      [](const Box& cell, double density) { return cell.center(0) < 0 ? density : 0.0; }));
  const std::vector<double> y = mass_fractions(run.finish().fields());
  CHECK(y[5] == doctest::Approx(1).epsilon(1e-6));
  CHECK(y[60] < 1e-6);
  CHECK(sum(y) / 64 == doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE("a side brings the scalars that it gives, and of others its kind says what") {
  if (!can_test_expressions()) return;
  struct Row {
    std::string kind, values;
    double smoke;  // that comes in, where 0.25 is inside
  };
  // The reservoir's gas comes to the flow inside, of speed 1.
  const Row rows[] = {
      {"state", "density: 1, velocity: [1, 0, 0], pressure: 1", 0},
      {"subsonic_inflow", "velocity: [1, 0, 0], temperature: 1", 0.25},
      {"reservoir", "total_pressure: (8/7)^3.5, total_temperature: 8/7", 0.25},
      {"far_field", "density: 1, velocity: [1, 0, 0], pressure: 1", 0.25},
  };
  for (const Row& row : rows)
    for (const std::string precision : {"double", "single"}) {
      const std::string side =
          "{kind: " + row.kind + ", " + row.values + ", scalars: {dye: \"(t < 0.25)*0.5\"}}";
      CaseRun run("uniform", {"mesh.cells=[64,1,1]", "case.velocity=[1,0,0]", "time.end=0.5",
                              "scheme.precision=" + precision, "scheme.riemann=hllc", "scalars.dye=0",
                              "scalars.smoke=0.25", "mesh.boundary.x=[" + side + ", outflow]"});
      run.finish();
      const Fields fields = run.fields();
      const auto& dye = fields.scalars.at(0);
      const auto& smoke = fields.scalars.at(1);
      INFO((row.kind + " " + precision));
      CHECK(dye[24] == doctest::Approx(0.5).epsilon(1e-2));  // what came in before time 0.25
      CHECK(dye[5] < 1e-2);
      CHECK(dye[60] < 1e-6);
      CHECK(sum(dye) / 64 == doctest::Approx(0.125).epsilon(2e-2));
      CHECK(smoke[5] == doctest::Approx(row.smoke).epsilon(1e-5));
      CHECK(smoke[60] == doctest::Approx(0.25).epsilon(1e-5));
    }
}

TEST_CASE("gas that leaves through a far field and a reservoir takes nothing of their scalars") {
  for (const std::string side :
       {"{kind: far_field, density: 1, velocity: [-0.3, 0, 0], pressure: 1, scalars: {dye: 1}}",
        "{kind: reservoir, total_pressure: 0.9, total_temperature: 1, scalars: {dye: 1}}"}) {
    CaseRun run("uniform",
                {"mesh.cells=[64,1,1]", "case.velocity=[-0.3,0,0]", "time.end=0.5", "scalars.dye=0.25",
                 "scheme.riemann=hllc", "mesh.boundary.x=[" + side + ", outflow]"});
    run.finish();
    const std::vector<double> y = mass_fractions(run.fields());
    INFO(side);
    for (const double fraction : y) REQUIRE(fraction == doctest::Approx(0.25).epsilon(1e-12));
  }
}

TEST_CASE("a region's dye stays what it is in the gas of the region, and mass for mass") {
  CaseRun run("shock_bubble_one_gas", {"mesh.cells=[64,24,1]", "time.end=0.3", "scalars.dye=0",
                                       "scalars.smoke=0.5", "case.regions.0.state.scalars={dye: 1}"});
  const double quarter = std::numbers::pi / 2;  // of the disc, half is in the domain
  const double before = run.solver->totals().scalar_mass[0];
  CHECK(before == doctest::Approx(10 * quarter).epsilon(2e-3));
  run.finish();
  CHECK(run.solver->totals().scalar_mass[0] == doctest::Approx(before).epsilon(1e-13));
  const Fields fields = run.fields();
  for (std::size_t n = 0; n < fields.conserved[0].size(); ++n)
    REQUIRE(fields.scalars[1][n] == doctest::Approx(0.5 * fields.conserved[0][n]).epsilon(1e-12));
}

TEST_CASE("a reactant that is not finite is a soft error of its own cell") {
  for (const std::string precision : {"double", "single"})
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
      check_bad_reactant_is_found("host", precision, bad);
}

TEST_CASE("only hllc carries a reactant, and a case must give a mass fraction") {
  RunConfig config = with_reactant("sod", {"scheme.riemann=roe"}, uniform_fraction(0.5));
  CHECK_THROWS_WITH_AS(make_host_solver(config.problem, 1),
                       "scalars are carried by the Riemann solver hllc alone", std::runtime_error);
  for (const double fraction : {-1e-6, 1.001, std::numeric_limits<double>::quiet_NaN()}) {
    config = with_reactant("sod", {}, uniform_fraction(fraction));
    CHECK_THROWS_AS(CaseRun(std::move(config)), std::invalid_argument);
  }
}

TEST_CASE("several scalars are carried as each would be alone, beside a reaction too, and change no flow") {
  if (!can_test_expressions()) return;
  const Overrides all = {"scalars.a=0.5 + 0.4*sin(7*x)", "scalars.b=\"x < 0.4 ? 1 : 0\"", "scalars.c=0.3"};
  for (const std::string deck : {"kelvin_helmholtz", "taylor_green", "detonation"})
    for (const std::string precision : {"double", "single"}) {
      const auto after = [&](const Overrides& scalars) {
        CaseRun run(deck, with({deck == "taylor_green" ? "mesh.cells=[20,12,10]" : "mesh.cells=[60,20,1]",
                                "scheme.riemann=hllc", "scheme.precision=" + precision},
                               scalars));
        run.run(12);
        return run.fields();
      };
      INFO((deck + " " + precision));
      const Fields none = after({}), together = after(all);
      const std::size_t reactants = none.scalars.size();
      REQUIRE(together.scalars.size() == reactants + 3);
      CHECK(together.conserved == none.conserved);
      for (std::size_t s = 0; s < reactants; ++s) CHECK(together.scalars[s] == none.scalars[s]);
      for (std::size_t s = 0; s < 3; ++s)
        CHECK(together.scalars[reactants + s] == after({all[s]}).scalars[reactants]);
    }
}

TEST_CASE("a deck gives any case its reactant, which burns as a case's own does") {
  const Overrides burning = {"mesh.cells=[100,1,1]", "mesh.boundary.x=reflecting", "scheme.riemann=hllc",
                             "source.kind=reaction", "source.reaction.activation_energy=1"};
  CaseRun run("sod", with(burning, {"scalars.dye=0.5", "scalars.reactant=0.25"}));
  REQUIRE(run.config.problem.scalars == std::vector<std::string>{"reactant", "dye"});
  const Totals before = run.solver->totals();
  const Totals after = run.finish().solver->totals();
  CHECK(before.scalar_mass[0] == doctest::Approx(0.25 * before.mass).epsilon(1e-13));
  CHECK(after.scalar_mass[0] < 0.95 * before.scalar_mass[0]);
  CHECK(after.scalar_mass[1] == doctest::Approx(before.scalar_mass[1]).epsilon(1e-13));
}
