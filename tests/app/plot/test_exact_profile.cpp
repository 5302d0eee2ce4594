#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/plot/exact_profile.hpp"

using namespace halfstep;

namespace {

Json profile(const std::string& deck, const std::vector<std::string>& overrides, double time) {
  return exact_profile(load_deck(std::string(HALFSTEP_SOURCE_DIR) + "/inputs/" + deck + ".yaml", overrides),
                       time);
}

/// Returns the value of a field where the position is nearest to `x`.
double at(const Json& profile, const char* field, double x) {
  std::size_t nearest = 0;
  for (std::size_t n = 0; n < profile["position"].size(); ++n)
    if (std::abs(profile["position"][n].get<double>() - x) <
        std::abs(profile["position"][nearest].get<double>() - x))
      nearest = n;
  return profile[field][nearest].get<double>();
}

void check_sod(const Json& sod, const char* velocity) {
  // Checks the star region on both sides of the contact (0.6855 at time 0.2); Toro (2009), table 4.2.
  CHECK(at(sod, "pressure", 0.66) == doctest::Approx(0.303130).epsilon(1e-5));
  CHECK(at(sod, velocity, 0.66) == doctest::Approx(0.927453).epsilon(1e-5));
  CHECK(at(sod, "density", 0.66) == doctest::Approx(0.426319).epsilon(1e-5));
  CHECK(at(sod, "density", 0.7) == doctest::Approx(0.265574).epsilon(1e-5));
  CHECK(at(sod, "density", 0.849) == doctest::Approx(0.265574).epsilon(1e-5));
  CHECK(at(sod, "density", 0.852) == 0.125);  // the shock is at 0.850431
}

}  // namespace

TEST_CASE("The profile of a picture is the exact solution, finer than the mesh") {
  const Json sod = profile("sod", {"mesh.cells=[64,1,1]"}, 0.2);
  CHECK(sod["position"].size() >= 2000);
  CHECK(sod["position"].front().get<double>() > 0);
  CHECK(sod["position"].back().get<double>() < 1);
  check_sod(sod, "velocity_x");
  check_sod(profile("sod",
                    {"mesh.cells=[1,1,64]", "case.axis=z", "mesh.boundary.x=[periodic,periodic]",
                     "mesh.boundary.z=[outflow,outflow]"},
                    0.2),
            "velocity_z");
}

TEST_CASE("There is no profile of what has more dimensions or no exact solution") {
  CHECK(profile("sod", {"mesh.cells=[64,4,1]"}, 0.2).is_null());
  CHECK(profile("noh_2d", {}, 0.2).is_null());
  CHECK(profile("shu_osher", {}, 1.0).is_null());
  CHECK(profile("entropy_wave", {}, 0.5).is_object());
}
