// Measurements in processes of their own, and the clocks that they use.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/study/clocks.hpp"
#include "app/study/fresh_process.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

struct Pair {
  int number;
  double value;
};

TEST_CASE("a fresh process hands its result over, and changes nothing here") {
  int number = 1;
  const Pair pair = in_fresh_process<Pair>([&] {
    number = 7;
    return Pair{number, 0.5};
  });
  CHECK(pair.number == 7);
  CHECK(pair.value == 0.5);
  CHECK(number == 1);
}

TEST_CASE("a fresh process may hand over more than a pipe holds") {
  const std::string all = bytes_of_fresh_process([] { return std::string(1'000'000, 'x') + 'y'; });
  CHECK(all.size() == 1'000'001);
  CHECK(all.back() == 'y');
}

TEST_CASE("what ends a fresh process is said here") {
  CHECK(refusal([] { in_fresh_process<int>([]() -> int { throw std::runtime_error("no device"); }); }) ==
        "no device");
  CHECK(contains(refusal([] {
                   in_fresh_process<int>([] {
                     std::signal(SIGABRT, SIG_DFL);
                     return std::raise(SIGABRT);
                   });
                 }),
                 "ended by signal 6"));
}

TEST_CASE("wall clocks count a sleep, clock() does not; every clock steps and costs something") {
  std::array<double, 3> counted;
  std::array<std::int64_t, 3> began;
  for (int n = 0; n < 3; ++n) began[n] = clocks()[n].nanoseconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  for (int n = 0; n < 3; ++n) counted[n] = seconds_between(began[n], clocks()[n].nanoseconds());
  for (int n = 0; n < 3; ++n) {
    INFO(clocks()[n].name);
    CHECK(step_of(clocks()[n]) > 0);
    CHECK(step_of(clocks()[n]) < 0.02);
    CHECK(cost_of(clocks()[n]) > 0);
    if (clocks()[n].counts == "wall time")
      CHECK(counted[n] > 0.029);
    else
      CHECK(counted[n] < 0.015);
  }
}

}  // namespace
