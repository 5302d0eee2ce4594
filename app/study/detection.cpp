#include "app/study/detection.hpp"

#include <fmt/format.h>

#include "app/base/progress.hpp"
#include "app/base/quartiles.hpp"
#include "app/base/scheme_names.hpp"
#include "app/study/compiler.hpp"
#include "app/study/library.hpp"
#include "app/study/parallel.hpp"
#include "app/study/stage_bench.hpp"
#include "app/study/stage_source.hpp"
#include "physics/base/choice.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {
namespace {

constexpr int kPairs = 21;
constexpr double kAllowed = 1.01;
constexpr const char* kTunedFor = "sm_90";  // what a machine without a device compiles for

/// What a kernel takes with its reports and without them.
struct Resources {
  KernelInfo own, silent;
};

std::string silent_source(const Scheme& scheme, const std::string& architecture) {
  return stage_kernel_source("silent", scheme, shipped_configuration(scheme, architecture),
                             {.reports = "NoReports"});
}

StudyReport empty_report(std::vector<std::string> notes) {
  notes.push_back("without: the same kernel that keeps its wave-speed reduction and reports nothing.");
  return {
      .table = {.title = "Stage kernels with the soft-error channel against the same kernels without reports",
                .columns = {"kernel", "precision", "registers", "without", "local (B)", "without ",
                            "occupancy (%)", "without  ", "ms", "time ratio", "quartiles", "noise"},
                .rows = {},
                .notes = std::move(notes)}};
}

/// Adds a kernel's row; `times` are its last four cells.
void add_row(StudyReport& report, const Scheme& scheme, const Resources& of, const std::vector<Cell>& times) {
  const auto& [own, silent] = of;
  std::vector<Cell> row = {scheme_name(scheme),           std::string(name_of(kPrecisions, scheme.precision)),
                           std::int64_t{own.registers},   std::int64_t{silent.registers},
                           std::int64_t{own.local_bytes}, std::int64_t{silent.local_bytes},
                           100 * own.occupancy,           100 * silent.occupancy};
  row.insert(row.end(), times.begin(), times.end());
  report.table.rows.push_back(std::move(row));
  if (own.occupancy < silent.occupancy)
    report.failures.push_back(fmt::format("{}: {:.3g} % occupancy with its reports, {:.3g} % without",
                                          kernel_name(scheme), 100 * own.occupancy, 100 * silent.occupancy));
}

/// Compiles a kernel with and without its reports.
Resources compiled_resources(const KernelCompiler& compiler, const Scheme& scheme) {
  const KernelConfiguration shipped = shipped_configuration(scheme, kTunedFor);
  const CompiledKernels compiled = compiler.compile(
      stage_preamble() + stage_kernel_source("own", scheme, shipped) + silent_source(scheme, kTunedFor),
      kTunedFor);
  const auto info = [&](const char* name) {
    const KernelResources& kernel = compiled.of(name);
    return KernelInfo{.name = name,
                      .registers = kernel.registers,
                      .local_bytes = kernel.stack_bytes,
                      .shared_bytes = kernel.shared_bytes,
                      .block_threads = shipped.threads,
                      .occupancy = stage_occupancy(scheme, shipped, kernel, kTunedFor)};
  };
  return {info("own"), info("silent")};
}

std::vector<Scheme> kernels() {
  std::vector<Scheme> all = stage_schemes();
  std::erase_if(all, [](const Scheme& s) { return facts_of(s.reconstruction).radius == 0; });
  for (Scheme& scheme : all) scheme.integrator = Integrator::ssprk2;
  return all;
}

}  // namespace

StudyReport compiled_detection(const std::vector<Scheme>& schemes, const std::string& why_not_timed) {
  const Progress progress;
  const KernelCompiler compiler;
  std::vector<Resources> resources(schemes.size());
  progress.tell(fmt::format("compiling {} kernels for {}", 2 * schemes.size(), kTunedFor));
  in_parallel(schemes.size(),
              [&](std::size_t n) { resources[n] = compiled_resources(compiler, schemes[n]); });
  StudyReport report =
      empty_report({fmt::format("What nvcc {} tells, for {}.", compiler.version(), kTunedFor),
                    fmt::format("Times: not measured, as {}.", why_not_timed)});
  for (std::size_t n = 0; n < schemes.size(); ++n)
    add_row(report, schemes[n], resources[n], std::vector<Cell>(4, "not measured"));
  return report;
}

StudyReport detection(const StudyRequest& request) {
  std::string why;
  if (!cuda_available(&why)) return compiled_detection(kernels(), why);
  const Progress progress;
  const int pairs = request.rounds(kPairs);
  StageBench bench;
  const KernelCompiler compiler;
  const std::string architecture = device_architecture().value();
  const std::vector<Scheme> schemes = kernels();
  std::vector<CompiledKernels> silent(schemes.size());
  progress.tell(fmt::format("compiling {} kernels for {}", schemes.size(), architecture));
  in_parallel(schemes.size(), [&](std::size_t n) {
    silent[n] = compiler.compile(stage_preamble() + silent_source(schemes[n], architecture), architecture);
  });

  StudyReport report = empty_report(
      {fmt::format("{}^3 cells; ms: of a launch, median of {} interleaved pairs.", StageBench::kCells, pairs),
       "noise: the quartiles of the same ratio for the reporting kernel against itself."});
  Parts parts(progress, schemes.size());
  for (std::size_t n = 0; n < schemes.size(); ++n) {
    const std::string name = kernel_name(schemes[n]);
    parts.next("timing " + name);
    const auto solver = bench.solver(schemes[n]);
    const KernelLibrary library(silent[n].cubin);
    const FluxKernel with{}, without{.kernel = library.kernel("silent"),
                                     .threads = shipped_configuration(schemes[n], architecture).threads};
    const auto seconds =
        launch_seconds(*solver, {with, without, with}, stage_count(schemes[n].integrator), pairs);
    const KernelInfo own = solver->instruments().kernel_info();
    solver->instruments().use_flux_kernel(without);
    const Quartiles cost = ratio_quartiles(seconds[0], seconds[1]),
                    noise = ratio_quartiles(seconds[0], seconds[2]);
    add_row(report, schemes[n], {own, solver->instruments().kernel_info()},
            {1e3 * quartiles(seconds[0]).median, cost.median,
             fmt::format("{:.4f} to {:.4f}", cost.low, cost.high),
             fmt::format("{:.4f} to {:.4f}", noise.low, noise.high)});
    if (cost.median > kAllowed)
      report.failures.push_back(
          fmt::format("{} takes {:.3f} times what it takes without reports", name, cost.median));
  }
  return report;
}

}  // namespace halfstep
