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

std::vector<Scheme> kernels() {
  std::vector<Scheme> all = stage_schemes();
  std::erase_if(all, [](const Scheme& s) { return facts_of(s.reconstruction).radius == 0; });
  for (Scheme& scheme : all) scheme.integrator = Integrator::ssprk2;
  return all;
}

}  // namespace

StudyReport detection(const StudyRequest& request) {
  const Progress progress;
  const int pairs = request.rounds(kPairs);
  StageBench bench;
  const KernelCompiler compiler;
  const std::string architecture = device_architecture().value();
  const std::vector<Scheme> schemes = kernels();
  std::vector<CompiledKernels> silent(schemes.size());
  progress.tell(fmt::format("compiling {} kernels for {}", schemes.size(), architecture));
  in_parallel(schemes.size(), [&](std::size_t n) {
    silent[n] = compiler.compile(
        stage_preamble() + stage_kernel_source("silent", schemes[n],
                                               shipped_configuration(schemes[n], architecture),
                                               {.reports = "NoReports"}),
        architecture);
  });

  StudyReport report{
      .table = {
          .title = "Stage kernels with the soft-error channel against the same kernels without reports",
          .columns = {"kernel", "precision", "registers", "without", "local (B)", "without ", "occupancy (%)",
                      "without  ", "ms", "time ratio", "quartiles", "noise"},
          .rows = {},
          .notes = {fmt::format("{}^3 cells; ms: of a launch, median of {} interleaved pairs.",
                                StageBench::kCells, pairs),
                    "without: the same kernel that keeps its wave-speed reduction and reports nothing.",
                    "noise: the quartiles of the same ratio for the reporting kernel against itself."}}};
  Parts parts(progress, schemes.size());
  for (std::size_t n = 0; n < schemes.size(); ++n) {
    const std::string name = kernel_name(schemes[n]);
    parts.next("timing " + name);
    const auto solver = bench.solver(schemes[n]);
    const KernelLibrary library(silent[n].cubin);
    const StageVariant with{}, without{.kernel = library.kernel("silent"),
                                       .threads = shipped_configuration(schemes[n], architecture).threads};
    const auto seconds =
        launch_seconds(*solver, {with, without, with}, stage_count(schemes[n].integrator), pairs);
    const KernelInfo own = solver->instruments().kernel_info();
    solver->instruments().use_stage(without);
    const KernelInfo other = solver->instruments().kernel_info();
    const Quartiles cost = ratio_quartiles(seconds[0], seconds[1]),
                    noise = ratio_quartiles(seconds[0], seconds[2]);
    report.table.rows.push_back(
        {scheme_name(schemes[n]), std::string(name_of(kPrecisions, schemes[n].precision)),
         std::int64_t{own.registers}, std::int64_t{other.registers}, std::int64_t{own.local_bytes},
         std::int64_t{other.local_bytes}, 100 * own.occupancy, 100 * other.occupancy,
         1e3 * quartiles(seconds[0]).median, cost.median,
         fmt::format("{:.4f} to {:.4f}", cost.low, cost.high),
         fmt::format("{:.4f} to {:.4f}", noise.low, noise.high)});
    if (own.occupancy < other.occupancy)
      report.failures.push_back(fmt::format("{}: {:.3g} % occupancy with its reports, {:.3g} % without", name,
                                            100 * own.occupancy, 100 * other.occupancy));
    if (cost.median > kAllowed)
      report.failures.push_back(
          fmt::format("{} takes {:.3f} times what it takes without reports", name, cost.median));
  }
  return report;
}

}  // namespace halfstep
