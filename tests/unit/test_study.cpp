// `halfstep study`: the tables, and what the scenario of async-error gives when it is computed on the host.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/commands/study.hpp"
#include "app/study/async_error.hpp"
#include "app/study/studies.hpp"
#include "physics/solver.hpp"
#include "tests/unit/temporary_directory.hpp"

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

TEST_CASE("a table as JSON: a row is an object, keyed by column") {
  const auto json = nlohmann::json::parse(table_json(sample()));
  CHECK(json.at("title") == "Kernels");
  CHECK(json.at("notes") == std::vector<std::string>{"One GPU."});
  REQUIRE(json.at("rows").size() == 2);
  CHECK(json["rows"][0]["registers"] == 80);
  CHECK(json["rows"][0]["time (ms)"] == 0.1 + 0.2);
  CHECK(json["rows"][1]["time (ms)"] == "nan");
  CHECK(json["rows"][1]["kernel"] == "weno5z");
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
    CHECK(contains(refusal([&] { study(options); }), "needs a CUDA device"));
    CHECK_FALSE(std::filesystem::exists(directory / "deep/er/async-error.csv"));
    return;
  }
  CHECK(study(options) == 0);
  const auto json = nlohmann::json::parse(contents(directory / "deep/er/async-error.json"));
  std::vector<std::string> outputs;
  for (const auto& row : json.at("rows")) outputs.push_back(row.at("output"));
  CHECK(outputs == std::vector<std::string>{"no error", "no error", "launch memcpy",
                                            "ERROR 2: block 92, thread 20, value 1e+06",
                                            "ERROR 3: block 25, thread 8, input -0.0208333", "no error"});
  CHECK(contains(contents(directory / "deep/er/async-error.csv"),
                 "line,the host,output,because\n1,polls A,no error,"));
}

TEST_CASE("interruptible needs a GPU and says so; with one it prices a check at every kind of safe point") {
  const TemporaryDirectory directory;
  const StudyOptions options{.name = "interruptible", .output = directory.path().string()};
  if (!cuda_available()) {
    CHECK(contains(refusal([&] { study(options); }), "needs a CUDA device"));
    return;
  }
  CHECK(study(options) == 0);
  const auto json = nlohmann::json::parse(contents(directory / "interruptible.json"));
  REQUIRE(json.at("rows").size() == 8);
  for (const auto& row : json["rows"]) CHECK(row.at("ms") > 0);
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
