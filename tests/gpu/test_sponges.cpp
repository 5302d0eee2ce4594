// Sponges on a device agree with the host, and have the same bits however steps are launched.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/support/difference.hpp"

using namespace halfstep;

namespace {

const std::string kTarget = "target: {density: \"1 + 0.1*x\", velocity: [0.1, 0, 0.2], pressure: 2}";
const std::string kSponges =
    "sponges=[{shape: ball, center: [0.5, 0.4, 0.5], radius: 0.4, rate: 20*(x + y), " + kTarget +
    "}, {shape: half_space, point: [0.8, 0, 0], normal: x, rate: 1e6, " + kTarget + "}]";

struct Row {
  std::string deck;
  Overrides overrides;
};

/// One cell in sponges and many, with sources, scalars, viscosity, walls and a remedy.
const Row kRows[] = {
    {"sod", {"mesh.cells=[200,1,1]"}},
    {"kelvin_helmholtz", {"mesh.cells=[150,70,1]", "scalars.dye=x"}},
    {"kelvin_helmholtz", {"mesh.cells=[70,50,1]", "gas.viscosity=1e-3"}},
    {"linear_wave_3d", {"mesh.cells=[33,20,17]", "case.amplitude=0.2"}},
    {"detonation", {"mesh.cells=[100,1,1]"}},
    {"uniform", {"mesh.cells=[4,1,1]"}},
};

CaseRun on(const std::string& backend, const Row& row, const Overrides& more) {
  CaseRun run(row.deck, with(with(row.overrides, {kSponges}), more), 0, backend);
  run.run(20);
  return run;
}

}  // namespace

TEST_CASE("sponges agree between host and CUDA, with what they add") {
  for (const Row& row : kRows)
    for (const std::string precision : {"double", "single"}) {
      INFO(row.deck, " ", precision);
      const Overrides more{"scheme.precision=" + precision};
      const CaseRun host = on("host", row, more), cuda = on("cuda", row, more);
      const double bar = precision == "double" ? 1e-11 : 5e-5;
      CHECK(cuda.state.step == host.state.step);
      CHECK(difference(host, cuda) <= bar);
      CHECK(host.sponged.energy != 0);
      CHECK(std::abs(cuda.sponged.mass - host.sponged.mass) <= bar * (1 + std::abs(host.sponged.mass)));
      CHECK(std::abs(cuda.sponged.energy - host.sponged.energy) <= bar * (1 + std::abs(host.sponged.energy)));
      if (HALFSTEP_STRICT_FP) {
        CHECK(cuda.sponged.mass == host.sponged.mass);
        CHECK(cuda.sponged.energy == host.sponged.energy);
      }
    }
}

TEST_CASE("sponges on CUDA have the same bits at once, in slices, pipelined, and every time") {
  for (const Row& row : kRows) {
    CAPTURE(row.deck);
    const CaseRun whole = on("cuda", row, {});
    for (const Overrides& other :
         {Overrides{}, Overrides{"soft_error.poll=pipelined", "soft_error.depth=8"},
          Overrides{"interruptible.enabled=true", "interruptible.launch_budget_ms=1e-6"}}) {
      const CaseRun again = on("cuda", row, other);
      CHECK(again.state.time == whole.state.time);
      CHECK(again.rate == whole.rate);
      CHECK(again.sponged.mass == whole.sponged.mass);
      CHECK(again.sponged.energy == whole.sponged.energy);
      CHECK(identical(again.fields(), whole.fields()));
    }
  }
}
