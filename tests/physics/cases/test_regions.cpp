#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "physics/accuracy/convergence.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/cases/scalars.hpp"
#include "physics/cases/shapes.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/stretched.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

using std::numbers::pi;
using Settings = std::initializer_list<std::pair<std::string, Value>>;

constexpr double kGamma = 1.4;
const Mesh line{{40, 1, 1}, {0, 0, 0}, {1, 1, 1}};
const Mesh sheet{{32, 32, 1}, {0, 0, 0}, {1, 1, 1}};
const Mesh cube{{16, 16, 16}, {0, 0, 0}, {1, 1, 1}};

FieldValue field(const std::string& expression) { return {0, expression}; }

/// Returns a region with the defaults of its shape, and what `settings` change.
Values region(const std::string& shape, const Settings& settings) {
  Values values;
  values.set(kShapeKey, shape);
  for (const Parameter& list : find_case("regions")->parameters)
    for (const ItemKind& kind : list.kinds)
      if (kind.name == shape)
        for (const Parameter& p : kind.parameters) values.set(p.name, p.fallback);
  for (const auto& [key, value] : settings) {
    values.at(key);
    values.set(key, value);
  }
  return values;
}

std::unique_ptr<Case> flow_of(const Mesh& mesh, const Items& regions, const Settings& background = {}) {
  std::vector<std::pair<std::string, Value>> settings(background);
  settings.emplace_back("regions", regions);
  Values values;
  for (const Parameter& p : find_case("regions")->parameters) values.set(p.name, p.fallback);
  for (const auto& [key, value] : settings) {
    values.at(key);
    values.set(key, value);
  }
  return find_case("regions")->make({values, {kGamma}, mesh});
}

/// Returns the volume in which a flow of densities 1 and 2 has 2.
double volume_of(const Mesh& mesh, const Values& region) {
  const auto flow = flow_of(mesh, {region});
  double sum = 0;
  for_every_cell(mesh, [&](const auto& cell) {
    const Box box = box_of(mesh, cell);
    sum += (flow->initial(box).density - 1) * volume(box);
  });
  return sum;
}

Value point(double x, double y, double z) { return std::vector<double>{x, y, z}; }
const std::pair<std::string, Value> kDense{"state.density", FieldValue{2}};

}  // namespace

TEST_CASE("a cell inside one region of a constant state has that state to the bit") {
  const std::vector<FieldValue> velocity{{0.7}, {0.2}, {-0.3}};
  const auto flow = flow_of(cube,
                            {region("ball", {{"center", point(0.5, 0.5, 0.5)},
                                             {"radius", 0.3},
                                             {"state.density", FieldValue{5.1}},
                                             {"state.velocity", velocity},
                                             {"state.pressure", FieldValue{0.37}}})},
                            {{"background.density", FieldValue{0.1}}, {"background.velocity", velocity}});
  const auto uniform = [&](double density, double pressure) {
    return make_case("uniform", cube, kGamma,
                     {{"density", density},
                      {"velocity", std::vector<double>{0.7, 0.2, -0.3}},
                      {"pressure", pressure}})
        ->initial(cube.cell(0, 0, 0));
  };
  CHECK(same_bits(flow->initial(cube.cell(7, 8, 7)), uniform(5.1, 0.37)));
  CHECK(same_bits(flow->initial(cube.cell(0, 15, 3)), uniform(0.1, 1)));
  CHECK(same_bits(flow->initial(cube.cell(-3, 15, 18)), uniform(0.1, 1)));
}

TEST_CASE("two boxes are the case riemann, with the interface on a face and inside a cell") {
  for (const double position : {0.5, 0.3, 0.6, 0.5125, 0.51, 0.4999}) {
    CAPTURE(position);
    const auto tube = make_case("riemann", line, kGamma,
                                {{"position", position}, {"left.velocity", std::vector<double>{1, 2, 3}}});
    const std::vector<FieldValue> velocity{{1}, {2}, {3}};
    const std::pair<std::string, Value> left{"state.velocity", velocity},
        density{"state.density", FieldValue{0.125}}, pressure{"state.pressure", FieldValue{0.1}};
    const std::unique_ptr<Case> flows[] = {
        flow_of(line,
                {region("box", {{"lower", point(-9, 0, 0)}, {"upper", point(position, 1, 1)}, left}),
                 region("box",
                        {{"lower", point(position, 0, 0)}, {"upper", point(9, 0, 0)}, density, pressure})}),
        flow_of(line,
                {region("half_space", {{"point", point(position, 7, 7)}, {"normal", point(-2, 0, 0)}, left}),
                 region("half_space",
                        {{"point", point(position, 7, 7)}, {"normal", point(2, 0, 0)}, density, pressure})}),
        flow_of(line, {region("ball", {{"center", point(position - 2, 7, 7)}, {"radius", 2.0}, left}),
                       region("ball",
                              {{"center", point(position + 2, 7, 7)}, {"radius", 2.0}, density, pressure})})};
    for (const auto& flow : flows)
      for (int i = -3; i < 43; ++i) {
        CAPTURE(i);
        const Conserved<double> mine = flow->initial(line.cell(i, 0, 0)),
                                given = tube->initial(line.cell(i, 0, 0));
        const double faces = 40 * position;
        if (std::abs(faces - std::round(faces)) < 1e-9) CHECK(same_bits(mine, given));
        CHECK(mine.density == doctest::Approx(given.density).epsilon(1e-13));
        CHECK(mine.mw == doctest::Approx(given.mw).epsilon(1e-13));
        CHECK(mine.energy == doctest::Approx(given.energy).epsilon(1e-13));
      }
  }
}

TEST_CASE("shapes have their volumes; axes that are not active are ignored") {
  const auto center = std::pair<std::string, Value>{"center", point(0.47, 0.52, 0.55)};
  const std::pair<std::string, Value> radius{"radius", 0.3}, inner{"inner", 0.2}, outer{"outer", 0.3};
  SUBCASE("box") {
    const Values box =
        region("box", {{"lower", point(0.11, 0.21, 0.31)}, {"upper", point(0.77, 0.66, 0.94)}, kDense});
    CHECK(volume_of(line, box) == doctest::Approx(0.66).epsilon(1e-13));
    CHECK(volume_of(sheet, box) == doctest::Approx(0.66 * 0.45).epsilon(1e-13));
    CHECK(volume_of(cube, box) == doctest::Approx(0.66 * 0.45 * 0.63).epsilon(1e-13));
  }
  SUBCASE("ball") {
    const Values ball = region("ball", {center, radius, kDense});
    CHECK(volume_of(line, ball) == doctest::Approx(0.6).epsilon(1e-13));
    CHECK(volume_of(sheet, ball) == doctest::Approx(pi * 0.09).epsilon(1e-4));
    CHECK(volume_of(cube, ball) == doctest::Approx(4 * pi / 3 * 0.027).epsilon(1e-4));
  }
  SUBCASE("shell") {
    const Values shell = region("shell", {center, inner, outer, kDense});
    CHECK(volume_of(line, shell) == doctest::Approx(0.2).epsilon(1e-13));
    CHECK(volume_of(sheet, shell) == doctest::Approx(pi * 0.05).epsilon(1e-4));
    CHECK(volume_of(cube, shell) == doctest::Approx(4 * pi / 3 * 0.019).epsilon(1e-4));
  }
  SUBCASE("cylinder along z") {
    const Values cylinder = region("cylinder", {center, radius, {"length", 0.5}, kDense});
    CHECK(volume_of(line, cylinder) == doctest::Approx(0.6).epsilon(1e-13));
    CHECK(volume_of(sheet, cylinder) == doctest::Approx(pi * 0.09).epsilon(1e-4));
    CHECK(volume_of(cube, cylinder) == doctest::Approx(pi * 0.045).epsilon(1e-4));
  }
  SUBCASE("cylinder along x") {
    const Values cylinder =
        region("cylinder", {center, radius, {"length", 0.5}, {"axis", point(-3, 0, 0)}, kDense});
    CHECK(volume_of(line, cylinder) == doctest::Approx(0.5).epsilon(1e-13));
    CHECK(volume_of(sheet, cylinder) == doctest::Approx(0.3).epsilon(1e-13));
    CHECK(volume_of(cube, cylinder) == doctest::Approx(pi * 0.045).epsilon(1e-4));
  }
  SUBCASE("oblique cylinder") {
    const Values cylinder =
        region("cylinder", {center, {"radius", 0.2}, {"length", 0.4}, {"axis", point(1, 2, 2)}, kDense});
    CHECK(volume_of(cube, cylinder) == doctest::Approx(pi * 0.016).epsilon(1e-3));
  }
  SUBCASE("half space") {
    const Values half =
        region("half_space", {{"point", point(0.5, 0.5, 0.5)}, {"normal", point(1, 1, 0)}, kDense});
    CHECK(volume_of(sheet, half) == doctest::Approx(0.5).epsilon(1e-4));
    CHECK(volume_of(cube, half) == doctest::Approx(0.5).epsilon(1e-4));
    CHECK(volume_of(line, half) == doctest::Approx(0.5).epsilon(1e-13));
    const Values none = region("half_space", {{"normal", point(0, 1, 0)}});
    CHECK(contains(refusal([&] { flow_of(line, {none}); }), "no part along an axis"));
  }
}

TEST_CASE("shapes keep their volumes on stretched meshes, and a box on faces cuts no cell") {
  const auto center = std::pair<std::string, Value>{"center", point(0.47, 0.52, 0.55)};
  const Values ball = region("ball", {center, {"radius", 0.3}, kDense});
  CHECK(volume_of(stretched(line), ball) == doctest::Approx(0.6).epsilon(1e-13));
  CHECK(volume_of(stretched(sheet), ball) == doctest::Approx(pi * 0.09).epsilon(1e-4));
  CHECK(volume_of(stretched(cube), ball) == doctest::Approx(4 * pi / 3 * 0.027).epsilon(1e-4));
  const Values beyond = region("box", {{"lower", point(-3, -9, 0)}, {"upper", point(0.77, 0.66, 0)}, kDense});
  CHECK(volume_of(stretched(sheet), beyond) == doctest::Approx(0.77 * 0.66).epsilon(1e-13));

  const Mesh mesh = stretched(line);
  for (int n = 1; n < 40; ++n)
    for (const double round_off : {0.0, 1e-15, -1e-15}) {
      const auto flow = flow_of(
          mesh,
          {region("box",
                  {{"lower", point(mesh.face(0, n) + round_off, 0, 0)}, {"upper", point(9, 0, 0)}, kDense})});
      CHECK(flow->initial(mesh.cell(n - 1, 0, 0)).density == 1);
      CHECK(flow->initial(mesh.cell(n, 0, 0)).density == 2);
    }
}

TEST_CASE("a half space is on the side to which its normal points") {
  const auto flow = flow_of(
      sheet, {region("half_space", {{"point", point(0.5, 0.5, 0.5)}, {"normal", point(1, 2, 0)}, kDense})});
  CHECK(flow->initial(sheet.cell(28, 28, 0)).density == 2);
  CHECK(flow->initial(sheet.cell(3, 3, 0)).density == 1);
}

TEST_CASE("the volume fraction of each cut cell is as good as the deck asks") {
  const auto ball = [](std::int64_t points) {
    return flow_of(sheet, {region("ball", {{"center", point(0.47, 0.52, 0)}, {"radius", 0.3}, kDense})},
                   {{"edge_points", points}});
  };
  const auto exact = ball(1024), usual = ball(32), coarse = ball(4);
  double worst = 0, worst_of_coarse = 0;
  int cut = 0;
  for_every_cell(sheet, [&](const auto& cell) {
    const Box box = box_of(sheet, cell);
    const double density = exact->initial(box).density;
    cut += density != 1 && density != 2;
    worst = std::max(worst, std::abs(usual->initial(box).density - density));
    worst_of_coarse = std::max(worst_of_coarse, std::abs(coarse->initial(box).density - density));
  });
  CHECK(cut > 50);
  CHECK(worst < 0.01);
  CHECK(worst > 1e-5);  // it is sampled, after all
  CHECK(worst_of_coarse > 3 * worst);
}

TEST_CASE("later regions cover earlier ones") {
  const Values ball = region("ball", {{"center", point(0.5, 0.5, 0)}, {"radius", 0.3}, kDense});
  const Values box = region(
      "box",
      {{"lower", point(0.4, 0.4, 0)}, {"upper", point(0.6, 0.6, 0)}, {"state.density", FieldValue{3}}});
  CHECK(flow_of(sheet, {ball, box})->initial(sheet.cell(16, 16, 0)).density == 3);
  CHECK(flow_of(sheet, {box, ball})->initial(sheet.cell(16, 16, 0)).density == 2);
  CHECK(flow_of(sheet, {box, ball})->remarks() ==
        std::vector<std::string>{"case.regions[0] covers no cell of the mesh"});
  CHECK(flow_of(sheet, {ball, box})->remarks().empty());
}

TEST_CASE("averages of smooth expressions converge by the order of the quadrature") {
  if (!can_test_expressions()) return;
  const auto error = [](int cells, std::int64_t points) {
    const Mesh mesh{{cells, cells, 1}, {0, 0, 0}, {1, 1, 1}};
    const auto flow = flow_of(
        mesh, {}, {{"background.density", field("1 + 0.2*sin(2*pi*(x - y))")}, {"quadrature", points}});
    const double h = 1.0 / cells, factor = std::pow(std::sin(pi * h) / (pi * h), 2);
    double worst = 0;
    for_every_cell(mesh, [&](const auto& cell) {
      const Box box = box_of(mesh, cell);
      const double average = 1 + 0.2 * factor * std::sin(2 * pi * (box.center(0) - box.center(1)));
      worst = std::max(worst, std::abs(flow->initial(box).density - average));
    });
    return worst;
  };
  CHECK(std::log2(error(8, 1) / error(16, 1)) == doctest::Approx(2).epsilon(0.05));
  CHECK(std::log2(error(8, 2) / error(16, 2)) == doctest::Approx(4).epsilon(0.05));
  CHECK(std::log2(error(8, 3) / error(16, 3)) == doctest::Approx(6).epsilon(0.05));
  CHECK(error(8, 8) < 1e-14);
}

TEST_CASE("it is the conserved state that is averaged") {
  if (!can_test_expressions()) return;
  const auto flow =
      flow_of(line, {},
              {{"background.density", FieldValue{2}},
               {"background.velocity", std::vector<FieldValue>{field("x"), {3}, field("1 - x")}}});
  const Box cell = line.cell(7, 0, 0);
  const double a = cell.lower[0], b = cell.upper[0];
  const Conserved<double> c = flow->initial(cell);
  CHECK(c.mu == doctest::Approx(a + b).epsilon(1e-14));
  CHECK(c.mw == doctest::Approx(2 - a - b).epsilon(1e-14));
  const double squares = (b * b * b - a * a * a + std::pow(1 - a, 3) - std::pow(1 - b, 3)) / (3 * (b - a));
  CHECK(c.energy == doctest::Approx(2.5 + 9 + squares).epsilon(1e-14));
}

TEST_CASE("an expression is asked only inside of its region") {
  if (!can_test_expressions()) return;
  const auto flow =
      flow_of(sheet,
              {region("ball", {{"center", point(0.5, 0.5, 0)},
                               {"radius", 0.3},
                               {"state.density", field("1 + sqrt(r^2 - (x - 0.5)^2 - (y - 0.5)^2)")}})},
              {{"parameters", NamedNumbers{{"r", 0.3}}}});
  double volume = 0;
  for_every_cell(sheet, [&](const auto& cell) {
    const double density = flow->initial(box_of(sheet, cell)).density;
    REQUIRE(std::isfinite(density));
    volume += (density - 1) / 1024;
  });
  CHECK(volume == doctest::Approx(2 * pi / 3 * 0.027).epsilon(1e-3));
}

TEST_CASE("an expression that is unphysical inside the mesh is refused with the place") {
  if (!can_test_expressions()) return;
  const auto refused = [](const std::string& density) {
    const auto flow = flow_of(line, {}, {{"background.density", field(density)}});
    return refusal([&] { extended_initial_fields(*flow, line, {{kGamma}}, 3); });
  };
  CHECK(contains(refused("x - 0.5"),
                 "in cell [0, 0, 0] at (0.012500, 0.500000, 0.500000) is unphysical: density -0.4"));
  CHECK(contains(refused("sqrt(0.5 - x)"), "in cell [20, 0, 0]"));
  CHECK(contains(refused("sqrt(0.5 - x)"), "nan"));
}

TEST_CASE("threads find the bits that one finds") {
  if (!can_test_expressions()) return;
  const auto flow = flow_of(
      sheet,
      {region("ball",
              {{"center", point(0.4, 0.55, 0)}, {"radius", 0.2}, {"state.pressure", field("1 + x*y")}})},
      {{"background.density", field("1 + 0.2*sin(2*pi*(x - y))")}});
  const auto states = [&] {
    std::vector<Conserved<double>> all;
    for_every_cell(sheet, [&](const auto& cell) { all.push_back(flow->initial(box_of(sheet, cell))); });
    return all;
  };
  const auto alone = states();
  std::vector<std::vector<Conserved<double>>> found(6);
  std::vector<std::thread> threads;
  for (auto& mine : found) threads.emplace_back([&] { mine = states(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& theirs : found) {
    REQUIRE(theirs.size() == alone.size());
    for (std::size_t n = 0; n < alone.size(); ++n) REQUIRE(same_bits(theirs[n], alone[n]));
  }
}

TEST_CASE("a state has reactant if a deck gives it some") {
  CHECK_FALSE(flow_of(line, {})->has_reactant());
  const auto flow = flow_of(line, {region("box", {{"lower", point(0, 0, 0)},
                                                  {"upper", point(0.49, 0, 0)},
                                                  kDense,
                                                  {"state.reactant", FieldValue{0.5}}})});
  CHECK(flow->has_reactant());
  CHECK(flow->initial_reactant(line.cell(3, 0, 0)) == 1);
  CHECK(flow->initial_reactant(line.cell(19, 0, 0)) == doctest::Approx(0.6).epsilon(1e-12));
  CHECK(flow->initial_reactant(line.cell(30, 0, 0)) == 0);
}

namespace {

/// Returns the mass per volume that a cell of the flow begins with, of the scalar s.
double mass_of(const Case& flow, const Scalars& scalars, int s, const Box& cell) {
  return scalars.mass(s, flow, cell, flow.initial(cell).density);
}

}  // namespace

TEST_CASE("a state gives mass fractions, and what it does not give is the deck's") {
  const Scalars scalars({{"dye", {0.25}}, {"smoke", {0.75}}}, {}, line, false);
  const auto flow = flow_of(line, {region("box", {{"lower", point(0, 0, 0)},
                                                  {"upper", point(0.49, 0, 0)},
                                                  kDense,
                                                  {"state.scalars", NamedFields{{"dye", {0.5}}}}})});
  CHECK_FALSE(flow->has_reactant());
  CHECK(mass_of(*flow, scalars, 0, line.cell(3, 0, 0)) == 1);
  CHECK(mass_of(*flow, scalars, 0, line.cell(30, 0, 0)) == 0.25);
  // Of the cell that the edge cuts the box has 0.6: each part holds its own mass.
  CHECK(mass_of(*flow, scalars, 0, line.cell(19, 0, 0)) ==
        doctest::Approx(0.6 * 2 * 0.5 + 0.4 * 0.25).epsilon(1e-12));
  for (const int i : {3, 19, 30}) {
    const Box cell = line.cell(i, 0, 0);
    CHECK(mass_of(*flow, scalars, 1, cell) == flow->initial(cell).density * 0.75);
  }
}

TEST_CASE("a fraction of the background holds where no shape gives another; regions give the reactant, too") {
  const Scalars scalars({{"reactant", {0}}, {"dye", {0}}}, {}, line, false);
  const auto flow = flow_of(line,
                            {region("box", {{"lower", point(0, 0, 0)},
                                            {"upper", point(0.5, 0, 0)},
                                            kDense,
                                            {"state.scalars", NamedFields{{"reactant", {1}}}}})},
                            {{"background.scalars", NamedFields{{"dye", {0.125}}}}});
  CHECK_FALSE(flow->has_reactant());  // it is the deck's
  CHECK(mass_of(*flow, scalars, 0, line.cell(3, 0, 0)) == 2);
  CHECK(mass_of(*flow, scalars, 0, line.cell(30, 0, 0)) == 0);
  CHECK(mass_of(*flow, scalars, 1, line.cell(3, 0, 0)) == 0);
  CHECK(mass_of(*flow, scalars, 1, line.cell(30, 0, 0)) == 0.125);
}

TEST_CASE("the mass of a scalar in a cell is the average of density times mass fraction") {
  if (!can_test_expressions()) return;
  const auto flow = flow_of(line, {},
                            {{"background.density", field("1 + x")},
                             {"background.scalars", NamedFields{{"dye", field("a*x*x")}}},
                             {"parameters", NamedNumbers{{"a", 0.5}}}});
  const Scalars scalars({{"dye", {0}}}, {}, line, false);
  for (const int i : {0, 17, 39}) {
    const Box cell = line.cell(i, 0, 0);
    const auto integral = [](double x) { return 0.5 * (x * x * x / 3 + x * x * x * x / 4); };
    CHECK(
        mass_of(*flow, scalars, 0, cell) ==
        doctest::Approx((integral(cell.upper[0]) - integral(cell.lower[0])) / cell.width(0)).epsilon(1e-12));
  }
}

TEST_CASE("a dyed ball holds its volume of dye, whatever the deck's own fraction is an expression of") {
  if (!can_test_expressions()) return;
  const Scalars scalars({{"dye", field("x")}}, {}, sheet, false);
  const auto flow = flow_of(sheet, {region("ball", {{"center", point(0.5, 0.5, 0)},
                                                    {"radius", 0.25},
                                                    {"state.density", FieldValue{4}},
                                                    {"state.scalars", NamedFields{{"dye", {1}}}}})});
  double mass = 0;
  for_every_cell(sheet, [&](const auto& cell) {
    const Box box = box_of(sheet, cell);
    mass += mass_of(*flow, scalars, 0, box) * volume(box);
  });
  const double ball = pi * 0.25 * 0.25;
  CHECK(mass == doctest::Approx(4 * ball + 0.5 * (1 - ball)).epsilon(1e-3));
}
