// Restarts from a shell: what they resume, what they refuse, and their messages.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/base/json.hpp"
#include "app/output/dump.hpp"
#include "app/output/run_checkpoint.hpp"
#include "physics/diagnostics/totals.hpp"
#include "tests/restart/process.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Shell {
 public:
  int run(Words arguments) const {
    arguments.insert(arguments.begin(), {HALFSTEP_BINARY, "run"});
    arguments.insert(arguments.end(), {"--no-progress", "--backend", "host", "--threads", "1"});
    fs::remove(log());
    return Process(arguments, log()).wait();
  }
  int fresh(const std::string& deck, const std::string& name, Words options) const {
    options.insert(options.begin(), HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml");
    options.insert(options.end(), {"--output", at(name)});
    return run(options);
  }
  int sod(const std::string& name, const Words& options) const { return fresh("sod", name, options); }
  int restart(const std::string& from, Words options) const {
    options.insert(options.begin(), {"--restart", at(from)});
    return run(options);
  }
  /// Checks a restart's exit code, and that its output has every part.
  void expect(int code, const std::string& from, const Words& options, const Words& parts = {}) const {
    CHECK_MESSAGE(restart(from, options) == code, said());
    for (const std::string& part : parts)
      CHECK_MESSAGE(contains(said(), part), part << " is not in " << said());
  }
  std::string at(const std::string& name) const { return directory_ / name; }
  std::string said() const { return contents(log()); }
  Json last_restart(const std::string& name) const {
    std::ifstream file(at(name) + "/events.jsonl");
    Json found;
    for (std::string line; std::getline(file, line);)
      if (Json event = Json::parse(line); event.at("event") == "restart") found = event;
    return found;
  }
  Words dumps(const std::string& name) const {
    Words names;
    for (const auto& entry : fs::directory_iterator(at(name)))
      if (const std::string file = entry.path().filename(); file.starts_with("fields_"))
        names.push_back(file);
    std::sort(names.begin(), names.end());
    return names;
  }
  bool same(const std::string& a, const std::string& b, const std::string& file) const {
    return contents(at(a) + "/" + file) == contents(at(b) + "/" + file);
  }

 private:
  fs::path log() const { return directory_ / "log.txt"; }
  TemporaryDirectory directory_;
};

void damage(const std::string& path) {
  std::string bytes = contents(path);
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  put(path, bytes);
}

const Words kTwoCheckpoints = {"checkpoint.every_steps=20", "time.max_steps=40"};

}  // namespace

TEST_CASE("Two restarts in a row leave what one run leaves, of cells and of elements") {
  for (const auto& [deck, mesh] : {std::pair<std::string, std::string>{"sod", "mesh.cells=[256,1,1]"},
                                   {"sod_elements", "mesh.cells=[64,1,1]"},
                                   {"vortex_bent", "mesh.cells=[6,5,1]"}}) {
    CAPTURE(deck);
    const Shell shell;
    const Words options = {mesh, "output.histogram={field: density, every_steps: 7}", "output.every=0.02"};
    const auto until = [&](const char* last) {
      Words all = options;
      all.emplace_back(last);
      return all;
    };
    REQUIRE(shell.fresh(deck, "whole", until("time.max_steps=90")) == 0);
    REQUIRE(shell.fresh(deck, "parts", until("time.max_steps=30")) == 0);
    REQUIRE(shell.restart("parts", {"time.max_steps=60"}) == 0);
    REQUIRE(shell.restart("parts", {"time.max_steps=90"}) == 0);
    CHECK(shell.dumps("parts") == shell.dumps("whole"));
    const std::string last = shell.dumps("whole").back();  // earlier ones hold the deck of earlier parts
    for (const std::string& name :
         Words{"history.csv", "histogram.csv", "fields.vtkhdf.series", "fields.xmf", last})
      CHECK(shell.same("whole", "parts", name));
    // Restarts once more, though nothing is left to do.
    REQUIRE(shell.restart("parts", {}) == 0);
    CHECK(shell.dumps("parts") == shell.dumps("whole"));
    CHECK(shell.same("whole", "parts", "history.csv"));
    CHECK(shell.same("whole", "parts", "histogram.csv"));
  }
}

TEST_CASE("Averages, profiles and flattened planes are the same after restarts and with poll: pipelined") {
  const Shell shell;
  const std::string deck =
      "outputs=[{kind: averages, name: calm, from: 0.02, sample_steps: 3, every_steps: 40, covariances: "
      "true, "
      "fields: [density, velocity_x]}, {kind: profile, name: means, axis: x, every_steps: 7, fields: "
      "[pressure]}, {kind: flattened, name: flat, axis: x, every_steps: 50, fields: [density]}, "
      "{kind: averages, name: each, every_steps: 50, fields: [pressure, mach]}]";
  REQUIRE(shell.sod("whole", {deck}) == 0);
  REQUIRE(shell.sod("parts", {deck, "time.max_steps=33"}) == 0);
  REQUIRE(shell.restart("parts", {"time.max_steps=61"}) == 0);
  REQUIRE(shell.restart("parts", {"time.max_steps=0"}) == 0);
  REQUIRE(shell.sod("queued", {deck, "soft_error.poll=pipelined"}) == 0);
  REQUIRE(shell.sod("sliced", {deck, "interruptible={enabled: true, launch_budget_ms: 0.1}"}) == 0);
  for (const std::string name : {"calm_000001.vtkhdf", "calm_000005.vtkhdf", "calm.xmf", "means.csv",
                                 "flat_000003.vtkhdf", "each_000001.vtkhdf", "each_000004.vtkhdf"})
    for (const std::string run : {"parts", "queued", "sliced"}) {
      CAPTURE(run + "/" + name);
      CHECK(fs::exists(shell.at("whole/" + name)));
      if (run == "parts" || !name.ends_with("hdf")) CHECK(shell.same("whole", run, name));
    }
  // The same fields come from other decks in other places of the list.
  fs::remove(shell.at("log.txt"));
  for (const std::string run : {"parts", "queued", "sliced"})
    for (const std::string file : {"/calm_000005.vtkhdf", "/each_000004.vtkhdf"}) {
      Process compare({HALFSTEP_BINARY, "compare", shell.at("whole" + file), shell.at(run + file)},
                      shell.at("log.txt"));
      CHECK_MESSAGE(compare.wait() == 0, shell.said());
    }
  shell.expect(2, "parts", {"outputs.0.from=0.01"},
               {"a restart in place cannot change the fields or points of 'outputs[0]', 'calm'"});
}

TEST_CASE("Probes and lines have the same rows after restarts, kills and with poll: pipelined") {
  const Shell shell;
  const std::string deck =
      "outputs=[{kind: probes, name: fine, every_steps: 7, points: [[0.1, 0, 0], [0.6, 0, 0]], "
      "fields: [density, schlieren]}, {kind: probes, name: timely, every: 0.013, "
      "points: [[0.5, 0, 0]], fields: [pressure], precision: single}, {kind: line, name: along, axis: x, "
      "through: [7, 0, 0], every_steps: 7, fields: [schlieren, density]}, {kind: probes, name: numbers, "
      "every_steps: 7, points: [[0.1, 0, 0], [0.6, 0, 0]], fields: [density, schlieren], format: hdf5}]";
  REQUIRE(shell.sod("whole", {deck}) == 0);
  REQUIRE(shell.sod("parts", {deck, "time.max_steps=33"}) == 0);
  REQUIRE(shell.restart("parts", {"time.max_steps=60"}) == 0);
  REQUIRE(shell.restart("parts", {"time.max_steps=0"}) == 0);
  REQUIRE(shell.sod("queued", {deck, "soft_error.poll=pipelined"}) == 0);
  // A killed run leaves rows behind its last checkpoint, and half a row.
  REQUIRE(shell.sod("killed", {deck, "time.max_steps=40", "checkpoint.every_steps=20"}) == 0);
  fs::remove(shell.at("killed/checkpoint_00000040.h5"));
  put(shell.at("killed/fine.csv"), contents(shell.at("killed/fine.csv")) + "41,0.1,0.3");
  put(shell.at("killed/numbers.h5"), contents(shell.at("killed/numbers.h5")) + "half a row");
  REQUIRE(shell.restart("killed", {"time.max_steps=0"}) == 0);
  for (const std::string name : {"fine.csv", "timely.csv", "along.csv", "numbers.h5"})
    for (const std::string run : {"parts", "queued", "killed"}) {
      CAPTURE(run + "/" + name);
      CHECK(shell.same("whole", run, name));
    }
  Process compare({HALFSTEP_BINARY, "compare", shell.at("whole/numbers.h5"), shell.at("killed/fine.csv")},
                  shell.at("log.txt"));
  CHECK_MESSAGE(compare.wait() == 0, shell.said());
  const std::string fine = contents(shell.at("whole/fine.csv")),
                    timely = contents(shell.at("whole/timely.csv"));
  CHECK(fine.starts_with("step,time,density_0,schlieren_0,density_1,schlieren_1\n0,0,1,0,0.125,0\n7,0."));
  CHECK(timely.starts_with("step,time,pressure_0\n0,0,0.100000001\n"));
  CHECK(contains(timely, "\n17,0.012999999999999999,"));
  CHECK(std::count(timely.begin(), timely.end(), '\n') == 2 + 15);  // 15 multiples of 0.013 up to 0.2
  // x = 0.1 is in cell 25 of 256, at places 2 + 2 * 25 and one more of a row of the line.
  const auto last_row = [](const std::string& text) {
    std::istringstream row(text.substr(text.rfind('\n', text.size() - 2) + 1));
    std::vector<std::string> values;
    for (std::string value; std::getline(row, value, ',');) values.push_back(value);
    return values;
  };
  const auto probe = last_row(fine), line = last_row(contents(shell.at("whole/along.csv")));
  REQUIRE(line.size() == 2 + 2 * 256);
  CHECK(std::pair(line[0], line[1]) == std::pair(probe[0], probe[1]));
  CHECK(std::pair(line[2 + 2 * 25], line[3 + 2 * 25]) == std::pair(probe[3], probe[2]));
  // Without a time of its own an output leaves the steps as they are.
  const std::string steps = "outputs=[{kind: probes, name: fine, every_steps: 1, points: [[0.1, 0, 0]]}]";
  REQUIRE(shell.sod("plain", {}) == 0);
  REQUIRE(shell.sod("probed", {steps}) == 0);
  CHECK(shell.same("plain", "probed", "history.csv"));
  // The next run moves the files of outputs aside with the others.
  REQUIRE(shell.sod("probed", {}) == 0);
  CHECK_FALSE(fs::exists(shell.at("probed/fine.csv")));
  CHECK(fs::exists(shell.at("probed.previous/fine.csv")));
  // A file of somebody else is not written over, and stays where it is ever after.
  put(shell.at("probed/fine.csv"), "mine");
  CHECK(shell.sod("probed", {steps}) == 1);
  CHECK(contains(shell.said(), "it holds 'fine.csv', which the output of that name would write over"));
  CHECK(shell.restart("probed", {steps}) == 1);
  CHECK(shell.sod("probed", {}) == 0);
  CHECK(contents(shell.at("probed/fine.csv")) == "mine");
}

TEST_CASE("Slices and boxes are the same files after restarts and kills, and belong to their run") {
  const Shell shell;
  const std::string deck =
      "outputs=[{kind: slice, name: plane, axis: y, position: 0.5, every_steps: 7, fields: [density, "
      "schlieren]}, "
      "{kind: box, name: corner, lower: [0.25, 0, 0], upper: [0.5, 1, 1], every_cell: 2, every: 0.013, "
      "precision: single}]";
  const auto outputs = [&](const std::string& run) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(shell.at(run)))
      if (const std::string name = entry.path().filename();
          name.starts_with("plane") || name.starts_with("corner"))
        names.insert(name);
    return names;
  };
  REQUIRE(shell.sod("whole", {deck}) == 0);
  REQUIRE(shell.sod("parts", {deck, "time.max_steps=33"}) == 0);
  REQUIRE(shell.restart("parts", {"time.max_steps=60"}) == 0);
  REQUIRE(shell.restart("parts", {"time.max_steps=0"}) == 0);
  // A killed run leaves files behind its last checkpoint, listed, and a part of another.
  REQUIRE(shell.sod("killed", {deck, "time.max_steps=40", "checkpoint.every_steps=20"}) == 0);
  fs::remove(shell.at("killed/checkpoint_00000040.h5"));
  put(shell.at("killed/.plane_000006.vtkhdf.partial"), "half a file");
  REQUIRE(shell.restart("killed", {"time.max_steps=0"}) == 0);
  const auto files = outputs("whole");
  const std::string history = contents(shell.at("whole/history.csv"));
  const auto steps_made =
      std::count(history.begin(), history.end(), '\n') - 2;  // less header and initial state
  CHECK(files.size() ==
        std::size_t(2 * 2 + (1 + steps_made / 7) + (1 + 15)));  // 15 multiples of 0.013 up to 0.2
  for (const std::string run : {"parts", "killed"}) {
    CHECK(outputs(run) == files);
    for (const std::string& name : files) {
      CAPTURE(run + "/" + name);
      if (name.ends_with(".vtkhdf")) {
        Process compare({HALFSTEP_BINARY, "compare", shell.at("whole/" + name), shell.at(run + "/" + name)},
                        shell.at("compare.txt"));
        CHECK(compare.wait() == 0);
      } else {
        CHECK(shell.same("whole", run, name));
      }
    }
  }
  const Dump whole = read_dump(shell.at("whole/fields_000001.vtkhdf")),
             plane = read_dump(shell.at("whole/plane_000000.vtkhdf")),
             corner = read_dump(shell.at("whole/corner_000000.vtkhdf"));
  CHECK(plane.mesh.cells == whole.mesh.cells);  // a tube has one cell along y
  CHECK(corner.mesh.cells == std::array{32, 1, 1});
  CHECK(corner.info.precision == "single");
  // Without a time of its own an output leaves the steps as they are.
  const std::string steps = "outputs=[{kind: slice, name: plane, axis: y, position: 0, every_steps: 1}]";
  REQUIRE(shell.sod("plain", {}) == 0);
  REQUIRE(shell.sod("cut", {steps}) == 0);
  CHECK(shell.same("plain", "cut", "history.csv"));
  // The next run moves the files of outputs aside with the others, pictures too.
  put(shell.at("cut/plane_000003_vorticity_z.png"), "a picture");
  put(shell.at("cut/plane_of_mine.vtkhdf"), "mine");
  REQUIRE(shell.sod("cut", {}) == 0);
  CHECK(outputs("cut") == std::set<std::string>{"plane_of_mine.vtkhdf"});
  CHECK(fs::exists(shell.at("cut.previous/plane_000003_vorticity_z.png")));
  CHECK(fs::exists(shell.at("cut.previous/plane_000093.vtkhdf")));
  CHECK(fs::exists(shell.at("cut.previous/plane.xmf")));
  // A restart goes on with the numbers, in another directory or where a list was lost.
  REQUIRE(shell.sod("begun", {deck, "time.max_steps=33"}) == 0);
  REQUIRE(shell.restart("begun", {"time.max_steps=0", "--output", shell.at("elsewhere")}) == 0);
  std::set<std::string> later;
  const auto begun = outputs("begun");
  std::set_difference(files.begin(), files.end(), begun.begin(), begun.end(),
                      std::inserter(later, later.end()));
  const std::string first = contents(shell.at("begun/plane_000000.vtkhdf"));
  fs::remove(shell.at("begun/plane.vtkhdf.series"));
  REQUIRE(shell.restart("begun", {"time.max_steps=0"}) == 0);
  CHECK(contents(shell.at("begun/plane_000000.vtkhdf")) == first);
  for (const std::string& name : later) CHECK_MESSAGE(fs::exists(shell.at("elsewhere/" + name)), name);
  CHECK_FALSE(fs::exists(shell.at("elsewhere/plane_000000.vtkhdf")));
  // What somebody else has there is not written over.
  fs::create_directory(shell.at("cut/plane.xmf"));
  CHECK(shell.sod("cut", {steps}) == 1);
  CHECK(contains(shell.said(), "it holds 'plane.xmf', which the output of that name would write over"));
  fs::remove(shell.at("cut/plane.xmf"));
  put(shell.at("cut/plane_000002.vtkhdf"), "mine");
  CHECK(shell.sod("cut", {steps}) == 1);
  CHECK(contains(shell.said(),
                 "it holds 'plane_000002.vtkhdf', which the output of that name would write over"));
  CHECK(contents(shell.at("cut/plane_000002.vtkhdf")) == "mine");
}

TEST_CASE("A restart in place changes no columns; with another name or in another directory it may") {
  const Shell shell;
  const auto probes = [](const std::string& name, const std::string& points) {
    return "outputs=[{kind: probes, name: " + name + ", every_steps: 5, fields: [density], points: [" +
           points + "]}]";
  };
  const std::string sponge =
      "sponges=[{shape: half_space, point: [0.9, 0, 0], normal: x, rate: 5, target: {density: 0.125, "
      "pressure: 0.1}}]";
  REQUIRE(shell.sod("run", {probes("fine", "[0.1, 0, 0]"), "time.max_steps=20"}) == 0);
  const std::string rows = contents(shell.at("run/fine.csv"));
  shell.expect(2, "run", {probes("fine", "[0.2, 0, 0]")},
               {"a restart in place cannot change the fields or points of 'outputs[0]', 'fine'",
                "give it another name, or write into another directory"});
  shell.expect(2, "run", {sponge}, {"cannot begin or end 'sponges', which has columns in history.csv"});
  shell.expect(2, "run", {"output.enstrophy=true"}, {"cannot begin or end 'output.enstrophy'"});
  shell.expect(2, "run", {"gravity=[1, 0, 0]"}, {"cannot begin or end 'gravity and driving'"});
  CHECK(contents(shell.at("run/fine.csv")) == rows);
  shell.expect(0, "run",
               {probes("fine", "[0.2, 0, 0]"), sponge, "time.max_steps=40", "--output", shell.at("other")});
  CHECK(contents(shell.at("other/fine.csv")).starts_with("step,time,density_0\n25,"));
  shell.expect(0, "run", {probes("coarse", "[0.2, 0, 0]"), "time.max_steps=40"});
  CHECK(contents(shell.at("run/coarse.csv")).starts_with("step,time,density_0\n25,"));
  CHECK(contents(shell.at("run/fine.csv")) == rows);
  REQUIRE(shell.sod("body",
                    {"solids=[{shape: ball, center: [0.7, 0, 0], radius: 0.1}]", "time.max_steps=5"}) == 0);
  shell.expect(2, "body", {"output.loads={density: 1, velocity: 1, area: 1, length: 1}"},
               {"a restart in place cannot change 'output.loads', by which history.csv has coefficients"});
  // Both belong to the run now.
  REQUIRE(shell.sod("run", {"time.max_steps=1"}) == 0);
  CHECK(contents(shell.at("run.previous/fine.csv")) == rows);
  CHECK(fs::exists(shell.at("run.previous/coarse.csv")));
}

TEST_CASE("A run to a later end has one row at the first end, and no tiny step from there") {
  const Shell shell;
  const std::string probes =
      "outputs=[{kind: probes, name: timely, every: 0.05, points: [[0.5, 0, 0]], fields: [density]}]";
  const std::string without = "output.budgets=false";  // whose drift is as small as such a step
  REQUIRE(shell.sod("whole", {probes, without, "time.end=0.2"}) == 0);
  REQUIRE(shell.sod("parts", {probes, without, "time.end=0.15"}) == 0);
  REQUIRE(shell.restart("parts", {"time.end=0.2"}) == 0);
  const std::string timely = contents(shell.at("parts/timely.csv"));
  CHECK(std::count(timely.begin(), timely.end(), '\n') == 1 + 5);
  CHECK(contents(shell.at("parts/history.csv")).find("e-17,") == std::string::npos);
}

TEST_CASE("A sponge that is none in some cell is refused before anything is written") {
  const Shell shell;
  CHECK(shell.sod("run", {"sponges=[{shape: half_space, point: [0.2, 0, 0], normal: x, rate: \"0.9 - x\", "
                          "target: {density: 1, pressure: 1}}]"}) == 2);
  CHECK(contains(shell.said(), "'sponges[0].rate' is -0.000390625 at (0.900391, "));
  CHECK_FALSE(fs::exists(shell.at("run")));
}

TEST_CASE("Totals and drift are those of the whole run after a restart, and compare finds no difference") {
  const Shell shell;
  REQUIRE(shell.sod("whole", {"mesh.boundary.x=[inflow, outflow]", "case.left.velocity=[1,0,0]"}) == 0);
  REQUIRE(shell.sod("parts", {"mesh.boundary.x=[inflow, outflow]", "case.left.velocity=[1,0,0]",
                              "time.max_steps=30"}) == 0);
  CHECK(Json::parse(contents(shell.at("parts/summary.json"))).at("status") == "stopped_at_max_steps");
  CHECK(contains(shell.said(), "stopped_at_max_steps: time.max_steps is 30\n"));
  CHECK(contains(shell.said(), "go on: halfstep run --restart " + shell.at("parts") + " time.max_steps=0\n"));
  REQUIRE(shell.restart("parts", {"time.max_steps=60"}) == 0);
  REQUIRE(shell.restart("parts", {"time.max_steps=0"}) == 0);
  const Json whole = Json::parse(contents(shell.at("whole/summary.json"))),
             parts = Json::parse(contents(shell.at("parts/summary.json")));
  CHECK(whole.at("totals").at("start") != whole.at("totals").at("end"));
  CHECK(parts.at("totals") == whole.at("totals"));
  CHECK(std::abs(whole.at("totals").at("drift").at("mass").get<double>()) < 1e-14);
  CHECK(whole.at("budget").at("x_lower").at("mass").get<double>() > 0.1);
  CHECK(parts.at("budget") == whole.at("budget"));
  CHECK(contents(shell.at("parts/history.csv")) == contents(shell.at("whole/history.csv")));
  shell.expect(2, "parts", {"output.budgets=false"},
               {"a restart cannot change 'output.budgets', here from true to false"});
  CHECK(parts.at("status") == "finished");
  fs::remove(shell.at("log.txt"));
  Process compare({HALFSTEP_BINARY, "compare", shell.at("whole"), shell.at("parts")}, shell.at("log.txt"));
  CHECK_MESSAGE(compare.wait() == 0, shell.said());
  CHECK(contains(shell.said(), "summary.json: identical\n"));
}

TEST_CASE("Where a directory's newest checkpoint cannot be used the one before serves, and it is said why") {
  const Shell shell;
  for (const std::string how : {"damaged", "empty", "dangling", "unnamed"}) {
    CAPTURE(how);
    REQUIRE(shell.sod(how, kTwoCheckpoints) == 0);
    const std::string newest = shell.at(how) + "/checkpoint_00000040.h5",
                      latest = shell.at(how) + "/checkpoint_latest.h5";
    if (how == "damaged") damage(newest);
    if (how == "empty") put(newest, "");
    if (how == "dangling") fs::remove(newest);
    if (how == "unnamed") fs::remove(latest);
    const int step = how == "unnamed" ? 40 : 20;
    shell.expect(0, how, {},
                 {how == "damaged"    ? "refused: cannot use '" + newest + "': it is damaged"
                  : how == "empty"    ? "refused: cannot use '" + newest + "': it is empty"
                  : how == "dangling" ? "refused: '" + latest + "' points at 'checkpoint_00000040.h5'"
                                      : "refused: '" + latest + "' is missing",
                  fmt::format("going on from step {},", step)});
    const Json event = shell.last_restart(how);
    CHECK(event.at("step") == step);
    CHECK(event.at("refused").size() == 1);
  }
}

TEST_CASE("A damaged file is refused with the reason, and its good neighbour is named") {
  const Shell shell;
  REQUIRE(shell.sod("out", kTwoCheckpoints) == 0);
  const std::string before = contents(shell.at("out/history.csv"));
  damage(shell.at("out/checkpoint_00000040.h5"));
  for (const std::string name : {"out/checkpoint_00000040.h5", "out/checkpoint_latest.h5"})
    shell.expect(2, name, {},
                 {"'" + shell.at(name) + "': it is damaged",
                  "'" + shell.at("out/checkpoint_00000020.h5") + "' can be used: step 20"});
  shell.expect(2, "out/checkpoint_00000030.h5", {}, {"No such file"});
  damage(shell.at("out/checkpoint_00000020.h5"));
  shell.expect(2, "out/checkpoint_00000040.h5", {}, {"no other checkpoint beside it that can be used"});
  shell.expect(2, "out", {},
               {"checkpoint_00000040.h5': it is damaged", "checkpoint_00000020.h5': it is damaged",
                "begin again: halfstep run " + shell.at("out/deck.yaml")});
  CHECK(contents(shell.at("out/history.csv")) == before);
}

TEST_CASE("Without a checkpoint a restart says how to begin again, and that works") {
  const Shell shell;
  REQUIRE(shell.sod("out", {"time.max_steps=1"}) == 0);
  fs::remove(shell.at("out/checkpoint_latest.h5"));
  fs::remove(shell.at("out/checkpoint_00000001.h5"));
  shell.expect(2, "out", {},
               {"it holds no checkpoint",
                "halfstep run " + shell.at("out/deck.yaml") + " --output " + shell.at("out")});
  CHECK(shell.run({shell.at("out/deck.yaml"), "--output", shell.at("out")}) == 0);
  fs::create_directory(shell.at("empty"));
  shell.expect(2, "empty", {}, {"it holds no checkpoint"});
}

TEST_CASE("Overrides of a restart are listed; those the state depends on are errors of the command line") {
  const Shell shell;
  REQUIRE(shell.sod("out", {"time.max_steps=10"}) == 0);
  shell.expect(0, "out", {"time.max_steps=20", "time.cfl=0.3", "scheme.riemann=hllc"},
               {"\n  time.cfl: 0.4 -> 0.3\n  time.max_steps: 10 -> 20\n"});
  CHECK_FALSE(contains(shell.said(), "scheme.riemann"));  // it has not changed
  CHECK(shell.last_restart("out").at("changed") ==
        Json({{"time.cfl", {{"before", "0.4"}, {"after", "0.3"}}},
              {"time.max_steps", {{"before", "10"}, {"after", "20"}}}}));
  CHECK(contains(contents(shell.at("out/deck.yaml")), "cfl: 0.3"));

  const std::string before = contents(shell.at("out/events.jsonl"));
  shell.expect(2, "out",
               {"mesh.cells=[128,1,1]", "mesh.boundary.x=[reflecting,outflow]", "case.position=0.4",
                "scheme.precision=single", "solids=[{shape: ball, center: [0.5, 0, 0], radius: 0.1}]"});
  for (const std::string key :
       {"mesh.cells", "mesh.boundary.x", "case.position", "scheme.precision", "solids"})
    CHECK(contains(shell.said(), "a restart cannot change '" + key + "', here from "));
  for (const std::string end : {"time.end=1e-6", "time.max_steps=5"})
    shell.expect(2, "out", {end}, {", but the checkpoint is at step 20, time "});
  CHECK(contents(shell.at("out/events.jsonl")) == before);
}

TEST_CASE("A flow of regions and expressions goes on to the same bits, and not with another region") {
  if (!can_test_expressions()) return;
  const Shell shell;
  put(shell.at("flow.yaml"), R"deck(
case:
  name: regions
  parameters: {r: 1/5}
  background: {density: "1 + r*sin(2*pi*(x - y))", velocity: ["1 + y/3", 0.2, 0], pressure: 1/gamma}
  regions:
    - {shape: ball, center: [0.4, 0.55, 0], radius: r, state: {density: 5, pressure: "1 + x*y"}}
mesh: {cells: [24, 20, 1], boundary: {x: [inflow, outflow], y: [inflow, outflow]}}
gas: {gamma: 5/3}
time: {end: 1}
)deck");
  const auto run = [&](const std::string& name, const std::string& steps) {
    return shell.run({shell.at("flow.yaml"), "--output", shell.at(name), "time.max_steps=" + steps});
  };
  REQUIRE_MESSAGE(run("whole", "30") == 0, shell.said());
  REQUIRE_MESSAGE(run("parts", "12") == 0, shell.said());
  shell.expect(2, "parts", {"case.regions.0.radius=0.3"}, {"a restart cannot change 'case.regions'"});
  shell.expect(2, "parts", {"case.parameters.r=0.3"}, {"a restart cannot change 'case.parameters'"});
  shell.expect(2, "parts", {"scalars.dye=1"}, {"a restart cannot change 'scalars'"});
  shell.expect(2, "parts", {"gas.second.gamma=1.2"}, {"a restart cannot change 'gas.second.gamma'"});
  shell.expect(0, "parts", {"time.max_steps=30"});
  const std::string last = shell.dumps("whole").back();  // the first one names the deck as it was
  for (const std::string& file : {std::string("deck.yaml"), std::string("history.csv"), last})
    CHECK_MESSAGE(shell.same("whole", "parts", file), file);
}

TEST_CASE("A restart with another output interval does not make up for the times that are past") {
  const Shell shell;
  REQUIRE(shell.sod("out", {"time.max_steps=100", "output.every=0"}) == 0);  // t = 0.07
  const std::size_t before = shell.dumps("out").size();
  REQUIRE(shell.restart("out", {"output.every=0.001", "time.max_steps=102"}) == 0);
  // In two steps there are at most two output times; the last dump of the first part is overwritten.
  CHECK(shell.dumps("out").size() <= before + 2);
}

TEST_CASE("A run goes on elsewhere with --output, and leaves the first directory alone") {
  const Shell shell;
  REQUIRE(shell.sod("out", {"time.max_steps=10"}) == 0);
  const std::string before = contents(shell.at("out/history.csv"));
  CHECK(shell.restart("out", {"time.max_steps=20", "--output", shell.at("elsewhere")}) == 0);
  CHECK(contents(shell.at("out/history.csv")) == before);
  CHECK(read_checkpoint(shell.at("elsewhere/checkpoint_latest.h5")).state.step == 20);
}

TEST_CASE("Compressed dumps and checkpoints are smaller and hold the same") {
  const Shell shell;
  const Words small = {"mesh.cells=[4096,1,1]", "time.max_steps=20"};
  REQUIRE(shell.sod("plain", small) == 0);
  Words compressed = small;
  compressed.insert(compressed.end(), {"output.compress=4", "checkpoint.compress=4"});
  REQUIRE(shell.sod("compressed", compressed) == 0);
  for (const std::string name : {"fields_000000.vtkhdf", "checkpoint_00000020.h5"})
    CHECK(fs::file_size(shell.at("compressed/" + name)) < fs::file_size(shell.at("plain/" + name)) / 2);
  const RunCheckpoint a = read_checkpoint(shell.at("plain/checkpoint_latest.h5")),
                      b = read_checkpoint(shell.at("compressed/checkpoint_latest.h5"));
  CHECK((a.fields.conserved == b.fields.conserved));
  CHECK(shell.restart("compressed", {"time.max_steps=30"}) == 0);
}
