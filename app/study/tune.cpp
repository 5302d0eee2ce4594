#include "app/study/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "app/base/progress.hpp"
#include "app/base/quartiles.hpp"
#include "app/base/scheme_names.hpp"
#include "app/study/compiler.hpp"
#include "app/study/library.hpp"
#include "app/study/parallel.hpp"
#include "app/study/stage_bench.hpp"
#include "app/study/stage_source.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {
namespace {

constexpr int kRounds = 3;
constexpr int kPairs = 15;
constexpr double kWorthIt = 0.99;  // time ratio to the program's own kernel
constexpr double kAllowed = 1.01;  // time ratio to the kernel without reports
constexpr std::size_t kFinalists = 3;
/// The deck on which kernels must agree: shocks in all directions, rarefaction, gas at rest.
constexpr const char* kBlast =
    "case: {name: sedov, radius: 3}\n"
    "mesh: {cells: [72, 40, 24], upper: [1.8, 1, 0.6], boundary: {x: [periodic, periodic], "
    "y: [periodic, periodic], z: [periodic, periodic]}}\n"
    "time: {end: 1}\n";
constexpr int kSteps = 10;
constexpr int kCaps[] = {128, 112, 96, 80, 72, 64};
constexpr int kThreads[] = {128, 256, 512};
constexpr int kRegisters = 65536;  // of a multiprocessor

using Configurations = std::vector<KernelConfiguration>;

/// A kernel's configurations with their times.
struct Trial {
  Scheme scheme;
  KernelConfiguration shipped;
  Configurations tried;
  std::vector<double> seconds;  // of a launch, the median; infinite where a block does not fit

  /// Returns the indices into `tried`, the fastest first.
  std::vector<std::size_t> by_time() const {
    std::vector<std::size_t> order(tried.size());
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return seconds[a] < seconds[b]; });
    return order;
  }
};

std::string function_name(std::size_t n) { return fmt::format("stage_{}", n); }

/// The loaded kernels of one scheme in several configurations, with their occupancies.
class Kernels {
 public:
  Kernels(const CompiledKernels& compiled, const std::string& architecture, const Scheme& scheme,
          const Configurations& all)
      : library_(compiled.cubin) {
    for (std::size_t n = 0; n < all.size(); ++n) {
      fits_.push_back(stage_occupancy(scheme, all[n], compiled.of(function_name(n)), architecture) > 0);
      variants_.push_back({library_.kernel(function_name(n)), all[n].threads});
    }
  }
  bool fits(std::size_t n) const { return fits_[n]; }
  const FluxKernel& operator[](std::size_t n) const { return variants_[n]; }

 private:
  KernelLibrary library_;
  std::vector<bool> fits_;
  std::vector<FluxKernel> variants_;
};

/// Compiles and times kernels on this device.
class Tuner {
 public:
  /// `pairs`: of launches, for each finalist.
  explicit Tuner(int pairs) : pairs_(pairs) {}

  /// Adds configurations to every trial, `more(trial)`, and times them.
  template <class More>
  void try_out(std::vector<Trial>& trials, const More& more) {
    std::vector<Configurations> added;
    for (const Trial& trial : trials) added.push_back(more(trial));
    const std::vector<CompiledKernels> compiled = compile(trials, added, {});
    Parts parts(progress_, trials.size());
    for (std::size_t n = 0; n < trials.size(); ++n) {
      Trial& trial = trials[n];
      parts.next("timing " + kernel_name(trial.scheme));
      const Kernels kernels(compiled[n], architecture_, trial.scheme, added[n]);
      std::vector<FluxKernel> fitting;
      for (std::size_t c = 0; c < added[n].size(); ++c)
        if (kernels.fits(c)) fitting.push_back(kernels[c]);
      const auto solver = bench_.solver(trial.scheme);
      const auto seconds = launch_seconds(*solver, fitting, stages(trial), kRounds);
      for (std::size_t c = 0, timed = 0; c < added[n].size(); ++c) {
        trial.tried.push_back(added[n][c]);
        trial.seconds.push_back(kernels.fits(c) ? quartiles(seconds[timed++]).median
                                                : std::numeric_limits<double>::infinity());
      }
    }
  }

  /// What the pairs of a finalist gave.
  struct Final {
    KernelConfiguration configuration;
    KernelInfo kernel;
    Quartiles seconds, ratio, cost;  // cost: the ratio to the kernel without reports
    bool same_bits;
    bool taken() const { return same_bits && ratio.median < kWorthIt && cost.median <= kAllowed; }
  };

  /// Returns every trial's fastest finalist that is taken, or else its fastest.
  std::vector<Final> finals(const std::vector<Trial>& trials) {
    std::vector<Configurations> finalists;
    for (const Trial& trial : trials) {
      Configurations& best = finalists.emplace_back();
      for (const std::size_t n : trial.by_time())
        if (best.size() < kFinalists) best.push_back(trial.tried[n]);
    }
    const auto reporting = compile(trials, finalists, {}), silent = compile(trials, finalists, {"NoReports"});
    std::vector<Final> all;
    Parts parts(progress_, trials.size());
    for (std::size_t n = 0; n < trials.size(); ++n) {
      parts.next("comparing " + kernel_name(trials[n].scheme));
      const Kernels ours(reporting[n], architecture_, trials[n].scheme, finalists[n]),
          none(silent[n], architecture_, trials[n].scheme, finalists[n]);
      std::optional<Final> chosen;
      for (std::size_t c = 0; c < finalists[n].size() && !(chosen && chosen->taken()); ++c) {
        Final final = compare(trials[n], finalists[n][c], ours[c], none[c]);
        if (!chosen || final.taken()) chosen = std::move(final);
      }
      all.push_back(*chosen);
    }
    return all;
  }

  const std::string& architecture() const { return architecture_; }

 private:
  static int stages(const Trial& trial) { return stage_count(trial.scheme.integrator); }

  std::vector<CompiledKernels> compile(const std::vector<Trial>& trials,
                                       const std::vector<Configurations>& configurations,
                                       const StagePolicies& policies) const {
    progress_.tell(
        fmt::format("compiling {} kernels for {}", trials.size() * configurations[0].size(), architecture_));
    std::vector<CompiledKernels> compiled(trials.size());
    in_parallel(trials.size(), [&](std::size_t n) {
      std::string source = stage_preamble();
      for (std::size_t c = 0; c < configurations[n].size(); ++c)
        source += stage_kernel_source(function_name(c), trials[n].scheme, configurations[n][c], policies);
      compiled[n] = compiler_.compile(source, architecture_);
    });
    return compiled;
  }

  Final compare(const Trial& trial, const KernelConfiguration& configuration, const FluxKernel& ours,
                const FluxKernel& silent) {
    const auto solver = bench_.solver(trial.scheme);
    const auto seconds = launch_seconds(*solver, {{}, ours, silent}, stages(trial), pairs_);
    solver->instruments().use_flux_kernel(ours);
    return {configuration,
            solver->instruments().kernel_info(),
            quartiles(seconds[1]),
            ratio_quartiles(seconds[1], seconds[0]),
            ratio_quartiles(seconds[1], seconds[2]),
            blast_.advanced(trial.scheme, {}, kSteps).conserved ==
                blast_.advanced(trial.scheme, ours, kSteps).conserved};
  }

  int pairs_;
  Progress progress_;
  StageBench bench_, blast_{kBlast};
  KernelCompiler compiler_;
  std::string architecture_ = device_architecture().value();
};

/// Returns the configuration in short: "32 x 8, 128 registers, unrolls edges".
std::string text_of(const KernelConfiguration& c) {
  std::string text = fmt::format("32 x {}, {}", c.threads / 32,
                                 c.max_registers > 0 ? fmt::format("{} registers", c.max_registers)
                                                     : fmt::format("{} blocks", c.min_blocks));
  for (const auto& [is_on, name] : {std::pair{c.unrolls_edges, "unrolls edges"},
                                    {c.unrolls_faces, "unrolls faces"},
                                    {c.reports_xy_late, "reports x, y late"},
                                    {c.reports_z_late, "reports z late"},
                                    {c.keeps_in_domain, "keeps in_domain"}})
    if (is_on) text += fmt::format(", {}", name);
  return text;
}

}  // namespace

std::vector<KernelConfiguration> blocks_and_caps(const KernelConfiguration& shipped) {
  Configurations all;
  for (const int threads : kThreads)
    for (const int cap : kCaps) {
      if (cap * threads > kRegisters) continue;
      KernelConfiguration by_number = shipped, by_blocks = shipped;
      by_number.threads = by_blocks.threads = threads;
      by_number.max_registers = cap;
      by_number.min_blocks = by_blocks.max_registers = 0;
      by_blocks.min_blocks = kRegisters / (cap * threads);
      for (const KernelConfiguration& c : {by_number, by_blocks})
        if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
    }
  return all;
}

std::vector<KernelConfiguration> switches_turned(const KernelConfiguration& configuration) {
  Configurations all;
  for (bool KernelConfiguration::*const member :
       {&KernelConfiguration::unrolls_edges, &KernelConfiguration::unrolls_faces,
        &KernelConfiguration::reports_xy_late, &KernelConfiguration::reports_z_late,
        &KernelConfiguration::keeps_in_domain}) {
    all.push_back(configuration);
    all.back().*member = !(configuration.*member);
  }
  return all;
}

std::string configuration_table_text(const std::string& architecture,
                                     std::span<const ConfiguredKernel> kernels) {
  std::string text = fmt::format(
      "// Configurations of the stage kernels on {}. `halfstep study tune --output DIR` writes such a file "
      "on a "
      "GPU.\n"
      "// A kernel: reconstruction, variables, Riemann solver, real; then the members of KernelConfiguration "
      "in "
      "order:\n"
      "// threads, max_registers, min_blocks; unrolls_edges, unrolls_faces; reports_xy_late, reports_z_late; "
      "keeps_in_domain\n",
      architecture);
  for (const ConfiguredKernel& k : kernels) {
    const KernelConfiguration& c = k.configuration;
    const std::string key =
        fmt::format("HALFSTEP_KERNEL({}, {}, {}, {},", name_of(kReconstructions, k.reconstruction),
                    name_of(kVariables, k.variables), name_of(kRiemanns, k.riemann),
                    k.real_bytes == sizeof(double) ? "double" : "float");
    text += fmt::format("{:<63}{:>3}, {:>3}, {},  {:d}, {:d},  {:d}, {:d},  {:d})\n", key, c.threads,
                        c.max_registers, c.min_blocks, c.unrolls_edges, c.unrolls_faces, c.reports_xy_late,
                        c.reports_z_late, c.keeps_in_domain);
  }
  return text;
}

StudyReport tune(const StudyRequest& request) {
  Tuner tuner(request.rounds(kPairs));
  std::vector<Trial> trials;
  for (const Scheme& scheme : stage_schemes())
    trials.push_back({scheme, shipped_configuration(scheme, tuner.architecture()), {}, {}});
  tuner.try_out(trials, [](const Trial& trial) { return blocks_and_caps(trial.shipped); });
  tuner.try_out(trials, [](const Trial& trial) { return switches_turned(trial.tried[trial.by_time()[0]]); });

  StudyReport report{
      .table = {.title = "The fastest configuration of each stage kernel on this device",
                .columns = {"kernel", "configuration", "registers", "ms", "shipped configuration", "ratio",
                            "quartiles", "reports cost", "taken"},
                .rows = {},
                .notes = {}}};
  std::vector<ConfiguredKernel> table;
  const auto finals = tuner.finals(trials);
  for (std::size_t n = 0; n < trials.size(); ++n) {
    const auto& [scheme, shipped, tried, seconds] = trials[n];
    const Tuner::Final& best = finals[n];
    table.push_back({scheme.reconstruction, scheme.variables, scheme.riemann, bytes_of_real(scheme.precision),
                     best.taken() ? best.configuration : shipped});
    report.table.rows.push_back(
        {kernel_name(scheme), text_of(best.configuration), std::int64_t{best.kernel.registers},
         1e3 * best.seconds.median, text_of(shipped), best.ratio.median,
         fmt::format("{:.4f} to {:.4f}", best.ratio.low, best.ratio.high), best.cost.median,
         std::string(best.taken()                    ? "yes"
                     : !best.same_bits               ? "no: it gives other bits"
                     : best.ratio.median >= kWorthIt ? "no: not faster"
                                                     : "no: its reports cost too much")});
  }
  const std::string file = tuner.architecture() + ".inc";
  report.files.push_back({file, configuration_table_text(tuner.architecture(), table)});
  report.table.notes = {
      fmt::format("ms: of a launch, {}^3 cells, the mean over the stages of ssprk3, median of {} pairs.",
                  StageBench::kCells, request.rounds(kPairs)),
      "ratio: to the program's own kernel. reports cost: the ratio to the same kernel without reports.",
      fmt::format(
          "taken: at least {:.0f} % faster, reports that cost at most {:.0f} %, and the same bits after {} "
          "steps of a blast.",
          100 * (1 - kWorthIt), 100 * (kAllowed - 1), kSteps),
      fmt::format(
          "--output DIR writes DIR/{}, the table for physics/cuda/stage/kernel_configurations: put it "
          "there and build "
          "again.",
          file)};
  return report;
}

}  // namespace halfstep
