// Averages of fourth order: the rate of change of a flow that is nonlinear along all axes, symmetry,
// conservation, and what becomes of shocks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/averaged_flow.hpp"
#include "tests/difference.hpp"

using namespace halfstep;

namespace {

const Overrides kFourth = {"scheme.averages=fourth_order"};

/// The least over the fields.
double least_order(const std::array<int, 3>& cells, const Overrides& overrides) {
  std::array<int, 3> finer = cells;
  for (int& n : finer)
    if (n > 1) n *= 2;
  const auto coarse = rate_errors(cells, overrides), fine = rate_errors(finer, overrides);
  double least = 99;
  for (int f = 0; f < kFields; ++f) least = std::min(least, std::log2(coarse[f] / fine[f]));
  return least;
}

}  // namespace

TEST_CASE("rates of change are of fourth order along every set of axes, and of second without corrections") {
  for (const char* reconstruction : {"weno5z", "ppm"})
    for (const char* variables : {"primitive", "characteristic"})
      for (const std::array<int, 3>& cells : {std::array{32, 1, 1},
                                              {1, 32, 1},
                                              {1, 1, 32},
                                              {32, 32, 1},
                                              {32, 1, 32},
                                              {1, 32, 32},
                                              {24, 24, 24}}) {
        INFO((std::string(reconstruction) + " " + variables + " " + std::to_string(cells[0]) + " x " +
              std::to_string(cells[1]) + " x " + std::to_string(cells[2])));
        Overrides scheme = {std::string("scheme.reconstruction=") + reconstruction,
                            std::string("scheme.variables=") + variables};
        CHECK(least_order(cells, scheme) < 2.3);
        scheme.push_back(kFourth[0]);
        CHECK(least_order(cells, scheme) > 3.7);
      }
}

TEST_CASE("corrected averages have the same bits on any number of threads") {
  const Overrides all = {"mesh.cells=[40,17,9]", "time.max_steps=5", kFourth[0]};
  CaseRun one("taylor_green", all, 1), three("taylor_green", all, 3);
  one.run();
  three.run();
  CHECK(identical(one.fields(), three.fields()));
}

TEST_CASE("shocks are no harder with corrected averages") {
  for (const char* deck : {"sod", "toro_1", "toro_2", "toro_3", "toro_4", "toro_5", "lax", "noh_1d"}) {
    INFO(deck);
    CaseRun plain(deck, {"scheme.reconstruction=weno5z"}),
        fourth(deck, {"scheme.reconstruction=weno5z", kFourth[0]});
    plain.finish();
    fourth.finish();
    CHECK(plain.rejections.empty());
    CHECK(fourth.rejections.empty());
    CHECK(fourth.error("density").l1 < 1.1 * plain.error("density").l1);
  }
}

TEST_CASE("under a remedy averages are not corrected, and first-order faces keep their cells positive") {
  for (const char* deck : {"strong_blast", "near_vacuum"}) {
    INFO(deck);
    CaseRun run(deck, kFourth);
    run.finish();
    CHECK(!run.rejections.empty());
    CHECK(run.remedied.empty() == (std::string(deck) == "strong_blast"));
    for (const Rejection& rejection : run.rejections) CHECK(rejection.replay.reproduced);
  }
}
