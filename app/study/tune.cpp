#include "app/study/tune.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/progress.hpp"
#include "app/base/quartiles.hpp"
#include "app/base/scheme_names.hpp"
#include "app/kernels/compiler.hpp"
#include "app/kernels/library.hpp"
#include "app/kernels/parallel.hpp"
#include "app/kernels/stage_source.hpp"
#include "app/kernels/tuning.hpp"
#include "app/study/stage_bench.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {
namespace {

constexpr int kRounds = 3;
constexpr int kPairs = 15;
constexpr double kWorthIt = 0.99;  // time ratio to the program's own kernel
/// The deck on which kernels must agree: shocks in all directions, rarefaction, gas at rest.
constexpr const char* kBlast =
    "case: {name: sedov, radius: 3}\n"
    "mesh: {cells: [72, 40, 24], upper: [1.8, 1, 0.6], boundary: {x: [periodic, periodic], "
    "y: [periodic, periodic], z: [periodic, periodic]}}\n"
    "time: {end: 1}\n";
constexpr int kSteps = 10;
constexpr int kCaps[] = {0, 128, 112, 96, 80, 72, 64};
constexpr int kThreads[] = {128, 256, 512};

struct Candidate {
  StageShape shape;
  std::string function;
};

/// Returns the candidates of one source file, those with `threads` threads per block.
std::vector<Candidate> candidates(int threads) {
  std::vector<Candidate> all;
  for (const int cap : kCaps)
    if (cap * threads <= 65536)
      all.push_back({{.threads = threads, .max_registers = cap}, fmt::format("stage_{}_{}", threads, cap)});
  return all;
}

CompiledKernels compile(const KernelCompiler& compiler, const std::string& architecture, const Scheme& scheme,
                        int threads) {
  std::string source = stage_preamble();
  for (const Candidate& candidate : candidates(threads))
    source += stage_kernel_source(candidate.function, scheme, candidate.shape, "RaiseOnce");
  return compiler.compile(source, architecture);
}

/// A loaded candidate that fits the device.
struct Entry {
  StageVariant variant;
  TunedKernel kernel;
};

std::vector<Entry> entries_of(const Scheme& scheme, const std::string& architecture,
                              const std::vector<CompiledKernels>& compiled,
                              std::vector<KernelLibrary>& libraries) {
  std::vector<Entry> all;
  for (std::size_t n = 0; n < compiled.size(); ++n) {
    libraries.emplace_back(compiled[n].cubin);
    for (const Candidate& candidate : candidates(kThreads[n])) {
      const KernelResources& kernel = compiled[n].of(candidate.function);
      if (stage_occupancy(scheme, candidate.shape, kernel, architecture) > 0)
        all.push_back({{libraries.back().kernel(candidate.function), kThreads[n]},
                       {.cubin = compiled[n].cubin,
                        .function = candidate.function,
                        .threads = kThreads[n],
                        .registers = kernel.registers}});
    }
  }
  return all;
}

bool same_bits(const Fields& a, const Fields& b) { return a.conserved == b.conserved; }

}  // namespace

StudyReport tune() {
  const Progress progress;
  StageBench bench, blast(kBlast);
  const KernelCompiler compiler;
  const std::string architecture = device_architecture().value();
  const std::vector<Scheme> schemes = stage_schemes();
  progress.tell(
      fmt::format("compiling {} kernels for {}",
                  schemes.size() * (candidates(128).size() + candidates(256).size() + candidates(512).size()),
                  architecture));
  std::vector<std::vector<CompiledKernels>> compiled(schemes.size(),
                                                     std::vector<CompiledKernels>(std::size(kThreads)));
  in_parallel(schemes.size() * std::size(kThreads), [&](std::size_t job) {
    const std::size_t n = job / std::size(kThreads), t = job % std::size(kThreads);
    compiled[n][t] = compile(compiler, architecture, schemes[n], kThreads[t]);
  });

  StudyReport report{
      .table = {.title = "The fastest block and register cap of each stage kernel on this device",
                .columns = {"kernel", "block", "registers", "ms", "shipped block", "shipped registers",
                            "shipped ms", "ratio", "quartiles", "taken"},
                .rows = {},
                .notes = {}}};
  Tuning tuning{.device = cuda_devices().front(),
                .architecture = architecture,
                .sources = KernelCompiler::sources_hash(),
                .kernels = {}};
  for (std::size_t n = 0; n < schemes.size(); ++n) {
    const std::string name = kernel_name(schemes[n]);
    progress.tell("timing " + name);
    const auto solver = bench.solver(schemes[n]);
    const KernelInfo shipped = solver->instruments().kernel_info();
    std::vector<KernelLibrary> libraries;
    const std::vector<Entry> entries = entries_of(schemes[n], architecture, compiled[n], libraries);
    std::vector<StageVariant> variants;
    for (const Entry& entry : entries) variants.push_back(entry.variant);
    const int stages = stage_count(schemes[n].integrator);
    const auto seconds = launch_seconds(*solver, variants, stages, kRounds);
    std::size_t best = 0;
    const auto median = [&](std::size_t e) { return quartiles(seconds[e]).median; };
    for (std::size_t e = 1; e < entries.size(); ++e)
      if (median(e) < median(best)) best = e;

    const auto pair = launch_seconds(*solver, {{}, variants[best]}, stages, kPairs);
    const Quartiles ratio = ratio_quartiles(pair[1], pair[0]);
    TunedKernel kernel = entries[best].kernel;
    kernel.ratio = ratio.median;
    const bool same =
        same_bits(blast.advanced(schemes[n], {}, kSteps), blast.advanced(schemes[n], variants[best], kSteps));
    const bool taken = same && ratio.median < kWorthIt;
    if (taken) tuning.kernels[name] = kernel;
    report.table.rows.push_back({name, fmt::format("32 x {}", kernel.threads / 32),
                                 std::int64_t{kernel.registers}, 1e3 * quartiles(pair[1]).median,
                                 fmt::format("32 x {}", shipped.block_threads / 32),
                                 std::int64_t{shipped.registers}, 1e3 * quartiles(pair[0]).median,
                                 ratio.median, fmt::format("{:.4f} to {:.4f}", ratio.low, ratio.high),
                                 std::string(taken                      ? "yes"
                                             : ratio.median >= kWorthIt ? "no: not faster"
                                                                        : "no: it gives other bits")});
  }
  write_tuning(tuning);
  const int cells = StageBench::kCells;
  report.table.notes = {
      fmt::format("ms: of a launch, {}^3 cells, the mean over the stages of ssprk3, median of {} pairs.",
                  cells, kPairs),
      fmt::format("Of blocks of 128, 256 and 512 threads, each without a register cap and with {}.",
                  std::size(kCaps) - 1),
      fmt::format("taken: at least {:.0f} % faster, and the same bits after {} steps of a blast.",
                  100 * (1 - kWorthIt), kSteps),
      fmt::format("{} kernels are in '{}': runs in three dimensions on this device use them.",
                  tuning.kernels.size(), tuning_file().string())};
  return report;
}

}  // namespace halfstep
