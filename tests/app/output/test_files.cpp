#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <sstream>

#include "app/output/events.hpp"
#include "app/output/history.hpp"
#include "app/output/summary.hpp"
#include "physics/curved/wall_of_mesh.hpp"
#include "physics/diagnostics/totals.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

HistoryRow row(std::int64_t step) {
  return {.step = step,
          .time = 0.1 * static_cast<double>(step),
          .dt = 0.1,
          .attempts = 1,
          .totals = {.mass = 1.0 / 3,
                     .momentum = {1, 2, 3},
                     .energy = 4,
                     .kinetic_energy = 5,
                     .min_density = 6,
                     .min_pressure = 7,
                     .max_mach = 8},
          .repaired_faces = 9,
          .floored = {10, 0.125, -11, {12, 13, -14}}};
}

const Mesh kMesh{.cells = {10, 4, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
const AttemptInfo kAttempt{.step = 13, .attempt = 2, .time = 0.25, .dt = 0.01};

SoftError sample_error(SoftErrorKind kind = SoftErrorKind::negative_pressure) {
  SoftError error;
  error.kind = kind;
  error.stage = 3;
  error.cell = {2, 1, 0};
  error.value = -0.5;
  error.count = 5;
  error.counts[static_cast<int>(SoftErrorKind::negative_pressure)] = 3;
  error.counts[static_cast<int>(SoftErrorKind::not_finite)] = 2;
  return error;
}

Replay sample_replay() {
  Replay replay;
  replay.reproduced = true;
  replay.before = {1, 2, 3, 4, 5};
  replay.after = {kNan, kInfinity, -kInfinity, 0, 1};
  replay.stored = {-1, 2, 3, 4, 5};
  replay.stencil[1] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
  replay.faces = {
      {.axis = 0, .side = 0, .left = {1, 2, 3, 4, 5}, .right = {6, 7, 8, 9, 10}, .flux = {1, 1, 1, 1, 1}},
      {.axis = 1, .side = 1, .left = {1, 2, 3, 4, 5}, .right = {}, .flux = {}, .first_order = true}};
  return replay;
}

}  // namespace

TEST_CASE("The history begins with the contract's columns and keeps 17 digits") {
  const TemporaryDirectory directory;
  History history(directory / "history.csv");
  history.write(row(0));
  history.write(row(3));
  const auto text = lines(directory / "history.csv");
  REQUIRE(text.size() == 3);
  CHECK(
      text[0].starts_with("step,time,dt,attempts,mass,momentum_x,momentum_y,momentum_z,energy,kinetic_energy,"
                          "min_density,min_pressure,max_mach"));
  CHECK(text[0].ends_with(
      ",repaired_faces,floored_cells,floor_mass,floor_energy,floor_momentum_x,floor_momentum_y,"
      "floor_momentum_z,cfl_i,cfl_j,cfl_k"));
  CHECK(text[1] ==
        "0,0,0.10000000000000001,1,0.33333333333333331,1,2,3,4,5,6,7,8,9,10,0.125,-11,12,13,-14,-1,-1,-1");
  CHECK(text[2].starts_with("3,0.30000000000000004,"));
  CHECK(std::count(text[0].begin(), text[0].end(), ',') == std::count(text[2].begin(), text[2].end(), ','));
}

TEST_CASE("The history names the cell that limits dt by its indices") {
  const TemporaryDirectory directory;
  HistoryRow with = row(0);
  with.totals.fastest_cell = 4 + 10 * (3 + 4 * 2);
  History(directory / "history.csv", {.cells = {10, 4, 3}}).write(with);
  CHECK(lines(directory / "history.csv")[1].ends_with(",-14,4,3,2"));
}

TEST_CASE("A run with sponges has what they added in last columns of the history, others have none") {
  const TemporaryDirectory directory;
  History history(directory / "history.csv", {.sponges = true});
  HistoryRow with_sponges = row(0);
  with_sponges.sponged = {0.5, -0.25, {15, 16, 17}};
  history.write(with_sponges);
  const auto text = lines(directory / "history.csv");
  CHECK(
      text[0].ends_with(",sponge_mass,sponge_energy,sponge_momentum_x,sponge_momentum_y,sponge_momentum_z"));
  CHECK(text[1].ends_with(",12,13,-14,-1,-1,-1,0.5,-0.25,15,16,17"));
}

TEST_CASE("A state with a scalar has its mass in a last column of the history") {
  const TemporaryDirectory directory;
  const auto path = directory / "history.csv";
  HistoryRow with = row(0);
  with.totals.scalar_mass[0] = 0.1;
  {
    History history(path, {.carried = {"reactant_mass"}});
    history.write(with);
  }
  const auto text = lines(path);
  REQUIRE(text.size() == 2);
  CHECK(text[0] == std::string(kHistoryHeader) + ",reactant_mass");
  CHECK(text[1].ends_with(",0.10000000000000001"));
  CHECK(std::count(text[0].begin(), text[0].end(), ',') == std::count(text[1].begin(), text[1].end(), ','));
  History::resume(path, 0, {.carried = {"reactant_mass"}});
  CHECK(lines(path) == text);
  CHECK(contains(refusal([&] { History::resume(path, 0); }), "it has other columns"));
}

TEST_CASE("A run that was asked for the enstrophy has it in a last column of the history") {
  const TemporaryDirectory directory;
  const auto path = directory / "history.csv";
  HistoryRow with = row(0);
  with.totals.scalar_mass[0] = 0.25;
  with.totals.enstrophy = 0.5;
  History(path, {.enstrophy = true}).write(with);
  CHECK(lines(path)[0] == std::string(kHistoryHeader) + ",enstrophy");
  CHECK(lines(path)[1].ends_with(",-14,-1,-1,-1,0.5"));
  const auto both = directory / "both.csv";
  History(both, {.carried = {"reactant_mass"}, .enstrophy = true}).write(with);
  CHECK(lines(both)[0] == std::string(kHistoryHeader) + ",reactant_mass,enstrophy");
  CHECK(lines(both)[1].ends_with(",0.25,0.5"));
}

TEST_CASE("A body has its loads in the history, and with a reference their coefficients") {
  const TemporaryDirectory directory;
  HistoryRow with = row(0);
  with.totals.loads = {{{1, 2, 3}, {0.5, 0.25, -1}, {4, 5, 6}, 7}};
  const auto loads = directory / "loads.csv", both = directory / "coefficients.csv";
  History(loads, {.bodies = {"hull"}}).write(with);
  CHECK(lines(loads)[0].ends_with(
      "hull_force_x,hull_force_y,hull_force_z,hull_friction_x,hull_friction_y,hull_friction_z,hull_moment_x,"
      "hull_moment_y,hull_moment_z,hull_heat"));
  CHECK(lines(loads)[1].ends_with(",1.5,2.25,2,0.5,0.25,-1,4,5,6,7"));
  // density speed^2 / 2 area is 8, times the length 4, times the speed 16.
  History(both, {.bodies = {"hull"}, .reference = {.density = 2, .velocity = 2, .area = 2, .length = 0.5}})
      .write(with);
  CHECK(lines(both)[0] == lines(loads)[0] +
                              ",hull_force_coefficient_x,hull_force_coefficient_y,hull_force_coefficient_z,"
                              "hull_moment_coefficient_x,hull_moment_coefficient_y,hull_moment_coefficient_z,"
                              "hull_heat_coefficient");
  CHECK(lines(both)[1] == lines(loads)[1] + ",0.1875,0.28125,0.25,1,1.25,1.5,0.4375");
}

TEST_CASE("A run with budgets says by which ways something came in, and what nothing explains") {
  Problem problem;
  problem.mesh.cells = {4, 4, 1};
  problem.boundary[1] = {Boundary::periodic, Boundary::periodic};
  problem.terms.gravity = {0, -1, 0};
  CHECK(ways_of(problem).empty());
  problem.budgets = true;
  const std::vector<BudgetWay> ways = ways_of(problem);
  REQUIRE(ways.size() == 3);
  CHECK(ways[0].name == "x_lower");
  CHECK(ways[1].name == "x_upper");
  CHECK(ways[2].name == "forces");

  Explained explained;
  explained.budget.sides[0][0] = {4, 1, 2, 3, 0.5};
  explained.budget.sides[0][1] = {-1, 0.25, 0, 0, 0.125};
  explained.budget.forces = {0, 0, -6, 0, 7};
  explained.floored = {1, 0.5, 0.25, {0.5, 0, 0}};
  explained.sponged = {-0.5, 0.125, {0, 0, 1}};
  const Totals start{.mass = 2, .momentum = {1, 1, 1}, .energy = 1},
      end{.mass = 4, .momentum = {2.75, -3, 5}, .energy = 8};
  const Drift drift = drift_of(start, end, explained);
  CHECK(drift.mass == -0.25);     // 2 - 3, of 4
  CHECK(drift.energy == -0.125);  // 7 - 8, of 8
  CHECK(drift.momentum == std::array<double, 3>{0, 0, 0});

  const TemporaryDirectory directory;
  const auto path = directory / "history.csv";
  HistoryRow with = row(0);
  with.budget = explained.budget;
  with.drift = {0.5, -0.5, {1, 2, 3}};
  History(path, {.budgets = true, .ways = ways}).write(with);
  CHECK(lines(path)[0].ends_with(
      ",budget_x_lower_mass,budget_x_lower_momentum_x,budget_x_lower_momentum_y,budget_x_lower_momentum_z,"
      "budget_x_lower_energy,budget_x_upper_mass,budget_x_upper_momentum_x,budget_x_upper_momentum_y,"
      "budget_x_upper_momentum_z,budget_x_upper_energy,budget_forces_momentum_x,budget_forces_momentum_y,"
      "budget_forces_momentum_z,budget_forces_energy,drift_mass,drift_momentum_x,drift_momentum_y,"
      "drift_momentum_z,drift_energy"));
  CHECK(lines(path)[1].ends_with(",4,1,2,3,0.5,-1,0.25,0,0,0.125,0,-6,0,7,0.5,1,2,3,-0.5"));

  Summary summary;
  summary.totals = {start, end};
  summary.explained = explained;
  summary.ways = ways;
  const Json json = summary_json(summary);
  CHECK(json.at("totals").at("drift") ==
        Json::parse(R"({"mass": -0.25, "momentum": [0.0, 0.0, 0.0], "energy": -0.125})"));
  CHECK_FALSE(json.at("totals").contains("change"));
  CHECK(json.at("budget").at("x_lower") ==
        Json::parse(R"({"mass": 4.0, "momentum": [1.0, 2.0, 3.0], "energy": 0.5})"));
  CHECK(json.at("budget").at("forces") == Json::parse(R"({"momentum": [0.0, -6.0, 0.0], "energy": 7.0})"));
  CHECK(contains(summary_table(summary),
                 "drift            mass -2.5e-01, momentum 0.0e+00, energy -1.2e-01, relative"));
}

TEST_CASE("The ways through sides of a mesh have their names, each other ones") {
  Hexahedra mesh;
  mesh.dimensions = 2;
  mesh.sides = {"far field", "hull", "far-field"};
  CHECK(names_of_sides(mesh) == std::vector<std::string>{"far_field", "hull", "far_field_"});
  Problem problem;
  problem.budgets = true;
  problem.hexahedra = std::make_shared<const Hexahedra>(mesh);
  problem.boundary[0] = {Boundary::far_field, Boundary::no_slip};
  problem.boundary[1] = {Boundary::outflow, Boundary::periodic};
  const std::vector<BudgetWay> ways = ways_of(problem);
  REQUIRE(ways.size() == 3);
  CHECK(ways[1].name == "hull");
  CHECK(ways[2].name == "far_field_");
  Budget budget;
  budget.sides[0][1] = {1, 2, 3, 4, 5};
  budget.sides[1][0] = {6, 7, 8, 9, 10};
  CHECK(budget_values(ways, budget) == std::vector<double>{0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  CHECK(budget_columns(ways)[5] == "budget_hull_mass");
}

TEST_CASE("A restart goes on in the history after its own step") {
  const TemporaryDirectory directory;
  const auto path = directory / "history.csv";
  {
    History history(path);
    for (int step = 0; step <= 10; ++step) history.write(row(step));
  }
  const auto before = lines(path);
  History history = History::resume(path, 6);
  CHECK(lines(path) == std::vector<std::string>(before.begin(), before.begin() + 8));
  history.write(row(7));
  CHECK(lines(path) == std::vector<std::string>(before.begin(), before.begin() + 9));
  History::resume(path, 100);  // nothing is later: nothing is cut
  CHECK(lines(path).size() == 9);
}

TEST_CASE("A history row that a killed run left unfinished is dropped") {
  const TemporaryDirectory directory;
  const auto path = directory / "history.csv";
  { History(path).write(row(0)); }
  const std::string whole = contents(path);
  put(path, whole + "1,0.1,0.1");
  History::resume(path, 5);
  CHECK(contents(path) == whole);
}

TEST_CASE("A history that is missing is begun, and one of other columns is refused") {
  const TemporaryDirectory directory;
  const auto path = directory / "history.csv";
  History::resume(path, 5);
  CHECK(lines(path) == std::vector<std::string>{std::string(kHistoryHeader)});
  put(path, "a,b\n1,2\n");
  CHECK(contains(refusal([&] { History::resume(path, 5); }), "it has other columns"));
  CHECK(contents(path) == "a,b\n1,2\n");
  // Nothing of a file of others is cut off, not even an unfinished line.
  for (const std::string others : {"mine", "\nmine", "a,b\n1,"}) {
    put(path, others);
    CHECK(contains(refusal([&] { History::resume(path, 5); }), "it has other columns"));
    CHECK(contents(path) == others);
  }
  put(path, std::string(kHistoryHeader).substr(0, 12));  // a killed run's
  History::resume(path, 5);
  CHECK(lines(path) == std::vector<std::string>{std::string(kHistoryHeader)});
  put(path, std::string(kHistoryHeader) + "\nx,1\n");
  CHECK(contains(refusal([&] { History::resume(path, 5); }), "does not begin with a step"));
}

TEST_CASE("A soft-error event says what, where and when, and stays JSON with numbers that are not finite") {
  SoftError error = sample_error();
  error.value = kNan;
  const Json event = Json::parse(json_text(soft_error_event(kAttempt, error, sample_replay(), kMesh)));
  const Json expected = Json::parse(R"({"event": "soft_error", "kind": "negative_pressure", "step": 13,
    "attempt": 2, "stage": 3, "time": 0.25, "dt": 0.01, "cell": [2, 1, 0], "position": [0.25, 0.375, 0.5],
    "count": 5, "counts": {"not_finite": 2, "negative_pressure": 3}, "value": "nan"})");
  for (const auto& [key, value] : expected.items()) CHECK_MESSAGE(event.at(key) == value, key);
  CHECK_FALSE(event.contains("axis"));
  const Json& replay = event["replay"];
  CHECK(replay["reproduced"] == true);
  CHECK(replay["before"] == Json({{"density", 1.0}, {"momentum", {2.0, 3.0, 4.0}}, {"energy", 5.0}}));
  CHECK(replay["after"] == Json({{"density", "nan"}, {"momentum", {"inf", "-inf", 0.0}}, {"energy", 1.0}}));
  CHECK(replay["stored"]["density"] == -1.0);
  CHECK(replay["stencil"].size() == 1);
  CHECK(replay["stencil"]["y"][1] ==
        Json({{"density", 6.0}, {"velocity", {7.0, 8.0, 9.0}}, {"pressure", 10.0}}));
  REQUIRE(replay["faces"].size() == 2);
  const Json& face = replay["faces"][0];
  CHECK(face["axis"] == "x");
  CHECK(face["side"] == "lower");
  CHECK(face["right"]["pressure"] == 10.0);
  CHECK(face["flux"]["energy"] == 1.0);
  CHECK(replay["faces"][1]["first_order"] == true);
  CHECK(soft_error_event(kAttempt, sample_error(SoftErrorKind::bad_face), sample_replay(), kMesh)["axis"] ==
        "y");
}

TEST_CASE("Every event is one line of JSON with its name, and a restart keeps the older ones") {
  const TemporaryDirectory directory;
  const auto path = directory / "events.jsonl";
  {
    EventLog log(path);
    log.write(soft_error_event(kAttempt, sample_error(), sample_replay(), kMesh));
    log.write(rejection_event(kAttempt, 0.005, 1));
    log.write(rung_event(kAttempt, "first_order", 5));
    log.write(repair_event(13, 4, {2, 0.5, -0.25, {4, -5, 6}}));
    log.write(fault_event(
        kAttempt, {.stage = 2, .cell = {3, 1, 0}, .kind = FaultKind::bit_flip, .field = 4, .bit = 52}));
    log.write(checkpoint_event(13, 0.25, "checkpoint_00000013.h5", "every_steps"));
    log.write(signal_event(13, 0.25, "SIGTERM"));
  }
  put(path, contents(path) + "{\"event\":\"repa");  // killed while it wrote a line
  EventLog(path).write(restart_event(13, 0.25, "name with \" and \xff"));
  std::vector<std::string> names;
  for (const std::string& line : lines(path)) names.push_back(Json::parse(line).at("event"));
  CHECK(names == std::vector<std::string>{"soft_error", "rejection", "rung", "repair", "fault", "checkpoint",
                                          "signal", "restart"});
  const auto holds = [&](int line, const char* figures) {
    const Json event = Json::parse(lines(path)[line]), expected = Json::parse(figures);
    for (const auto& [key, value] : expected.items()) CHECK_MESSAGE(event.at(key) == value, key);
  };
  holds(1, R"({"attempt": 2, "next_dt": 0.005, "halvings": 1})");
  holds(2, R"({"rung": "first_order", "cells": 5})");
  holds(3, R"({"count": 4, "floored_cells": 2, "floor_mass": 0.5, "floor_energy": -0.25,
               "floor_momentum_x": 4.0, "floor_momentum_y": -5.0, "floor_momentum_z": 6.0})");
  CHECK(Json::parse(lines(path)[4]) == Json::parse(R"({"event": "fault", "step": 13, "attempt": 2,
    "time": 0.25, "dt": 0.01, "stage": 2, "cell": [3, 1, 0], "kind": "bit_flip", "field": "energy",
    "bit": 52})"));
  CHECK_FALSE(fault_event(kAttempt, {.kind = FaultKind::spike}).contains("field"));
}

TEST_CASE("The summary has the contract's keys, and the table the same figures") {
  const TemporaryDirectory directory;
  Summary summary;
  summary.status = RunStatus::finished;
  summary.steps = 241;
  summary.attempts = 250;
  summary.rejections = 9;
  summary.repaired_faces = 77;
  summary.scaled_steps = 8;
  summary.first_order_steps = 6;
  summary.injected_faults = 1;
  summary.floored = {5, 0.5, 0.25, {3, 0, -2}};
  summary.redo_cost_percent = 3.5;
  summary.time = summary.end_time = 0.2;
  summary.wall_seconds = 1.25;
  summary.cell_updates_per_second = 4.5e7;
  summary.host_bytes = 123456;
  summary.backend = "host";
  summary.precision = "double";
  summary.verdict = {{"density", {1e-3, 2e-3, kNan}}};
  summary.totals = {Totals{.mass = 2, .energy = 4}, Totals{.mass = 1, .energy = 4}};
  write_summary(directory.path(), summary);
  const Json json = Json::parse(contents(directory / "summary.json"));
  const Json expected = Json::parse(R"({"status": "finished", "steps": 241, "attempts": 250,
    "rejections": 9, "repaired_faces": 77, "scaled_steps": 8, "first_order_steps": 6, "floored_cells": 5, "floor_mass": 0.5,
    "floor_energy": 0.25, "floor_momentum_x": 3.0, "floor_momentum_y": 0.0, "floor_momentum_z": -2.0,
    "injected_faults": 1, "redo_cost_percent": 3.5, "time": 0.2, "wall_seconds": 1.25,
    "cell_updates_per_second": 4.5e7, "device_bytes": 0, "host_bytes": 123456, "backend": "host", "precision": "double"})");
  for (const auto& [key, value] : expected.items()) CHECK_MESSAGE(json.at(key) == value, key);
  CHECK(json["verdict"]["density"] == Json({{"l1", 1e-3}, {"l2", 2e-3}, {"linf", "nan"}}));
  CHECK(json["totals"]["change"]["mass"] == -0.5);
  CHECK_FALSE(json["totals"].contains("drift"));
  CHECK_FALSE(json.contains("budget"));
  CHECK_FALSE(json.contains("reason"));
  CHECK_FALSE(json.contains("ranks"));

  const std::string table = summary_table(summary);
  for (const char* part : {"finished", "241 in 250 attempts, 9 rejected", "77", "3.5 %", "1.25 s", "4.5e+07",
                           "1.0000e-03", "2.0000e-03", "mass -5.00e-01", "injected faults",
                           "scaled elements in 8 steps; first-order fluxes in 6 steps; floors in 5 cells: "
                           "mass +5.00e-01, energy +2.50e-01, momentum "
                           "(+3.00e+00, +0.00e+00, -2.00e+00)"})
    CHECK_MESSAGE(contains(table, part), part);
  summary.scaled_steps = summary.first_order_steps = summary.floored.cells = summary.injected_faults = 0;
  CHECK(contains(summary_table(summary), "remedies         none\n"));
  CHECK_FALSE(contains(summary_table(summary), "injected"));

  CHECK_FALSE(contains(summary_table(summary), "no exact solution"));
  summary.verdict.clear();
  summary.no_verdict = "a wave has met a boundary";
  CHECK(
      contains(summary_table(summary), "  error            no exact solution: a wave has met a boundary\n"));
  summary.status = RunStatus::exhausted;
  summary.reason = "soft error";
  CHECK_FALSE(summary_json(summary).contains("verdict"));
  CHECK(summary_json(summary)["status"] == "exhausted");
  CHECK(summary_json(summary)["reason"] == "soft error");
}
