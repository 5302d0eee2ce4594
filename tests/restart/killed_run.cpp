// Kills a run with -9 at random moments, restarts it each time, and compares the files it leaves with those
// of an undisturbed run. Half-way to each kill a signal asks for a checkpoint, so that some are taken at
// random moments:
//
//   killed_run HALFSTEP DIRECTORY [--kills N] [--seed S] DECK [options and overrides of halfstep run]
//
// The deck needs checkpoints in steps. DIRECTORY is emptied. Exit code 0: the same bits; 1: other bits, or
// something failed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "app/base/json.hpp"
#include "app/output/run_checkpoint.hpp"
#include "tests/restart/process.hpp"
#include "tests/support/temporary_directory.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Returns the files that do not depend on when the run was killed: all but those that tell of the kills, and
/// the checkpoints.
Words files_in(const fs::path& directory) {
  Words names;
  for (const auto& entry : fs::directory_iterator(directory))
    if (const std::string name = entry.path().filename(); !name.starts_with("checkpoint") &&
                                                          name != "events.jsonl" && name != "summary.json" &&
                                                          name != ".halfstep.lock")
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

/// Returns the differences between two runs that should have left the same; empty if there are none.
Words differences(const fs::path& a, const fs::path& b) {
  Words found;
  const Words files = files_in(a), others = files_in(b);
  for (const std::string& name : files)
    if (!std::binary_search(others.begin(), others.end(), name))
      found.push_back(name + " is missing");
    else if (contents(a / name) != contents(b / name))
      found.push_back(name);
  for (const std::string& name : others)
    if (!std::binary_search(files.begin(), files.end(), name)) found.push_back(name + " is left");

  const RunCheckpoint p = read_checkpoint(a / "checkpoint_latest.h5"),
                      q = read_checkpoint(b / "checkpoint_latest.h5");
  if (p.scalars != q.scalars) found.push_back("the scalars of the last checkpoint");
  if (p.averages != q.averages) found.push_back("the averages of the last checkpoint");
  for (int f = 0; f < std::min(p.fields.count(), q.fields.count()); ++f) {
    const auto &x = p.fields.field(f), &y = q.fields.field(f);
    if (x.size() != y.size() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) != 0)
      found.push_back(fmt::format("field {} of the last checkpoint", f));
  }
  if (p.state.step != q.state.step || p.state.time != q.state.time || p.state.level != q.state.level ||
      p.last_dt != q.last_dt || p.next_dump != q.next_dump)
    found.push_back("the last checkpoint's state");
  if (p.counters.attempts != q.counters.attempts || p.counters.rejections != q.counters.rejections ||
      p.counters.repaired_faces != q.counters.repaired_faces)
    found.push_back("the last checkpoint's counters");
  return found;
}

/// Returns "3 restarts, 12 checkpoints, 4 of them within a step". Throws where a line is not JSON.
std::string story(const fs::path& events) {
  std::ifstream file(events);
  int restarts = 0, checkpoints = 0, within = 0;
  for (std::string line; std::getline(file, line);) {
    const Json event = Json::parse(line);
    restarts += event.at("event") == "restart";
    checkpoints += event.at("event") == "checkpoint";
    within += event.contains("under_way");
  }
  return fmt::format("{} restarts, {} checkpoints, {} of them within a step", restarts, checkpoints, within);
}

/// Waits for `seconds`, or until the run has ended.
void pass(Process& run, double seconds) {
  for (const double end = steady_seconds() + seconds; !run.ended() && steady_seconds() < end;)
    sleep_seconds(0.001);
}

class KilledRun {
 public:
  KilledRun(std::string program, fs::path directory, Words deck, unsigned seed)
      : program_(std::move(program)),
        directory_(std::move(directory)),
        deck_(std::move(deck)),
        random_(seed) {
    fs::remove_all(directory_);
    fs::create_directories(directory_);
  }

  bool same_bits(int kills) {
    const double start = seconds_of("one_step", {"time.max_steps=1"}), whole = seconds_of("whole", {});
    const auto counters = read_checkpoint(directory_ / "whole/checkpoint_latest.h5").counters;
    fmt::print("undisturbed: {:.2f} s, one step alone {:.2f} s, {} attempts, {} rejected\n", whole, start,
               counters.attempts, counters.rejections);
    if (counters.rejections == 0) return failed("no step was redone: this deck shows nothing");

    for (int done = 0; done < kills;) {
      const Words command = next_life();
      Process run(command, log());
      // Draws the moment between the start and twice a life's share of the run.
      const double mean = start + std::max(whole - start, 0.0) / kills;
      const double moment = 2 * mean * static_cast<double>(random_()) / 4294967295.0;
      pass(run, moment / 2);
      run.send(SIGUSR1);
      pass(run, moment / 2);
      run.send(SIGKILL);
      if (const int code = run.wait(); code != -SIGKILL && code != -SIGUSR1) {  // it ended before the kill
        if (!compare(code)) return false;
        fs::remove_all(killed());
        continue;
      }
      ++done;
      fmt::print("kill {:2}: {:.3f} s after {}, newest checkpoint {}\n", done, moment,
                 command[2] == "--restart" ? "a restart" : "the start",
                 fs::exists(killed()) ? newest() : "none");
      std::fflush(stdout);
    }
    const Words command = next_life();
    return compare(Process(command, log()).wait());
  }

 private:
  fs::path log() const { return directory_ / "log.txt"; }
  fs::path killed() const { return directory_ / "killed"; }
  /// Returns the checkpoint with the highest number, or "none".
  std::string newest() const {
    std::string last = "none";
    for (const auto& entry : fs::directory_iterator(killed()))
      if (const std::string name = entry.path().filename();
          name.starts_with("checkpoint_0") && (last == "none" || name > last))
        last = name;
    return last;
  }

  /// Returns the seconds that an undisturbed run takes.
  double seconds_of(const std::string& name, const Words& overrides) const {
    Words command = begin_anew(name);
    command.insert(command.end(), overrides.begin(), overrides.end());
    const double began = steady_seconds();
    if (const int code = Process(command, log()).wait(); code != 0)
      throw std::runtime_error(
          fmt::format("the run that nobody disturbs ends with {}:\n{}", code, contents(log())));
    return steady_seconds() - began;
  }

  Words begin_anew(const std::string& name) const {
    Words command = {program_, "run"};
    command.insert(command.end(), deck_.begin(), deck_.end());
    command.insert(command.end(), {"--quiet", "--output", (directory_ / name).string()});
    return command;
  }

  /// Returns a restart from the last checkpoint. Without one checks that a restart is refused, and begins
  /// anew.
  Words next_life() {
    if (!fs::exists(killed())) return begin_anew("killed");
    Words command = {program_, "run", "--restart", killed().string(), "--quiet"};
    for (const std::string& word : deck_)
      if (word.starts_with("--backend=") || word.starts_with("--threads=")) command.push_back(word);
    if (newest() != "none") return command;
    fs::remove(directory_ / "refusal.txt");
    const int code = Process(command, directory_ / "refusal.txt").wait();
    const std::string refusal = contents(directory_ / "refusal.txt");
    if (code != 2 || refusal.find("it holds no checkpoint") == std::string::npos)
      throw std::runtime_error(fmt::format("a restart without a checkpoint ends with {}: {}", code, refusal));
    return begin_anew("killed");
  }

  bool compare(int code) {
    if (code != 0) return failed(fmt::format("the killed run ends with {}", code));
    const Words different = differences(directory_ / "whole", killed());
    for (const std::string& what : different) fmt::print("differs: {}\n", what);
    fmt::print("at the end, after {}: {}\n", story(killed() / "events.jsonl"),
               different.empty() ? "the same bits" : "other bits");
    return different.empty();
  }

  bool failed(const std::string& what) const {
    fmt::print("{}; the program said:\n{}\n", what, contents(log()));
    return false;
  }

  std::string program_;
  fs::path directory_;
  Words deck_;
  std::mt19937 random_;
};

}  // namespace
}  // namespace halfstep

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  int kills = 20;
  unsigned seed = 4;
  if (words.size() < 3) {
    std::cerr
        << "usage: killed_run HALFSTEP DIRECTORY [--kills N] [--seed S] DECK [options of halfstep run]\n";
    return 2;
  }
  auto deck = words.begin() + 2;
  for (; deck + 1 < words.end() && (*deck == "--kills" || *deck == "--seed"); deck += 2)
    if (*deck == "--kills")
      kills = std::stoi(deck[1]);
    else
      seed = static_cast<unsigned>(std::stoul(deck[1]));
  fmt::print("seed {}\n", seed);
  try {
    return halfstep::KilledRun(words[0], words[1], {deck, words.end()}, seed).same_bits(kills) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
