// Requests to a run while it goes on: signals, files, the wall time. Each test starts a real process.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "app/output/run_checkpoint.hpp"
#include "tests/restart/process.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr double kPatience = 60;  // seconds; a loaded machine may be slow, a correct program never hangs

const Words kEndless = {"time.end=1e9", "time.max_steps=0", "output.history_every_steps=100"};

/// Runs whose output goes to the directory `out` of a temporary directory.
class Runs {
 public:
  Words command(Words options) const {
    Words all = {HALFSTEP_BINARY, "run"};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {"--no-progress", "--backend", "host", "--threads", "1"});
    return all;
  }
  Words fresh(const std::string& deck, Words options) const {
    options.insert(options.begin(), std::string(HALFSTEP_SOURCE_DIR "/inputs/") + deck + ".yaml");
    options.insert(options.end(), {"--output", out().string()});
    return command(options);
  }
  fs::path out() const { return directory_ / "out"; }
  fs::path log() const { return directory_ / "log.txt"; }
  std::string said() const { return contents(log()); }
  int run(const Words& command) const {
    fs::remove(log());
    return Process(command, log()).wait(kPatience);
  }

  std::vector<Json> events(const std::string& name) const {
    std::ifstream file(out() / "events.jsonl");
    std::vector<Json> found;
    for (std::string line; std::getline(file, line) && !file.eof();)
      if (Json event = Json::parse(line); event.at("event") == name) found.push_back(event);
    return found;
  }
  /// Returns the reasons of the checkpoints that were written, in order.
  Words reasons() const {
    Words all;
    for (const Json& event : events("checkpoint")) all.push_back(event.at("reason"));
    return all;
  }
  std::string status() const { return Json::parse(contents(out() / "summary.json")).at("status"); }
  std::int64_t step() const { return read_checkpoint(out() / "checkpoint_latest.h5").state.step; }

 private:
  TemporaryDirectory directory_;
};

bool eventually(const std::function<bool()>& condition) {
  for (const double end = steady_seconds() + kPatience; steady_seconds() < end; sleep_seconds(0.02))
    if (condition()) return true;
  return false;
}

/// Whether the run has made steps.
bool is_stepping(const Runs& runs) {
  return eventually([&] {
    std::ifstream history(runs.out() / "history.csv");
    int lines = 0;
    for (std::string line; std::getline(history, line);) ++lines;
    return lines > 3;
  });
}

}  // namespace

TEST_CASE("SIGTERM, SIGINT and SIGHUP stop a run with a checkpoint, however often they come") {
  for (const auto& [signal, name] :
       {std::pair{SIGTERM, "SIGTERM"}, std::pair{SIGINT, "SIGINT"}, std::pair{SIGHUP, "SIGHUP"}}) {
    CAPTURE(name);
    const Runs runs;
    Process run(runs.fresh("sod", kEndless), runs.log());
    REQUIRE(is_stepping(runs));
    const double asked = steady_seconds();
    for (int again = 0; again < 5 && !run.ended(); ++again) {
      run.send(signal);
      sleep_seconds(0.01);
    }
    CHECK(run.wait(kPatience) == 4);
    CHECK(steady_seconds() - asked < 2);
    CHECK(runs.status() == "interrupted");
    CHECK(runs.reasons() == Words{std::string("signal ") + name});
    REQUIRE(runs.events("signal").size() == 1);
    CHECK(runs.events("signal")[0].at("signal") == name);
    const std::int64_t step = runs.step();
    CHECK(step > 0);
    CHECK(runs.run(runs.command(
              {"--restart", runs.out().string(), fmt::format("time.max_steps={}", step + 3)})) == 0);
    CHECK(runs.step() == step + 3);
  }
}

TEST_CASE("A SIGHUP that nohup had ignored does not stop a run") {
  const Runs runs;
  Words command = {"/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh"};
  const Words run_words = runs.fresh("sod", kEndless);
  command.insert(command.end(), run_words.begin(), run_words.end());
  Process run(command, runs.log());
  REQUIRE(is_stepping(runs));
  run.send(SIGHUP);
  sleep_seconds(0.3);
  CHECK_FALSE(run.ended());
  run.send(SIGTERM);
  CHECK(run.wait(kPatience) == 4);
  CHECK(runs.reasons() == Words{"signal SIGTERM"});
}

TEST_CASE("A run whose reader goes away runs on to its end, without a word") {
  const Runs runs;
  Words command = {"/bin/sh", "-c", "{ \"$@\"; echo \"code $?\" >&2; } | head -1", "sh"};
  for (const std::string& word : runs.fresh("sod", {})) command.push_back(word);
  command.erase(std::find(command.begin(), command.end(), "--no-progress"));
  CHECK(runs.run(command) == 0);
  CHECK(runs.status() == "finished");
  // The output is its first line and the exit code alone.
  const std::string said = runs.said();
  CHECK_MESSAGE(std::count(said.begin(), said.end(), '\n') == 2, said);
  CHECK(contains(said, "\ncode 0\n"));
}

TEST_CASE("A signal that comes while the run is set up is served in its first step") {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    const Runs runs;
    Process run(runs.fresh("taylor_green", {"mesh.cells=[96,96,96]", "time.max_steps=1"}), runs.log());
    sleep_seconds(0.15);
    run.send(signal);
    const int code = run.wait(kPatience);
    if (code == -signal) {
      MESSAGE("this machine had not begun to set up the run in time: not tested");
      continue;
    }
    CHECK(code == (signal == SIGTERM ? 4 : 0));
    CHECK(runs.events("signal").size() == 1);
  }
}

TEST_CASE("A deck that never opens does not keep the process from a signal; a checkpoint is a file") {
  const Runs runs;
  const std::string pipe = runs.out().string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  for (const int signal : {SIGTERM, SIGINT}) {
    CAPTURE(signal);
    Process run(runs.command(Words{pipe}), runs.log());
    sleep_seconds(0.3);
    CHECK_FALSE(run.ended());
    run.send(signal);
    CHECK(run.wait(5) == -signal);
  }
  Process run(runs.command(Words{"--restart", pipe}), runs.log());
  CHECK(run.wait(5) == 2);
}

TEST_CASE("A run whose directory is removed fails, also where another has been put in its place") {
  for (const bool replaced : {false, true}) {
    CAPTURE(replaced);
    const Runs runs;
    Words options = kEndless;
    options.push_back("output.every=0");  // nothing is written before the checkpoint at the end
    Process run(runs.fresh("sod", options), runs.log());
    REQUIRE(is_stepping(runs));
    // The list that the first dump is entered in last: nothing is being written when the directory goes.
    REQUIRE(eventually([&] { return fs::exists(runs.out() / "fields.xmf"); }));
    fs::rename(runs.out(), runs.out().string() + ".gone");
    if (replaced) fs::create_directory(runs.out());
    run.send(SIGTERM);
    CHECK(run.wait(kPatience) == 1);
    CHECK(contains(runs.said(), "was removed or replaced while it was written"));
    CHECK_FALSE(contains(runs.said(), "status  "));
    if (replaced) CHECK(runs.status() == "failed");
  }
}

TEST_CASE("SIGUSR1 and a file 'checkpoint' ask for one, and the run goes on; a file 'stop' stops it") {
  const Runs runs;
  Process run(runs.fresh("sod", kEndless), runs.log());
  REQUIRE(is_stepping(runs));
  run.send(SIGUSR1);
  REQUIRE(eventually([&] { return runs.reasons().size() == 1; }));
  const std::int64_t first = runs.step();
  put(runs.out() / "checkpoint", "");
  REQUIRE(eventually([&] { return !fs::exists(runs.out() / "checkpoint"); }));
  CHECK(runs.step() > first);
  CHECK_FALSE(run.ended());
  put(runs.out() / "stop", "");
  CHECK(run.wait(kPatience) == 4);
  CHECK_FALSE(fs::exists(runs.out() / "stop"));
  CHECK(runs.reasons() == Words{"signal SIGUSR1", "file checkpoint", "file stop"});
  CHECK(runs.status() == "interrupted");
  Words names;
  for (const Json& event : runs.events("signal")) names.push_back(event.at("signal"));
  CHECK(names == Words{"SIGUSR1", "file checkpoint", "file stop"});
}

TEST_CASE("A file 'stop' from before the run is removed; one with contents is nobody's request") {
  const Runs runs;
  REQUIRE(runs.run(runs.fresh("sod", {"time.max_steps=10"})) == 0);
  put(runs.out() / "stop", "");
  put(runs.out() / "checkpoint", "model weights");
  CHECK(runs.run(runs.command({"--restart", runs.out().string(), "time.max_steps=20"})) == 0);
  CHECK(contains(runs.said(), "removed '" + (runs.out() / "stop").string() + "'"));
  CHECK_FALSE(fs::exists(runs.out() / "stop"));
  CHECK(contents(runs.out() / "checkpoint") == "model weights");
  CHECK(runs.step() == 20);
  CHECK(runs.reasons() == Words{"end", "end"});
}

TEST_CASE("The wall time stops a run before it is over, with a checkpoint") {
  const Runs runs;
  Words command = runs.fresh("sod", kEndless);
  command.insert(command.end(), {"--wall-time", "00:00:03"});
  const double began = steady_seconds();
  CHECK(runs.run(command) == 4);
  const double took = steady_seconds() - began;
  CHECK(took < 3);
  CHECK(took > 1);
  CHECK(runs.reasons() == Words{"wall time"});
  CHECK(runs.step() > 0);
}

TEST_CASE("Checkpoints every so many steps and so much wall time; a run that gives up leaves one") {
  const Runs runs;
  CHECK(runs.run(runs.fresh("sod", {"checkpoint.every_steps=10", "time.max_steps=30"})) == 0);
  CHECK(runs.reasons() == Words{"every_steps", "every_steps", "end"});

  Process run(runs.fresh("sod", {"time.end=1e9", "time.max_steps=0", "checkpoint.every_wall=00:00:01"}),
              runs.log());
  CHECK(eventually([&] { return runs.reasons().size() == 2; }));
  run.send(SIGTERM);
  CHECK(run.wait(kPatience) == 4);
  CHECK(runs.reasons()[0] == "every_wall");

  CHECK(runs.run(runs.fresh("too_long_step",
                            {"soft_error.max_halvings=0", "soft_error.on_exhausted=abort"})) == 3);
  CHECK(runs.reasons() == Words{"soft error"});
}

TEST_CASE("SIGTERM in a long step in slices: a checkpoint within it, that goes on to the same bits") {
  // Makes one step to the end, in which the source takes each cell through tens of thousands of sub-steps:
  // 4096 cells take over 20 s.
  const auto box = [](const Runs& runs, int cells) {
    return runs.fresh("cooling_box",
                      {fmt::format("mesh.cells=[{},1,1]", cells), "mesh.upper=[1.0e+9,64,1]", "time.dt=40",
                       "source.tolerance=1.0e-12", "source.max_substeps=10000000", "output.every=0",
                       "interruptible.enabled=true"});
  };
  const auto stop = [](const Runs& runs, Process& run) {
    const double asked = steady_seconds();
    run.send(SIGTERM);
    CHECK(run.wait(kPatience) == 4);
    CHECK(steady_seconds() - asked < 2);
    const std::vector<Json> checkpoints = runs.events("checkpoint");
    REQUIRE(!checkpoints.empty());
    CHECK(checkpoints.back().contains("under_way"));
    CHECK(runs.step() == 0);
  };
  const Runs slow;
  {
    Process run(box(slow, 4096), slow.log());
    REQUIRE(eventually([&] { return fs::exists(slow.out() / "fields_000000.vtkhdf"); }));
    sleep_seconds(0.5);
    stop(slow, run);
  }
  Process again(slow.command({"--restart", slow.out().string()}), slow.log());
  REQUIRE(eventually([&] { return slow.events("restart").size() == 1; }));
  sleep_seconds(0.5);
  stop(slow, again);
  CHECK(slow.reasons().size() == 2);

  const Runs paused, whole;
  {
    Process run(box(paused, 128), paused.log());
    REQUIRE(eventually([&] { return fs::exists(paused.out() / "fields_000000.vtkhdf"); }));
    sleep_seconds(0.1);
    stop(paused, run);
  }
  CHECK(paused.run(paused.command({"--restart", paused.out().string()})) == 0);
  CHECK(whole.run(box(whole, 128)) == 0);
  for (const char* name : {"fields_000001.vtkhdf", "history.csv"})
    CHECK((contents(paused.out() / name) == contents(whole.out() / name)));
}

TEST_CASE("A dump that cannot be written ends the run with the reason, and no checkpoint counts on it") {
  const Runs runs;
  // Limits files to 200 blocks, which any shell makes less than the dump's 320 kB.
  Words command = runs.fresh("sod", {"mesh.cells=[40000,1,1]", "output.every=0", "output.every_steps=10",
                                     "output.fields=[density]", "time.max_steps=100000"});
  Words limited = {"/bin/sh", "-c", "ulimit -f 200; exec \"$@\"", "sh"};
  limited.insert(limited.end(), command.begin(), command.end());
  CHECK(runs.run(limited) == 1);
  CHECK(contains(runs.said(), "fields_000000.vtkhdf': File too large"));
  CHECK(contains(runs.said(), "ulimit -f"));
  CHECK(runs.status() == "failed");
  CHECK_FALSE(fs::exists(runs.out() / "checkpoint_latest.h5"));
}

TEST_CASE("Two runs do not write into one directory") {
  const Runs runs;
  Process run(runs.fresh("sod", kEndless), runs.log());
  REQUIRE(is_stepping(runs));
  run.send(SIGUSR1);
  REQUIRE(eventually([&] { return runs.reasons().size() == 1; }));
  for (const Words& second : {runs.fresh("sod", {}), runs.command({"--restart", runs.out().string()})}) {
    CHECK(runs.run(second) == 1);
    CHECK(contains(runs.said(), "another run is writing into '" + runs.out().string() + "' (process "));
    CHECK(contains(runs.said(), "--output"));
  }
  CHECK_FALSE(run.ended());
  run.send(SIGKILL);
  CHECK(run.wait() == -SIGKILL);
  CHECK(runs.run(runs.command({"--restart", runs.out().string(), "--wall-time=00:00:01"})) == 4);
}
