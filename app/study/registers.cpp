#include "app/study/registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "app/base/exit_codes.hpp"
#include "app/base/progress.hpp"
#include "app/base/quartiles.hpp"
#include "app/base/scheme_names.hpp"
#include "app/deck/diagnostic.hpp"
#include "app/study/achieved_occupancy.hpp"
#include "app/study/architecture.hpp"
#include "app/study/library.hpp"
#include "app/study/occupancy.hpp"
#include "app/study/parallel.hpp"
#include "app/study/reporting_case.hpp"
#include "app/study/stage_bench.hpp"
#include "app/study/stage_source.hpp"
#include "app/study/study.hpp"
#include "physics/base/choice.hpp"
#include "physics/cuda/stage/tile.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {
namespace {

constexpr int kRounds = 7;
constexpr int kPairs = 31;          // timed pairs of the shipped kernels
constexpr double kAllowed = 1.01;   // allowed time ratio of a shipped kernel
constexpr double kFree = 1.05;      // a ratio below this counts as no cost
constexpr int kPlainThreads = 256;  // of variants measured for one block size only
const Cell kNotMeasured = std::string("not measured");

/// Whether a list of the user's has the item; an empty one has all.
template <class Item>
bool has(const std::vector<Item>& list, const Item& item) {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

/// Whether one of `schemes` is the kernel's name or a word of it.
bool is_one_of(const ReportingCase& kernel, const std::vector<std::string>& schemes) {
  if (has(schemes, kernel.scheme_name())) return true;
  std::istringstream words(kernel.scheme_name());
  for (std::string word; words >> word;)
    if (has(schemes, word)) return true;
  return false;
}

/// What the study covers: all, or what a user narrows it down to.
struct Sweep {
  std::vector<ReportingCase> cases;
  std::vector<std::size_t> methods;  ///< "none" first: the others are compared with it
  std::vector<int> threads = {};     ///< of all kernels' blocks; empty: the study's own
  std::vector<int> caps = {168, 128, 96, 80, 64};
  std::vector<std::string> architectures = known_architectures();  ///< of the static table
  // The static table has one block and no cap, unless they are asked for.
  std::vector<int> static_threads = {kPlainThreads}, static_caps = {0};

  std::vector<int> threads_of(const ReportingCase& of) const {
    if (!threads.empty()) return threads;
    return of.is_of_faces() ? std::vector{128, 256} : std::vector{128, 256, 512};
  }
  bool has_method(const std::string& name) const {
    return std::any_of(methods.begin(), methods.end(),
                       [&](std::size_t m) { return reporting_methods()[m].name == name; });
  }
};

/// Returns "none" and the methods that are asked for. Throws UsageError for one that there is not.
std::vector<std::size_t> methods_of(const StudyRequest& request) {
  std::vector<std::string> names;
  for (const ReportingMethod& method : reporting_methods()) {
    names.push_back(method.name);
    std::replace(names.back().begin(), names.back().end(), ' ', '_');
  }
  for (const std::string& method : request.methods)
    if (!has(names, method))
      throw UsageError(fmt::format("--method: {} is not {}", quote(method), alternatives(names)), "");
  std::vector<std::size_t> methods;
  for (std::size_t m = 0; m < names.size(); ++m)
    if (m == 0 || has(request.methods, names[m])) methods.push_back(m);
  return methods;
}

/// Throws UsageError if the request leaves no kernel, or names what there is not.
Sweep sweep_of(const StudyRequest& request) {
  Sweep sweep;
  for (const ReportingCase& kernel : reporting_cases())
    if (is_one_of(kernel, request.schemes) && has(request.precisions, kernel.precision()))
      sweep.cases.push_back(kernel);
  if (sweep.cases.empty())
    throw UsageError(
        "--scheme and --precision leave no kernel",
        "a scheme is plm, ppm, weno5z, flux_reconstruction, or such a name in full; a precision is "
        "double or single");
  sweep.methods = methods_of(request);
  for (const std::string& architecture : request.architectures)
    if (!has(known_architectures(), architecture))
      throw UsageError(
          fmt::format("--arch: {} is not {}", quote(architecture), alternatives(known_architectures())), "");
  for (const int threads : request.blocks)
    if (threads % kTileWidth != 0)
      throw UsageError(fmt::format("--block: {} is not a multiple of {}", threads, kTileWidth), "");
  if (!request.blocks.empty()) sweep.threads = sweep.static_threads = request.blocks;
  if (!request.caps.empty()) sweep.caps = sweep.static_caps = request.caps;
  if (!request.architectures.empty()) sweep.architectures = request.architectures;
  std::erase(sweep.caps, 0);  // every kernel is also there without a cap
  return sweep;
}

/// A kernel of the study: a method in a configuration.
struct Variant {
  std::size_t method;  // index into reporting_methods()
  KernelConfiguration configuration;
  std::string label;  // in the main table; empty: only in the sweep
  bool shipped = false;
};

/// Whether the variant belongs to the sweep over register caps: neither shipped nor with a minimum of
/// resident blocks.
bool is_of_sweep(const Variant& variant) { return !variant.shipped && variant.configuration.min_blocks == 0; }

std::size_t index_of(const std::string& method) {
  const auto& all = reporting_methods();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.name == method; }) - all.begin());
}

std::string function_name(std::size_t n) { return fmt::format("stage_{}", n); }

std::string source_of(const ReportingCase& of, const std::vector<Variant>& variants) {
  std::string source = preamble_of(of);
  for (std::size_t n = 0; n < variants.size(); ++n)
    source += of.source(function_name(n), variants[n].configuration,
                        reporting_methods()[variants[n].method].policy);
  return source;
}

double percent(double part) { return 100 * part; }

std::string block_text(int threads) { return fmt::format("32 x {}", threads / 32); }

// --- results of the compiler alone ------------------------------------------------------------------------

/// Returns every method in the sweep's blocks and with its caps, and "none" and our own as shipped.
std::vector<Variant> static_variants(const ReportingCase& of, const std::string& architecture,
                                     const Sweep& sweep) {
  const KernelConfiguration shipped = of.shipped(architecture);
  std::vector<Variant> all;
  for (const int threads : sweep.static_threads)
    for (const int cap : sweep.static_caps)
      for (const std::size_t m : sweep.methods) {
        KernelConfiguration configuration = uncapped(shipped, threads);
        configuration.max_registers = cap;
        all.push_back({m, configuration, reporting_methods()[m].name});
      }
  for (const char* method : {"none", "raise once"})
    if (sweep.has_method(method))
      all.push_back({index_of(method), shipped, fmt::format("{}, as shipped", method), true});
  return all;
}

Table static_table(const KernelCompiler& compiler, const Sweep& sweep, const Progress& progress) {
  const std::vector<ReportingCase>& cases = sweep.cases;
  const std::vector<std::string>& architectures = sweep.architectures;
  Table table{.name = "static",
              .title = fmt::format("What the compiler tells, nvcc {}", compiler.version()),
              .columns = {"kernel", "precision", "method", "architecture", "threads", "register cap",
                          "registers", "local (B)", "spill (B)", "occupancy (%)"},
              .rows = {},
              .notes = {"register cap 0: none. spill: stored and loaded, a thread.",
                        "occupancy: theoretical, as cuda_occupancy.h computes it."}};
  progress.tell(fmt::format("compiling {} kernels for {} to {}",
                            cases.size() * static_variants(cases[0], architectures[0], sweep).size(),
                            architectures.front(), architectures.back()));
  std::vector<std::vector<std::vector<Cell>>> rows((cases.size() + 1) * architectures.size());
  in_parallel(rows.size(), [&](std::size_t job) {
    const std::string& architecture = architectures[job % architectures.size()];
    const auto add = [&](const std::string& name, const std::string& precision, const std::string& method,
                         int threads, int cap, const KernelResources& kernel, double occupied) {
      rows[job].push_back({name, precision, method, architecture, std::int64_t{threads}, std::int64_t{cap},
                           std::int64_t{kernel.registers}, std::int64_t{kernel.stack_bytes},
                           std::int64_t{kernel.spill_stores + kernel.spill_loads}, percent(occupied)});
    };
    if (job < architectures.size()) {
      const auto toys = toy_resources(compiler, architecture);
      for (const std::size_t m : sweep.methods)
        add("toy of the blog", "single", reporting_methods()[m].name, kPlainThreads, 0, toys[m],
            occupancy(architecture, kPlainThreads, toys[m].registers, 0, 0));
      return;
    }
    const ReportingCase& of = cases[job / architectures.size() - 1];
    const std::vector<Variant> variants = static_variants(of, architecture, sweep);
    const CompiledKernels compiled = compiler.compile(source_of(of, variants), architecture);
    for (std::size_t n = 0; n < variants.size(); ++n) {
      const KernelResources& kernel = compiled.of(function_name(n));
      const KernelConfiguration& configuration = variants[n].configuration;
      add(of.scheme_name(), of.precision(), variants[n].label, configuration.threads,
          configuration.max_registers, kernel, of.occupancy(configuration, kernel, architecture));
    }
  });
  for (auto& part : rows) table.rows.insert(table.rows.end(), part.begin(), part.end());
  return table;
}

/// Compares the registers of the blog's kernel with the blog's.
Table blog_table_1(const KernelCompiler& compiler, const std::vector<std::string>& architectures) {
  Table table{.name = "table_1",
              .title = "Table 1 of the blog: registers of its kernel",
              .columns = {"method", "blog, sm_80"},
              .rows = {{"none", std::int64_t{14}},
                       {"printf", std::int64_t{24}},
                       {"assert", "not given"},
                       {"payload", std::int64_t{18}},
                       {"raise once", "not given"}},
              .notes = {}};
  for (const std::string& architecture : architectures) {
    table.columns.push_back(fmt::format("nvcc {}, {}", compiler.version(), architecture));
    const auto toys = toy_resources(compiler, architecture);
    for (std::size_t m = 0; m < toys.size(); ++m) table.rows[m].push_back(std::int64_t{toys[m].registers});
  }
  return table;
}

Finding finding_of_table_1(const Table& table) {
  const auto registers = [&](std::size_t row, std::size_t column) {
    return std::get<std::int64_t>(table.rows[row][column]);
  };
  constexpr std::size_t here = 2;  // sm_80, as the blog has it
  const auto none = registers(0, here), printf = registers(1, here), payload = registers(3, here);
  return {"In a small kernel printf costs 10 registers, a swap with a payload 4 (NVIDIA blog 2023, Table 1)",
          "14 / 24 / 18", fmt::format("{} / {} / {}", none, printf, payload),
          printf > payload && payload >= none ? Standing::holds
          : printf < payload                  ? Standing::reversed
                                              : Standing::gone,
          fmt::format("on sm_80 printf takes {} registers more than none, the swap {}", printf - none,
                      payload - none)};
}

// --- results on the device --------------------------------------------------------------------------------

struct Measured {
  Variant variant;
  KernelResources kernel;
  double occupancy = 0;
  Quartiles seconds{};
  Quartiles ratio{};  // to "none" in the same configuration; a shipped one to "none" as shipped
  std::optional<double> achieved;
};

/// A stage's kernels for one block size.
struct Cluster {
  ReportingCase of;
  int threads;
  std::vector<Measured> kernels;
  const Measured& labelled(const std::string& label) const {
    return *std::find_if(kernels.begin(), kernels.end(),
                         [&](const Measured& m) { return m.variant.label == label; });
  }
  bool has(const std::string& label) const {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const Measured& m) { return m.variant.label == label; });
  }
};

std::vector<Variant> measured_variants(const ReportingCase& of, int threads, const std::string& architecture,
                                       const Sweep& sweep) {
  const KernelConfiguration shipped = of.shipped(architecture);
  const KernelConfiguration plain = uncapped(shipped, threads);
  std::vector<Variant> all;
  for (const std::size_t m : sweep.methods) all.push_back({m, plain, reporting_methods()[m].name});
  const std::size_t printf = index_of("printf");
  KernelConfiguration bounded = plain;
  bounded.min_blocks = std::max(1, of.resident_threads(architecture) / threads);
  if (sweep.has_method("printf")) all.push_back({printf, bounded, "printf, launch bounds"});
  if (threads == shipped.threads)
    for (const char* method : {"none", "raise once"})
      if (sweep.has_method(method))
        all.push_back({index_of(method), shipped, fmt::format("{}, as shipped", method), true});
  for (const char* method : {"none", "printf", "payload", "raise once"})
    for (const int cap : sweep.caps)
      if (sweep.has_method(method) && cap * threads <= 65536) {
        KernelConfiguration capped = plain;
        capped.max_registers = cap;
        all.push_back({index_of(method), capped, {}});
      }
  return all;
}

/// Kernels of a cluster compiled together.
struct Compiled {
  std::vector<Variant> variants;
  CompiledKernels kernels;
};

std::vector<Compiled> compile_cluster(const KernelCompiler& compiler, const std::string& architecture,
                                      const ReportingCase& of, int threads, const Sweep& sweep) {
  std::vector<Compiled> all;
  const auto compile = [&](const std::vector<Variant>& variants) {
    all.push_back({variants, compiler.compile(source_of(of, variants), architecture)});
  };
  compile(measured_variants(of, threads, architecture, sweep));
  if (!sweep.has_method("printf")) return all;
  // printf capped to the registers of "none", known only now.
  KernelConfiguration capped = uncapped(of.shipped(architecture), threads);
  capped.max_registers = all[0].kernels.of(function_name(0)).registers;
  compile({{index_of("printf"), capped, "printf, register cap"}});
  return all;
}

/// The loaded kernels of a cluster, valid as long as this object.
struct Loaded {
  std::vector<KernelLibrary> libraries;
  std::vector<FluxKernel> variants;  // in the order of the cluster
};

Loaded load(Cluster& cluster, const std::vector<Compiled>& compiled, const std::string& architecture) {
  Loaded loaded;
  cluster.kernels.clear();
  for (const Compiled& file : compiled) {
    const KernelLibrary& library = loaded.libraries.emplace_back(file.kernels.cubin);
    for (std::size_t n = 0; n < file.variants.size(); ++n) {
      const KernelResources& kernel = file.kernels.of(function_name(n));
      const double occupied = cluster.of.occupancy(file.variants[n].configuration, kernel, architecture);
      if (occupied == 0) continue;  // a block does not fit
      cluster.kernels.push_back({file.variants[n], kernel, occupied, {}, {}, {}});
      loaded.variants.push_back({library.kernel(function_name(n)), cluster.threads});
    }
  }
  return loaded;
}

/// Times all kernels in rounds, then the shipped ones again in pairs.
void time_kernels(Cluster& cluster, const Loaded& loaded, Solver& solver, const StudyRequest& request) {
  const int stages = stage_count(cluster.of.scheme.integrator);
  const auto time = [&](const std::vector<std::size_t>& chosen, int rounds) {
    std::vector<FluxKernel> variants;
    for (const std::size_t n : chosen) variants.push_back(loaded.variants[n]);
    const auto seconds = launch_seconds(solver, variants, stages, rounds);
    for (std::size_t n = 0; n < chosen.size(); ++n) {
      cluster.kernels[chosen[n]].seconds = quartiles(seconds[n]);
      cluster.kernels[chosen[n]].ratio = ratio_quartiles(seconds[n], seconds[0]);  // "none" comes first
    }
  };
  std::vector<std::size_t> all, shipped;
  for (std::size_t n = 0; n < cluster.kernels.size(); ++n)
    (cluster.kernels[n].variant.shipped ? shipped : all).push_back(n);
  time(all, request.rounds(kRounds));
  if (!shipped.empty()) time(shipped, request.rounds(kPairs));
}

void count_occupancy(Cluster& cluster, const Loaded& loaded, Solver& solver, OccupancyMeter& meter) {
  for (std::size_t n = 0; n < cluster.kernels.size(); ++n) {
    if (cluster.kernels[n].variant.label.empty()) continue;
    solver.instruments().use_flux_kernel(loaded.variants[n]);
    cluster.kernels[n].achieved = meter.measure([&] { solver.instruments().flux_seconds(); });
  }
  solver.instruments().use_flux_kernel({});
}

std::vector<Cell> main_row(const Cluster& cluster, const Measured& m) {
  return {cluster.of.scheme_name(),
          cluster.of.precision(),
          block_text(cluster.threads),
          m.variant.label,
          std::int64_t{m.kernel.registers},
          std::int64_t{m.kernel.stack_bytes},
          std::int64_t{m.kernel.spill_stores + m.kernel.spill_loads},
          percent(m.occupancy),
          m.achieved ? Cell(*m.achieved) : kNotMeasured,
          1e3 * m.seconds.median,
          fmt::format("{:.4g} to {:.4g}", 1e3 * m.seconds.low, 1e3 * m.seconds.high),
          m.ratio.median};
}

Table main_table(const std::vector<Cluster>& clusters, const std::vector<KernelResources>& toys,
                 const StudyRequest& request, const std::string& architecture, const OccupancyMeter& meter) {
  const int n = StageBench::kCells;
  Table table{
      .title =
          fmt::format("Reporting from the stage kernels, {}^3 cells, and from the kernels of faces between "
                      "curved elements, about {}^3 points, by method and block",
                      n, ReportingBench::kFacesPoints),
      .columns = {"kernel", "precision", "block", "method", "registers", "local (B)", "spill (B)",
                  "occupancy (%)", "achieved (%)", "ms", "quartiles", "ratio to none"},
      .rows = {},
      .notes = {
          fmt::format("ms: of a launch, median of {} rounds in which all kernels of a block have their "
                      "turn; of those as shipped, of {} pairs.",
                      request.rounds(kRounds), request.rounds(kPairs)),
          "ratio to none: median of the ratios within a round, to the kernel that reports nothing "
          "from blocks of the same threads without a cap; as shipped: to none as shipped.",
          "Without 'as shipped', 'launch bounds' or 'register cap' a kernel takes the registers it "
          "likes; the register cap is what none takes.",
          "spill: bytes stored and loaded, a thread. occupancy: theoretical; achieved: " + meter.how() + ".",
          fmt::format("toy of the blog: compiled for {}, not timed.", architecture)}};
  for (std::size_t m = 0; m < toys.size(); ++m)
    table.rows.push_back({"toy of the blog", "single", block_text(kPlainThreads), reporting_methods()[m].name,
                          std::int64_t{toys[m].registers}, std::int64_t{toys[m].stack_bytes},
                          std::int64_t{toys[m].spill_stores + toys[m].spill_loads},
                          percent(occupancy(architecture, kPlainThreads, toys[m].registers, 0, 0)),
                          kNotMeasured, kNotMeasured, "", kNotMeasured});
  for (const Cluster& cluster : clusters)
    for (const Measured& m : cluster.kernels)
      if (!m.variant.label.empty()) table.rows.push_back(main_row(cluster, m));
  return table;
}

std::vector<Cell> sweep_row(const Cluster& cluster, const Measured& m) {
  const KernelConfiguration& configuration = m.variant.configuration;
  return {cluster.of.scheme_name(),
          cluster.of.precision(),
          reporting_methods()[m.variant.method].name,
          std::int64_t{configuration.threads},
          std::int64_t{configuration.max_registers},
          std::int64_t{m.kernel.registers},
          std::int64_t{m.kernel.spill_stores + m.kernel.spill_loads},
          percent(m.occupancy),
          1e3 * m.seconds.median};
}

Table cliffs_table(const std::vector<Cluster>& clusters) {
  Table table{.name = "cliffs",
              .title = "The sweep: time against registers and occupancy, by block and register cap",
              .columns = {"kernel", "precision", "method", "threads", "register cap", "registers",
                          "spill (B)", "occupancy (%)", "ms"},
              .rows = {},
              .notes = {}};
  for (const Cluster& cluster : clusters) {
    std::vector<std::string> methods;
    std::vector<int> registers;
    std::vector<double> occupancies;
    for (const Measured& m : cluster.kernels) {
      table.rows.push_back(sweep_row(cluster, m));
      if (m.variant.configuration.max_registers > 0) continue;
      methods.push_back(reporting_methods()[m.variant.method].name);
      registers.push_back(m.kernel.registers);
      occupancies.push_back(m.occupancy);
    }
    const std::string sentence =
        cliff_sentence(cluster.of.name(), cluster.threads, methods, registers, occupancies);
    if (!sentence.empty()) table.notes.push_back(sentence);
  }
  table.notes.push_back("register cap 0: none.");
  return table;
}

/// Compares the heaviest kernel with hpMusic's.
Table blog_table_2(const Cluster& heaviest) {
  Table table{
      .name = heaviest.of.is_of_faces() ? "table_2" : "table_2_stages",
      .title = fmt::format("Table 2 of the blog: a flux kernel of hpMusic, and {} here", heaviest.of.name()),
      .columns = {"method", "registers there", "occupancy there (%)", "ms there", "ratio there",
                  "registers here", "occupancy here (%)", "achieved here (%)", "ms here", "ratio here"},
      .rows = {},
      .notes = {"There: achieved occupancy. Here: theoretical, and achieved where it was measured; blocks "
                "of 256 threads; launch bounds: those of the program's own kernel."}};
  struct Row {
    const char* method;
    int registers;
    double occupancy, milliseconds;
  };
  for (const Row& row :
       {Row{"none", 148, 17.83, 243.6}, Row{"printf", 248, 11.97, 293.5}, Row{"payload", 150, 17.80, 239.5},
        Row{"printf, launch bounds", 168, 17.25, 299.0}}) {
    const Measured& m = heaviest.labelled(row.method);
    table.rows.push_back({row.method, std::int64_t{row.registers}, row.occupancy, row.milliseconds,
                          row.milliseconds / 243.6, std::int64_t{m.kernel.registers}, percent(m.occupancy),
                          m.achieved ? Cell(*m.achieved) : kNotMeasured, 1e3 * m.seconds.median,
                          m.ratio.median});
  }
  return table;
}

/// Returns the kernels to compare with hpMusic's, in blocks of 256 threads, that were measured with all
/// methods of the blog's Table 2: the viscous one of faces of degree 3, and the heaviest one of stages.
std::vector<const Cluster*> heaviest_of(const std::vector<Cluster>& clusters) {
  std::vector<const Cluster*> all;
  for (const Cluster& c : clusters)
    if (c.of.viscous && c.of.precision() == "double" && (!c.of.is_of_faces() || c.of.scheme.degree == 3) &&
        c.threads == kPlainThreads && c.has("none") && c.has("printf") && c.has("payload") &&
        c.has("printf, launch bounds"))
      all.insert(c.of.is_of_faces() ? all.begin() : all.end(), &c);
  return all;
}

std::string place(const Cluster& cluster) {
  return fmt::format("{}, {} threads", cluster.of.name(), cluster.threads);
}

/// The cluster in which a method costs most time, relative to "none" in the same configuration.
struct Costliest {
  const Cluster* cluster = nullptr;
  const Measured* with = nullptr;
  const Measured* without = nullptr;
  double ratio = 0;

  std::string text() const {
    const int cap = with->variant.configuration.max_registers;
    return fmt::format(
        "in {}{}: {} registers against {}, {:.3g} % occupancy against {:.3g} %, {} bytes spilled "
        "against {}",
        place(*cluster), cap > 0 ? fmt::format(", at most {} registers", cap) : "", with->kernel.registers,
        without->kernel.registers, percent(with->occupancy), percent(without->occupancy), spill(*with),
        spill(*without));
  }
  static int spill(const Measured& m) { return m.kernel.spill_stores + m.kernel.spill_loads; }
};

Costliest costliest(const std::vector<Cluster>& clusters, const std::string& method) {
  Costliest most;
  for (const Cluster& c : clusters)
    for (const Measured& m : c.kernels) {
      if (reporting_methods()[m.variant.method].name != method || !is_of_sweep(m.variant)) continue;
      const auto none = std::find_if(c.kernels.begin(), c.kernels.end(), [&](const Measured& other) {
        return other.variant.method == 0 && is_of_sweep(other.variant) &&
               other.variant.configuration.max_registers == m.variant.configuration.max_registers;
      });
      if (none == c.kernels.end()) continue;
      const double ratio = m.seconds.median / none->seconds.median;
      if (ratio > most.ratio) most = {&c, &m, &*none, ratio};
    }
  return most;
}

std::vector<Finding> findings_of(const std::vector<Cluster>& clusters) {
  const Cluster* most = nullptr;         // cluster where printf takes the most registers
  const Cluster* best_bounds = nullptr;  // cluster where launch bounds save the most
  const auto extra = [](const Cluster& c) {
    return c.labelled("printf").kernel.registers - c.labelled("none").kernel.registers;
  };
  const auto rescued = [](const Cluster& c) {
    return c.labelled("printf").seconds.median / c.labelled("printf, launch bounds").seconds.median;
  };
  for (const Cluster& c : clusters) {
    if (!c.has("none") || !c.has("printf") || !c.has("printf, launch bounds")) continue;
    if (!most || extra(c) > extra(*most)) most = &c;
    if (!best_bounds || rescued(c) > rescued(*best_bounds)) best_bounds = &c;
  }
  const Costliest printf = costliest(clusters, "printf"), payload = costliest(clusters, "payload"),
                  ours = costliest(clusters, "raise once");
  if (!most || !printf.with || !payload.with || !ours.with) return {};
  return {{"In a heavy flux kernel printf takes 100 registers (NVIDIA blog 2023, Table 2)", "148 to 248",
           fmt::format("{} to {}, at most", most->labelled("none").kernel.registers,
                       most->labelled("printf").kernel.registers),
           extra(*most) >= 30    ? Standing::holds
           : extra(*most) <= -30 ? Standing::reversed
                                 : Standing::gone,
           fmt::format("in {}, uncapped", place(*most))},
          {"printf makes the kernel slower (the same table)", "1.20",
           fmt::format("{:.2f}, at most", printf.ratio), standing_of(printf.ratio, 1.15), printf.text()},
          {"A swap with a payload costs nothing (the same table)", "0.98",
           fmt::format("{:.2f}, at most", payload.ratio),
           payload.ratio <= kFree ? Standing::holds : Standing::gone,
           fmt::format("{}. Raising once costs {:.3f} at most, {}", payload.text(), ours.ratio, ours.text())},
          {"Launch bounds do not make up for printf (the same table)", "1.02 times slower with them",
           fmt::format("{:.2f} times faster with them, at most", rescued(*best_bounds)),
           rescued(*best_bounds) < 1.05 ? Standing::holds : Standing::reversed,
           fmt::format("in {}: {} registers become {}", place(*best_bounds),
                       best_bounds->labelled("printf").kernel.registers,
                       best_bounds->labelled("printf, launch bounds").kernel.registers)}};
}

/// Returns the kernels for which our own method is not free.
std::vector<std::string> failures_of(const std::vector<Cluster>& clusters) {
  std::vector<std::string> all;
  for (const Cluster& c : clusters) {
    if (!c.has("raise once, as shipped")) continue;
    const Measured &ours = c.labelled("raise once, as shipped"), &none = c.labelled("none, as shipped");
    if (ours.occupancy < none.occupancy)
      all.push_back(fmt::format("{} does not fit: {:.3g} % occupancy with its reports, {:.3g} % without",
                                c.of.name(), percent(ours.occupancy), percent(none.occupancy)));
    if (ours.ratio.median > kAllowed)
      all.push_back(
          fmt::format("{} takes {:.3f} times (quartiles {:.3f} to {:.3f}) what it takes without reports",
                      c.of.name(), ours.ratio.median, ours.ratio.low, ours.ratio.high));
  }
  return all;
}

}  // namespace

const std::vector<ReportingMethod>& reporting_methods() {
  static const std::vector<ReportingMethod> all = {{"none", "NoReports", "toy_none"},
                                                   {"printf", "PrintReports", "toy_printf"},
                                                   {"assert", "AssertReports", "toy_assert"},
                                                   {"payload", "PayloadReports", "toy_payload"},
                                                   {"raise once", "RaiseOnce", "toy_raise"}};
  return all;
}

std::vector<KernelResources> toy_resources(const KernelCompiler& compiler, const std::string& architecture) {
  const CompiledKernels compiled = compiler.compile("#include \"app/study/toy_kernel.cuh\"\n", architecture);
  std::vector<KernelResources> all;
  for (const ReportingMethod& method : reporting_methods()) all.push_back(compiled.of(method.toy));
  return all;
}

std::string cliff_sentence(const std::string& kernel, int threads, const std::vector<std::string>& methods,
                           const std::vector<int>& registers, const std::vector<double>& occupancies) {
  const auto [least, most] = std::minmax_element(occupancies.begin(), occupancies.end());
  if (occupancies.empty() || *least == *most) return {};
  std::string beyond, within;
  int edge = 0;
  for (std::size_t n = 0; n < methods.size(); ++n) {
    const bool high = occupancies[n] == *most;
    std::string& list = high ? within : beyond;
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", methods[n], registers[n]);
    if (high) edge = std::max(edge, registers[n]);
  }
  return fmt::format(
      "At {} threads {} falls from {:.3g} % to {:.3g} % occupancy somewhere beyond {} registers: "
      "beyond it are {}; not {}.",
      threads, kernel, percent(*most), percent(*least), edge, beyond, within);
}

StudyReport registers(const StudyRequest& request) {
  const Progress progress;
  const Sweep sweep = sweep_of(request);
  const KernelCompiler compiler;
  const std::optional<std::string> device = device_architecture();
  if (!device) {
    StudyReport report{.table = static_table(compiler, sweep, progress)};
    report.table.notes.push_back(
        "Times, achieved occupancy and cliffs: not measured, as there is no CUDA device.");
    report.more.push_back(blog_table_1(compiler, {"sm_80", "sm_90"}));
    report.findings.push_back(finding_of_table_1(report.more.back()));
    for (const auto& [claim, there] :
         {std::pair{"printf makes a heavy flux kernel slower (NVIDIA blog 2023, Table 2)", "1.20"},
          std::pair{"A swap with a payload costs nothing (the same table)", "0.98"},
          std::pair{"Launch bounds do not make up for printf (the same table)",
                    "1.02 times slower with them"}})
      report.findings.push_back({claim, there, "-", Standing::not_measured, "there is no CUDA device"});
    return report;
  }

  std::vector<Cluster> clusters;
  for (const ReportingCase& of : sweep.cases)
    for (const int threads : sweep.threads_of(of)) clusters.push_back({of, threads, {}});
  std::vector<std::vector<Compiled>> compiled(clusters.size());
  progress.tell(fmt::format(
      "compiling {} kernels for {}",
      clusters.size() * measured_variants(clusters[0].of, clusters[0].threads, *device, sweep).size(),
      *device));
  in_parallel(clusters.size(), [&](std::size_t n) {
    compiled[n] = compile_cluster(compiler, *device, clusters[n].of, clusters[n].threads, sweep);
  });

  ReportingBench bench;
  std::vector<Loaded> loaded;
  for (std::size_t n = 0; n < clusters.size(); ++n) loaded.push_back(load(clusters[n], compiled[n], *device));
  /// Calls f(cluster, its kernels, a solver) for each cluster.
  const auto for_clusters = [&](const char* doing, const auto& f) {
    std::unique_ptr<Solver> solver;
    Parts parts(progress, sweep.cases.size());
    for (std::size_t n = 0; n < clusters.size(); ++n) {
      if (n == 0 || clusters[n].of.name() != clusters[n - 1].of.name()) {
        parts.next(fmt::format("{} {}", doing, clusters[n].of.name()));
        solver.reset();
        solver = bench.solver(clusters[n].of);
      }
      f(clusters[n], loaded[n], *solver);
    }
  };
  if (!OccupancyMeter::under_ncu())
    for_clusters("timing", [&](Cluster& cluster, const Loaded& kernels, Solver& solver) {
      time_kernels(cluster, kernels, solver, request);
    });
  // After all timings: a profiler may slow down launches.
  OccupancyMeter meter(study_command("registers", request));
  for_clusters("counting the warps of", [&](Cluster& cluster, const Loaded& kernels, Solver& solver) {
    count_occupancy(cluster, kernels, solver, meter);
  });
  if (OccupancyMeter::under_ncu()) return {};

  StudyReport report{.table =
                         main_table(clusters, toy_resources(compiler, *device), request, *device, meter)};
  report.more = {cliffs_table(clusters), blog_table_1(compiler, {"sm_80", *device})};
  for (const Cluster* heaviest : heaviest_of(clusters)) report.more.push_back(blog_table_2(*heaviest));
  report.more.push_back(static_table(compiler, sweep, progress));
  report.findings = {finding_of_table_1(report.more[1])};
  const auto middle = std::partition_point(clusters.begin(), clusters.end(),
                                           [](const Cluster& c) { return !c.of.is_of_faces(); });
  for (const auto& [first, last] : {std::pair{middle, clusters.end()}, {clusters.begin(), middle}})
    for (Finding& finding : findings_of({first, last})) report.findings.push_back(std::move(finding));
  report.failures = failures_of(clusters);
  return report;
}

}  // namespace halfstep
