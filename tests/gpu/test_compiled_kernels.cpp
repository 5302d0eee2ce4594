// Flux kernels compiled at run time replace those of the program.
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/base/scheme_names.hpp"
#include "app/study/compiler.hpp"
#include "app/study/library.hpp"
#include "app/study/reporting_case.hpp"
#include "app/study/stage_source.hpp"
#include "tests/support/found_compiler.hpp"
#include "tests/support/run_case.hpp"

using namespace halfstep;

namespace {

constexpr int kSteps = 10;

/// Returns a run with weno5z, hllc and double in three dimensions, no side a multiple of a tile's.
CaseRun blast() {
  return CaseRun("sedov_3d",
                 {"mesh.cells=[70,41,24]", "time.end=1", "scheme.reconstruction=weno5z",
                  "scheme.variables=characteristic"},
                 0, "cuda");
}

}  // namespace

TEST_CASE("a stage kernel of another block and register cap gives the bits of the program's own") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  CaseRun own = blast(), other = blast();
  const Scheme& scheme = own.config.problem.scheme;
  REQUIRE(kernel_name(scheme) == "weno5z characteristic hllc double");
  const std::string architecture = device_architecture().value();
  KernelConfiguration wide = shipped_configuration(scheme, architecture);
  wide.threads = 512;
  REQUIRE(wide.max_registers == 128);
  const CompiledKernels compiled =
      compiler->compile(stage_preamble() + stage_kernel_source("wide", scheme, wide), architecture);
  const KernelLibrary library(compiled.cubin);
  other.solver->instruments().use_flux_kernel({library.kernel("wide"), wide.threads});
  const KernelInfo info = other.solver->instruments().kernel_info();
  CHECK(info.block_threads == 512);
  CHECK(info.registers == compiled.of("wide").registers);
  CHECK(info.registers <= 128);
  CHECK(info.occupancy == stage_occupancy(scheme, wide, compiled.of("wide"), architecture));
  CHECK(own.solver->instruments().kernel_info().block_threads == 256);

  own.run(kSteps);
  other.run(kSteps);
  CHECK(own.state.step == kSteps);
  CHECK(own.state.time == other.state.time);
  CHECK(own.rate == other.rate);
  CHECK(identical(own.fields(), other.fields()));
}

TEST_CASE("a stage kernel whose block does not fit a multiprocessor is refused") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  CaseRun run = blast();
  // Compiled without a bound of 1024 threads, the kernel needs more than the 64 registers each could have.
  const Scheme& scheme = run.config.problem.scheme;
  const std::string architecture = device_architecture().value();
  const KernelConfiguration narrow = uncapped(shipped_configuration(scheme, architecture), 128);
  const CompiledKernels compiled =
      compiler->compile(stage_preamble() + stage_kernel_source("narrow", scheme, narrow), architecture);
  REQUIRE(compiled.of("narrow").registers > 64);
  const KernelLibrary library(compiled.cubin);
  CHECK_THROWS_AS(run.solver->instruments().use_flux_kernel({library.kernel("narrow"), 1024}),
                  std::runtime_error);
}

TEST_CASE(
    "a kernel of faces of another block and another way of reporting gives the bits of the program's own") {
  const CompilerWithCache compiler;
  if (!compiler) return;
  const std::string architecture = device_architecture().value();
  for (const bool viscous : {false, true}) {
    Overrides overrides = {"scheme.method=flux_reconstruction", "scheme.degree=3", "scheme.riemann=roe",
                           "mesh.map={kind: bend, amplitude: 0.04}", "mesh.cells=[7,5,6]"};
    if (viscous) overrides.push_back("gas.viscosity=0.01");
    CaseRun own("taylor_green", overrides, 0, "cuda"), other("taylor_green", overrides, 0, "cuda");
    const ReportingCase of{own.config.problem.scheme, viscous};
    KernelConfiguration wide = of.shipped(architecture);
    wide.threads = 256;
    wide.min_blocks = 2;
    const CompiledKernels compiled =
        compiler->compile(preamble_of(of) + of.source("wide", wide, "PayloadReports"), architecture);
    const KernelLibrary library(compiled.cubin);
    CHECK_THROWS_AS(other.solver->instruments().use_flux_kernel({library.kernel("wide"), 1024}),
                    std::runtime_error);
    other.solver->instruments().use_flux_kernel({library.kernel("wide"), wide.threads});
    CHECK(other.solver->instruments().flux_seconds() > 0);
    own.run(kSteps);
    other.run(kSteps);
    CHECK(own.state.step == kSteps);
    CHECK(own.rate == other.rate);
    CHECK(identical(own.fields(), other.fields()));
  }
}
