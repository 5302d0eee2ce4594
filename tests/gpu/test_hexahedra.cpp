// Flux reconstruction in hexahedra: CUDA against the host, in every degree and behind every side, and through
// the ladder.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/gpu/both_backends.hpp"

using namespace halfstep;

namespace {

Overrides bent(int degree, const Overrides& more) {
  return with({"scheme.method=flux_reconstruction", "scheme.degree=" + std::to_string(degree),
               "mesh.map={kind: bend, amplitude: 0.04}", "mesh.order=3"},
              more);
}

}  // namespace

TEST_CASE("hexahedra of every degree, Riemann solver and precision agree between host and CUDA") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const char* riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"})
      for (const char* precision : {"double", "single"})
        for (const char* viscosity : {"0", "0.01"}) {
          const Overrides overrides =
              bent(degree,
                   {"mesh.cells=[5,4,3]", "time.max_steps=5", std::string("scheme.riemann=") + riemann,
                    std::string("scheme.precision=") + precision, std::string("gas.viscosity=") + viscosity});
          INFO(("degree " + std::to_string(degree) + ", " + riemann + ", " + precision + ", " + viscosity));
          check_same(on("host", "taylor_green", overrides), on("cuda", "taylor_green", overrides),
                     std::string(precision) == "double" ? 1e-11 : 2e-4);
        }
}

TEST_CASE("straight hexahedra of every degree and form agree between host and CUDA") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const char* dealiasing : {"none", "split_form", "over_integration"})
      for (const std::string precision : {"double", "single"}) {
        const Overrides overrides =
            bent(degree, {"mesh.map=straight", "mesh.cells=[5,4,3]", "time.max_steps=5", "gas.viscosity=0.01",
                          std::string("scheme.dealiasing=") + dealiasing, "scheme.precision=" + precision});
        INFO(("degree " + std::to_string(degree) + ", " + dealiasing + ", " + precision));
        check_same(on("host", "taylor_green", overrides), on("cuda", "taylor_green", overrides),
                   precision == "double" ? 1e-11 : 2e-4);
      }
}

TEST_CASE("forms without aliasing agree between host and CUDA, in two dimensions and three") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const std::string dealiasing : {"split_form", "over_integration"})
      for (const auto& [deck, cells] :
           {std::pair{"kelvin_helmholtz", "[6,5,1]"}, std::pair{"taylor_green", "[5,4,3]"}})
        for (const std::string precision : {"double", "single"})
          for (const char* viscosity : {"0", "0.01"}) {
            const Overrides overrides =
                bent(degree, {std::string("mesh.cells=") + cells, "scheme.dealiasing=" + dealiasing,
                              "scheme.precision=" + precision, std::string("gas.viscosity=") + viscosity,
                              "time.max_steps=5", "mesh.boundary={x: periodic, y: reflecting, z: periodic}"});
            INFO(("degree " + std::to_string(degree) + ", " + dealiasing + ", " + deck + ", " + precision +
                  ", " + viscosity));
            check_same(on("host", deck, overrides), on("cuda", deck, overrides),
                       precision == "double" ? 1e-11 : 2e-4);
          }
}

TEST_CASE("hexahedra agree behind every kind of side, in two dimensions and three") {
  const std::string state = "density: 1, velocity: ['0.4 + 0.1*sin(200*t)',0.1,0], pressure: 1}";
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const auto& [deck, cells] :
         {std::pair{"kelvin_helmholtz", "[6,5,1]"}, std::pair{"taylor_green", "[4,3,3]"}})
      for (const std::string& x :
           std::vector<std::string>{"outflow", "reflecting", "no_slip",
                                    "[{kind: state, " + state + ", {kind: far_field, " + state + "]",
                                    "[{kind: subsonic_inflow, velocity: [0.4,0.1,0], temperature: 1}, {kind: "
                                    "subsonic_outflow, pressure: 1}]"}) {
        const Overrides overrides =
            bent(degree, {std::string("mesh.cells=") + cells,
                          "mesh.boundary={x: " + x + ", y: [reflecting, no_slip], z: [no_slip, reflecting]}",
                          "wall.temperature_upper=1.1", "gas.viscosity=0.01", "time.max_steps=5"});
        INFO(("degree " + std::to_string(degree) + ", elements " + cells + ", " + x));
        check_same(on("host", deck, overrides), on("cuda", deck, overrides), 1e-10);
      }
}

TEST_CASE("the cylinder's elements agree between host and CUDA") {
  const Overrides overrides = {"mesh.cells=[4,8,1]", "time.max_steps=10", "time.cfl=0.5"};
  check_same(on("host", "cylinder_elements", overrides), on("cuda", "cylinder_elements", overrides), 1e-10);
}

TEST_CASE("a tube in hexahedra takes the same rungs on host and CUDA, and its replays reproduce") {
  Remedy last = Remedy::none;
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const char* rung : {"scaling", "first_order", "floor"})
      for (const bool repairs : {false, true}) {
        const Overrides overrides = bent(
            degree, {"mesh.cells=[24,3,1]", "mesh.boundary={x: outflow, y: reflecting, z: outflow}",
                     // Of degree 4 a pressure off by 1e-13 changes the faces that are repaired.
                     degree == 2   ? "scheme.dealiasing=split_form"
                     : degree == 3 ? "scheme.dealiasing=over_integration"
                                   : "scheme.dealiasing=none",
                     "case.left={density: 1, velocity: [0,0,0], pressure: 1000}",
                     "case.right={density: 1, velocity: [0,0,0], pressure: 0.01}",
                     "soft_error.max_halvings=1", std::string("soft_error.on_exhausted=") + rung,
                     "time.end=0.002", std::string("soft_error.face=") + (repairs ? "repair" : "raise")});
        INFO(("degree " + std::to_string(degree) + ", " + rung + (repairs ? ", repaired" : "")));
        const CaseRun host = on("host", "sod_elements", overrides),
                      cuda = on("cuda", "sod_elements", overrides);
        check_same(host, cuda, 1e-8);
        for (const AttemptResult& step : cuda.remedied) last = std::max(last, step.remedy);
        for (std::size_t n = 0; n < std::min(host.rejections.size(), cuda.rejections.size()); ++n) {
          const Rejection &h = host.rejections[n], &c = cuda.rejections[n];
          CHECK(c.error.kind == h.error.kind);
          CHECK(c.error.cell == h.error.cell);
          CHECK(c.error.counts == h.error.counts);
          CHECK(c.replay.reproduced == h.replay.reproduced);
          for (int a = 0; a < 3; ++a) CHECK(c.replay.stencil[a].size() == h.replay.stencil[a].size());
        }
      }
  CHECK(last >= Remedy::first_order);  // or the remedies' kernels have not been compared
}

TEST_CASE("hexahedra give the same bits every time, in slices, and queued ahead") {
  for (const auto& [viscosity, dealiasing] : {std::pair{"0", "none"},
                                              {"0", "split_form"},
                                              {"0", "over_integration"},
                                              {"0.01", "none"},
                                              {"0.01", "split_form"},
                                              {"0.01", "over_integration"}}) {
    const Overrides plain =
        bent(3, {"mesh.cells=[6,5,4]", "time.max_steps=8", std::string("gas.viscosity=") + viscosity,
                 std::string("scheme.dealiasing=") + dealiasing});
    const CaseRun once = on("cuda", "taylor_green", plain);
    for (const Overrides& more :
         {Overrides{}, Overrides{"interruptible.enabled=true", "interruptible.launch_budget_ms=1e-6"},
          Overrides{"soft_error.poll=pipelined"}}) {
      const CaseRun again = on("cuda", "taylor_green", with(plain, more));
      CHECK(again.state.time == once.state.time);
      CHECK(identical(again.fields(), once.fields()));
    }
  }
}

TEST_CASE("a fault in a hexahedron is found on CUDA where it was put") {
  for (const char* kind : {"negative_density", "not_finite"}) {
    const Overrides overrides =
        bent(3, {"mesh.cells=[5,4,3]", "time.max_steps=4",
                 std::string("inject={\"step\":2,\"stage\":2,\"cell\":[10,7,0],\"kind\":\"") + kind + "\"}"});
    const CaseRun host = on("host", "taylor_green", overrides), cuda = on("cuda", "taylor_green", overrides);
    REQUIRE(cuda.rejections.size() == 1);
    CHECK(cuda.rejections.front().error.cell == std::array{10, 7, 0});
    check_same(host, cuda, 1e-12);
  }
}

TEST_CASE("totals of hexahedra, and the point that limits the step, are the host's") {
  const Overrides overrides = bent(2, {"mesh.cells=[5,4,3]", "time.max_steps=3"});
  const CaseRun host = on("host", "taylor_green", overrides), cuda = on("cuda", "taylor_green", overrides);
  const Totals a = host.solver->totals(), b = cuda.solver->totals();
  CHECK(b.mass == doctest::Approx(a.mass).epsilon(1e-14));
  CHECK(b.energy == doctest::Approx(a.energy).epsilon(1e-14));
  CHECK(b.fastest_cell == a.fastest_cell);
}
