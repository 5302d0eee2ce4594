// The study of a user's kernel on a device: the examples run, and every row of the device has its time.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "app/study/gpu.hpp"
#include "app/study/kernel.hpp"
#include "tests/support/found_compiler.hpp"

using namespace halfstep;

TEST_CASE("the examples of study kernel are timed in every way of reporting") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  REQUIRE(gpu_architecture());
  const std::filesystem::path examples = std::filesystem::path(HALFSTEP_SOURCE_DIR) / "app/study/examples";
  for (const char* place :
       {"lennard_jones.cu:forces", "lattice_boltzmann.cu:collide", "newton_chemistry.cu:react"}) {
    INFO(place);
    const StudyReport report = user_kernel_study({(examples / place).string(), {}, {256}, {0, 32}});
    const Json json = Json::parse(report_json(report, "kernel", {}));
    REQUIRE(json.at("rows").size() == 12);
    for (const Json& row : json["rows"]) {
      INFO(row.dump());
      CHECK(row.at("arch") == *gpu_architecture());
      CHECK(row.at("milliseconds") > 0);
      CHECK(row.at("gigabytes_per_second") < 1e4);  // no memory is faster: the kernel ran
      CHECK(row.at("ratio_to_none") > 0.5);
      CHECK(row.at("ratio_to_none") < 20);
    }
  }
}
