// From a deck's text to a configuration: values, defaults, overrides, the resolved deck.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <tuple>

#include "app/deck/deck.hpp"
#include "app/deck/duration.hpp"
#include "app/deck/spelling.hpp"
#include "app/deck/table.hpp"
#include "app/run/memory.hpp"
#include "physics/base/choice.hpp"
#include "physics/solids/solid_cell.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/make_case.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

const std::string kShort = "case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\n";

const std::string kFull = R"(title: Sod shock tube
case:
  name: riemann
  axis: x
  position: 0.3
  left: {density: 2.0, velocity: [1, -2, 3], pressure: 5}
  right: {density: 0.25, velocity: [0, 0, 0.5], pressure: 0.2}
mesh:
  cells: [256, 8, 4]
  lower: [-1, 0, 2]
  upper: [1, 0.5, 3]
  boundary: {x: [outflow, inflow], y: [periodic, periodic], z: [reflecting, outflow]}
gas: {gamma: 1.6, viscosity: 0.0, prandtl: 0.7}
source:
  kind: cooling
  tolerance: 1.0e-4
  max_substeps: 33
  cooling: {coefficient: 2, exponent: 0.75, equilibrium: 3}
  reaction: {rate: 4, activation_energy: 5, heat_release: 6}
scheme:
  reconstruction: plm
  limiter: mc
  variables: primitive
  riemann: roe
  integrator: ssprk2
  precision: single
time:
  end: 0.7
  cfl: 0.35
  dt: 1e-3
  max_steps: 77
soft_error:
  max_halvings: 5
  regrow_after: 6
  on_exhausted: floor
  face: raise
  floor: {density: 1.0e-9, pressure: 1.0e-11}
  spike: {field: speed, limit: 40, factor: 3.5}
  cfl_limit: 0.9
  redo: same_dt
  poll: pipelined
  depth: 2
inject: {step: 3, stage: 2, cell: [31, 7, 1], kind: bit_flip, field: momentum_y, bit: 30}
interruptible: {enabled: false, launch_budget_ms: 20}
output:
  directory: out/here
  every: 0.05
  every_steps: 10
  fields: [pressure, density]
  history_every_steps: 3
checkpoint: {every_steps: 12, every_wall: "01:02:03", keep: 4}
ranks: {watchdog: 7}
)";

void check_same(const RunConfig& a, const RunConfig& b) {
  CHECK(a.case_parameters.all() == b.case_parameters.all());
  CHECK(a.problem.mesh.cells == b.problem.mesh.cells);
  CHECK(a.problem.boundary == b.problem.boundary);
  CHECK(std::tie(a.title, a.case_name, a.limits.end, a.resolved) ==
        std::tie(b.title, b.case_name, b.limits.end, b.resolved));  // all else is in the resolved deck
}

TEST_CASE("every value of a deck reaches the configuration") {
  const RunConfig c = parse_deck(kFull, "deck.yaml");
  CHECK(c.title == "Sod shock tube");
  CHECK(c.case_name == "riemann");
  CHECK(c.case_parameters.real("position") == 0.3);
  CHECK(c.case_parameters.reals("left.velocity") == std::vector<double>{1, -2, 3});
  CHECK(c.problem.mesh.cells == std::array{256, 8, 4});
  CHECK(c.problem.mesh.lower == std::array{-1.0, 0.0, 2.0});
  CHECK(c.problem.mesh.upper == std::array{1.0, 0.5, 3.0});
  CHECK(c.problem.boundary == Boundaries{{{Boundary::outflow, Boundary::inflow},
                                          {Boundary::periodic, Boundary::periodic},
                                          {Boundary::reflecting, Boundary::outflow}}});
  CHECK(c.problem.gamma == 1.6);
  const auto& [source, scheme, seen] = std::tie(c.problem.source, c.problem.scheme, c.problem.detection);
  CHECK(std::tuple(source.kind, source.tolerance, source.max_substeps) ==
        std::tuple(SourceKind::cooling, 1e-4, 33));
  CHECK(std::tuple(source.cooling.coefficient, source.cooling.exponent, source.cooling.equilibrium) ==
        std::tuple(2, 0.75, 3));
  CHECK(std::tuple(source.reaction.rate, source.reaction.activation_energy, source.reaction.heat_release) ==
        std::tuple(4, 5, 6));
  CHECK(std::tuple(scheme.reconstruction, scheme.limiter, scheme.variables, scheme.riemann, scheme.integrator,
                   scheme.precision) == std::tuple(Reconstruction::plm, Limiter::mc, Variables::primitive,
                                                   Riemann::roe, Integrator::ssprk2,
                                                   Precision::single_precision));
  CHECK(std::tuple(seen.raise_bad_faces, seen.cfl_limit, seen.spikes.field, seen.spikes.limit,
                   seen.spikes.factor) == std::tuple(true, 0.9, SpikeField::speed, 40, 3.5));
  const StepLimits& limits = c.limits;
  CHECK(std::tuple(limits.end, limits.cfl, limits.fixed_dt, limits.max_steps, limits.output_every,
                   limits.cfl_limit) == std::tuple(0.7, 0.35, 1e-3, 77, 0.05, 0.9));
  CHECK(std::tuple(limits.max_halvings, limits.regrow_after, limits.last_remedy, limits.redo_same_dt,
                   c.depth) == std::tuple(5, 6, Remedy::floor, true, 2));
  CHECK(std::tuple(c.problem.floors.density, c.problem.floors.pressure) == std::tuple(1e-9, 1e-11));
  REQUIRE(c.problem.fault);
  const auto& fault = *c.problem.fault;
  CHECK(std::tuple(fault.step, fault.stage, fault.cell, fault.kind, fault.field, fault.bit) ==
        std::tuple(3, 2, std::array{31, 7, 1}, FaultKind::bit_flip, 2, 30));
  CHECK(std::tuple(c.output.directory, c.output.every_steps, c.output.history_every_steps) ==
        std::tuple("out/here", 10, 3));
  CHECK(c.output.fields == std::vector<std::string>{"pressure", "density"});
  CHECK(std::tuple(c.checkpoint.every_steps, c.checkpoint.every_wall.seconds(), c.checkpoint.keep) ==
        std::tuple(12, 3723, 4));
  CHECK(c.watchdog_seconds == 7);
  // The case itself was made from these values.
  const Conserved<double> left = c.flow_case->initial(c.problem.mesh.cell(0, 0, 0));
  CHECK(left.density == 2.0);
  CHECK(left.mv == -4.0);
}

TEST_CASE("the list outputs reaches the configuration, the controller and the resolved deck") {
  const RunConfig c = parse_deck(
      kShort +
          "outputs:\n"
          "  - {kind: probes, name: wall, points: [[0, 0, 0], [1/4, 0.5, 1]], every: 0.1, precision: "
          "single,\n"
          "     fields: [pressure, mass_fraction, q_criterion]}\n"
          "  - {kind: probes, name: mid, points: [[0.5, 0, 0]], every_steps: 7}\n"
          "  - {kind: probes, name: end, points: [[1, 1, 1]], every: 0.1}\n"
          "  - {kind: line, name: wake, through: [0.5, 0.25, 0], every: 0.1}\n"
          "  - {kind: slice, name: plane, axis: x, position: 3/4, every_steps: 2}\n"
          "  - {kind: box, name: corner, lower: [0, 0, 0], upper: [0.5, 0.25, 1], every_cell: 3, every: "
          "0.1}\n"
          "  - {kind: profile, name: means, axis: x, every: 0.1}\n"
          "  - {kind: averages, name: calm, from: 0.05, sample_steps: 5, covariances: true, every: 0.1}\n"
          "scalars: {dye: 1}\n",
      "deck.yaml", {"outputs.1.every_steps=8"});
  REQUIRE(c.output_requests.size() == 8);
  const OutputRequest &means = c.output_requests[6], &calm = c.output_requests[7];
  CHECK(std::tuple(means.kind, means.axis) == std::tuple(OutputKind::profile, 0));
  CHECK(std::tuple(calm.kind, calm.from, calm.sample_steps, calm.covariances) ==
        std::tuple(OutputKind::averages, 0.05, 5, true));
  CHECK(files_of({means, calm}) == std::vector<std::string>{"means", "calm.vtkhdf"});
  CHECK(c.output_requests[3].kind == OutputKind::line);
  CHECK(c.output_requests[3].axis == 0);
  CHECK(c.output_requests[3].points == Places{{0.5, 0.25, 0}});
  const OutputRequest &plane = c.output_requests[4], &corner = c.output_requests[5];
  CHECK(std::tuple(plane.kind, plane.axis, plane.position) == std::tuple(OutputKind::slice, 0, 0.75));
  CHECK(std::tuple(corner.kind, corner.every_cell) == std::tuple(OutputKind::box, 3));
  CHECK(corner.points == Places{{0, 0, 0}, {0.5, 0.25, 1}});
  CHECK(files_of({c.output_requests[3], plane}) == std::vector<std::string>{"wake", "plane.vtkhdf"});
  const OutputRequest &wall = c.output_requests[0], &mid = c.output_requests[1];
  CHECK(std::tuple(wall.name, wall.kind, wall.precision, wall.mass_fractions) ==
        std::tuple("wall", OutputKind::probes, Precision::single_precision, true));
  CHECK(wall.points == Places{{0, 0, 0}, {0.25, 0.5, 1}});
  CHECK(wall.fields == std::vector{FlowField::pressure, FlowField::q_criterion});
  CHECK(std::tuple(wall.cadence.every, wall.cadence.every_steps) == std::tuple(0.1, 0));
  CHECK(std::tuple(mid.cadence.every, mid.cadence.every_steps) == std::tuple(0.0, 8));
  CHECK(mid.fields.size() == 5);
  CHECK(mid.precision == Precision::double_precision);
  CHECK(c.limits.landings.count == 1);
  CHECK(c.limits.landings.every[0] == 0.1);
  CHECK(parse_deck(c.resolved, "again.yaml").resolved == c.resolved);
  CHECK(parse_deck(c.resolved, "again.yaml").output_requests[0].points == wall.points);
  CHECK(parse_deck(kShort, "deck.yaml").limits.landings.count == 0);
}

TEST_CASE("histograms and tables of numbers are outputs of their own") {
  const RunConfig c =
      parse_deck(kShort +
                     "outputs:\n"
                     "  - {kind: histogram, name: machs, field: mach, bins: 5, lower: 0.5, upper: 2, "
                     "every: 0.1}\n"
                     "  - {kind: probes, name: wall, points: [[0, 0, 0]], every_steps: 1, format: "
                     "hdf5}\n"
                     "  - {kind: histogram, name: densities, every_steps: 3}\n",
                 "deck.yaml");
  const OutputRequest &machs = c.output_requests[0], &wall = c.output_requests[1],
                      &densities = c.output_requests[2];
  CHECK(machs.histogram == HistogramRequest{HistogramField::mach, 5, 0.5, 2});
  CHECK(densities.histogram == HistogramRequest{});
  CHECK(wall.format == TableFormat::hdf5);
  CHECK(files_of(c.output_requests) == std::vector<std::string>{"machs", "wall.h5", "densities"});
  CHECK(file_of_table(machs) == "machs.csv");
  CHECK(file_of_table(wall) == "wall.h5");
  CHECK(parse_deck(c.resolved, "again.yaml").resolved == c.resolved);
  CHECK(parse_deck(c.resolved, "again.yaml").output_requests[0].has_columns_of(machs));
  OutputRequest text = wall;
  text.format = TableFormat::csv;
  CHECK_FALSE(text.has_columns_of(wall));
}

TEST_CASE("no output may be called like a file or a picture of a run") {
  for (const std::string name :
       {"deck", "history", "history_mass", "histogram", "events", "summary", "fields", "fields_000001",
        "checkpoint_latest", "checkpoint", "report", "movie", "stop"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(
        parse_deck(
            kShort + "outputs: [{kind: probes, every_steps: 1, points: [[0, 0, 0]], name: " + name + "}]\n",
            "deck.yaml"),
        DeckError);
  }
}

TEST_CASE("no scalar may be called like a field of an output") {
  for (const auto& field : kFlowFieldNames)
    CHECK_THROWS_AS(parse_deck(kShort + "scalars: {" + std::string(field.name) + ": 0.5}\n", "deck.yaml"),
                    DeckError);
}

TEST_CASE("a deck of the required keys alone takes the defaults of the table") {
  const RunConfig c = parse_deck(kShort, "deck.yaml");
  CHECK(c.title.empty());
  CHECK(c.problem.mesh.upper == std::array{1.0, 1.0, 1.0});
  CHECK(c.problem.boundary[0] == std::array{Boundary::outflow, Boundary::outflow});
  CHECK(c.problem.gamma == 1.4);
  CHECK(c.problem.scheme.reconstruction == Reconstruction::weno5z);
  CHECK(c.problem.scheme.riemann == Riemann::hllc);
  CHECK_FALSE(c.problem.source.active());
  CHECK_FALSE(c.problem.detection.raise_bad_faces);
  CHECK_FALSE(c.problem.detection.spikes.are_set());
  CHECK(c.problem.dirichlet.empty());
  CHECK(c.limits.cfl == 0.4);
  CHECK(c.limits.max_halvings == 8);
  CHECK(c.limits.last_remedy == Remedy::first_order);
  CHECK_FALSE(c.limits.redo_same_dt);
  CHECK(c.depth == 1);  // soft_error.depth is for poll: pipelined alone
  CHECK_FALSE(c.problem.fault);
  CHECK(c.checkpoint.every_wall.seconds() == 600);
  CHECK(c.output.fields.size() == 3);
}

TEST_CASE("the last remedy and the fault are what the deck's words say") {
  const auto deck = [](const std::vector<std::string>& overrides) {
    return parse_deck(kShort, "deck.yaml", overrides);
  };
  CHECK(deck({"soft_error.on_exhausted=abort"}).limits.last_remedy == Remedy::none);
  CHECK(deck({"soft_error.on_exhausted=first_order"}).limits.last_remedy == Remedy::first_order);
  CHECK(deck({"soft_error.on_exhausted=floor"}).limits.last_remedy == Remedy::floor);
  for (const auto& kind : kFaultKinds)
    CHECK(deck({"inject.step=1", "inject.kind=" + std::string(kind.name)}).problem.fault->kind == kind.value);
  for (int field = 0; field < kFields; ++field)
    CHECK(deck({"inject.step=1", "inject.field=" + std::string(kFieldNames[field])}).problem.fault->field ==
          field);
  // A fault that is switched off may have any cell.
  CHECK_FALSE(deck({"inject.cell=[64, 0, 0]"}).problem.fault);
}

TEST_CASE("one number of cells is that along x, and one boundary is for both sides") {
  const RunConfig c =
      parse_deck("case: {name: riemann}\nmesh: {cells: 512, boundary: {x: reflecting}}\ntime: {end: 1}\n",
                 "deck.yaml", {"mesh.boundary.y=periodic"});
  CHECK(c.problem.mesh.cells == std::array{512, 1, 1});
  CHECK(c.problem.boundary[0] == std::array{Boundary::reflecting, Boundary::reflecting});
  CHECK(c.problem.boundary[1] == std::array{Boundary::periodic, Boundary::periodic});
  CHECK(contains(c.resolved, "  cells: [512, 1, 1]\n"));
  CHECK(parse_deck(c.resolved, "again.yaml").resolved == c.resolved);
  const auto refused = [](const std::string& mesh) {
    return refusal(
        [&] { parse_deck("case: {name: riemann}\nmesh: " + mesh + "\ntime: {end: 1}\n", "deck.yaml"); });
  };
  CHECK(contains(refused("{cells: many}"), "'mesh.cells' takes an integer, not 'many'"));
  CHECK(contains(refused("{cells: 0}"), "'mesh.cells' must be from 1 to 1048576, not 0"));
  CHECK(contains(refused("{cells: 8, boundary: {x: priodic}}"),
                 "'mesh.boundary.x' cannot be 'priodic'; did you mean 'periodic'?"));
  CHECK(contains(refused("{cells: 8, lower: 0}"), "'mesh.lower' takes a list of 3 numbers"));
}

TEST_CASE("a spacing makes the cells of its axis differ in width, as a word with all its defaults") {
  const RunConfig uniform = parse_deck(kShort, "deck", {});
  CHECK_FALSE(uniform.problem.mesh.is_stretched());
  CHECK(contains(uniform.resolved, "spacing: {x: uniform, y: uniform, z: uniform}"));
  const RunConfig config = parse_deck(kShort, "deck", {"mesh.spacing.x=tanh", "mesh.spacing.y=geometric"});
  const Mesh& mesh = config.problem.mesh;
  CHECK(mesh.is_stretched(0));
  CHECK_FALSE(mesh.is_stretched(1));  // it is not swept
  CHECK(mesh.width(0, 0) < 0.2 * mesh.width(0, 32));
  CHECK(contains(config.resolved, "x: {kind: tanh, strength: 2.0, towards: both}"));
  const RunConfig again = parse_deck(config.resolved, "deck", {});
  for (int n = 0; n <= 64; ++n) CHECK(again.problem.mesh.face(0, n) == mesh.face(0, n));
}

TEST_CASE("a case's prescribed state reaches the problem") {
  const RunConfig c = parse_deck(
      "case: {name: noh}\nmesh: {cells: [8, 8, 1], boundary: {x: [reflecting, prescribed], "
      "y: [reflecting, prescribed]}}\ntime: {end: 1}\n",
      "deck.yaml");
  const double x[3] = {3, 4, 7};
  const Primitive<double> beyond = c.problem.dirichlet.at(x, 0);
  CHECK(beyond.u == doctest::Approx(-0.6));
  CHECK(beyond.v == doctest::Approx(-0.8));
  CHECK(beyond.w == 0);
}

TEST_CASE("numbers and booleans may be written every way YAML 1.2 has") {
  const auto cfl = [](const std::string& text) {
    return parse_deck(kShort, "deck.yaml", {"time.cfl=" + text}).limits.cfl;
  };
  for (const auto& [text, value] : {std::pair{"1", 1.0},
                                    {"+0.5", 0.5},
                                    {".5", 0.5},
                                    {"1.", 1.0},
                                    {"1e-3", 1e-3},
                                    {"2.5E+0", 2.5},
                                    {"!!float 1", 1.0}})
    CHECK(cfl(text) == value);
  for (const char* wrong : {"0x1", "1e", "1 2", "!!str 1"}) CHECK_THROWS_AS(cfl(wrong), DeckError);
  CHECK_NOTHROW(parse_deck(kShort, "deck.yaml", {"interruptible.enabled=False"}));
}

TEST_CASE("anchors and aliases stand for the values they name") {
  const RunConfig c = parse_deck(
      "case:\n  name: riemann\n  left: &state {density: 3, pressure: 2}\n  right: *state\n"
      "mesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\n",
      "deck.yaml", {"case.left.pressure=7"});
  CHECK(c.case_parameters.real("right.density") == 3);
  CHECK(c.case_parameters.real("left.pressure") == 7);
  CHECK(c.case_parameters.real("right.pressure") == 2);  // the override touched the other use alone
}

TEST_CASE("a byte order mark and Windows ends of line are no mistake") {
  const RunConfig c = parse_deck(
      "\xEF\xBB\xBF"
      "title: a\r\ncase: {name: riemann}\r\nmesh: {cells: [64, 1, 1]}\r\ntime: {end: 0.2}\r\n",
      "deck.yaml");
  CHECK(c.title == "a");
}

TEST_CASE("an override replaces one value, the last one wins, and a block is merged") {
  const RunConfig c =
      parse_deck(kFull, "deck.yaml",
                 {"time.cfl=0.1", "time.cfl=0.2", "mesh.cells=[32,16,4]", "case.left={density: 9}",
                  "title=Sod again", "mesh.boundary.x=[periodic, periodic]"});
  CHECK(c.limits.cfl == 0.2);
  CHECK(c.problem.mesh.cells == std::array{32, 16, 4});
  CHECK(c.case_parameters.real("left.density") == 9);
  CHECK(c.case_parameters.real("left.pressure") == 5);  // the rest of the block stays
  CHECK(c.title == "Sod again");
  CHECK(c.problem.boundary[0][1] == Boundary::periodic);
}

TEST_CASE("an override may give a value, or a block, that the deck lacks") {
  const RunConfig c = parse_deck(kShort + "gas:\n", "deck.yaml",
                                 {"gas.gamma=1.3", "scheme={riemann: hll}", "soft_error.spike.limit=3"});
  CHECK(c.problem.gamma == 1.3);
  CHECK(c.problem.scheme.riemann == Riemann::hll);
  CHECK(c.problem.detection.spikes.limit == 3);
}

TEST_CASE("an override mends a wrong value of the deck") {
  CHECK(parse_deck("time: {end: x}\ncase: {name: riemann}\nmesh: {cells: [64, 1, 1]}\n", "deck.yaml",
                   {"time.end=3"})
            .limits.end == 3);
}

TEST_CASE("the resolved deck reads back as the same configuration") {
  for (const std::string& deck : {kShort, kFull}) {
    const RunConfig first = parse_deck(deck, "deck.yaml");
    const RunConfig second = parse_deck(first.resolved, "resolved.yaml");
    check_same(first, second);
  }
}

TEST_CASE("every case's defaults survive the resolved deck") {
  // The keys that a case cannot do without.
  const std::map<std::string, std::string> needs = {
      {"couette", "gas: {viscosity: 0.05}\nwall: {velocity_upper: [3, 0, 0], temperature_upper: 1}\n"},
      {"poiseuille",
       "gas: {viscosity: 0.05}\ngravity: [0.1, 0, 0]\nwall: {temperature_lower: 1, temperature_upper: 1}\n"},
      {"rayleigh_taylor", "gravity: [0, -1, 0]\n"},
      {"viscous_shock", "gas: {viscosity: 0.04, prandtl: 0.75}\n"}};
  const std::map<std::string, std::string> changes = {
      {"couette", "mesh.boundary.y=[no_slip,no_slip]"},
      {"file", "case.file=none.h5"},
      {"jet", "mesh.boundary.x=[inflow,outflow]"},
      {"poiseuille", "mesh.boundary.y=[no_slip,no_slip]"},
      {"rayleigh_taylor", "mesh.boundary={x: [periodic, periodic], y: [reflecting, reflecting]}"},
      {"turbulence", "mesh={cells: [16, 16, 16], boundary: {x: periodic, y: periodic, z: periodic}}"}};
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    const auto own = needs.find(info.name), change = changes.find(info.name);
    const RunConfig first = parse_deck(
        "case: {name: " + info.name +
            "}\nmesh: {cells: [8, 8, 8], lower: [-1, -1, -1]}\ntime: {end: 1}\nsource: {kind: " +
            std::string(name_of(kSourceKinds, source_of_case(info.name).kind)) + "}\n" +
            (own == needs.end() ? "" : own->second),
        "deck.yaml", change == changes.end() ? std::vector<std::string>{} : std::vector{change->second});
    check_same(first, parse_deck(first.resolved, "resolved.yaml"));
  }
}

TEST_CASE("the resolved deck keeps every bit of a number") {
  for (const double x : {0.1, 1.0 / 3.0, 1e-300, 5e-324, 1.7976931348623157e308, 123456789.123456789, 1e22}) {
    const RunConfig c = parse_deck(kShort, "deck.yaml", {"time.end=" + yaml_value(x)});
    CHECK(c.limits.end == x);
    CHECK(parse_deck(c.resolved, "resolved.yaml").limits.end == x);
  }
}

TEST_CASE("the resolved deck keeps every letter of a text") {
  std::istringstream texts(
      "plain words|a: b|# no comment|- item|123|1e5|true|null|~|'single' \"double\" \\ backslash| "
      "leading|trailing |"
      "[list]|{map}|*a|&a|!tag|%|@||Größe µ 流れ|yes|a #b|=|.inf");
  for (std::string text; std::getline(texts, text, '|');) {
    const RunConfig c = parse_deck(kShort + "title: " + yaml_value(text) + "\n", "deck.yaml");
    CHECK(c.title == text);
    CHECK(parse_deck(c.resolved, "resolved.yaml").title == text);
  }
}

const std::string kRegions = R"deck(
mesh: {cells: [16, 16, 1], upper: [2*pi, 5*r, 1]}
case:
  name: regions
  parameters: {r: 1/5, twice: 2*r}
  background: {density: "1 + r*sin(2*pi*(x - y))", velocity: [0.7, y, 0], pressure: 1/gamma}
  regions:
    - {shape: ball, center: [0.4, 0.55, r/2], radius: twice, state: {density: 5, pressure: "1"}}
    - {shape: cylinder, center: [0, 0, 0], axis: y, radius: 0.1, state: {density: 3, velocity: [0, 0, 1], pressure: 1}}
gas: {gamma: 5/3}
time: {end: 0.2}
)deck";

TEST_CASE("scalars have names and mass fractions; where there are some they are dumped") {
  const std::string deck = "case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\n";
  CHECK(parse_deck(deck, "deck.yaml").problem.scalars.empty());
  const RunConfig c =
      parse_deck(deck, "deck.yaml", {"scalars={dye: 0.25, reactant: 1}", "scalars.smoke=1/4"});
  CHECK(c.problem.scalars == std::vector<std::string>{"reactant", "dye", "smoke"});
  CHECK(c.problem.fields() == kFields + 3);
  CHECK(c.dumped_fields() ==
        std::vector<std::string>{"density", "velocity", "pressure", "reactant", "dye", "smoke"});
  CHECK(parse_deck(c.resolved, "again.yaml").resolved == c.resolved);
  const RunConfig without = parse_deck(deck, "deck.yaml", {"scalars.dye=1", "output.fields=[density]"});
  CHECK(without.dumped_fields() == std::vector<std::string>{"density"});
  const RunConfig around =
      parse_deck(kShort, "deck.yaml",
                 {"output.fields=[pressure]", "solids=[{shape: ball, center: [0.5, 0, 0], radius: 0.1}]"});
  CHECK(around.dumped_fields() == std::vector<std::string>{"pressure", "solid", "distance"});
}

TEST_CASE("a deck describes regions; expressions without coordinates become numbers") {
  if (!can_test_expressions()) return;
  const RunConfig c = parse_deck(kRegions, "deck.yaml");
  CHECK(c.problem.gamma == 5.0 / 3);
  CHECK(c.problem.mesh.upper == std::array{2 * std::numbers::pi, 1.0, 1.0});
  const Values& own = c.case_parameters;
  CHECK(own.get<NamedNumbers>("parameters") == NamedNumbers{{"r", 0.2}, {"twice", 0.4}});
  CHECK(own.get<FieldValue>("background.density").expression == "1 + r*sin(2*pi*(x - y))");
  CHECK(own.get<FieldValue>("background.pressure") == FieldValue{1 / (5.0 / 3)});
  const Items& regions = own.get<Items>("regions");
  REQUIRE(regions.size() == 2);
  CHECK(regions[0].word("shape") == "ball");
  CHECK(regions[0].reals("center") == std::vector<double>{0.4, 0.55, 0.1});
  CHECK(regions[0].real("radius") == 0.4);
  CHECK(regions[0].get<FieldValue>("state.pressure") == FieldValue{1});
  CHECK(regions[1].reals("axis") == std::vector<double>{0, 1, 0});
  CHECK(regions[1].real("length") == 0);
}

TEST_CASE("the resolved deck has the regions, and gives the same flow to the bit") {
  if (!can_test_expressions()) return;
  const RunConfig c = parse_deck(kRegions, "deck.yaml"), again = parse_deck(c.resolved, "resolved.yaml");
  check_same(c, again);
  for (int j = 0; j < 16; ++j)
    for (int i = 0; i < 16; ++i) {
      const Box cell = c.problem.mesh.cell(i, j, 0);
      const Conserved<double> a = c.flow_case->initial(cell), b = again.flow_case->initial(cell);
      REQUIRE(std::memcmp(&a, &b, sizeof a) == 0);
    }
}

TEST_CASE("an override reaches an item of a list") {
  const std::string deck = R"(
case: {name: regions, regions: [{shape: ball, center: [0, 0, 0], radius: 1, state: {density: 1, pressure: 1}}]}
mesh: {cells: [64, 8, 1]}
time: {end: 1}
)";
  const RunConfig c = parse_deck(deck, "deck.yaml",
                                 {"case.regions.0.radius=0.5", "case.regions.0.state.density=7",
                                  "mesh.cells.1=16", "mesh.cells.x=32", "case.regions.0.center.z=3"});
  const Values& ball = c.case_parameters.get<Items>("regions").at(0);
  CHECK(ball.real("radius") == 0.5);
  CHECK(ball.get<FieldValue>("state.density") == FieldValue{7});
  CHECK(ball.reals("center") == std::vector<double>{0, 0, 3});
  CHECK(c.problem.mesh.cells == std::array{32, 16, 1});
}

TEST_CASE("a single value stands for its list, also where overrides change items of it") {
  const std::string deck =
      "case: {name: uniform}\nmesh: {cells: 512, boundary: {x: periodic, y: reflecting}}\ntime: {end: 1}\n";
  using Words = std::vector<std::string>;
  const auto cells = [&](const Words& overrides) {
    return parse_deck(deck, "deck.yaml", overrides).problem.mesh.cells;
  };
  CHECK(cells({}) == std::array{512, 1, 1});
  CHECK(cells({"mesh.cells.x=64"}) == std::array{64, 1, 1});
  CHECK(cells({"mesh.cells.y=32", "mesh.cells.2=16"}) == std::array{512, 32, 16});
  CHECK(cells({"mesh.cells=8", "mesh.cells.z=4"}) == std::array{8, 1, 4});
  const RunConfig c = parse_deck(deck, "deck.yaml", {"mesh.cells.y=32", "mesh.boundary.y.1=outflow"});
  CHECK(c.problem.boundary[0] == std::array{Boundary::periodic, Boundary::periodic});
  CHECK(c.problem.boundary[1] == std::array{Boundary::reflecting, Boundary::outflow});
  CHECK(parse_deck(c.resolved, "resolved.yaml").problem.mesh.cells == c.problem.mesh.cells);
  CHECK(contains(refusal([&] { cells({"mesh.cells.3=2"}); }), "the list has no item '3'"));
  CHECK(contains(refusal([&] { cells({"mesh.cells.y=none"}); }), "takes an integer, not 'none'"));
  CHECK(contains(refusal([&] { cells({"mesh.cells.w=2"}); }), "mesh.cells"));
  CHECK(contains(refusal([&] { cells({"gas.gamma.x=2"}); }), "gas.gamma"));
  CHECK(contains(refusal([&] { cells({"case.name.0=2"}); }), "case.name"));
}

TEST_CASE("the resolved deck names every parameter in the table's order") {
  const RunConfig c = parse_deck(kShort, "deck.yaml");
  std::size_t at = 0;
  for (const DeckParameter& p : deck_table_with(find_case("riemann"))) {
    CAPTURE(p.name);
    at = c.resolved.find(p.name.substr(p.name.rfind('.') + 1) + ":", at);
    REQUIRE(at != std::string::npos);
    ++at;
  }
  CHECK(c.resolved.find("  left: {density: 1.0, velocity: [0.0, 0.0, 0.0], pressure: 1.0}\n") !=
        std::string::npos);
}

TEST_CASE("the table's defaults lie within its own ranges and choices") {
  for (const CaseInfo& info : cases())
    for (const DeckParameter& p : deck_table_with(&info)) {
      CAPTURE(p.name);
      CHECK_FALSE(p.meaning.empty());
      if (p.required) continue;
      if (const double* x = std::get_if<double>(&p.fallback)) {
        CHECK((p.range.open_low ? *x > p.range.low : *x >= p.range.low));
        CHECK((p.range.open_high ? *x < p.range.high : *x <= p.range.high));
      }
      if (const std::string* word = std::get_if<std::string>(&p.fallback); word && !p.choices.empty())
        CHECK(std::find(p.choices.begin(), p.choices.end(), *word) != p.choices.end());
    }
}

/// A visitor that makes a value other than the row's default.
struct AnotherValue {
  const DeckParameter& p;
  Value operator()(bool x) const { return !x; }
  Value operator()(std::int64_t x) const { return x + 1; }
  Value operator()(double x) const { return x + 0.5; }
  Value operator()(const std::string& x) const {
    if (p.choices.empty()) return std::string(p.format == Format::duration ? "01:02:03" : "another");
    return p.choices[p.choices[0] == x ? 1 : 0];
  }
  Value operator()(const FieldValue& x) const { return FieldValue{x.number + 0.5}; }
  Value operator()(const NamedNumbers&) const { return NamedNumbers{{"another", 1}}; }
  Value operator()(const NamedFields&) const { return NamedFields{{"another", {.number = 1}}}; }
  Value operator()(const NamedItems&) const { return NamedItems{{"another", {}}}; }
  Value operator()(const Places&) const { return Places{{1, 2, 3}}; }
  Value operator()(Items items) const {
    if (items.empty()) return Items(1);
    items.back().set(p.kind_key, p.choices[0]);
    return items;
  }
  template <class T>
  Value operator()(std::vector<T> list) const {
    list.back() = std::get<T>((*this)(list.back()));
    return list;
  }
};

TEST_CASE("a boundary is a word or a block with values, one for both sides or one for each") {
  if (!can_test_expressions()) return;
  const auto deck = [](const std::string& boundary) {
    return parse_deck(
        "case: {name: uniform}\nmesh: {cells: [8, 8, 1], boundary: " + boundary + "}\ntime: {end: 2}\n",
        "deck");
  };
  const RunConfig c = deck(
      "{x: [{kind: state, density: 1 + t, velocity: [x, y, 2*gamma], pressure: 2}, {kind: outflow}], "
      "y: {kind: reservoir, total_pressure: 3, total_temperature: 2}}");
  CHECK(c.problem.boundary[0] == std::array{Boundary::state, Boundary::outflow});
  CHECK(c.problem.boundary[1] == std::array{Boundary::reservoir, Boundary::reservoir});
  const double place[3] = {0.5, 0.25, 0};
  const Primitive<double> state = c.problem.dirichlet.at(0, 0, place, 3);
  CHECK(state.density == 4);
  CHECK(state.u == 0.5);
  CHECK(state.v == 0.25);
  CHECK(state.w == 2.8);
  CHECK(state.pressure == 2);
  for (int side = 0; side < 2; ++side) {
    const Primitive<double> rest = c.problem.dirichlet.at(1, side, place, 3);
    CHECK(rest.pressure / rest.density == 2);
    CHECK(rest.pressure == 3);
  }
  CHECK(c.problem.dirichlet.empty());  // the case prescribes none
  CHECK(c.resolved.find(
            "{kind: state, density: \"1 + t\", velocity: [\"x\", \"y\", 2.8], pressure: 2.0, "
            "scalars: {}, second_gas: 0.0, where: 1.0, elsewhere: reflecting},\n      outflow]\n") !=
        std::string::npos);
  const RunConfig again = parse_deck(c.resolved, "resolved");
  check_same(again, c);
  CHECK(again.problem.dirichlet.at(0, 0, place, 3).density == 4);
  // An axis that is not swept has its values read, and not used.
  CHECK(deck("{z: {kind: subsonic_outflow, pressure: -x}}").problem.boundary[2][0] ==
        Boundary::subsonic_outflow);
}

TEST_CASE("sides and states give mass fractions by name, in the order of the flow's scalars") {
  if (!can_test_expressions()) return;
  const RunConfig c = parse_deck(
      "case: {name: regions, regions: [{shape: ball, center: [0, 0, 0], radius: 1, state: {density: 1, "
      "pressure: "
      "1, scalars: {dye: r}}}], parameters: {r: 0.5}}\n"
      "scalars: {smoke: 1, dye: 0, reactant: 0}\n"
      "mesh: {cells: [8, 1, 1], boundary: {x: [{kind: state, density: 1, pressure: 1, scalars: {dye: r*t}}, "
      "{kind: far_field, density: 1, pressure: 1, scalars: {reactant: 0.25}}]}}\ntime: {end: 2}\n",
      "deck");
  REQUIRE(c.problem.scalars == std::vector<std::string>{"reactant", "smoke", "dye"});
  const DirichletState& states = c.problem.dirichlet;
  const double place[3] = {};
  CHECK(states.fraction(0, 0, 2, place, 1.5) == 0.75);
  CHECK_FALSE(states.has_fraction(0, 0, 1));
  CHECK(states.fraction(0, 1, 0, place, 0) == 0.25);
  CHECK_FALSE(states.has_fraction(0, 1, 2));
  CHECK(c.scalars.mass(2, *c.flow_case, c.problem.mesh.cell(0, 0, 0), 1) == 0.5);
  CHECK(contains(c.resolved, "scalars: {dye: 0.5}"));
  CHECK(contains(c.resolved, "scalars: {dye: \"r*t\"}"));
  check_same(parse_deck(c.resolved, "resolved"), c);
}

TEST_CASE("every row of the table is bound to a member of its own") {
  const std::vector<DeckParameter> table = deck_table_with(find_case("riemann"));
  RunConfig defaults;
  for (const Parameter& own : find_case("riemann")->parameters)
    defaults.case_parameters.set(own.name, own.fallback);
  for (const DeckParameter& row : table) {
    CAPTURE(row.name);
    RunConfig config = defaults;
    const Value another = std::visit(AnotherValue{row}, row.fallback);
    row.set(config, another);
    for (const DeckParameter& other : table) {
      CAPTURE(other.name);
      CHECK(other.get(config) == (other.name == row.name ? another : other.fallback));
    }
  }
}

TEST_CASE("a duration is hours, minutes and seconds") {
  CHECK(parse_duration("00:00:00") == 0);
  CHECK(parse_duration("00:10:00") == 600);
  CHECK(parse_duration("01:02:03") == 3723);
  CHECK(parse_duration("100:00:01") == 360001);
  for (const char* wrong : {"", "10", "10:00", "1:00:00", "00:60:00", "00:00:60", "00:00:0", "00:00:000",
                            "aa:00:00", "00:00:00:00", "-1:00:00", "00-00-00", "123456:00:00", " 01:00:00"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_duration(wrong));
  }
}

TEST_CASE("the memory a deck needs counts ghost cells on swept axes and the precision") {
  const Problem full =
      parse_deck(kFull, "deck.yaml").problem;  // plm: two ghost layers, single precision, a source
  const MemoryNeed need = memory_need(full);
  CHECK(need.cells == 256 * 8 * 4);
  CHECK(need.cells_with_ghosts == 260 * 12 * 8);
  CHECK(need.buffers == 4);
  CHECK(need.state_bytes == 4LL * 5 * 4 * 260 * 12 * 8);
  CHECK(need.copy_bytes == 5LL * 4 * 256 * 8 * 4);
  CHECK(need.host_bytes == 5LL * 8 * 260 * 12 * 8);  // all of it is one slab
  const Problem large = parse_deck(kFull, "deck.yaml", {"mesh.cells=[1024,1024,1024]"}).problem;
  CHECK(memory_need(large).host_bytes == 2 * memory_need(large).copy_bytes);
  CHECK(memory_need(parse_deck(kShort, "deck.yaml").problem).cells_with_ghosts == 70);
  CHECK(memory_need(parse_deck(kShort, "deck.yaml").problem).buffers == 3);
  // Counts the copy that stages start from, and the velocity and temperature of a viscous gas.
  const auto terms_bytes = [](const std::vector<std::string>& overrides) {
    return memory_need(parse_deck(kShort, "deck.yaml", overrides).problem).terms_bytes;
  };
  CHECK(need.terms_bytes == 0);
  CHECK(terms_bytes({"gravity=[1,0,0]"}) == 5LL * 8 * 70);
  CHECK(terms_bytes({"gas.viscosity=0.1"}) == 9LL * 8 * 70);
  CHECK(terms_bytes({"scheme.averages=fourth_order"}) == 5LL * 8 * 70);
  CHECK(
      memory_need(parse_deck(kShort, "deck.yaml", {"scheme.averages=fourth_order"}).problem).averages_bytes ==
      5LL * 8 * 70);
  // Half of 64 cells, with their indices, rate and target.
  const std::string sponge =
      "sponges=[{shape: half_space, point: [0.5, 0, 0], normal: x, rate: 1, target: {density: 1, pressure: "
      "1}}]";
  const RunConfig with = parse_deck(kShort, "deck.yaml", {sponge}), without = parse_deck(kShort, "deck.yaml");
  CHECK(memory_need(with.problem).sponge_bytes == 32 * 64);
  CHECK(memory_of_run(with, false).main - memory_of_run(without, false).main == 32 * 64);
  CHECK(memory_of_run(with, true).device - memory_of_run(without, true).device == 32 * 64);
  // Half of 64 cells: five fields of the state, two of the file in single precision, and indices.
  const RunConfig boxed =
      parse_deck(kShort, "deck.yaml",
                 {"outputs=[{kind: box, name: half, lower: [0, 0, 0], upper: [0.5, 1, 1], "
                  "every_steps: 1, fields: [density, mach], precision: single}]"});
  CHECK(memory_of_run(boxed, false).main - memory_of_run(without, false).main == 32 * (5 * 16 + 2 * 12));
  CHECK(memory_of_run(boxed, true).device - memory_of_run(without, true).device == 32 * (5 * 8 + 8));
  // Mean and square of two fields, and two states of past steps with their ghost cells.
  const RunConfig averaged =
      parse_deck(kShort, "deck.yaml",
                 {"outputs=[{kind: averages, name: mean, fields: [density, mach], every_steps: 1}]"});
  CHECK(memory_of_run(averaged, true).device - memory_of_run(without, true).device ==
        64 * 4 * 8 + 2 * 5 * 8 * 70);
}

TEST_CASE("the memory a deck needs counts the cells of bodies, and their fields in dumps") {
  const std::string flow =
      "case: {name: kelvin_helmholtz}\nscheme: {reconstruction: plm}\nmesh: {cells: [16, 16, 1]}\ntime: "
      "{end: 0.2}\n";
  const RunConfig with =
      parse_deck(flow, "deck.yaml", {"solids=[{shape: ball, center: [0.5, 0.5, 0], radius: 0.4}]"});
  const RunConfig without = parse_deck(flow, "deck.yaml");
  const SolidCells& cells = with.problem.solids->cells();
  REQUIRE(cells.near.size() > 0);
  REQUIRE(cells.rim.size() > 0);
  REQUIRE(cells.core.size() > 0);
  const auto records = static_cast<std::int64_t>(cells.near.size() * sizeof(SolidCell) +
                                                 (cells.rim.size() + cells.core.size()) * sizeof(CellPlace) +
                                                 cells.faces[0].size() * sizeof(SolidFace) + 256);
  CHECK(memory_need(with.problem).solid_bytes == records);
  CHECK(memory_need(without.problem).solid_bytes == 0);
  CHECK(memory_of_run(with, true).device - memory_of_run(without, true).device == records);
  // The two fields of a dump, and mask and distances that are kept for them. A device's records are copies.
  constexpr std::int64_t dumped = 256 * (2 * 8 + 1 + 8);
  for (const bool cuda : {false, true})
    CHECK(memory_of_run(with, cuda).main - memory_of_run(without, cuda).main == records + dumped);
  const exchange::Decomposition cut{{16, 16, 1}, {2, 1, 1}, {}};
  CHECK(memory_of_block(with, true, cut, 2).main - memory_of_block(without, true, cut, 2).main > 2 * records);
}

TEST_CASE("a deck is read from a file") {
  const TemporaryDirectory directory;
  put(directory / "deck.yaml", kShort);
  CHECK(load_deck((directory / "deck.yaml").string(), {"time.end=4"}).limits.end == 4);
}

}  // namespace
