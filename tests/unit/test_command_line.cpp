// The command line as a shell sees it: exit codes, what goes to stdout, what goes to stderr.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/deck/diagnostic.hpp"
#include "app/study/studies.hpp"
#include "physics/cases/case.hpp"
#include "physics/solver.hpp"
#include "tests/unit/shell.hpp"

namespace {

using namespace halfstep;
namespace fs = std::filesystem;

TEST_CASE("help and version go to stdout with exit code 0") {
  const Shell halfstep;
  const Outcome help = halfstep("--help");
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  for (const char* command :
       {"run", "check", "list", "info", "schema", "bench", "compare", "regress", "study", "verify", "plot"})
    CHECK(contains(help.out, command));
  CHECK(contains(help.out, "Examples:"));
  const Outcome run_help = halfstep("run --help");
  CHECK(run_help.code == 0);
  for (const char* option : {"--output", "--backend", "--threads", "--restart", "--wall-time", "--quiet",
                             "--no-progress", "Exit codes"})
    CHECK(contains(run_help.out, option));
  const Outcome version = halfstep("--version");
  CHECK(version.code == 0);
  CHECK(version.out.rfind("halfstep ", 0) == 0);
}

TEST_CASE("a mistake on the command line is exit code 2, one message and the nearest name") {
  const Shell halfstep;
  const auto mistake = [&](const std::string& arguments, const std::string& message) {
    CAPTURE(arguments);
    const Outcome outcome = halfstep(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CAPTURE(outcome.err);
    CHECK(outcome.err.rfind("halfstep: error: " + message + "\n", 0) == 0);
  };
  mistake("", "no command given");
  mistake("rnu sod.yaml", "no command 'rnu'; did you mean 'run'?");
  mistake("sod.yaml", "no command 'sod.yaml'; did you mean 'halfstep run sod.yaml'?");
  mistake("--verison", "unknown option '--verison'; did you mean '--version'?");
  mistake("run", "no deck given");
  mistake("check", "no deck given");
  mistake("run sod.yaml --otput=out", "unknown option '--otput'; did you mean '--output'?");
  mistake("run sod.yaml other.yaml", "unexpected argument 'other.yaml': the deck is 'sod.yaml' already");
  mistake("run sod.yaml --output", "--output takes exactly one value");
  mistake("run sod.yaml --output a --output b", "--output takes exactly one value");
  mistake("run sod.yaml --backend cdua", "--backend: 'cdua' is not auto, cuda or host; did you mean 'cuda'?");
  mistake("run sod.yaml --threads 0", "--threads: '0' is not an integer from 1 to 65536");
  mistake("run sod.yaml --threads two", "--threads: 'two' is not an integer from 1 to 65536");
  mistake("run sod.yaml --threads 2.5", "--threads: '2.5' is not an integer from 1 to 65536");
  mistake("run sod.yaml --wall-time 10:00",
          "--wall-time: '10:00' is not a duration HH:MM:SS greater than 00:00:00");
  mistake("run sod.yaml --wall-time 00:00:00",
          "--wall-time: '00:00:00' is not a duration HH:MM:SS greater than 00:00:00");
  std::vector<std::string> names;
  for (const Study& study : studies()) names.push_back(study.name);
  mistake("study asinc-error",
          "NAME: 'asinc-error' is not " + alternatives(names) + "; did you mean 'async-error'?");
  mistake("study --output out", "--output requires NAME");
  mistake("verify riemnan", "no check 'riemnan'; did you mean 'riemann'?");
  mistake("verify --quick --full", "--quick excludes --full");
  mistake("plot", "FILE is required");
  mistake("plot sod.yaml", "cannot draw 'sod.yaml'");
  mistake("compare sod.yaml", "B is required");
  mistake("compare a b --rtol -1", "--rtol: '-1' is not a number from 0 up");
  mistake("compare sod.yaml nowhere.yaml", "there is no 'nowhere.yaml'");
  mistake("compare sod.yaml sod.yaml", "cannot compare 'sod.yaml': it is no file of a run");
  mistake("compare sod.yaml .", "cannot compare a file with a directory: 'sod.yaml' and '.'");
  mistake("compare . .", "cannot compare '.': there is no run in it");
  mistake("regress sodd", "no deck 'sodd'; did you mean 'sod'?");
  mistake("regress --bless", "--bless needs --golden FILE");
  mistake("regress --golden nowhere.txt", "'nowhere.txt' is no file of golden numbers");
  mistake("list cases", "unexpected argument 'cases'");
}

TEST_CASE("a wrong deck is exit code 2 and nothing is written") {
  const Shell halfstep;
  halfstep.write("bad.yaml", "case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2, clf: 1}\n");
  for (const char* command : {"run", "check", "bench"}) {
    CAPTURE(command);
    const Outcome outcome = halfstep(std::string(command) + " bad.yaml output.directory=out");
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err ==
          "bad.yaml:3:18: error: unknown key 'clf' in 'time'; did you mean 'cfl'?\n"
          "    3 | time: {end: 0.2, clf: 1}\n"
          "      |                  ^~~\n"
          "      = the keys of 'time': end, cfl, dt, max_steps\n");
  }
  CHECK_FALSE(halfstep.has("out"));
  const Outcome missing = halfstep("run sof.yaml");
  CHECK(missing.code == 2);
  CHECK(missing.err == "sof.yaml: error: no such file; did you mean 'sod.yaml'?\n");
}

/// A shock tube between these states runs in double precision; in single precision it is refused before
/// anything is written.
void check_refused_in_single_precision(const std::string& left, const std::string& right,
                                       const std::string& message, const std::string& remedy) {
  const Shell halfstep;
  halfstep.write("tube.yaml", "case: {name: riemann, left: {" + left + "}, right: {" + right +
                                  "}}\nmesh: {cells: [64, 1, 1]}\n"
                                  "time: {end: 0.2, max_steps: 3}\noutput: {directory: out}\n");
  const Outcome outcome = halfstep("run tube.yaml --backend host --quiet scheme.precision=single");
  CHECK(outcome.code == 2);
  CHECK(outcome.err == "tube.yaml: error: " + message + "\n      = " + remedy + "\n");
  CHECK_FALSE(halfstep.has("out"));
  CHECK(halfstep("run tube.yaml --backend host --quiet").code == 0);
}

TEST_CASE("densities that a precision cannot multiply are exit code 2") {
  check_refused_in_single_precision("density: 1e-24, pressure: 1e-24", "density: 1.25e-25, pressure: 1e-25",
                                    "the initial densities reach from 1.25e-25 to 1e-24; "
                                    "single precision works with 1e-18 to 1e+18",
                                    "choose other units, or scheme.precision=double");
}

TEST_CASE("a pressure that is lost in the energy of a precision is exit code 2") {
  const std::string state = "density: 1, velocity: [1e4, 0, 0], pressure: 0.5";
  check_refused_in_single_precision(
      state, state, "the pressure 0.5 at (0.0078125, 0.5, 0.5) is not positive in single precision",
      "scheme.precision=double can hold it");
}

TEST_CASE("pressures that rounding may change are told by name, before the run and by check") {
  const Shell halfstep;
  const auto tube = [&](const std::string& speed, const std::string& rest) {
    return "case: {name: riemann, left: {density: 1, velocity: [" + speed +
           ", 0, 0], pressure: 1}, right: {density: 1, velocity: [" + speed +
           ", 0, 0], pressure: 1}}\nmesh: {cells: [16, 1, 1], boundary: {x: [inflow, outflow]}}\n"
           "time: {end: 0.2, max_steps: 3}\noutput: {directory: out}\nscheme: {precision: single}\n" +
           rest;
  };
  halfstep.write("fast.yaml", tube("500", ""));
  halfstep.write("slow.yaml", tube("10", ""));
  for (const char* command : {"check fast.yaml", "run fast.yaml --backend host --no-progress"}) {
    const Outcome told = halfstep(command);
    CHECK(told.code == 0);
    CHECK(contains(told.out,
                   "the initial pressure 1 at (0.03125, 0.5, 0.5) is little beside the kinetic energy: "
                   "rounding to single precision may change it by 1.2 %; scheme.precision=double holds it"));
    CHECK(contains(told.out, "the pressure that a boundary lets in, 1 at (-"));
  }
  CHECK_FALSE(contains(halfstep("check slow.yaml").out, "rounding to"));

  // Beyond what updates are checked by, only floors can go on.
  halfstep.write("faster.yaml", tube("3000", ""));
  halfstep.write("floored.yaml", tube("3000", "soft_error: {on_exhausted: floor}\n"));
  for (const char* command : {"check faster.yaml", "run faster.yaml --backend host"}) {
    const Outcome refused = halfstep(command);
    CHECK(refused.code == 2);
    CHECK(refused.err ==
          "faster.yaml: error: the pressure 1 at (0.03125, 0.5, 0.5) is lost beside the kinetic "
          "energy in single precision\n      = scheme.precision=double can hold it, "
          "soft_error.on_exhausted=floor raises it\n");
  }
  CHECK(halfstep("check floored.yaml").code == 0);
}

TEST_CASE("gamma - 1 that single precision cannot hold is refused with the nearest gamma") {
  const Shell halfstep;
  const Outcome refused = halfstep("check sod.yaml gas.gamma=1.00001 scheme.precision=single");
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "'gas.gamma' 1.00001 is too close to 1 for single precision"));
  CHECK(contains(refused.err, "scheme.precision=double can hold it, and single precision gamma 1.00001001"));
  CHECK(halfstep("check sod.yaml gas.gamma=1.00001001 scheme.precision=single").code == 0);
  CHECK(halfstep("check sod.yaml gas.gamma=1.00001").code == 0);
  CHECK(halfstep("check sod.yaml gas.gamma=1.0001 scheme.precision=single").code == 0);
}

TEST_CASE("a run whose time would stand still ends as exhausted") {
  const Shell halfstep;
  const Outcome ended =
      halfstep("run sod.yaml --backend host time.dt=1e-300 time.max_steps=2 --output first");
  CHECK(ended.code == 0);
  const Outcome stuck =
      halfstep("run --restart first time.max_steps=0 time.dt=1e-320 time.end=1 --output second");
  CHECK(stuck.code == 3);
  CHECK(contains(stuck.err, "time stands still: dt = "));
}

TEST_CASE("overrides are taken among the positional arguments, also before the deck") {
  const Shell halfstep;
  const Outcome after = halfstep("check sod.yaml 'mesh.cells=[32,1,1]' time.cfl=0.3");
  const Outcome before = halfstep("check time.cfl=0.3 sod.yaml 'mesh.cells=[32,1,1]'");
  CHECK(after.code == 0);
  CHECK(before.code == 0);
  CHECK(contains(after.out, "  cells: [32, 1, 1]\n"));
  CHECK(contains(after.out, "  cfl: 0.3\n"));
  CHECK(before.out == after.out);
  const Outcome wrong = halfstep("check sod.yaml mesh.cell=3");
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err,
                 "override 'mesh.cell=3': error: unknown key 'cell' in 'mesh'; did you mean 'cells'?"));
}

TEST_CASE("check prints a deck that is valid itself, with the memory as comments") {
  const Shell halfstep;
  const Outcome outcome = halfstep("check sod.yaml");
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  CHECK(contains(outcome.out, "\n# cells:  64 (70 with ghosts)\n# memory: 8.2 KiB on the device"));
  const RunConfig config = parse_deck(outcome.out, "printed.yaml");
  CHECK(contains(outcome.out, config.resolved));
  CHECK(config.title == "Sod");
}

TEST_CASE("check remarks on gravity towards an outflow boundary") {
  const Shell halfstep;
  const std::string tube = "check sod.yaml 'mesh.boundary.x=[%]' 'gravity=[-1,0,0]'";
  const auto of = [&](const std::string& sides) {
    std::string command = tube;
    return halfstep(command.replace(command.find('%'), 1, sides));
  };
  for (const char* sides : {"outflow,outflow", "outflow,reflecting", "reflecting,outflow"}) {
    CAPTURE(sides);
    const Outcome outcome = of(sides);
    CHECK(outcome.code == 0);
    CHECK(contains(outcome.out, "\n# gravity along x with an outflow boundary there"));
    CHECK(contains(outcome.out, "set mesh.boundary.x to reflecting"));
    CHECK_NOTHROW(parse_deck(outcome.out, "printed.yaml"));
  }
  CHECK_FALSE(contains(of("reflecting,reflecting").out, "# gravity"));
  CHECK_FALSE(contains(halfstep("check sod.yaml").out, "# gravity"));
}

TEST_CASE("check remarks on steps that will be rejected, and on weno5z with euler") {
  const Shell halfstep;
  const auto remarks = [&](const std::string& overrides) {
    const Outcome outcome = halfstep("check sod.yaml " + overrides);
    CHECK(outcome.code == 0);
    CHECK_NOTHROW(parse_deck(outcome.out, "printed.yaml"));
    const auto at = outcome.out.find("for setting up and files\n");
    REQUIRE(at != std::string::npos);
    return outcome.out.substr(outcome.out.find('\n', at) + 1);
  };
  // Sound speed 1.18 on 64 cells: a Courant number of 75.7 dt.
  CHECK(remarks("").empty());
  CHECK(remarks("time.dt=0.013").empty());
  CHECK(remarks("time.cfl=1.5 soft_error.cfl_limit=0").empty());
  CHECK(remarks("soft_error.spike.limit=1.5 soft_error.spike.factor=10").empty());
  CHECK(remarks("scheme.integrator=euler scheme.reconstruction=plm").empty());
  CHECK(
      remarks("time.cfl=1.5") ==
      "# the Courant number of time.cfl is beyond soft_error.cfl_limit, 1: steps are rejected and halved\n");
  CHECK(contains(remarks("time.cfl=1.5 soft_error.max_halvings=0"), "no step can be accepted"));
  CHECK(contains(remarks("soft_error.cfl_limit=0.001"),
                 "not even after 8 halvings; the run will end with exit code 3"));
  CHECK(contains(remarks("time.dt=0.02"), "# the Courant number of time.dt, 1.51"));
  CHECK(contains(remarks("time.dt=0.02"), ": steps are rejected and halved\n"));
  CHECK(contains(remarks("time.dt=0.02 soft_error.max_halvings=0"), "no step can be accepted"));
  CHECK(contains(remarks("soft_error.spike.limit=0.5"),
                 "# the initial pressure reaches 1, beyond soft_error.spike.limit, 0.5: steps are rejected, "
                 "and no halving cures that\n"));
  CHECK(contains(remarks("'case={name: shu_osher}' 'soft_error.spike={field: density, factor: 1}'"),
                 "# the initial density has a cell 1."));
  CHECK(contains(remarks("scheme.integrator=euler"), "# weno5z with integrator euler is unstable"));
}

TEST_CASE("the directory of a deck that names none is out and the deck's own name") {
  const Shell halfstep;
  const std::string deck = contents(halfstep / "sod.yaml");
  for (const auto& [file, directory] : {std::pair{"sod.yaml", "out/sod"},
                                        {"fine.v2.yml", "out/fine.v2"},
                                        {"tube.txt", "out/tube.txt"},
                                        {"..yaml", "out/deck"}}) {
    halfstep.write(file, deck);
    CHECK(contains(halfstep(std::string("check ") + file).out,
                   std::string("\n  directory: ") + directory + "\n"));
  }
  CHECK(contains(halfstep("check sod.yaml output.directory=here").out, "\n  directory: here\n"));
  const Outcome outcome = halfstep("run sod.yaml --backend host --threads 1 --no-progress");
  CHECK(outcome.code == 0);
  CHECK(outcome.out.starts_with("Sod: 64 cells, weno5z, hllc, ssprk3, double precision; host ("));
  CHECK(outcome.out.ends_with("\nwrote out/sod; see it: halfstep plot out/sod\n"));
  CHECK(halfstep.has("out/sod/summary.json"));
}

TEST_CASE("a reader that goes away is no error, and the exit code is that of the command") {
  const Shell halfstep;
  for (const auto& [command, code] : {std::pair{"list", 0},
                                      {"schema", 0},
                                      {"schema --markdown", 0},
                                      {"check sod.yaml", 0},
                                      {"info", 0},
                                      {"--help", 0},
                                      {"run nowhere.yaml", 2}}) {
    CAPTURE(command);
    // A pipe that nobody reads, from the first byte on.
    const Outcome outcome = halfstep("--version >/dev/null; { sleep 0.05; '" + std::string(HALFSTEP_BINARY) +
                                     "' " + command + " 2>said.txt; echo $? >code.txt; } | true; true");
    CHECK(contents(halfstep / "code.txt") == std::to_string(code) + "\n");
    CHECK(contents(halfstep / "said.txt").empty() == (code == 0));
    CHECK(outcome.code == 0);
    fs::remove(halfstep / "code.txt");
  }
}

TEST_CASE("list has a line for every case and scheme") {
  const Shell halfstep;
  const Outcome outcome = halfstep("list");
  CHECK(outcome.code == 0);
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    const auto at = outcome.out.find("\n  " + info.name + " ");
    REQUIRE(at != std::string::npos);
    CHECK(contains(outcome.out.substr(at + 1, outcome.out.find('\n', at + 1) - at), info.summary));
  }
  for (const char* name : {"weno5z", "van_leer", "hllc", "ssprk3", "reflecting", "async-error"})
    CHECK(contains(outcome.out, name));
}

TEST_CASE("study without a name lists the studies") {
  const Outcome outcome = Shell()("study");
  CHECK(outcome.code == 0);
  CHECK(contains("\n" + outcome.out, "\nasync-error  "));
}

TEST_CASE("info names the version, the compilers, the libraries and the devices") {
  const Outcome outcome = Shell()("info");
  CHECK(outcome.code == 0);
  for (const char* line : {"halfstep", "build", "C++ compiler", "CUDA compiler", "HDF5", "yaml-cpp",
                           "processor", "OpenMP", "CUDA device"})
    CHECK(contains("\n" + outcome.out, "\n" + std::string(line)));
}

TEST_CASE("the help of every command has examples of its own") {
  const Shell halfstep;
  for (const std::string command : {"run", "check", "bench", "compare", "regress", "verify", "study", "plot",
                                    "report", "list", "info", "schema"}) {
    CAPTURE(command);
    const Outcome outcome = halfstep(command + " --help");
    CHECK(outcome.code == 0);
    const std::size_t examples = outcome.out.find("\nExample");
    REQUIRE(examples != std::string::npos);
    int count = 0;
    std::istringstream lines(outcome.out.substr(examples));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("  halfstep ")) {
        CHECK((line + ' ').starts_with("  halfstep " + command + ' '));
        ++count;
      }
    CHECK(count > 0);
  }
  CHECK(contains(halfstep("schema --help").out, "\n  --markdown "));
}

TEST_CASE("a study that cannot run here says so in one line, and makes no directory") {
  if (cuda_available()) {
    MESSAGE("skipped: there is a GPU, and every study can run");
    return;
  }
  const Shell halfstep;
  for (const char* study : {"async-error", "detection", "interruptible", "streams", "tune"}) {
    CAPTURE(study);
    const Outcome outcome = halfstep(std::string("study ") + study + " --output out/deep");
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("halfstep: error: the study "));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK_FALSE(halfstep.has("out"));
  }
  halfstep.write("file", "");
  const Outcome outcome = halfstep("study timers --output file/below");
  CHECK(outcome.code == 1);
  CHECK(contains(outcome.err, "cannot create 'file/below': Not a directory"));
}

TEST_CASE("standard streams that are closed take no file of the run") {
  const Shell halfstep;
  const Outcome outcome = halfstep(
      "list >/dev/null; sh -c '\"$0\" run sod.yaml --output out <&- >&- 2>&-' \"" HALFSTEP_BINARY "\"");
  CHECK(outcome.code == 0);
  std::ifstream history(halfstep / "out/history.csv");
  int rows = -1;
  for (std::string line; std::getline(history, line); ++rows)
    if (rows >= 0) CHECK(line.starts_with(std::to_string(rows) + ','));
  CHECK(rows > 10);
  CHECK(halfstep("run --restart out time.end=0.21").code == 0);
}

TEST_CASE("schema prints JSON") {
  const Outcome outcome = Shell()("schema");
  CHECK(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out).at("title") == "halfstep deck");
}

TEST_CASE("there is no colour where there is no terminal") {
  CHECK_FALSE(contains(Shell()("run nowhere.yaml").err, "\033"));
}

TEST_CASE("a full disk is an error, not a short answer") {
  const Shell halfstep;
  const Outcome outcome = halfstep("list", "/dev/full");
  CHECK(outcome.code == 1);
  CHECK(outcome.err == "halfstep: error: cannot write to standard output\n");
  CHECK(halfstep("--help", "/dev/full").code == 1);
}

}  // namespace

TEST_CASE("verify prints a table, and writes it where it is asked to") {
  const Shell halfstep;
  const Outcome outcome = halfstep("verify noh_1d --backend host --threads 1 --json noh.json");
  CHECK(outcome.code == 0);
  for (const char* said : {"noh_1d", "shock radius, cells off", "PASS", "Noh 1987", "all within their bars"})
    CHECK(contains(outcome.out, said));
  const nlohmann::json written = nlohmann::json::parse(contents(halfstep / "noh.json"));
  CHECK(written.at("provenance").at("command") == "halfstep verify noh_1d --backend host --threads 1");
  CHECK(halfstep("verify noh_1d --backend host --json /dev/full/no").code == 1);
}

TEST_CASE("a mesh that is too large for the memory is refused, and nothing is written") {
  const Shell halfstep;
  const Outcome outcome =
      halfstep("list >/dev/null; ulimit -v 3000000; '" + std::string(HALFSTEP_BINARY) +
               "' run sod.yaml --backend host 'mesh.cells=[1000,1000,1000]' --output out");
  CHECK(outcome.code == 1);
  CHECK(contains(outcome.err, "halfstep: error: not enough main memory"));
  CHECK(contains(outcome.err, "'halfstep check DECK' says what a run needs"));
  CHECK_FALSE(halfstep.has("out"));
}

TEST_CASE("what a run needs of memory is compared with what is there before anything is allocated") {
  const Shell halfstep;
  const Outcome outcome =
      halfstep("run sod.yaml --backend host 'mesh.cells=[4096,4096,4096]' --output out");
  CHECK(outcome.code == 1);
  CHECK(contains(outcome.err, "halfstep: error: not enough main memory: this run needs "));
  CHECK(contains(outcome.err, "are available ("));
  CHECK(contains(outcome.err, "use fewer cells or scheme.precision=single"));
  CHECK_FALSE(halfstep.has("out"));
}

TEST_CASE("an empty path is none, and a pipe is no file to draw") {
  const Shell shell;
  for (const char* option : {"--output", "--restart"}) {
    const auto refused = shell("run sod.yaml --backend host " + std::string(option) + " ''");
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, option));
    CHECK(contains(refused.err, "'' is not a path"));
  }
  CHECK_FALSE(shell.has("out"));
  const auto pipe = shell("list >/dev/null; mkfifo pipe.vtkhdf; '" + std::string(HALFSTEP_BINARY) +
                          "' plot pipe.vtkhdf");
  CHECK(pipe.code == 2);
  CHECK(contains(pipe.err, "'pipe.vtkhdf' is no regular file"));
}

TEST_CASE("Inputs without measure end with a message: long words, deep nests, many keys and threads, C1 controls") {
  const Shell shell;
  CHECK(shell("check " + std::string(27000, 'a')).code == 2);
  CHECK(shell("check sod.yaml " + std::string(27000, 'a') + "=1").code == 2);
  std::string nest, keys = "title: a\ncase: {name: riemann}\n";
  for (int n = 0; n < 40000; ++n) nest += "{\"a\":";
  shell.write("summary.json", nest + "1" + std::string(40000, '}'));
  const auto compared = shell("compare summary.json summary.json");
  CHECK(compared.code == 1);
  CHECK(contains(compared.err, "nested too deeply"));
  for (int n = 0; n < 90000; ++n) keys += "k" + std::to_string(n) + ": 1\n";
  shell.write("keys.yaml", keys);
  const auto many = shell("check keys.yaml");
  CHECK(many.code == 2);
  CHECK(contains(many.err, "more errors are not shown"));
  for (const char* title : {"a\xc2\x9b", "\"a\\u009b\""}) {
    shell.write("title.yaml", "title: " + std::string(title) + "\ncase: {name: riemann}\n");
    const auto refused = shell("check title.yaml");
    CHECK(refused.code == 2);
    CHECK_FALSE(contains(refused.out + refused.err, "\xc2\x9b"));
  }
  const auto threads = shell("run sod.yaml time.max_steps=2 --backend host --threads 65536 --output out/threads");
  CHECK(threads.code == 0);
  CHECK(contains(threads.out, "--threads 65536: "));
}

TEST_CASE("A summary does not say finished where standard output cannot be written") {
  const Shell shell;
  const auto full = shell("run sod.yaml time.max_steps=2 --backend host --threads 1 --output full", "/dev/full");
  CHECK(full.code == 1);
  CHECK_FALSE(contains(contents(shell / "full/summary.json"), "finished"));
}
