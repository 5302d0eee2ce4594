// The processors on which OpenMP threads may run.
#include <doctest/doctest.h>
#include <omp.h>
#include <sched.h>

#include <cstdlib>
#include <set>
#include <thread>
#include <vector>

#include "runtime/device/pinned_team.hpp"
#include "tests/support/environment.hpp"

using namespace halfstep;

namespace {

std::set<int> own_processors() {
  cpu_set_t mask;
  REQUIRE(sched_getaffinity(0, sizeof mask, &mask) == 0);
  std::set<int> all;
  for (int n = 0; n < CPU_SETSIZE; ++n)
    if (CPU_ISSET(n, &mask)) all.insert(n);
  return all;
}

/// Returns the processors that each thread of a fresh team may use after pin_team().
std::vector<std::set<int>> pinned(int threads) {
  std::vector<std::set<int>> all(static_cast<std::size_t>(threads));
  std::thread([&] {
    pin_team(threads);
#pragma omp parallel num_threads(threads)
    all[static_cast<std::size_t>(omp_get_thread_num())] = own_processors();
  }).join();
  return all;
}

}  // namespace

TEST_CASE("a team of all processors is pinned, each thread to one of its own, but the calling thread") {
  const std::set<int> allowed = own_processors();
  const int processors = static_cast<int>(allowed.size());
  if (processors < 2 || std::getenv("OMP_PROC_BIND")) {
    MESSAGE("skipped: nothing can be pinned here");
    return;
  }
  const auto places = pinned(processors);
  CHECK(places[0] == allowed);
  std::set<int> taken;
  for (std::size_t n = 1; n < places.size(); ++n) {
    CHECK(places[n].size() == 1);
    taken.insert(places[n].begin(), places[n].end());
  }
  CHECK(taken.size() == places.size() - 1);
  CHECK(own_processors() == allowed);

  for (const auto& place : pinned(processors - 1)) CHECK(place == allowed);
  const Environment decided("OMP_PROC_BIND", "false");
  for (const auto& place : pinned(processors)) CHECK(place == allowed);
}
