// Steps queued ahead of the host give the same bits as steps that are awaited one by one.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>

#include "app/regress/test_decks.hpp"
#include "app/run/run.hpp"
#include "tests/support/run_case.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

CaseRun on_cuda(const TestDeck& deck, Overrides more) {
  more.insert(more.begin(), deck.overrides.begin(), deck.overrides.end());
  CaseRun run(deck.name, more, 0, "cuda");
  run.wants_totals = true;
  run.run();
  return run;
}

void check_same(const CaseRun& a, const CaseRun& b) {
  CHECK(a.state.time == b.state.time);
  CHECK(a.state.step == b.state.step);
  CHECK(a.rate == b.rate);
  CHECK(a.repaired_faces == b.repaired_faces);
  REQUIRE(a.steps.size() == b.steps.size());
  bool same_steps = true;
  for (std::size_t n = 0; n < a.steps.size(); ++n)
    same_steps &= a.steps[n].dt == b.steps[n].dt && a.steps[n].time_after == b.steps[n].time_after &&
                  a.steps[n].lands_on_output == b.steps[n].lands_on_output;
  CHECK(same_steps);
  REQUIRE(a.totals.size() == b.totals.size());
  bool same_totals = true;
  for (std::size_t n = 0; n < a.totals.size(); ++n) same_totals &= a.totals[n] == b.totals[n];
  CHECK(same_totals);
  REQUIRE(a.rejections.size() == b.rejections.size());
  for (std::size_t n = 0; n < a.rejections.size(); ++n) {
    const Rejection &x = a.rejections[n], &y = b.rejections[n];
    CHECK(x.step == y.step);
    CHECK(x.dt == y.dt);
    CHECK(x.error.kind == y.error.kind);
    CHECK(x.error.cell == y.error.cell);
    CHECK(x.error.stage == y.error.stage);
    CHECK(x.error.counts == y.error.counts);
    CHECK(x.replay.reproduced == y.replay.reproduced);
  }
  CHECK(a.remedied.size() == b.remedied.size());
  CHECK(identical(a.fields(), b.fields()));
}

}  // namespace

TEST_CASE("poll: pipelined gives the bits of poll: step on every deck, at any depth") {
  std::size_t rejections = 0, remedied = 0;
  for (const TestDeck& deck : test_decks()) {
    if (!deck.skipped().empty()) {
      MESSAGE(deck.skipped());
      continue;
    }
    const CaseRun step = on_cuda(deck, {"soft_error.poll=step"});
    rejections += step.rejections.size();
    remedied += step.remedied.size();
    for (const char* depth : {"2", "5", "64"}) {
      INFO((deck.name + ", depth " + depth));
      check_same(on_cuda(deck, {"soft_error.poll=pipelined", std::string("soft_error.depth=") + depth}),
                 step);
    }
  }
  CHECK(rejections > 0);
  CHECK(remedied > 0);
}

std::string sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  std::multiset<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  std::string sorted;
  for (const std::string& line : lines) sorted += line + '\n';
  return sorted;
}

TEST_CASE("pipelined runs land on outputs and leave the files of runs that look at every step") {
  const TestDeck decks[] = {{"sod", {"time.dt=0.02", "output.every=0.03"}},
                            {"sedov_3d", {"mesh.cells=[20,24,28]", "time.end=0.05", "output.every=0.02"}},
                            {"sedov_3d",  // slices and probes are read beside an attempt where there is one
                             {"mesh.cells=[20,24,28]", "time.end=0.03", "output.every=0.02",
                              "outputs=[{kind: slice, name: plane, axis: z, position: 0.5, every_steps: 1}, "
                              "{kind: probes, name: points, every_steps: 2, points: [[0.4, 0.5, 0.5]]}]"}},
                            {"double_mach", {"mesh.cells=[80,20,1]", "time.end=0.05", "output.every=0.011"}}};
  for (const TestDeck& deck : decks)
    for (const char* every : {"1", "7"}) {
      TemporaryDirectory directory;
      const auto files_of = [&](const std::string& depth) {
        Overrides overrides = deck.overrides;
        for (const std::string& more :
             {std::string("soft_error.poll=pipelined"), "soft_error.depth=" + depth,
              std::string("output.every_steps=9"), std::string("checkpoint.every_steps=11"),
              std::string("checkpoint.keep=1000"), std::string("output.history_every_steps=") + every})
          overrides.push_back(more);
        RunOptions options;
        options.deck = HALFSTEP_SOURCE_DIR "/inputs/" + deck.name + ".yaml";
        options.overrides = overrides;
        options.output = directory / depth;
        options.backend = "cuda";
        options.quiet = true;
        REQUIRE(run(options) == 0);
        // The decks differ only in the depth, one digit: replace it in the files that hold the deck.
        std::map<std::string, std::string> files;
        for (const auto& file : std::filesystem::directory_iterator(options.output)) {
          const std::string name = file.path().filename(), text = "depth: " + depth;
          if (name == "summary.json" || name.ends_with(".h5")) continue;  // wall times
          std::string bytes = contents(file.path());
          if (name.ends_with(".vtkhdf")) bytes.erase(0, 512);  // the seal: its checksum covers the deck
          for (auto at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + 1))
            bytes.replace(at, text.size(), "depth: ?");
          files[name] =
              name == "events.jsonl" ? sorted_lines(bytes) : bytes;  // checkpoints: when they were written
        }
        return files;
      };
      const auto step = files_of("1"), pipelined = files_of("8");
      INFO(deck.name, ", history every ", every);
      CHECK(step.size() > 5);
      REQUIRE(step.size() == pipelined.size());
      for (const auto& [name, bytes] : step) {
        INFO(name);
        REQUIRE(pipelined.contains(name));
        CHECK((bytes == pipelined.at(name)));
      }
    }
}
