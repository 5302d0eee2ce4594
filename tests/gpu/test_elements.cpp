// Flux reconstruction: CUDA against the host, in every degree and dimension, and through the ladder.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/gpu/both_backends.hpp"

using namespace halfstep;

namespace {

Overrides elements(int degree, const Overrides& more) {
  return with({"scheme.method=flux_reconstruction", "scheme.degree=" + std::to_string(degree)}, more);
}

}  // namespace

TEST_CASE("elements of every degree, Riemann solver and precision agree between host and CUDA") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const char* riemann : {"rusanov", "hll", "hllc", "lhllc", "roe"})
      for (const char* precision : {"double", "single"}) {
        const Overrides overrides = elements(
            degree, {"mesh.cells=[7,6,5]", "time.max_steps=6", std::string("scheme.riemann=") + riemann,
                     std::string("scheme.precision=") + precision});
        INFO(("degree " + std::to_string(degree) + ", " + riemann + ", " + precision));
        const bool is_double = std::string(precision) == "double";
        check_same(on("host", "isentropic_vortex", overrides), on("cuda", "isentropic_vortex", overrides),
                   is_double ? 1e-11 : 1e-4);
      }
}

TEST_CASE("elements agree in one, two and three dimensions, along every axis and behind every side") {
  struct Box {
    const char *cells, *axis;  // of the tube
  };
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const auto& [cells, axis] : {Box{"[70,1,1]", "x"},
                                      {"[1,9,1]", "y"},
                                      {"[1,1,8]", "z"},
                                      {"[37,5,1]", "y"},
                                      {"[5,1,6]", "z"},
                                      {"[1,4,3]", "y"},
                                      {"[17,2,3]", "x"}})
      for (const char* sides : {"periodic", "outflow", "reflecting"}) {
        const std::string side = std::string("=[") + sides + "," + sides + "]";
        const Overrides overrides = {"scheme.degree=" + std::to_string(degree),
                                     std::string("mesh.cells=") + cells,
                                     std::string("case.axis=") + axis,
                                     "case.left.velocity=[0.1,0.2,0.3]",
                                     "mesh.boundary.x" + side,
                                     "mesh.boundary.y" + side,
                                     "mesh.boundary.z" + side,
                                     "scheme.riemann=hllc",
                                     "soft_error.face=repair",
                                     "time.max_steps=5"};
        INFO(("degree " + std::to_string(degree) + ", elements " + cells + ", " + sides));
        check_same(on("host", "sod_elements", overrides), on("cuda", "sod_elements", overrides), 1e-10);
      }
}

TEST_CASE("Sod's tube in elements takes the same rungs on host and CUDA, and its replays reproduce") {
  std::size_t remedied = 0;
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const char* axis : {"x", "y", "z"})
      for (const bool repairs : {false, true}) {
        const std::string cells = *axis == 'x' ? "[32,2,1]" : *axis == 'y' ? "[2,32,1]" : "[1,2,32]";
        const Overrides overrides = {"scheme.degree=" + std::to_string(degree),
                                     std::string("case.axis=") + axis,
                                     "mesh.cells=" + cells,
                                     "mesh.boundary.x=[outflow,outflow]",
                                     "mesh.boundary.y=[outflow,outflow]",
                                     "mesh.boundary.z=[outflow,outflow]",
                                     "case.left.pressure=1000",
                                     "soft_error.max_halvings=1",
                                     "time.end=0.005",
                                     std::string("soft_error.face=") + (repairs ? "repair" : "raise")};
        INFO(("degree " + std::to_string(degree) + ", " + axis + (repairs ? ", repaired" : "")));
        const CaseRun host = on("host", "sod_elements", overrides),
                      cuda = on("cuda", "sod_elements", overrides);
        check_same(host, cuda, 1e-8);
        remedied += cuda.remedied.size();
        for (std::size_t n = 0; n < std::min(host.rejections.size(), cuda.rejections.size()); ++n) {
          const Rejection &h = host.rejections[n], &c = cuda.rejections[n];
          CHECK(c.error.kind == h.error.kind);
          CHECK(c.error.cell == h.error.cell);
          CHECK(c.error.counts == h.error.counts);
          CHECK(c.replay.reproduced);
          for (int a = 0; a < 3; ++a) CHECK(c.replay.stencil[a].size() == h.replay.stencil[a].size());
        }
      }
  CHECK(remedied > 0);  // or the remedies' kernels have not been compared
}

TEST_CASE("elements give the same bits every time, in slices, and queued ahead") {
  for (const int degree : {2, 5}) {
    const Overrides plain = elements(degree, {"mesh.cells=[9,8,7]", "time.max_steps=8"});
    const CaseRun once = on("cuda", "isentropic_vortex", plain);
    for (const Overrides& more :
         {Overrides{}, Overrides{"interruptible.enabled=true", "interruptible.launch_budget_ms=1e-6"},
          Overrides{"soft_error.poll=pipelined"}}) {
      const CaseRun again = on("cuda", "isentropic_vortex", with(plain, more));
      CHECK(again.state.time == once.state.time);
      CHECK(identical(again.fields(), once.fields()));
    }
  }
}

TEST_CASE("a fault in an element is found on CUDA where it was put") {
  for (const char* kind : {"negative_density", "not_finite"}) {
    const Overrides overrides = elements(
        3, {"mesh.cells=[6,5,4]", "time.max_steps=4",
            std::string("inject={\"step\":2,\"stage\":2,\"cell\":[10,7,5],\"kind\":\"") + kind + "\"}"});
    const CaseRun host = on("host", "isentropic_vortex", overrides),
                  cuda = on("cuda", "isentropic_vortex", overrides);
    REQUIRE(cuda.rejections.size() == 1);
    CHECK(cuda.rejections.front().error.cell == std::array{10, 7, 5});
    check_same(host, cuda, 1e-12);
  }
}
