#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "physics/cases/exact/rayleigh_taylor.hpp"

using namespace halfstep;

namespace {

constexpr IdealGas<double> kAir{1.4};
constexpr double kWave = 4 * std::numbers::pi;

double growth_rate(const HeavyOverLight& rest, double height = 0.5) {
  return RayleighTaylorMode(kAir, rest, kWave, -height, height).growth_rate();
}

}  // namespace

TEST_CASE("a thin interface in a stiff gas grows as Rayleigh says, and slower between near walls") {
  const HeavyOverLight rest{
      .lower = 1, .upper = 2, .thickness = 1e-4, .pressure_at_interface = 1e5, .gravity = 1};
  CHECK(rest.ideal_growth_rate(kWave) == doctest::Approx(std::sqrt(kWave / 3)).epsilon(1e-15));
  CHECK(growth_rate(rest) == doctest::Approx(std::sqrt(kWave / 3)).epsilon(1e-3));
  CHECK(growth_rate(rest, 0.05) ==
        doctest::Approx(std::sqrt(kWave / 3 * std::tanh(kWave * 0.05))).epsilon(2e-3));
}

TEST_CASE("what the thickness of an interface takes from its growth is as the thickness") {
  const auto lost = [](double thickness) {
    const HeavyOverLight rest{1, 2, thickness, 1e5, 1};
    return 1 - growth_rate(rest) / rest.ideal_growth_rate(kWave);
  };
  CHECK(lost(4e-4) / lost(2e-4) == doctest::Approx(2).epsilon(0.01));
  CHECK(lost(0.01) > 0.05);
  CHECK(lost(0.01) < 0.06);
}

TEST_CASE("the mode is one solution through the interface, whatever the height is that it is asked for") {
  const HeavyOverLight rest{1, 3, 0.02, 4, 0.8};
  const RayleighTaylorMode mode(kAir, rest, kWave, -0.4, 0.6);
  CHECK(mode.at(0).up == doctest::Approx(1).epsilon(1e-14));
  CHECK(mode.at(-1e-12).pressure == doctest::Approx(mode.at(1e-12).pressure).epsilon(1e-9));
  CHECK(std::abs(mode.at(-0.4).up) < 1e-12);
  CHECK(std::abs(mode.at(0.6).up) < 1e-12);
  // The pressure change of a displaced particle is -gamma p div displacement, by definition.
  const double step = 1e-5;
  for (const double y : {-0.3, -0.05, -0.01, 0.004, 0.03, 0.5}) {
    CAPTURE(y);
    const double divergence =
        (mode.at(y + step).up - mode.at(y - step).up) / (2 * step) + kWave * mode.at(y).along;
    CHECK(mode.at(y).pressure == doctest::Approx(-1.4 * rest.pressure(y) * divergence).epsilon(1e-4));
    CHECK((rest.pressure(y + step) - rest.pressure(y - step)) / (2 * step) ==
          doctest::Approx(-0.8 * rest.density(y)).epsilon(1e-7));
  }
}

TEST_CASE("where nothing grows there is no mode") {
  CHECK_THROWS_AS(growth_rate({2, 1, 0.01, 5, 1}), std::invalid_argument);    // light above
  CHECK_THROWS_AS(growth_rate({1, 2, 0.01, 5, -1}), std::invalid_argument);   // falling upwards
  CHECK_THROWS_AS(growth_rate({1, 2, 0.01, 0.9, 1}), std::invalid_argument);  // weight beyond the pressure
}
