// `halfstep study`: the tables, and the scenario of async-error computed on the host.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/base/studies.hpp"
#include "app/study/async_error.hpp"
#include "app/study/interruptible.hpp"
#include "app/study/study.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

Table sample() {
  return {.title = "Kernels",
          .columns = {"kernel", "registers", "time (ms)", "remark"},
          .rows = {{"plm", std::int64_t{80}, 0.1 + 0.2, "fits, \"just\""},
                   {"weno5z", std::int64_t{168}, std::nan(""), ""}},
          .notes = {"One GPU."}};
}

TEST_CASE("a table on the terminal: columns aligned, numbers to the right") {
  CHECK(table_text(sample()) ==
        "Kernels\n"
        "\n"
        "kernel  registers  time (ms)  remark\n"
        "plm            80        0.3  fits, \"just\"\n"
        "weno5z        168        nan\n"
        "\n"
        "One GPU.\n");
}

TEST_CASE("prose in the last column is wrapped at spaces and stays in its column") {
  const Table table{.title = "T",
                    .columns = {"n", "because"},
                    .rows = {{std::int64_t{1}, "one two three four five six seven eight"}},
                    .notes = {"a note of more than thirty characters"}};
  CHECK(table_text(table, 30) ==
        "T\n"
        "\n"
        "n  because\n"
        "1  one two three four five six\n"
        "   seven eight\n"
        "\n"
        "a note of more than thirty\n"
        "characters\n");
  const Table word{
      .title = "T", .columns = {"n", "w"}, .rows = {{std::int64_t{1}, std::string(30, 'x')}}, .notes = {}};
  CHECK(table_text(word, 10) ==
        "T\n\nn  w\n1  " + std::string(24, 'x') + "\n   " + std::string(6, 'x') + "\n");
}

TEST_CASE("a table as CSV: quotes where they are needed, numbers that read back to the same bits") {
  CHECK(table_csv(sample()) ==
        "kernel,registers,time (ms),remark\n"
        "plm,80,0.30000000000000004,\"fits, \"\"just\"\"\"\n"
        "weno5z,168,nan,\n");
}

TEST_CASE("a ratio that others found holds, is reversed, or is gone") {
  CHECK(standing_of(12, 3) == Standing::holds);
  CHECK(standing_of(3, 3) == Standing::holds);
  CHECK(standing_of(1.2, 3) == Standing::gone);
  CHECK(standing_of(0.9, 3) == Standing::gone);
  CHECK(standing_of(0.3, 3) == Standing::reversed);
}

TEST_CASE("a report: findings after the tables, failures in red where there is colour, all of it as JSON") {
  const StudyReport report{
      .table = sample(),
      .more =
          {{.name = "sweep", .title = "More", .columns = {"n"}, .rows = {{std::int64_t{7}}}, .notes = {}}},
      .findings = {{"pinned is faster", "2.0", "1.0", Standing::gone, "the driver pins"}},
      .failures = {"plm does not fit"}};
  const std::string plain = report_text(report, false);
  CHECK(contains(plain, "gone  pinned is faster: there 2.0, here 1.0. the driver pins\n"));
  CHECK(contains(plain, "\nplm does not fit\n"));
  CHECK(contains(report_text(report, true), "\x1b[31mplm does not fit\x1b[0m\n"));
  const Json json = Json::parse(report_json(report, "kernels", {.command = "halfstep study kernels"}));
  CHECK(json.at("study") == "kernels");
  CHECK(json.at("provenance").at("command") == "halfstep study kernels");
  CHECK(json.at("notes") == Json{"One GPU."});
  CHECK(json.at("rows") ==
        Json{{{"kernel", "plm"}, {"registers", 80}, {"time (ms)", 0.1 + 0.2}, {"remark", "fits, \"just\""}},
             {{"kernel", "weno5z"}, {"registers", 168}, {"time (ms)", "nan"}, {"remark", ""}}});
  CHECK(json.at("tables")[0].at("name") == "sweep");
  CHECK(json["tables"][0].at("rows") == Json{{{"n", 7}}});
  CHECK(json.at("findings")[0].at("standing") == "gone");
  CHECK(json.at("failures") == Json{"plm does not fit"});
}

TEST_CASE("studies have names of their own and one line each") {
  std::set<std::string> names;
  for (const Study& study : studies()) {
    CHECK(names.insert(study.name).second);
    CHECK_FALSE(study.summary.empty());
    CHECK_FALSE(contains(study.summary, "\n"));
  }
}

TEST_CASE("async-error needs a GPU and says so; with one it prints the six lines and writes them") {
  const TemporaryDirectory directory;
  const StudyOptions options{.name = "async-error", .output = (directory / "deep/er").string()};
  if (!cuda_available()) {
    CHECK(contains(refusal([&] { run_study(options); }), "needs a CUDA device"));
    CHECK_FALSE(std::filesystem::exists(directory / "deep/er/async-error.csv"));
    return;
  }
  CHECK(run_study(options) == 0);
  const auto json = nlohmann::json::parse(contents(directory / "deep/er/async-error.json"));
  std::vector<std::string> outputs;
  for (const auto& row : json.at("rows")) outputs.push_back(row.at("output"));
  CHECK(outputs == std::vector<std::string>{"no error", "no error", "launch memcpy",
                                            "ERROR 2: block 92, thread 20, value 1e+06",
                                            "ERROR 3: block 25, thread 8, input -0.0208333", "no error"});
  CHECK(contains(contents(directory / "deep/er/async-error.csv"),
                 "line,the host,output,because\n1,polls A,no error,"));
}

TEST_CASE("interruptible: with a GPU every kernel gives the same sweep, without one the host makes steps") {
  const TemporaryDirectory directory;
  const StudyOptions options{.name = "interruptible", .output = directory.path().string(), .quick = true};
  CHECK(run_study(options) == 0);
  if (!cuda_available()) {
    const auto json = nlohmann::json::parse(contents(directory / "interruptible.json"));
    CHECK(json.at("failures").empty());
    CHECK(json.at("rows").size() == 3);
    CHECK(json["rows"][2].at("slices a step") > 1);
    CHECK(contains(json.at("notes").dump(), "Safe points in kernels: not measured, as "));
    for (const auto& finding : json.at("findings")) CHECK(finding.at("standing") == "not measured");
    return;
  }
  const auto json = nlohmann::json::parse(contents(directory / "interruptible.json"));
  CHECK(json.at("failures").empty());
  CHECK(json.at("rows").size() == 34);
  for (const auto& row : json["rows"]) {
    CHECK(row.at("ms") > 0);
    CHECK(row.at("registers") > 32);
  }
  CHECK(json.at("tables")[0].at("name") == "steps");
  CHECK(json["tables"][0].at("rows").size() == 6);
  CHECK(json.at("findings").size() == 3);
}

/// Returns costs of 10 ms a kernel, 0.2 ms more by a pointer to the arguments, 0.01 ms a check of a record.
std::vector<SweepCost> made_up_sweeps() {
  using enum SafePointForm;
  using enum SafePointEvery;
  std::vector<SweepCost> all;
  for (const char* scheme : {"plm", "weno5z"}) {
    const auto add = [&](SafePointForm form, SafePointEvery every, bool by_pointer, int checks) {
      const double ms = 10 + 0.2 * by_pointer + (form == ordinary ? 0 : 0.01 * checks);
      all.push_back({.scheme = scheme,
                     .form = form,
                     .every = every,
                     .by_pointer = by_pointer,
                     .checks = checks,
                     .askers = 1000,
                     .at_once = 100,
                     .registers = 100 + 10 * by_pointer,
                     .occupancy = 0.25,
                     .milliseconds = {ms}});
    };
    for (const SafePointForm form : {ordinary, tile_queue}) {
      for (const SafePointEvery every : {tile, pencil, cell}) add(form, every, false, form == tile_queue);
      add(form, tile, true, form == tile_queue);
    }
    int checks = 1;
    for (const SafePointEvery every : {tile, pencil, cell}) {
      add(in_registers, every, false, checks);
      add(in_memory, every, false, checks);
      add(in_memory, every, true, checks);
      checks *= 10;
    }
  }
  return all;
}

TEST_CASE("interruptible: what costs little holds, what does not is gone, and other bits are a failure") {
  std::vector<SweepCost> sweeps = made_up_sweeps();
  std::vector<StepCost> steps = {{.cells = 64, .milliseconds = {2}},
                                 {.cells = 64, .slice_ms = 50, .milliseconds = {3}, .slices = 3}};
  const StudyReport report = interruptible_report(sweeps, steps, 20);
  CHECK(report.failures.empty());
  REQUIRE(report.findings.size() == 3);
  const std::pair<const char*, Standing> expected[] = {
      {"plm +3.0 %, weno5z +3.0 %", Standing::holds},  // 0.2 ms for the pointer, 0.1 for ten checks
      {"plm +9.7 %, weno5z +9.7 %", Standing::gone},   // 11.2 against 10.21 ms
      {"plm +2.0 %, weno5z +2.0 %", Standing::holds}};
  for (int n = 0; n < 3; ++n) {
    CHECK(report.findings[n].here == expected[n].first);
    CHECK(report.findings[n].standing == expected[n].second);
  }

  const std::string csv = table_csv(report.table);
  CHECK(contains(csv, "plm,\"ordinary, by tiles\",none,value,100,0,25,10,10 to 10,+0.00,-\n"));
  // Checks take 1 ms: 100 in each of 1000 threads, 100 of which run at once, so a thread lives a tenth of it.
  CHECK(contains(csv, "plm,record in registers,one a cell,value,100,0,25,11,11 to 11,+10.00,1000.0\n"));
  CHECK(contains(table_csv(report.more.at(0)), "64^3,50,3,3,3 to 3,+50.00\n"));

  sweeps.back().different = 7;
  steps.back().same = false;
  CHECK(interruptible_report(sweeps, steps, 20).failures.size() == 2);
}

TEST_CASE("interruptible: steps in slices lead to the bits of steps at once") {
  const std::vector<StepCost> steps = measure_steps("host", 24, {0, 0.01}, 3);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].slices == 1);
  CHECK(steps[1].slices > 3);
  for (const StepCost& cost : steps) {
    CHECK(cost.same);
    CHECK(cost.milliseconds.size() == 3);
  }
}

TEST_CASE("in async-error one thread of kernel A finds a large value: thread 20 of block 92") {
  using namespace async_error_problem;
  std::vector<int> large;
  for (int n = 0; n < kElements; ++n)
    if (spike(pseudo_random(n)) >= kLargest) large.push_back(n);
  REQUIRE(large.size() == 1);
  CHECK(pseudo_random(large[0]) == 100);
  CHECK(spike(pseudo_random(large[0])) == 1e6f);
  CHECK(large[0] % kStride == element_of(92, 20));
}

TEST_CASE("in async-error 99 inputs of kernel B are negative, the first of block 25 in thread 8") {
  using namespace async_error_problem;
  const auto negative = [](int n) { return spike(pseudo_random(n)) < 0; };
  int count = 0;
  for (int n = 0; n < kElements; ++n) count += negative(n);
  CHECK(count == 99);
  // The threads of a block are one warp: they take their first elements together.
  for (int thread = 0; thread < kThreads; ++thread)
    CHECK(negative(element_of(kFirstBlockOfB, thread)) == (thread == 8));
  CHECK(spike(pseudo_random(element_of(kFirstBlockOfB, 8))) == doctest::Approx(-0.0208333));
}

}  // namespace
