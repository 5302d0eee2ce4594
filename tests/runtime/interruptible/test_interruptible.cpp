// Interruptible kernels on the host: whatever interrupts them and however often, the results are the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/interruptible/host_launcher.hpp"
#include "tests/support/resumable_bodies.hpp"

using namespace halfstep::interruptible;
using namespace resumable_bodies;

namespace {

using namespace std::chrono_literals;
using WalkLauncher = HostLauncher<walk, Walk, Walker>;
using LongLauncher = HostLauncher<go_a_long_way, Long, LongWay>;

constexpr std::int64_t kThreads = 500;

std::vector<std::uint64_t> ends_of(std::int64_t iterations, std::int64_t threads) {
  std::vector<std::uint64_t> ends;
  for (std::int64_t thread = 0; thread < threads; ++thread)
    ends.push_back(end_of_a_long_way(iterations, thread));
  return ends;
}

}  // namespace

TEST_CASE("nested loops give the same under every limit, in as many launches as it takes") {
  for (const int workers : {1, 3}) {
    std::vector<std::uint64_t> results(kThreads);
    const Walk args{6, 5, results.data()};
    const Expected expected = expected_of(args, kThreads);
    for (std::int64_t limit = 1; limit <= expected.most_points + 1; ++limit) {
      CAPTURE(limit);
      std::fill(results.begin(), results.end(), 0);
      WalkLauncher launcher(kThreads, workers);
      CHECK(launcher.run(args, {.interrupts_per_launch = limit}) == Outcome::finished);
      CHECK(results == expected.sums);
      CHECK(launcher.progress().done == kThreads);
      CHECK(launcher.progress().launches == expected.most_points / limit + 1);
    }
  }
}

TEST_CASE("without limits one launch does it, and finished threads do nothing in later ones") {
  std::vector<std::uint64_t> results(kThreads);
  const Walk args{6, 5, results.data()};
  WalkLauncher launcher(kThreads);
  CHECK(launcher.slice(args, {}));
  CHECK(results == expected_of(args, kThreads).sums);
  std::fill(results.begin(), results.end(), 0);
  CHECK(launcher.slice(args, {}));
  CHECK(launcher.run(args, {}) == Outcome::finished);
  CHECK(*std::max_element(results.begin(), results.end()) == 0);
  CHECK(launcher.progress().launches == 2);
}

TEST_CASE("a loop that keeps its own state needs no macros") {
  std::vector<std::uint64_t> steps(kThreads), expected;
  for (std::int64_t thread = 0; thread < kThreads; ++thread) expected.push_back(steps_of_descent(thread));
  for (const std::int64_t limit : {1, 2, 17, 1000}) {
    CAPTURE(limit);
    std::fill(steps.begin(), steps.end(), 0);
    HostLauncher<descend, Descents, Descent> launcher(kThreads, 2);
    CHECK(launcher.run({steps.data()}, {.interrupts_per_launch = limit}) == Outcome::finished);
    CHECK(steps == expected);
  }
}

TEST_CASE("a body with a switch of its own gives the same under every limit") {
  std::vector<std::uint64_t> whole(kThreads), results(kThreads);
  HostLauncher<take_turns, Turns, Turner> at_once(kThreads, 1);
  CHECK(at_once.slice({20, whole.data()}, {}));
  for (std::int64_t limit = 1; limit <= 21; ++limit) {
    CAPTURE(limit);
    std::fill(results.begin(), results.end(), 0);
    HostLauncher<take_turns, Turns, Turner> launcher(kThreads, 2);
    CHECK(launcher.run({20, results.data()}, {.interrupts_per_launch = limit}) == Outcome::finished);
    CHECK(results == whole);
    CHECK(launcher.progress().launches == 20 / limit + 1);
  }
}

TEST_CASE("a record that names a safe point which the body does not have is an error, and not finished") {
  for (const std::int32_t number : {99, 3, -5}) {
    CAPTURE(number);
    std::vector<std::uint64_t> results(10);
    const Walk args{6, 5, results.data()};
    WalkLauncher launcher(10, 2);
    std::vector<Walker> records(10);
    records[4].resume_at = number;
    records[4].sum = 17;
    launcher.set_records(records);
    const std::int32_t kept = number > 0 ? ~number : number;
    const std::string text = "interruptible: a record is to go on at safe point " + std::to_string(~kept) +
                             ", which its body does not have; records() has it with resume_at " +
                             std::to_string(kept);
    for (int n = 0; n < 2; ++n)
      CHECK_THROWS_WITH_AS(launcher.run(args, {}), text.c_str(), std::runtime_error);
    CHECK(launcher.progress().done == 9);
    CHECK(launcher.records()[4].resume_at == kept);
    CHECK(launcher.records()[4].sum == 17);
    CHECK(results[4] == 0);

    launcher.reset();
    CHECK(launcher.run(args, {}) == Outcome::finished);
    CHECK(results == expected_of(args, 10).sums);
  }
}

TEST_CASE("progress grows from launch to launch, and a limit on launches is kept") {
  std::vector<std::uint64_t> results(kThreads);
  const Walk args{6, 5, results.data()};
  WalkLauncher launcher(kThreads, 2);
  const std::int64_t needed = expected_of(args, kThreads).most_points / 3 + 1;
  std::int64_t before = 0;
  Outcome outcome = Outcome::out_of_launches;
  for (std::int64_t launches = 2; outcome != Outcome::finished; launches += 2) {
    REQUIRE(outcome == Outcome::out_of_launches);
    outcome = launcher.run(args, {.interrupts_per_launch = 3, .launches = 2});
    const Progress progress = launcher.progress();
    CHECK(progress.total == kThreads);
    CHECK(progress.done > before);
    CHECK(progress.launches == std::min(launches, needed));
    before = progress.done;
  }
  CHECK(before == kThreads);
  CHECK(results == expected_of(args, kThreads).sums);
}

TEST_CASE("records saved between two launches go on in another launcher, and one goes back to them") {
  std::vector<std::uint64_t> results(kThreads), elsewhere(kThreads);
  const Walk here{6, 5, results.data()}, there{6, 5, elsewhere.data()};
  const Expected expected = expected_of(here, kThreads);
  WalkLauncher launcher(kThreads, 2);
  for (bool finished = false; !finished;) {
    finished = launcher.slice(here, {.interrupts_per_launch = 4});
    const std::vector<Walker> saved = launcher.records();

    elsewhere = results;  // results written so far belong to the saved records
    WalkLauncher other(kThreads, 1);
    other.set_records(saved);
    CHECK(other.progress().done == launcher.progress().done);
    CHECK(other.run(there, {.interrupts_per_launch = 1}) == Outcome::finished);
    CHECK(elsewhere == expected.sums);

    launcher.run(here, {.interrupts_per_launch = 2, .launches = 3});
    launcher.set_records(saved);
    CHECK(launcher.progress().launches == 0);
  }
  CHECK(results == expected.sums);

  launcher.reset();
  CHECK(launcher.progress().done == 0);
  std::fill(results.begin(), results.end(), 0);
  CHECK(launcher.run(here, {}) == Outcome::finished);
  CHECK(results == expected.sums);
  CHECK_THROWS_AS(launcher.set_records(std::vector<Walker>(3)), std::invalid_argument);
}

TEST_CASE("pauses from another thread at random moments change nothing") {
  constexpr std::int64_t threads = 300, iterations = 20'000;
  std::vector<std::uint64_t> results(threads);
  const std::vector<std::uint64_t> expected = ends_of(iterations, threads);
  int pauses = 0;
  for (int round = 0; round < 5; ++round) {
    std::fill(results.begin(), results.end(), 0);
    LongLauncher launcher(threads, 2);
    pauses += run_under_random_pauses(launcher, Long{iterations, results.data()});
    CHECK(results == expected);
  }
  CHECK(pauses > 5);
}

TEST_CASE("a pause ends a launch of minutes at once, and what had not begun has not begun") {
  constexpr std::int64_t threads = 100'000;
  std::vector<std::uint64_t> results(threads);
  LongLauncher launcher(threads, 2);
  std::chrono::steady_clock::time_point asked;
  std::jthread other([&] {
    std::this_thread::sleep_for(50ms);
    asked = std::chrono::steady_clock::now();
    launcher.pause().request();
  });
  CHECK(launcher.run({1'000'000'000, results.data()}, {}) == Outcome::paused);
  const auto left = std::chrono::steady_clock::now();
  other.join();
  CHECK(left - asked < 1s);
  const std::vector<LongWay> records = launcher.records();
  const auto begun =
      std::count_if(records.begin(), records.end(), [](const LongWay& r) { return r.iteration > 0; });
  CHECK(begun >= 1);
  CHECK(begun <= 4);
}

TEST_CASE("a budget of time is kept, and one too short for anything still gets something done") {
  constexpr std::int64_t threads = 64 * 20, iterations = 2'000'000;
  std::vector<std::uint64_t> results(threads);
  LongLauncher launcher(threads, 2);
  for (int n = 0; n < 3; ++n) {
    const auto began = std::chrono::steady_clock::now();
    CHECK_FALSE(launcher.slice({iterations, results.data()}, {.milliseconds_per_launch = 20}));
    const auto took = std::chrono::steady_clock::now() - began;
    CHECK(took >= 20ms);
    CHECK(took < 1s);
  }

  constexpr std::int64_t few = 10;
  LongLauncher hasty(few, 2);
  const Limits none{.milliseconds_per_launch = 1e-6};
  CHECK(hasty.run({20, results.data()}, none) == Outcome::finished);
  CHECK(hasty.progress().launches <= few * 21);  // at most one launch for each stretch of a thread
  CHECK(hasty.progress().launches > 1);
  CHECK(std::equal(results.begin(), results.begin() + few, ends_of(20, few).begin()));

  LongLauncher paused(few, 2);
  paused.pause().request();
  CHECK(paused.run({20, results.data()}, {}) == Outcome::paused);
  CHECK(paused.progress().launches == 0);
  for (std::int64_t n = 0; n < few * 21; ++n) paused.slice({20, results.data()}, {});
  CHECK(paused.progress().done == few);
}

TEST_CASE("progress can be watched while a launch runs, and never goes back") {
  constexpr std::int64_t threads = 64 * 50, iterations = 5'000;
  std::vector<std::uint64_t> results(threads);
  LongLauncher launcher(threads, 2);
  std::jthread running([&] { launcher.run({iterations, results.data()}, {}); });
  CHECK(watch_progress(launcher, threads) > 5);
}
