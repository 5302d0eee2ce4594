// The command line as a shell sees it: exit codes, stdout and stderr.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "app/base/studies.hpp"
#include "app/deck/deck.hpp"
#include "app/deck/diagnostic.hpp"
#include "physics/cases/case.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/shell.hpp"

namespace {

using namespace halfstep;
namespace fs = std::filesystem;

TEST_CASE("help and version go to stdout with exit code 0") {
  const Shell halfstep;
  CHECK(halfstep
            .expect(0, "--help",
                    {"run", "sweep", "check", "list", "info", "schema", "bench", "compare", "regress",
                     "study", "verify", "plot", "Examples:"})
            .err.empty());
  halfstep.expect(0, "run --help",
                  {"--output", "--backend", "--threads", "--restart", "--wall-time", "--quiet",
                   "--no-progress", "Exit codes"});
  CHECK(halfstep.expect(0, "--version").out.starts_with("halfstep "));
}

TEST_CASE("a mistake on the command line is exit code 2, one message and the nearest name") {
  const Shell halfstep;
  const auto mistake = [&](const std::string& arguments, const std::string& message) {
    const Outcome outcome = halfstep.expect(2, arguments, {"halfstep: error: " + message + "\n"});
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("halfstep: error: "));
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
  mistake("study timers flow.cu:step", "the study 'timers' takes no KERNEL");
  mistake("study timers --arch sm_80", "the study 'timers' takes no --arch");
  mistake("study kernel --scheme plm", "the study 'kernel' takes no --scheme");
  mistake("study registers --scheme weno9", "--scheme and --precision leave no kernel");
  mistake("study registers --method prinft",
          "--method: 'prinft' is not none, printf, assert, payload or raise_once");
  mistake("study registers --block 100", "--block: 100 is not a multiple of 32");
  mistake("study kernel", "the study 'kernel' needs FILE.cu:NAME");
  mistake("study kernel nowhere.cu:step", "there is no file 'nowhere.cu'");
  mistake("study kernel nowhere.cu:step --block 128,,256",
          "--block: '128,,256' is not a list of items separated by commas");
  mistake("study kernel nowhere.cu:step --block 2048", "--block: '2048' is not an integer from 1 to 1024");
  mistake("study kernel nowhere.cu:step --caps 64,many", "--caps: 'many' is not an integer from 0 to 255");
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
  mistake("info cases", "unexpected argument 'cases'");
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
  halfstep.expect(2, "run sof.yaml", {"sof.yaml: error: no such file; did you mean 'sod.yaml'?\n"});
}

/// Checks that a shock tube between these states runs in double precision, and that in single precision it is
/// refused before anything is written.
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
    halfstep.expect(0, command,
                    {"the initial pressure 1 at (0.03125, 0.5, 0.5) is little beside the kinetic energy: "
                     "rounding to single precision may change it by 1.2 %; scheme.precision=double holds it",
                     "the pressure that a boundary lets in, 1 at (-"});
  }
  CHECK_FALSE(contains(halfstep("check slow.yaml").out, "rounding to"));

  // A state that the check of updates refuses can be run with floors alone.
  halfstep.write("faster.yaml", tube("3000", ""));
  halfstep.write("floored.yaml", tube("3000", "soft_error: {on_exhausted: floor}\n"));
  for (const char* command : {"check faster.yaml", "run faster.yaml --backend host"}) {
    CHECK(halfstep.expect(2, command).err ==
          "faster.yaml: error: the pressure 1 at (0.03125, 0.5, 0.5) is lost beside the kinetic "
          "energy in single precision\n      = scheme.precision=double can hold it, "
          "soft_error.on_exhausted=floor raises it\n");
  }
  CHECK(halfstep("check floored.yaml").code == 0);
  // The same in double precision.
  halfstep.write("fastest.yaml", tube("1e8", ""));
  CHECK(contains(halfstep.expect(2, "check fastest.yaml scheme.precision=double").err,
                 "is lost beside the kinetic energy in double precision"));
  halfstep.expect(0, "check fastest.yaml scheme.precision=double soft_error.on_exhausted=floor");
  // Where nothing is left for floors to raise, it is said why.
  halfstep.write("lost.yaml", tube("1e10", "soft_error: {on_exhausted: floor}\n"));
  halfstep.expect(2, "check lost.yaml scheme.precision=double",
                  {"is unphysical: density 1, pressure 0, what round-off of the kinetic energy leaves"});
}

TEST_CASE("a reader that leaves in the middle is no error") {
  const Shell halfstep;
  const std::string pipe = (halfstep / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (int turn = 0; turn < 5; ++turn) {  // longer than a pipe holds
    REQUIRE(std::system(("head -n 1 <'" + pipe + "' >/dev/null &").c_str()) == 0);
    const Outcome schema = halfstep("schema", "pipe");
    CHECK_MESSAGE(schema.code == 0, schema.err);
  }
}

TEST_CASE("what inflow takes from beyond the mesh has to be a gas, and its scalars mass fractions") {
  if (!can_test_expressions()) return;
  const Shell halfstep;
  const auto flow = [&](const std::string& pressure, const std::string& dye) {
    return "case: {name: regions, background: {density: 1, velocity: [1, 0, 0], pressure: \"" + pressure +
           "\"}}\nscalars: {dye: \"" + dye +
           "\"}\nmesh: {cells: [16, 1, 1], boundary: {x: [inflow, outflow]}}\n"
           "time: {end: 0.1}\noutput: {directory: out}\n";
  };
  halfstep.write("pressure.yaml", flow("x", "0.5"));
  halfstep.write("dye.yaml", flow("1", "x"));
  halfstep.write("sound.yaml", flow("1", "abs(x)"));
  for (const std::string command : {"check ", "run --backend host "}) {
    halfstep.expect(
        2, command + "pressure.yaml",
        {"the state that a boundary lets in at (-0.15625, 0.5, 0.5), density 1 and pressure -0.15625, "
         "is not positive\n      = check the values of mesh.boundary"});
    halfstep.expect(
        2, command + "dye.yaml",
        {"the mass fraction of dye that a boundary lets in at (-0.15625, 0.5, 0.5), -0.15625, is not "
         "between 0 and 1"});
    halfstep.expect(0, command + "sound.yaml");
  }
}

TEST_CASE("gamma - 1 that single precision cannot hold is refused with the nearest gamma") {
  const Shell halfstep;
  halfstep.expect(2, "check sod.yaml gas.gamma=1.00001 scheme.precision=single",
                  {"'gas.gamma' 1.00001 is too close to 1 for single precision",
                   "scheme.precision=double can hold it, and single precision gamma 1.00001001"});
  halfstep.expect(0, "check sod.yaml gas.gamma=1.00001001 scheme.precision=single");
  halfstep.expect(0, "check sod.yaml gas.gamma=1.00001");
  halfstep.expect(0, "check sod.yaml gas.gamma=1.0001 scheme.precision=single");
}

TEST_CASE("a run whose time would stand still ends as exhausted") {
  const Shell halfstep;
  halfstep.expect(0, "run sod.yaml --backend host time.dt=1e-300 time.max_steps=2 --output first");
  halfstep.expect(3, "run --restart first time.max_steps=0 time.dt=1e-320 time.end=1 --output second",
                  {"time stands still: dt = "});
}

TEST_CASE("overrides are taken among the positional arguments, also before the deck") {
  const Shell halfstep;
  const Outcome after = halfstep.expect(0, "check sod.yaml 'mesh.cells=[32,1,1]' time.cfl=0.3",
                                        {"  cells: [32, 1, 1]\n", "  cfl: 0.3\n"});
  CHECK(halfstep.expect(0, "check time.cfl=0.3 sod.yaml 'mesh.cells=[32,1,1]'").out == after.out);
  halfstep.expect(2, "check sod.yaml mesh.cell=3",
                  {"override 'mesh.cell=3': error: unknown key 'cell' in 'mesh'; did you mean 'cells'?"});
}

TEST_CASE("check prints a deck that is valid itself, with the memory as comments") {
  const Shell halfstep;
  const Outcome outcome = halfstep.expect(
      0, "check sod.yaml", {"\n# cells:  64 (70 with ghosts)\n# memory: 8.2 KiB on the device"});
  CHECK(outcome.err.empty());
  const RunConfig config = parse_deck(outcome.out, "printed.yaml");
  CHECK(contains(outcome.out, config.resolved));
  CHECK(config.title == "Sod");
}

TEST_CASE("check remarks on gravity towards an outflow boundary") {
  const Shell halfstep;
  const auto tube = [](const std::string& sides) {
    return "check sod.yaml 'mesh.boundary.x=[" + sides + "]' 'gravity=[-1,0,0]'";
  };
  for (const char* sides : {"outflow,outflow", "outflow,reflecting", "reflecting,outflow"}) {
    const Outcome outcome = halfstep.expect(
        0, tube(sides),
        {"\n# gravity along x with an outflow boundary there", "set mesh.boundary.x to reflecting"});
    CHECK_NOTHROW(parse_deck(outcome.out, "printed.yaml"));
  }
  CHECK_FALSE(contains(halfstep(tube("reflecting,reflecting")).out, "# gravity"));
  CHECK_FALSE(contains(halfstep("check sod.yaml").out, "# gravity"));
}

TEST_CASE("check remarks on steps that will be rejected, and on weno5z with euler") {
  const Shell halfstep;
  const auto remarks = [&](const std::string& overrides) {
    const Outcome outcome = halfstep.expect(0, "check sod.yaml " + overrides);
    CHECK_NOTHROW(parse_deck(outcome.out, "printed.yaml"));
    const auto at = outcome.out.find("for setting up and files\n");
    REQUIRE(at != std::string::npos);
    return outcome.out.substr(outcome.out.find('\n', at) + 1);
  };
  // The sound speed is 1.18 on 64 cells: a Courant number of 75.7 dt.
  for (const char* sound : {"", "time.dt=0.013", "time.cfl=1.5 soft_error.cfl_limit=0",
                            "soft_error.spike.limit=1.5 soft_error.spike.factor=10",
                            "scheme.integrator=euler scheme.reconstruction=plm"})
    CHECK(remarks(sound) == "");
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
  const Outcome outcome = halfstep.expect(0, "run sod.yaml --backend host --threads 1 --no-progress");
  CHECK(outcome.out.starts_with("Sod: 64 cells, weno5z, hllc, ssprk3, double precision; host ("));
  CHECK(contains(outcome.out, " on the host; writes to out/sod\n"));
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
    // The output goes to a pipe that is closed before the first byte.
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
  const Outcome outcome =
      halfstep.expect(0, "list", {"weno5z", "van_leer", "hllc", "ssprk3", "reflecting", "async-error"});
  for (const CaseInfo& info : cases()) {
    CAPTURE(info.name);
    const auto at = outcome.out.find("\n  " + info.name + " ");
    REQUIRE(at != std::string::npos);
    CHECK(contains(outcome.out.substr(at + 1, outcome.out.find('\n', at + 1) - at), info.summary));
  }
}

TEST_CASE("study without a name lists the studies; info names the version, the libraries and the devices") {
  const Shell halfstep;
  CHECK(contains("\n" + halfstep.expect(0, "study").out, "\nasync-error  "));
  const std::string info = "\n" + halfstep.expect(0, "info").out;
  for (const std::string line : {"halfstep", "build", "C++ compiler", "CUDA compiler", "HDF5", "yaml-cpp",
                                 "muParser", "FFTW", "processor", "OpenMP", "CUDA device"})
    CHECK_MESSAGE(contains(info, "\n" + line), line);
}

TEST_CASE("the help of every command has examples of its own") {
  const Shell halfstep;
  for (const std::string command : {"run", "sweep", "check", "deck", "bench", "compare", "regress", "verify",
                                    "study", "plot", "report", "list", "info", "schema"}) {
    const Outcome outcome = halfstep.expect(0, command + " --help");
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
  for (const char* study : {"async-error", "streams", "tune"}) {
    const Outcome outcome = halfstep.expect(1, std::string("study ") + study + " --output out/deep");
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("halfstep: error: the study "));
    CHECK(contains(outcome.err, "which needs a CUDA device"));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK_FALSE(halfstep.has("out"));
  }
  halfstep.write("file", "");
  halfstep.expect(1, "study timers --output file/below", {"cannot create 'file/below': Not a directory"});
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

TEST_CASE("schema prints JSON, and there is no colour where there is no terminal") {
  const Shell halfstep;
  CHECK(nlohmann::json::parse(halfstep.expect(0, "schema").out).at("title") == "halfstep deck");
  CHECK_FALSE(contains(halfstep("run nowhere.yaml").err, "\033"));
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
  halfstep.expect(0, "verify noh_1d --backend host --threads 1 --json noh.json",
                  {"noh_1d", "shock radius, cells off", "PASS", "Noh 1987", "all within their bars"});
  const nlohmann::json written = nlohmann::json::parse(contents(halfstep / "noh.json"));
  CHECK(written.at("provenance").at("command") == "halfstep verify noh_1d --backend host --threads 1");
  CHECK(halfstep("verify noh_1d --backend host --json /dev/full/no").code == 1);
}

TEST_CASE("what a run needs of memory is compared with what is there, and without it nothing is written") {
  const Shell halfstep;
  halfstep.expect(1,
                  "list >/dev/null; ulimit -v 3000000; '" + std::string(HALFSTEP_BINARY) +
                      "' run sod.yaml --backend host 'mesh.cells=[1000,1000,1000]' --output out",
                  {"halfstep: error: not enough main memory", "'halfstep check DECK' says what a run needs"});
  // The memory is checked before anything is allocated.
  halfstep.expect(1, "run sod.yaml --backend host 'mesh.cells=[4096,4096,4096]' --output out",
                  {"halfstep: error: not enough main memory: this run needs ", "are available (",
                   "use fewer cells or scheme.precision=single"});
  CHECK_FALSE(halfstep.has("out"));
}

TEST_CASE("an empty path is none, and a pipe is no file to draw") {
  const Shell shell;
  for (const std::string option : {"--output", "--restart"})
    shell.expect(2, "run sod.yaml --backend host " + option + " ''", {option, "'' is not a path"});
  CHECK_FALSE(shell.has("out"));
  shell.expect(2,
               "list >/dev/null; mkfifo pipe.vtkhdf; '" + std::string(HALFSTEP_BINARY) + "' plot pipe.vtkhdf",
               {"'pipe.vtkhdf' is no regular file"});
}

TEST_CASE("Long words, deep nests, many keys and threads, and C1 controls end with a message") {
  const Shell shell;
  shell.expect(2, "check " + std::string(27000, 'a'));
  shell.expect(2, "check sod.yaml " + std::string(27000, 'a') + "=1");
  std::string nest, keys = "title: a\ncase: {name: riemann}\n";
  for (int n = 0; n < 40000; ++n) nest += "{\"a\":";
  shell.write("summary.json", nest + "1" + std::string(40000, '}'));
  shell.expect(1, "compare summary.json summary.json", {"nested too deeply"});
  for (int n = 0; n < 90000; ++n) keys += "k" + std::to_string(n) + ": 1\n";
  shell.write("keys.yaml", keys);
  shell.expect(2, "check keys.yaml", {"more errors are not shown"});
  for (const char* title : {"a\xc2\x9b", "\"a\\u009b\""}) {
    shell.write("title.yaml", "title: " + std::string(title) + "\ncase: {name: riemann}\n");
    const auto refused = shell.expect(2, "check title.yaml");
    CHECK_FALSE(contains(refused.out + refused.err, "\xc2\x9b"));
  }
  shell.expect(0, "run sod.yaml time.max_steps=2 --backend host --threads 65536 --output out/threads",
               {"--threads 65536: "});
}

TEST_CASE("A summary does not say finished where standard output cannot be written") {
  const Shell shell;
  const auto full =
      shell("run sod.yaml time.max_steps=2 --backend host --threads 1 --output full", "/dev/full");
  CHECK(full.code == 1);
  CHECK_FALSE(contains(contents(shell / "full/summary.json"), "finished"));
}
