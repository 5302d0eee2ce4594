// Kernels as text and as resources: the kernel of a scheme, the output of ptxas, occupancy.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>
#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#endif

#include "app/base/embedded.hpp"
#include "app/base/scheme_names.hpp"
#include "app/study/architecture.hpp"
#include "app/study/compiler.hpp"
#include "app/study/occupancy.hpp"
#include "app/study/parallel.hpp"
#include "app/study/registers.hpp"
#include "app/study/reporting_case.hpp"
#include "app/study/stage_bench.hpp"
#include "app/study/stage_source.hpp"
#include "app/study/tune.hpp"
#include "physics/cuda/stage/kernel_configuration.hpp"
#include "physics/cuda/stage/tile.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

#if __has_include(<cuda_occupancy.h>)
double occupancy_by_cuda(const std::string& architecture, int threads, int registers, std::size_t fixed,
                         std::size_t dynamic) {
  const Architecture& a = architecture_of(architecture);
  cudaOccDeviceProp device;
  device.computeMajor = a.major;
  device.computeMinor = a.minor;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = a.threads;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.warpSize = 32;
  device.sharedMemPerBlock = 49152;
  device.sharedMemPerMultiprocessor = std::size_t(a.shared_kib) * 1024;
  device.sharedMemPerBlockOptin = most_shared_bytes(architecture);
  device.reservedSharedMemPerBlock = std::size_t(a.reserved_bytes);
  device.numSms = 1;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = 1024;
  kernel.numRegs = registers;
  kernel.sharedSizeBytes = fixed;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = dynamic;
  const cudaOccDeviceState state;
  cudaOccResult result{};
  REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, dynamic) ==
          CUDA_OCC_SUCCESS);
  return double(result.activeBlocksPerMultiprocessor * threads) / a.threads;
}
#endif

TEST_CASE("parse_ptxas: a kernel's own registers and memory, not those of the functions it calls") {
  const auto kernels = parse_ptxas(
      "ptxas info    : 272 bytes gmem, 16 bytes cmem[4]\n"
      "ptxas info    : Function properties for before\n"
      "    1 bytes stack frame, 2 bytes spill stores, 3 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'first' for 'sm_90'\n"
      "ptxas info    : Function properties for first\n"
      "    368 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads\n"
      "ptxas info    : Used 128 registers, used 1 barriers, 1536 bytes smem, 904 bytes cmem[0]\n"
      "ptxas info    : Compile time = 5.5 ms\n"
      "ptxas info    : Function properties for called\n"
      "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'second' for 'sm_90'\n"
      "ptxas info    : Function properties for second\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 14 registers, used 0 barriers, 368 bytes cmem[0]\n");
  REQUIRE(kernels.size() == 2);
  const auto figures = [](const KernelResources& k) {
    return std::tuple(k.name, k.registers, k.stack_bytes, k.spill_stores, k.spill_loads, k.shared_bytes);
  };
  CHECK(figures(kernels[0]) == std::tuple("first", 128, 368, 24, 40, 1536));
  CHECK(figures(kernels[1]) == std::tuple("second", 14, 0, 0, 0, 0));
  CHECK(parse_ptxas("").empty());

  const CompiledKernels compiled{"some.cubin", kernels};
  CHECK(compiled.of("second").registers == 14);
  CHECK_THROWS_AS(compiled.of("third"), std::logic_error);
}

TEST_CASE("a kernel of faces: its text, its block, and a flow in elements that are all inside") {
  const ReportingCase inviscid{{.method = Method::flux_reconstruction, .degree = 4, .riemann = Riemann::roe},
                               false};
  CHECK(inviscid.name() == "flux_reconstruction of degree 4 roe double");
  CHECK(inviscid.source("of_faces", inviscid.shipped("sm_90"), "NoReports") ==
        "extern \"C\" __global__ void __launch_bounds__(128, 5) of_faces(const __grid_constant__ "
        "FacePass<double> "
        "pass) {\n  find_inviscid_face_flux<Roe, Cube<4, 3>, NoReports>(pass);\n}\n");
  int count = 0;
  for (const ReportingCase& of : reporting_cases()) {
    if (!of.is_of_faces()) continue;
    ++count;
    const Problem problem = deck_of_faces(of, 12).problem;
    REQUIRE(problem.has_hexahedra());
    CHECK(problem.scheme.degree == of.scheme.degree);
    CHECK(problem.scheme.riemann == of.scheme.riemann);
    CHECK(problem.terms.viscous() == of.viscous);
    const FacesOfMesh faces(*problem.hexahedra, problem.hexahedra->count);
    CHECK(faces.of_two == static_cast<int>(faces.faces.size()));
  }
  CHECK(count == 10);
}

TEST_CASE("the text of a stage kernel has its scheme, its block and one bound of its registers") {
  Scheme scheme{.reconstruction = Reconstruction::plm,
                .limiter = Limiter::mc,
                .variables = Variables::primitive,
                .riemann = Riemann::roe,
                .precision = Precision::single_precision};
  const auto text = [&](const KernelConfiguration& configuration) {
    return stage_kernel_source("my_stage", scheme, configuration,
                               {.reports = "NoReports", .correction = "ViscousFaces"});
  };
  CHECK(
      text({128, 0, 0, true, false, false, true, false}) ==
      "extern \"C\" __global__ void __launch_bounds__(128) my_stage(const __grid_constant__ CudaStage<float> "
      "stage) {\n"
      "  advance_tile<KernelConfiguration{128, 0, 0, true, false, false, true, false}, Plm<Limiter::mc>, "
      "Variables::primitive, Roe, float, NoReports, false, ViscousFaces>(stage);\n}\n");
  CHECK(contains(text({512, 0, 2, {}, {}, {}, {}, {}}), " __launch_bounds__(512, 2) my_stage("));
  CHECK(contains(text({512, 96, 0, {}, {}, {}, {}, {}}), " __maxnreg__(96) my_stage("));
  scheme = {};
  const auto plain = [&] { return stage_kernel_source("my_stage", scheme, default_configuration(8)); };
  CHECK(contains(
      plain(), ", Weno5z, Variables::characteristic, Hllc, double, RaiseOnce, false, NoCorrection>(stage)"));
  scheme.reconstruction = Reconstruction::constant;
  CHECK(contains(plain(), ", Constant,"));
  scheme.reconstruction = Reconstruction::ppm;
  CHECK(contains(plain(), ", Ppm,"));
}

TEST_CASE("kernels' names, and the configuration they have in the program") {
  Scheme scheme;
  CHECK(kernel_name(scheme) == "weno5z characteristic hllc double");
  const auto block = [&] {
    const KernelConfiguration c = shipped_configuration(scheme, "sm_90");
    return std::array{c.threads, c.max_registers, c.min_blocks};
  };
  CHECK(block() == std::array{256, 128, 0});
  scheme.precision = Precision::single_precision;
  CHECK(kernel_name(scheme) == "weno5z characteristic hllc single");
  CHECK(block() == std::array{512, 0, 2});
  scheme = {.reconstruction = Reconstruction::plm};
  CHECK(kernel_name(scheme) == "plm characteristic hllc double");
  CHECK(block() == std::array{256, 128, 0});
  scheme.limiter = Limiter::minmod;
  CHECK(kernel_name(scheme) == "plm minmod characteristic hllc double");
  scheme.reconstruction = Reconstruction::ppm;
  CHECK(kernel_name(scheme) == "ppm characteristic hllc double");  // ppm has no limiter
  CHECK(block() == std::array{256, 128, 0});
  scheme.precision = Precision::single_precision;
  CHECK(block() == std::array{512, 0, 2});
}

TEST_CASE("a kernel has its row of the newest table that its architecture can use, or else the default") {
  const auto of = [](Riemann riemann, std::size_t real_bytes, int architecture) {
    return kernel_configuration(Reconstruction::plm, Variables::primitive, riemann, real_bytes, architecture);
  };
  // As in sm_90.inc. Older and newer architectures have no table of their own.
  const KernelConfiguration roe{128, 72, 0, true, false, false, false, true};
  for (const int architecture : {0, 75, 80, 90, 100, 120}) CHECK(of(Riemann::roe, 4, architecture) == roe);
  CHECK(of(Riemann::hllc, 8, 90) == KernelConfiguration{256, 128, 0, false, true, false, true, true});
  const auto unknown = static_cast<Riemann>(std::size(kRiemanns));
  for (const std::size_t real_bytes : {4, 8})
    CHECK(of(unknown, real_bytes, 90) == default_configuration(real_bytes));
  // Every kernel of the program has a row of its own.
  const std::vector<Scheme> schemes = stage_schemes();
  CHECK(std::size(kSm90) == schemes.size());
  for (const Scheme& s : schemes)
    CHECK(std::count_if(std::begin(kSm90), std::end(kSm90), [&](const ConfiguredKernel& k) {
            return k.reconstruction == s.reconstruction && k.variables == s.variables &&
                   k.riemann == s.riemann && k.real_bytes == bytes_of_real(s.precision);
          }) == 1);
}

TEST_CASE("the study that tunes writes a table as the program reads it") {
  const auto files = embedded_files();
  const auto table = std::find_if(files.begin(), files.end(), [](const EmbeddedFile& file) {
    return file.path == "physics/cuda/stage/kernel_configurations/sm_90.inc";
  });
  REQUIRE(table != files.end());
  CHECK(configuration_table_text("sm_90", kSm90) == table->text);
}

TEST_CASE("the study that tunes tries each block and cap both ways, and turns each switch once") {
  const KernelConfiguration shipped{256, 128, 0, true, false, true, false, true};
  const auto all = blocks_and_caps(shipped);
  const auto tries = [&](const KernelConfiguration& c) { return std::count(all.begin(), all.end(), c); };
  CHECK(tries(shipped) == 1);
  CHECK(tries({128, 0, 7, true, false, true, false, true}) == 1);  // 72 registers
  CHECK(tries({512, 0, 1, true, false, true, false, true}) == 1);  // 80, 96, 112 and 128 registers
  CHECK(tries({512, 64, 0, true, false, true, false, true}) == 1);
  for (const KernelConfiguration& c : all) {
    CHECK((c.max_registers > 0) != (c.min_blocks > 0));
    CHECK(c.threads * std::max(c.max_registers, 1) * std::max(c.min_blocks, 1) <= 65536);
  }
  const auto turned = switches_turned(shipped);
  CHECK(turned == std::vector<KernelConfiguration>{{256, 128, 0, false, false, true, false, true},
                                                   {256, 128, 0, true, true, true, false, true},
                                                   {256, 128, 0, true, false, false, false, true},
                                                   {256, 128, 0, true, false, true, true, true},
                                                   {256, 128, 0, true, false, true, false, false}});
}

TEST_CASE("a block of every kernel fits every device") {
  for (const std::string& architecture : known_architectures())
    for (const auto& reconstruction : kReconstructions)
      for (const auto& precision : kPrecisions) {
        const Scheme scheme{.reconstruction = reconstruction.value, .precision = precision.value};
        const KernelConfiguration shipped = shipped_configuration(scheme, architecture);
        const int layers = ghost_layers(reconstruction.value);
        // Shared memory holds the block's two counts and whose faces they count, the places of its ghosts,
        // and rates in single precision.
        const std::size_t fixed = 32 + 8 * 2 * static_cast<std::size_t>(layers) * (kTileWidth + kMostRows) +
                                  sizeof(float) * kTileWidth * kMostRows;
        KernelResources kernel;
        kernel.shared_bytes = static_cast<int>(fixed);
        kernel.registers = shipped.max_registers > 0 ? shipped.max_registers
                                                     : 65536 / (shipped.threads * shipped.min_blocks) / 8 * 8;
        INFO((architecture + ' ' + kernel_name(scheme)));
        CHECK(stage_occupancy(scheme, shipped, kernel, architecture) > 0);
        const std::size_t bytes = bytes_of_real(precision.value);
        const Layout layout({64, 64, 64}, {layers, layers, layers});
        const std::size_t most = most_shared_bytes(architecture) - fixed;
        const int rows = tile_rows(layout, shipped.threads, bytes, most);
        CHECK(rows >= kLeastRows);
        CHECK(stage_shared_bytes(layout, rows, bytes) <= most);
      }
}

TEST_CASE("occupancy is what the multiprocessor's limits give by hand") {
  // There are 65536 registers, allocated to warps in units of 256.
  for (const auto& [threads, registers, part] : {std::tuple{256, 32, 1.0},
                                                 {256, 64, 0.5},
                                                 {256, 65, 0.375},
                                                 {256, 80, 0.375},
                                                 {256, 81, 0.25},
                                                 {256, 128, 0.25},
                                                 {512, 128, 0.25},
                                                 {512, 129, 0.0}})  // the last one: not one block
    CHECK(occupancy("sm_90", threads, registers, 0, 0) == part);
  // A multiprocessor holds 1536 threads on sm_86, 1024 on sm_75.
  CHECK(occupancy("sm_86", 512, 32, 0, 0) == 1);
  CHECK(occupancy("sm_75", 256, 64, 0, 0) == 1);
  // There are 228 KiB of shared memory; every block takes 1 KiB more than it asks for.
  for (const auto& [fixed, more, part] :
       {std::tuple{0, 56, 0.5}, {28, 28, 0.5}, {0, 57, 0.375}, {0, 228, 0.0}})
    CHECK(occupancy("sm_90", 256, 32, fixed * 1024, more * 1024) == part);
  // An unknown architecture is taken for the newest known one before it.
  CHECK(occupancy("sm_87", 256, 64, 0, 0) == occupancy("sm_86", 256, 64, 0, 0));

  // weno5z in double takes a plane of 14 x 38 cells, both sides of 9 x 65 faces and three states for 8 x 32
  // columns, 5 fields of 8 bytes: 98800 bytes. Two such blocks fit on sm_90, one on sm_86, and on sm_75 one
  // of 4 rows.
  const KernelResources kernel{.name = "k", .registers = 32};
  CHECK(stage_occupancy({}, default_configuration(8), kernel, "sm_90") == 0.25);
  CHECK(stage_occupancy({}, default_configuration(8), {.name = "k", .registers = 129}, "sm_90") == 0.125);
  CHECK(stage_occupancy({}, default_configuration(8), kernel, "sm_86") == 256.0 / 1536);
  CHECK(stage_occupancy({}, default_configuration(8), kernel, "sm_75") == 128.0 / 1024);
}

#if __has_include(<cuda_occupancy.h>)
TEST_CASE("occupancy is that of cuda_occupancy.h") {
  for (const std::string& architecture : known_architectures())
    for (int threads = 32; threads <= 1024; threads += 32)
      for (int registers = 16; registers < 256; ++registers)
        for (const std::size_t bytes : {0, 1000, 30'000, 64'512, 100'352, 100'353, 166'912, 232'449})
          REQUIRE(occupancy(architecture, threads, registers, bytes / 2, bytes - bytes / 2) ==
                  occupancy_by_cuda(architecture, threads, registers, bytes / 2, bytes - bytes / 2));
}
#endif

TEST_CASE("in_parallel does every job once") {
  std::vector<std::atomic<int>> calls(1000);
  in_parallel(calls.size(), [&](std::size_t n) { calls[n] += 1; });
  int once = 0;
  for (const auto& count : calls) once += count == 1;
  CHECK(once == 1000);
  in_parallel(0, [](std::size_t) { FAIL("there is nothing to do"); });
}

TEST_CASE("in_parallel throws what a job threw, and begins no more of them") {
  std::atomic<int> calls = 0;
  CHECK(refusal([&] {
          in_parallel(1000, [&](std::size_t n) {
            calls += 1;
            if (n == 3) throw std::runtime_error("the third");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));  // otherwise all might be done before
          });
        }) == "the third");
  CHECK(calls < 1000);
}

TEST_CASE("a cliff is told with the methods on either side of it") {
  const std::vector<std::string> methods = {"none", "printf", "payload", "raise once"};
  CHECK(cliff_sentence("plm", 256, methods, {64, 90, 70, 62}, {0.5, 0.25, 0.375, 0.5}) ==
        "At 256 threads plm falls from 50 % to 25 % occupancy somewhere beyond 64 registers: "
        "beyond it are printf (90), payload (70); not none (64), raise once (62).");
  CHECK(cliff_sentence("plm", 256, methods, {62, 64, 60, 58}, {0.5, 0.5, 0.5, 0.5}) == "");
  CHECK(cliff_sentence("plm", 256, {}, {}, {}) == "");
}
