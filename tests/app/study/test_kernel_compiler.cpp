// KernelCompiler with a stand-in for nvcc that counts its calls, and with nvcc itself where it is installed.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

#include "app/study/architecture.hpp"
#include "app/study/compiler.hpp"
#include "app/study/detection.hpp"
#include "app/study/occupancy.hpp"
#include "app/study/parallel.hpp"
#include "app/study/registers.hpp"
#include "app/study/reporting_case.hpp"
#include "app/study/stage_source.hpp"
#include "physics/solver/solver.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/found_compiler.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

/// An nvcc of release 12.9 that reports 20 registers for every kernel of its source, with a cache of its own.
class StandInForNvcc {
 public:
  StandInForNvcc()
      : cache_("HALFSTEP_CACHE", (directory_ / "cache").string()), chosen_("CUDACXX", (directory_ / "nvcc")) {
    put(directory_ / "nvcc",
        "#!/bin/sh\n"
        "if [ \"$1\" = --version ]; then echo 'Cuda compilation tools, release 12.9, V12.9.41'; exit 0; fi\n"
        "echo \"$*\" >> '" +
            calls().string() +
            "'\n"
            "while [ $# -gt 1 ]; do if [ \"$1\" = -o ]; then out=$2; fi; shift; done\n"
            "if grep -q 'not C++' \"$1\"; then echo 'error: this is not C++' >&2; exit 2; fi\n"
            "echo cubin > \"$out\"\n"
            "if grep -q toy_kernel.cuh \"$1\"; then\n"
            "  for name in none printf assert payload raise; do echo \"toy_$name(\" >> \"$1\"; done\n"
            "fi\n"
            "sed -n 's/.*\\b\\(toy_[a-z]*\\|stage_[0-9]*\\|own\\|silent\\)(.*/\\1/p' \"$1\" | while read "
            "name; do\n"
            "  echo \"ptxas info    : Compiling entry function '$name' for 'sm_90'\"\n"
            "  echo \"ptxas info    : Used 20 registers, used 0 barriers, 360 bytes cmem[0]\"\n"
            "done\n");
    std::filesystem::permissions(directory_ / "nvcc", std::filesystem::perms::owner_all);
  }

  /// Returns the command lines of its compilations.
  std::vector<std::string> compilations() const { return lines(calls()); }
  std::filesystem::path cache() const { return directory_ / "cache"; }

 private:
  std::filesystem::path calls() const { return directory_ / "calls"; }
  TemporaryDirectory directory_;
  Environment cache_, chosen_;
};

const std::string kStage = "extern \"C\" __global__ void stage_0(int n) {}\n";

}  // namespace

TEST_CASE("the cache is where the environment wants it") {
  const Environment own("HALFSTEP_CACHE", "/own"), cache("XDG_CACHE_HOME", "/xdg"), home("HOME", "/me");
  CHECK(KernelCompiler::cache_directory() == "/own");
  const Environment no_own("HALFSTEP_CACHE", std::nullopt);
  CHECK(KernelCompiler::cache_directory() == "/xdg/halfstep");
  const Environment empty("XDG_CACHE_HOME", "");
  CHECK(KernelCompiler::cache_directory() == "/me/.cache/halfstep");
  const Environment no_home("HOME", std::nullopt);
  CHECK(KernelCompiler::cache_directory().string().starts_with(
      (std::filesystem::temp_directory_path() / "halfstep-").string()));
}

TEST_CASE("what was compiled is kept, by source and architecture") {
  const StandInForNvcc nvcc;
  const KernelCompiler compiler;
  CHECK(compiler.version() == "12.9");
  const CompiledKernels first = compiler.compile(kStage, "sm_90");
  CHECK(first.of("stage_0").registers == 20);
  CHECK(contents(first.cubin) == "cubin\n");
  REQUIRE(nvcc.compilations().size() == 1);
  const std::string words = nvcc.compilations()[0] + ' ';
  CHECK(contains(words, "-arch=sm_90 "));
  CHECK(contains(words, "-I" + nvcc.cache().string() + "/sources/" + KernelCompiler::sources_hash() + ' '));

  const CompiledKernels again = KernelCompiler().compile(kStage, "sm_90");
  CHECK(again.cubin == first.cubin);
  CHECK(again.of("stage_0").registers == 20);
  CHECK(nvcc.compilations().size() == 1);
  CHECK(compiler.compile(kStage, "sm_80").cubin != first.cubin);
  CHECK(compiler.compile("// another\n" + kStage, "sm_90").cubin != first.cubin);
  CHECK(nvcc.compilations().size() == 3);
  std::filesystem::remove(first.cubin);
  CHECK(std::filesystem::exists(compiler.compile(kStage, "sm_90").cubin));
  CHECK(nvcc.compilations().size() == 4);
}

TEST_CASE("a kernel that does not compile throws nvcc's words, and nothing of it is kept") {
  const StandInForNvcc nvcc;
  const KernelCompiler compiler;
  for (int time = 0; time < 2; ++time)
    CHECK(refusal([&] { compiler.compile("not C++\n", "sm_90"); }) ==
          "nvcc could not compile a kernel for sm_90:\nerror: this is not C++\n");
  CHECK(nvcc.compilations().size() == 2);
  CHECK(std::filesystem::is_empty(nvcc.cache() / "kernels"));
}

TEST_CASE("threads that compile the same kernel do not get into each other's way") {
  const StandInForNvcc nvcc;
  constexpr int kThreads = 8;
  for (int round = 0; round < 5; ++round) {
    const std::string source = "// " + std::to_string(round) + '\n' + kStage;
    std::vector<int> registers(kThreads);
    std::vector<std::string> refusals(kThreads);
    {
      std::vector<std::jthread> threads;
      for (std::size_t n = 0; n < kThreads; ++n)
        threads.emplace_back([&, n] {
          refusals[n] = refusal(
              [&] { registers[n] = KernelCompiler().compile(source, "sm_90").of("stage_0").registers; });
        });
    }
    CHECK(refusals == std::vector<std::string>(kThreads));
    CHECK(registers == std::vector<int>(kThreads, 20));
  }
  for (const auto& file : std::filesystem::directory_iterator(nvcc.cache() / "kernels")) {
    const std::string ending = file.path().extension();
    CHECK_MESSAGE((ending == ".cubin" || ending == ".txt"), "left behind: ", file.path().string());
  }
}

TEST_CASE("the program carries what its kernels are compiled from") {
  const StandInForNvcc nvcc;
  const KernelCompiler compiler;
  const auto sources = nvcc.cache() / "sources" / KernelCompiler::sources_hash();
  for (const char* header : {"physics/cuda/stage/body.cuh", "app/study/reporting_methods.cuh",
                             "app/study/toy_kernel.cuh", "runtime/soft_error/reporter.hpp"})
    CHECK_MESSAGE(contents(sources / header) == contents(std::filesystem::path(HALFSTEP_SOURCE_DIR) / header),
                  header);
}

TEST_CASE("a stage kernel, and one with viscous faces, compile from what the program carries") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  const Scheme scheme{.reconstruction = Reconstruction::plm};
  const KernelConfiguration shipped = shipped_configuration(scheme, "sm_90");
  const CompiledKernels compiled =
      compiler->compile(stage_preamble() + stage_kernel_source("shipped", scheme, shipped) +
                            stage_kernel_source("viscous", scheme, shipped, {.correction = "ViscousFaces"}),
                        "sm_90");
  CHECK(compiled.of("shipped").registers <= shipped.max_registers);
  CHECK(compiled.of("viscous").shared_bytes == compiled.of("shipped").shared_bytes);
}

TEST_CASE("kernels of faces compile from what the program carries, with every way of reporting") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  for (const bool viscous : {false, true}) {
    const ReportingCase of{{.method = Method::flux_reconstruction, .riemann = Riemann::roe}, viscous};
    std::string source = preamble_of(of);
    for (const ReportingMethod& method : reporting_methods())
      source += of.source(method.toy, of.shipped("sm_90"), method.policy);
    const CompiledKernels compiled = compiler->compile(source, "sm_90");
    for (const ReportingMethod& method : reporting_methods()) {
      const KernelResources& kernel = compiled.of(method.toy);
      CHECK(kernel.registers > 64);
      CHECK(of.occupancy(of.shipped("sm_90"), kernel, "sm_90") == 0.3125);
    }
  }
}

TEST_CASE("the kernels that studies compile are those of runs without scalars") {
  const CompilerWithCache compiler;
  if (!compiler.is_release("13.0")) return;
  const Scheme scheme{.reconstruction = Reconstruction::plm, .variables = Variables::primitive};
  const KernelConfiguration shipped = shipped_configuration(scheme, "sm_90");
  const CompiledKernels compiled =
      compiler->compile(stage_preamble() + stage_kernel_source("with", scheme, shipped) +
                            stage_kernel_source("without", scheme, shipped, {.reports = "NoReports"}),
                        "sm_90");
  // As tests/registers/table.txt has it, where the kernel with scalars spills 32 bytes.
  for (const char* name : {"with", "without"})
    CHECK(compiled.of(name).spill_stores + compiled.of(name).spill_loads == 0);
}

TEST_CASE("the toy of the blog takes 14, 24 and 18 registers with nvcc 13.0 on sm_80") {
  const CompilerWithCache compiler;
  if (!compiler.is_release("13.0")) return;
  const std::vector<KernelResources> toys = toy_resources(*compiler, "sm_80");
  REQUIRE(toys.size() == reporting_methods().size());
  for (const auto& [method, name, registers] :
       {std::tuple{0, "none", 14}, {1, "printf", 24}, {3, "payload", 18}}) {
    CHECK(reporting_methods()[method].name == name);
    CHECK(toys[method].registers == registers);
  }
}

TEST_CASE("nvcc's own report and errors are understood") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  const std::string source =
      "__device__ __noinline__ double called(double x) { return x > 1 ? sin(x) : x; }\n"
      "extern \"C\" __global__ void k(double* y) {\n"
      "  volatile double local[64];\n"
      "  local[int(y[0])] = called(y[1]);\n"
      "  y[2] = local[int(y[3])];\n"
      "}\n";
  const KernelResources kernel = compiler->compile(source, "sm_80").of("k");
  CHECK(kernel.registers > 0);
  CHECK(kernel.stack_bytes >= 64 * 8);  // the kernel's own stack, whatever the function it calls has
  CHECK(contains(refusal([&] { compiler->compile("__global__ void k() { nonsense(); }\n", "sm_80"); }),
                 "\"nonsense\" is undefined"));
}

TEST_CASE("the study of registers has without a GPU what the compiler tells, also in a build without CUDA") {
  const StandInForNvcc nvcc;
  if (cuda_available()) {
    MESSAGE("skipped: there is a GPU");
    return;
  }
  const StudyReport report = registers();
  // The rows are a toy with five methods and 14 + 10 kernels, each with two more as shipped.
  CHECK(report.table.rows.size() == (5 + 24 * 7) * known_architectures().size());
  for (const auto& row : report.table.rows) CHECK(std::get<std::int64_t>(row[6]) == 20);
  REQUIRE(!report.table.notes.empty());
  REQUIRE(report.findings.size() == 4);
  CHECK(report.findings[0].standing == Standing::gone);  // printf takes no more than the others
  CHECK(report.findings[1].standing == Standing::not_measured);
  CHECK(report.failures.empty());
}

TEST_CASE("the study of registers can be narrowed down, and none is always there to compare with") {
  const StandInForNvcc nvcc;
  if (cuda_available()) {
    MESSAGE("skipped: there is a GPU");
    return;
  }
  const StudyReport report = registers({.architectures = {"sm_90"},
                                        .blocks = {128},
                                        .caps = {0, 96},
                                        .schemes = {"plm"},
                                        .methods = {"printf"},
                                        .precisions = {"single"}});
  // The toy, and plm with both sorts of variables: two methods with two caps, and none as shipped.
  REQUIRE(report.table.rows.size() == 2 + 2 * (2 * 2 + 1));
  const auto text = [&](std::size_t row, std::size_t column) {
    return std::get<std::string>(report.table.rows[row][column]);
  };
  for (std::size_t row = 2; row < report.table.rows.size(); ++row) {
    CHECK(text(row, 0).starts_with("plm "));
    CHECK(text(row, 1) == "single");
    CHECK(text(row, 3) == "sm_90");
  }
  CHECK(text(4, 2) == "none");
  CHECK(std::get<std::int64_t>(report.table.rows[4][4]) == 128);
  CHECK(std::get<std::int64_t>(report.table.rows[4][5]) == 96);
  CHECK(text(5, 2) == "printf");
  CHECK(contains(refusal([] { registers({.schemes = {"weno9"}}); }), "leave no kernel"));
  CHECK(contains(refusal([] { registers({.architectures = {"gpu"}}); }), "--arch: 'gpu' is not sm_75, "));
  CHECK(contains(refusal([] { registers({.blocks = {100}}); }), "100 is not a multiple of 32"));
}

TEST_CASE("the study of detection has without a GPU what the compiler tells") {
  const StandInForNvcc nvcc;
  if (cuda_available()) {
    MESSAGE("skipped: there is a GPU");
    return;
  }
  const StudyReport report = detection({});
  CHECK(report.failures.empty());
  REQUIRE(report.table.rows.size() == 60);
  for (const auto& row : report.table.rows) {
    CHECK(std::get<std::int64_t>(row[2]) == 20);
    CHECK(std::get<std::int64_t>(row[3]) == 20);
    CHECK(std::get<std::string>(row[8]) == "not measured");
  }
  CHECK(report.table.notes.at(1).starts_with("Times: not measured, as "));
}

TEST_CASE("a stage kernel takes what the program's own does, with its reports and without") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  const StudyReport report = compiled_detection({{.reconstruction = Reconstruction::plm}}, "there is no GPU");
  const auto& row = report.table.rows.at(0);
  CHECK(std::get<std::int64_t>(row[2]) > 32);
  CHECK(std::get<double>(row[6]) >= std::get<double>(row[7]));
}
