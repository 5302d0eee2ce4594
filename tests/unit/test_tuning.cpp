// The tuning file: what is written is read, and entries that do not fit are not used.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/kernels/compiler.hpp"
#include "app/kernels/tuning.hpp"
#include "tests/run_case.hpp"
#include "tests/unit/environment.hpp"
#include "tests/unit/temporary_directory.hpp"

using namespace halfstep;

namespace {

/// Returns a tuning of this build and the current device.
Tuning sample() {
  const auto devices = cuda_devices();
  return {.device = devices.empty() ? "none" : devices.front(),
          .architecture = "sm_90",
          .sources = KernelCompiler::sources_hash(),
          .kernels = {{"weno5z characteristic hllc double",
                       {.cubin = "/some/where.cubin",
                        .function = "stage_512_128",
                        .threads = 512,
                        .registers = 128,
                        .ratio = 0.1 + 0.2}}}};
}

/// A cache for one test.
class Cache {
 public:
  Cache() : set_("HALFSTEP_CACHE", (directory_ / "of" / "tests").string()) {}

 private:
  TemporaryDirectory directory_;
  Environment set_;
};

}  // namespace

TEST_CASE("a tuning file comes back as it was written, from the cache") {
  const Cache cache;
  CHECK_FALSE(read_tuning());
  write_tuning(sample());
  CHECK(tuning_file().parent_path() == KernelCompiler::cache_directory());
  CHECK(tuning_file().filename().string().find_first_of(" ,/()") == std::string::npos);
  std::string remark;
  const std::optional<Tuning> read = read_tuning(&remark);
  REQUIRE(read);
  CHECK(remark == "");
  CHECK(read->device == sample().device);
  CHECK(read->architecture == "sm_90");
  CHECK(read->sources == sample().sources);
  REQUIRE(read->kernels.size() == 1);
  const auto& [name, kernel] = *read->kernels.begin();
  CHECK(name == "weno5z characteristic hllc double");
  CHECK(kernel.cubin == "/some/where.cubin");
  CHECK(kernel.function == "stage_512_128");
  CHECK(kernel.threads == 512);
  CHECK(kernel.registers == 128);
  CHECK(kernel.ratio == 0.1 + 0.2);
}

TEST_CASE("a tuning file of another build or another device is not used, with a remark") {
  const Cache cache;
  Tuning tuning = sample();
  SUBCASE("build") { tuning.sources = "0123456789abcdef"; }
  SUBCASE("device") { tuning.device = "another"; }
  write_tuning(tuning);
  std::string remark;
  const std::optional<Tuning> read = read_tuning(&remark);
  REQUIRE(read);
  CHECK(read->kernels.empty());
  CHECK(contains(remark, tuning_file().string()));
  CHECK(contains(remark, "run 'halfstep study tune' again"));
}

TEST_CASE("a damaged tuning file is not used, with a remark") {
  const Cache cache;
  write_tuning(sample());
  const std::string whole = contents(tuning_file());
  std::string damaged;
  SUBCASE("cut short") { damaged = whole.substr(0, whole.size() / 2); }
  SUBCASE("empty") {}
  SUBCASE("no object") { damaged = "[1, 2]"; }
  SUBCASE("of other types") { damaged = nlohmann::json::parse(whole).flatten().dump(); }
  SUBCASE("a kernel without its block") {
    auto json = nlohmann::json::parse(whole);
    json["kernels"].begin()->erase("threads");
    damaged = json.dump();
  }
  put(tuning_file(), damaged);
  std::string remark;
  const std::optional<Tuning> read = read_tuning(&remark);
  REQUIRE(read);
  CHECK(read->kernels.empty());
  CHECK(contains(remark, "is damaged and not used"));
  CHECK(read_tuning());  // the remark may be left out
}

TEST_CASE("problems that no kernel is tuned for have the program's own") {
  const Cache cache;
  const auto problem = [](const std::string& deck) {
    return load_deck(HALFSTEP_SOURCE_DIR "/inputs/" + deck + ".yaml", {}).problem;
  };
  Problem blast = problem("sedov_3d");
  CHECK_FALSE(tuned_stage(blast));  // no file
  CHECK_FALSE(tuned_stage(problem("double_mach")));
  blast.has_reactant = true;
  CHECK_FALSE(tuned_stage(blast));
}
