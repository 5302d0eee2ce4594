#include "app/study/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/base/exit_codes.hpp"
#include "app/base/progress.hpp"
#include "app/study/gpu.hpp"
#include "app/study/kernel_advice.hpp"
#include "app/study/occupancy.hpp"
#include "app/study/parallel.hpp"
#include "app/study/study.hpp"
#include "app/study/user_kernel.hpp"

namespace halfstep {
namespace {

constexpr int kRounds = 15;
constexpr double kTurn = 2;  // milliseconds of a kernel in a round

KernelCompiler found_compiler() try { return KernelCompiler(); } catch (const std::runtime_error& error) {
  throw UsageError(error.what(), "");
}

/// Fills what the user left open. Throws UsageError for an architecture that nvcc does not know.
StudyRequest completed(StudyRequest request, const KernelCompiler& compiler, const TimingDevice& device) {
  if (request.architectures.empty())
    request.architectures =
        device.architecture ? std::vector{*device.architecture} : std::vector<std::string>{"sm_80", "sm_90"};
  if (request.blocks.empty()) request.blocks = {128, 256};
  if (std::find(request.caps.begin(), request.caps.end(), 0) == request.caps.end())
    request.caps.insert(request.caps.begin(), 0);  // everything is compared with it
  const std::vector<std::string> known = compiler.architectures();
  for (const std::string& wanted : request.architectures)
    if (std::find(known.begin(), known.end(), wanted) == known.end())
      throw UsageError(fmt::format("nvcc {} does not compile for '{}'", compiler.version(), wanted),
                       fmt::format("it does for {}", fmt::join(known, ", ")));
  return request;
}

/// A way of reporting, compiled for an architecture with a cap.
struct Build {
  std::string method, architecture;
  int cap;
};

std::vector<Build> builds_of(const StudyRequest& request) {
  std::vector<Build> all;
  for (const std::string& architecture : request.architectures)
    for (const int cap : request.caps)
      for (const char* method : kUserMethods) all.push_back({method, architecture, cap});
  return all;
}

/// Calls `compile`, and turns nvcc's refusal into the user's error.
template <class Compile>
auto compiled(const UserKernel& kernel, const Build& build, Compile compile) try {
  return compile();
} catch (const CompileError& error) {
  throw UsageError(fmt::format("'{}' does not compile for {} with the report '{}':\n{}", kernel.file.string(),
                               build.architecture, build.method, error.messages),
                   "");
}

CompiledKernels compile(const KernelCompiler& compiler, const UserKernel& kernel, const Build& build) {
  return compiled(kernel, build, [&] {
    return compiler.compile_user_source(user_source(kernel, build.method), build.architecture, build.cap);
  });
}

KernelResources resources_of(const KernelCompiler& compiler, const UserKernel& kernel, const Build& build) {
  const CompiledKernels all = compile(compiler, kernel, build);
  std::vector<std::string> symbols;
  for (const KernelResources& one : all.resources) symbols.push_back(one.name);
  return all.resources[find_symbol(symbols, kernel.name, kernel.file.string())];
}

/// Returns the rows of the compiler: by architecture, block and cap, the methods of each together.
std::vector<KernelRow> compiled_rows(const KernelCompiler& compiler, const UserKernel& kernel,
                                     const StudyRequest& request, const Progress& progress) {
  const std::vector<Build> builds = builds_of(request);
  progress.tell(fmt::format("compiling {} variants of {}", builds.size(), kernel.name));
  std::vector<KernelResources> resources(builds.size());
  in_parallel(builds.size(),
              [&](std::size_t n) { resources[n] = resources_of(compiler, kernel, builds[n]); });
  std::vector<KernelRow> rows;
  for (const std::string& architecture : request.architectures)
    for (const int block : request.blocks)
      for (std::size_t n = 0; n < builds.size(); ++n) {
        if (builds[n].architecture != architecture) continue;
        KernelRow row{builds[n].method, architecture, block, builds[n].cap, resources[n]};
        if (kernel.most_threads == 0 || block <= kernel.most_threads)
          row.occupancy = occupancy(architecture, block, row.resources.registers,
                                    static_cast<std::size_t>(row.resources.shared_bytes), 0);
        rows.push_back(row);
      }
  return rows;
}

/// Returns the caps that a user is offered who names none: those below what the kernel takes without one.
std::vector<int> binding_caps(const std::vector<KernelRow>& uncapped) {
  int most = 0;
  for (const KernelRow& row : uncapped) most = std::max(most, row.resources.registers);
  std::vector<int> caps = {0};
  for (const int cap : {64, 96, 128})
    if (cap < most) caps.push_back(cap);
  return caps;
}

/// Where registers peak, or why that is not known.
struct Peaks {
  std::vector<KernelPeak> all;
  std::string why_none;
};

/// Asks nvdisasm where the registers peak with `none`, and with each way of reporting that takes more.
Peaks find_peaks(const KernelCompiler& compiler, const UserKernel& kernel,
                 const std::vector<KernelRow>& rows) {
  const std::string nvdisasm = compiler.nvdisasm().string();
  if (nvdisasm.empty())
    return {{}, "nvdisasm is not beside nvcc or on the PATH; CUDA's package cuda-nvdisasm has it"};
  Peaks peaks;
  const KernelRow* none = nullptr;
  for (const KernelRow& row : rows) {
    if (row.block != rows[0].block || row.cap != 0) continue;
    if (row.method == "none") none = &row;
    if (row.method != "none" && row.resources.registers <= none->resources.registers) continue;
    const CompiledKernels made =
        compile(compiler, kernel, {row.method, row.architecture, 0});  // in the cache
    const auto told = [&](const char* what) {
      return run_process({nvdisasm, "--print-code", what, made.cubin.string()}).output;
    };
    const std::string life_ranges = told("--print-life-ranges"), lines = told("--print-line-info-inline");
    const auto peak = register_peak(life_ranges, lines, row.resources.name);
    if (!peak)
      return {{}, fmt::format("'{}' says: {}", nvdisasm, life_ranges.substr(0, life_ranges.find('\n')))};
    peaks.all.push_back(
        {row.method, row.architecture, peak->live, line_below(kernel.file.parent_path(), peak->lines)});
  }
  return peaks;
}

/// What was measured on the device, beside the rows.
struct Measurement {
  std::vector<std::string> noise;  ///< a sentence for each block
  int rounds;
  std::string how_achieved = "not measured";
  double bytes_moved = 0;
};

/// The kernels of one block size, loaded, with the rows they belong to.
struct Cluster {
  std::vector<KernelRow*> rows;
  study::SharedArrays arrays;  // freed after the runners
  std::vector<std::unique_ptr<study::Runner>> runners;
};

Cluster load_cluster(const KernelCompiler& compiler, const UserKernel& kernel, const TimingDevice& device,
                     std::vector<KernelRow>& rows, int block) {
  Cluster cluster;
  for (KernelRow& row : rows)
    if (row.architecture == device.architecture && row.block == block && row.occupancy > 0)
      cluster.rows.push_back(&row);
  std::stable_partition(cluster.rows.begin(), cluster.rows.end(), [](const KernelRow* row) {
    return row->cap == 0;
  });  // the first is `none`, if it fits
  std::vector<std::filesystem::path> libraries(cluster.rows.size());
  in_parallel(libraries.size(), [&](std::size_t n) {
    const Build build{cluster.rows[n]->method, *device.architecture, cluster.rows[n]->cap};
    libraries[n] = compiled(kernel, build, [&] {
      return compiler.build_library(runner_source(kernel, build.method), build.architecture, build.cap);
    });
  });
  for (const std::filesystem::path& library : libraries)
    cluster.runners.push_back(device.load(library, block, cluster.arrays));
  if (!libraries.empty())
    cluster.runners.push_back(device.load(libraries[0], block, cluster.arrays));  // for the noise
  return cluster;
}

/// Times the kernels of a block, the first of them twice: what the two differ by is noise.
void time_cluster(Cluster& cluster, Measurement& measurement) {
  std::vector<study::Runner*> runners;
  for (const auto& runner : cluster.runners) runners.push_back(runner.get());
  const std::vector<KernelTime> times = time_in_rounds(runners, measurement.rounds, kTurn);
  for (std::size_t n = 0; n < cluster.rows.size(); ++n) cluster.rows[n]->time = times[n];
  const Quartiles& noise = times.back().ratio;
  measurement.noise.push_back(fmt::format(
      "Noise at {} threads: {} against itself takes {:.3f} of the time, quartiles {:.3f} to {:.3f}.",
      cluster.rows[0]->block, cluster.rows[0]->method, noise.median, noise.low, noise.high));
  measurement.bytes_moved = runners[0]->bytes_moved();
}

Measurement measure(const KernelCompiler& compiler, const UserKernel& kernel, const StudyRequest& request,
                    const TimingDevice& device, std::vector<KernelRow>& rows, const Progress& progress) {
  Measurement measurement{.noise = {}, .rounds = request.rounds(kRounds)};
  std::vector<Cluster> clusters;
  Parts parts(progress, request.blocks.size());
  for (const int block : request.blocks) {
    parts.next(fmt::format("loading and timing blocks of {} threads", block));
    clusters.push_back(load_cluster(compiler, kernel, device, rows, block));
    if (!clusters.back().rows.empty() && !OccupancyMeter::under_ncu())
      time_cluster(clusters.back(), measurement);
  }
  if (!device.meter) return measurement;
  // After all timings: a profiler may slow down launches.
  for (Cluster& cluster : clusters)
    for (std::size_t n = 0; n < cluster.rows.size(); ++n)
      if (const auto percent = device.meter->measure([&] { cluster.runners[n]->milliseconds(1); }))
        cluster.rows[n]->achieved = *percent / 100;
  measurement.how_achieved = device.meter->how();
  return measurement;
}

// --- tables -----------------------------------------------------------------------------------------------

Cell number_or_nothing(const std::optional<double>& value) {
  return value ? Cell(*value) : Cell(std::monostate());
}

std::vector<Cell> cells_of(const KernelRow& row, bool timed, double bytes_moved) {
  std::vector<Cell> cells = {row.method,
                             row.architecture,
                             std::int64_t{row.block},
                             std::int64_t{row.cap},
                             std::int64_t{row.resources.registers},
                             std::int64_t{row.spill_bytes()},
                             std::int64_t{row.resources.stack_bytes},
                             std::int64_t{row.resources.shared_bytes},
                             row.occupancy};
  if (!timed) return cells;
  cells.push_back(number_or_nothing(row.achieved));
  for (double Quartiles::*part : {&Quartiles::median, &Quartiles::low, &Quartiles::high})
    cells.push_back(row.time ? Cell(row.time->milliseconds.*part) : Cell(std::monostate()));
  cells.push_back(row.time ? Cell(row.time->ratio.median) : Cell(std::monostate()));
  cells.push_back(row.time ? Cell(1e-6 * bytes_moved / row.time->milliseconds.median)
                           : Cell(std::monostate()));
  return cells;
}

Table rows_table(const UserKernel& kernel, const KernelCompiler& compiler, const std::vector<KernelRow>& rows,
                 const std::optional<Measurement>& measured) {
  Table table{.title = fmt::format("{} of {} by way of reporting, nvcc {}", kernel.name,
                                   kernel.file.filename().string(), compiler.version()),
              .columns = {"method", "arch", "block", "cap", "registers", "spill_bytes", "stack_bytes",
                          "shared_bytes", "occupancy"},
              .rows = {},
              .notes = {"cap: -maxrregcount, 0 none. spill_bytes: stored and loaded, a thread. occupancy: "
                        "theoretical, 0 to 1; 0: a block cannot be launched."}};
  if (measured) {
    table.columns.insert(table.columns.end(), {"achieved", "milliseconds", "lower_quartile", "upper_quartile",
                                               "ratio_to_none", "gigabytes_per_second"});
    table.notes.push_back(fmt::format(
        "milliseconds: of a launch, median of {} rounds in which all kernels of a block have their turn; "
        "ratio_to_none: median within the rounds, to none without a cap. achieved: occupancy, {}.",
        measured->rounds, measured->how_achieved));
    table.notes.insert(table.notes.end(), measured->noise.begin(), measured->noise.end());
  }
  for (const KernelRow& row : rows)
    table.rows.push_back(cells_of(row, measured.has_value(), measured ? measured->bytes_moved : 0));
  return table;
}

/// Returns why kernels cannot be timed; "" if they can.
std::string why_not_timed(const UserKernel& kernel, const StudyRequest& request, const TimingDevice& device) {
  const auto& all = request.architectures;
  if (!device.architecture) return "there is no GPU";
  if (!kernel.has_setup) return "the file has no halfstep_study_setup";
  if (kernel.has_dynamic_shared)
    return "the kernel may need dynamic shared memory, of which a setup does not tell";
  if (std::find(all.begin(), all.end(), *device.architecture) == all.end())
    return "the GPU here is " + *device.architecture;
  return {};
}

/// Whether a row has the resources of `none` with the same architecture and cap, which comes before it.
bool takes_what_none_takes(const KernelRow& row, const std::vector<KernelRow>& rows) {
  const auto none = std::find_if(rows.begin(), rows.end(), [&](const KernelRow& other) {
    return other.method == "none" && other.architecture == row.architecture && other.cap == row.cap;
  });
  return row.resources.registers == none->resources.registers &&
         row.resources.stack_bytes == none->resources.stack_bytes && row.spill_bytes() == none->spill_bytes();
}

/// Returns what a reader of the rows must know of them.
std::vector<std::string> notes_of(const UserKernel& kernel, const std::vector<KernelRow>& rows) {
  std::vector<std::string> notes;
  if (kernel.most_threads > 0)
    notes.push_back(
        fmt::format("The kernel's own __launch_bounds__ of {} threads take precedence over a cap; "
                    "larger blocks cannot be launched.",
                    kernel.most_threads));
  if (kernel.has_dynamic_shared)
    notes.push_back("The file declares dynamic shared memory: occupancy is without it.");
  if (std::all_of(rows.begin(), rows.end(),
                  [&](const KernelRow& row) { return takes_what_none_takes(row, rows); }))
    notes.push_back("No way of reporting takes more than none: does the kernel call report_error()?");
  if (std::any_of(rows.begin(), rows.end(), [](const KernelRow& row) { return row.occupancy == 0; }))
    notes.push_back("A block that takes more than 65536 registers cannot be launched.");
  return notes;
}

/// Returns the registers with which occupancy falls, for each architecture and block.
Table cliffs_table(const std::vector<KernelRow>& rows) {
  Table table{.name = "cliffs",
              .title = "Occupancy by registers: the most registers with each",
              .columns = {"arch", "block", "registers", "occupancy"},
              .rows = {},
              .notes = {}};
  std::pair<std::string, int> last;
  for (const KernelRow& row : rows) {
    if (std::exchange(last, {row.architecture, row.block}) == last) continue;
    const auto at = [&](int registers) {
      return occupancy(row.architecture, row.block, registers,
                       static_cast<std::size_t>(row.resources.shared_bytes), 0);
    };
    for (int registers = 16; registers <= 255; ++registers)
      if (at(registers) > 0 && (registers == 255 || at(registers + 1) < at(registers)))
        table.rows.push_back(
            {row.architecture, std::int64_t{row.block}, std::int64_t{registers}, at(registers)});
  }
  return table;
}

Table peaks_table(const std::vector<KernelPeak>& peaks) {
  Table table{.name = "peaks",
              .title = "Where most registers are live, without a cap",
              .columns = {"method", "arch", "file", "line", "live"},
              .rows = {},
              .notes = {}};
  for (const KernelPeak& peak : peaks)
    table.rows.push_back({peak.method, peak.architecture, peak.line.file.string(),
                          std::int64_t{peak.line.line}, std::int64_t{peak.live}});
  return table;
}

Table advice_table(const std::vector<KernelRow>& rows, const std::vector<KernelPeak>& peaks) {
  Table table{
      .name = "advice", .title = "What these figures advise", .columns = {"advice"}, .rows = {}, .notes = {}};
  for (const auto& sentences : {kernel_advice(rows), peak_advice(peaks)})
    for (const std::string& sentence : sentences) table.rows.push_back({sentence});
  return table;
}

}  // namespace

StudyReport user_kernel_study(const StudyRequest& request) {
  OccupancyMeter meter(study_command("kernel", request));
  return user_kernel_study(request, {gpu_architecture(), load_runner, &meter});
}

StudyReport user_kernel_study(const StudyRequest& asked, const TimingDevice& device) {
  const Progress progress;
  check_kernel_place(asked.kernel);  // first: nvcc need not be there for it
  const KernelCompiler compiler = found_compiler();
  StudyRequest request = completed(asked, compiler, device);
  const UserKernel kernel = find_user_kernel(compiler, request.kernel, request.architectures[0]);
  std::vector<KernelRow> rows = compiled_rows(compiler, kernel, request, progress);
  if (asked.caps.empty()) {
    request.caps = binding_caps(rows);
    if (request.caps.size() > 1) rows = compiled_rows(compiler, kernel, request, progress);
  }
  const Peaks peaks = find_peaks(compiler, kernel, rows);
  const std::string why_not = why_not_timed(kernel, request, device);
  std::optional<Measurement> measured;
  if (why_not.empty()) measured = measure(compiler, kernel, request, device, rows, progress);
  if (OccupancyMeter::under_ncu()) return {};
  StudyReport report{.table = rows_table(kernel, compiler, rows, measured)};
  std::vector<std::string>& notes = report.table.notes;
  for (const std::string& note : notes_of(kernel, rows)) notes.push_back(note);
  if (!why_not.empty())
    notes.push_back(fmt::format("Times and achieved occupancy: not measured, as {}.", why_not));
  if (!peaks.why_none.empty())
    notes.push_back(fmt::format("The line where registers peak: not told, as {}.", peaks.why_none));
  report.more = {cliffs_table(rows)};
  if (!peaks.all.empty()) report.more.push_back(peaks_table(peaks.all));
  report.more.push_back(advice_table(rows, peaks.all));
  return report;
}

}  // namespace halfstep
