// Linked with the case that CONTRIBUTING.md shows; runs the deck that it shows.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/run/run.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

/// Returns the L1 error of the density at the end of the page's deck.
double density_error(int cells) {
  const TemporaryDirectory directory;
  RunOptions options;
  options.deck = HALFSTEP_PAGE_FILES "/inputs/density_hump.yaml";
  options.overrides = {"mesh.cells=[" + std::to_string(cells) + ",1,1]"};
  options.output = (directory / "out").string();
  options.backend = "host";
  options.quiet = true;
  REQUIRE(run(options) == 0);
  const auto summary = nlohmann::json::parse(contents(directory / "out" / "summary.json"));
  return summary.at("verdict").at("density").at("l1").get<double>();
}

}  // namespace

TEST_CASE("the case of CONTRIBUTING.md runs from its deck and converges to its exact solution") {
  const double coarse = density_error(64), fine = density_error(128);
  CHECK(fine < 2e-5);
  // For a smooth wave at a fixed Courant number the order is between the third of time and the fifth of
  // space.
  CHECK(coarse / fine > 16);
}
