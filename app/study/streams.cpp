#include "app/study/streams.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <stdexcept>

#include "app/study/fresh_process.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {
namespace {

constexpr int kRounds = 15;
constexpr double kEnough = 1.1;
constexpr const char* kSource = "USTH lecture 2019-20";
constexpr std::array<const char*, kEngines> kEngineNames = {"copies up alone", "kernels alone",
                                                            "copies down alone"};
constexpr std::array<const char*, kSchedules> kScheduleNames = {"one stream", "two streams, depth-first",
                                                                "two streams, breadth-first"};

// --- what follows from the times ---

double no_overlap(const WorkloadTimes& times) {
  double sum = 0;
  for (const Quartiles& engine : times.alone) sum += engine.median;
  return sum;
}

double full_overlap(const WorkloadTimes& times) {
  double longest = 0;
  for (const Quartiles& engine : times.alone) longest = std::max(longest, engine.median);
  return longest;
}

double gain(const WorkloadTimes& times, Schedule schedule) {
  return times.together[kOneStream].median / times.together[schedule].median;
}

/// Returns the saved part of the time that overlap can save, in percent.
double overlap(const WorkloadTimes& times, Schedule schedule) {
  const double least = full_overlap(times), most = no_overlap(times);
  return 100 * (most - times.together[schedule].median) / (most - least);
}

// --- tables ---

Table times_table(const WorkloadTimes& times) {
  Table table{.title = {},
              .columns = {"schedule", "time (ms)", "quartiles", "gain over one stream", "overlap (%)"},
              .rows = {},
              .notes = {}};
  const auto scatter = [](const Quartiles& seconds) {
    return fmt::format("{:.4g} to {:.4g}", 1e3 * seconds.low, 1e3 * seconds.high);
  };
  for (int engine = 0; engine < kEngines; ++engine)
    table.rows.push_back(
        {kEngineNames[engine], 1e3 * times.alone[engine].median, scatter(times.alone[engine]), "-", "-"});
  table.rows.push_back({"no overlap: their sum", 1e3 * no_overlap(times), "-", "-", 0.0});
  for (const Schedule schedule : {kOneStream, kDepthFirst, kBreadthFirst})
    table.rows.push_back({kScheduleNames[schedule], 1e3 * times.together[schedule].median,
                          scatter(times.together[schedule]), gain(times, schedule),
                          overlap(times, schedule)});
  table.rows.push_back({"full overlap: the longest", 1e3 * full_overlap(times), "-", "-", 100.0});
  return table;
}

Table main_table(const StreamStudy& study) {
  Table table = times_table(study.figures.workload[kShortKernel]);
  table.title = fmt::format("{} chunks of {} elements: two copies up, the lecture's kernel, a copy down",
                            kChunks, kChunkElements);
  table.notes = {
      "Wall time of all chunks, from pinned memory and back to it; medians, the schedules in turn.",
      "depth-first: a chunk's copies and kernel, then the next chunk's in the other stream. breadth-first: "
      "each of them for two chunks, before the next.",
      "overlap: of the time between the two bounds, how much is saved.",
      fmt::format("A gain below {} is none.", kEnough)};
  if (!study.one_queue)
    table.notes.push_back("All streams in one hardware queue: not measured: " + study.no_one_queue + '.');
  return table;
}

/// Makes the table for the long kernel, which leaves more to overlap.
Table long_kernel_table(const StreamFigures& figures) {
  const WorkloadTimes& times = figures.workload[kLongKernel];
  Table table = times_table(times);
  table.name = "long_kernel";
  table.title = fmt::format(
      "The same with a kernel that takes as long as the copies up: {} steps of a random "
      "generator more",
      times.rounds_of_kernel);
  return table;
}

Table one_queue_table(const StreamFigures& figures) {
  Table table = times_table(figures.workload[kShortKernel]);
  table.name = "one_queue";
  table.title =
      "The lecture's kernel, with one hardware queue for all streams (CUDA_DEVICE_MAX_CONNECTIONS=1)";
  return table;
}

// --- findings ---

/// Formats a figure of both kernels.
std::string both(const StreamFigures& figures, double (*figure)(const WorkloadTimes&)) {
  return fmt::format("{:.2f} (with the long kernel {:.2f})", figure(figures.workload[kShortKernel]),
                     figure(figures.workload[kLongKernel]));
}

double gain_depth_first(const WorkloadTimes& times) { return gain(times, kDepthFirst); }
double gain_breadth_first(const WorkloadTimes& times) { return gain(times, kBreadthFirst); }
double most_gain(const WorkloadTimes& times) { return no_overlap(times) / full_overlap(times); }
double breadth_over_depth(const WorkloadTimes& times) {
  return times.together[kDepthFirst].median / times.together[kBreadthFirst].median;
}

std::string with_one_queue(const StreamStudy& study, double (*figure)(const WorkloadTimes&)) {
  if (!study.one_queue) return " With one hardware queue for all streams it was not measured.";
  bool differs = false;
  for (const int workload : {kShortKernel, kLongKernel}) {
    const double ratio =
        figure(study.figures.workload[workload]) / figure(study.one_queue->workload[workload]);
    differs |= ratio >= kEnough || ratio * kEnough <= 1;
  }
  return fmt::format(" With one hardware queue for all streams (CUDA_DEVICE_MAX_CONNECTIONS=1) it is {}: {}.",
                     both(*study.one_queue, figure),
                     differs ? "the queues make a difference" : "the queues make no difference to that");
}

Finding about_depth_first(const StreamStudy& study) {
  const WorkloadTimes& times = study.figures.workload[kShortKernel];
  return {
      .claim = fmt::format("Depth-first, two streams gain nothing ({})", kSource),
      .there = "no gain",
      .here = both(study.figures, gain_depth_first),
      .standing = gain_depth_first(times) < kEnough ? Standing::holds : Standing::gone,
      .why = fmt::format("{:.0f} % of the overlap there can be is reached. {} (compute capability {}.{}).",
                         overlap(times, kDepthFirst),
                         study.figures.copy_engines > 1 ? "Copies up and down have engines of their own"
                                                        : "One engine makes the copies up and down",
                         study.figures.capability / 10, study.figures.capability % 10) +
             with_one_queue(study, gain_depth_first)};
}

Finding about_breadth_first(const StreamStudy& study) {
  const WorkloadTimes& times = study.figures.workload[kShortKernel];
  return {.claim = fmt::format("Breadth-first, two streams gain ({})", kSource),
          .there = "a gain",
          .here = both(study.figures, gain_breadth_first),
          .standing = standing_of(gain_breadth_first(times), kEnough),
          .why = fmt::format(
                     "Alone, the copies up take {:.3g} ms, the kernels {:.3g} and the copies down {:.3g}: "
                     "at most {} can be gained, and {:.0f} % of the overlap is reached.",
                     1e3 * times.alone[kCopyUp].median, 1e3 * times.alone[kCompute].median,
                     1e3 * times.alone[kCopyDown].median, both(study.figures, most_gain),
                     overlap(times, kBreadthFirst)) +
                 with_one_queue(study, gain_breadth_first)};
}

Finding about_order(const StreamStudy& study) {
  const WorkloadTimes& times = study.figures.workload[kShortKernel];
  return {.claim = fmt::format("Breadth-first is faster than depth-first ({})", kSource),
          .there = "breadth-first is faster",
          .here = both(study.figures, breadth_over_depth),
          .standing = standing_of(breadth_over_depth(times), kEnough),
          .why = fmt::format("Depth-first reaches {:.0f} % of the overlap, breadth-first {:.0f} %.",
                             overlap(times, kDepthFirst), overlap(times, kBreadthFirst)) +
                 with_one_queue(study, breadth_over_depth)};
}

void add_failure(std::vector<std::string>& failures, const StreamFigures& figures, const char* queues) {
  if (figures.wrong > 0)
    failures.push_back(
        fmt::format("{} of the results that were looked at are wrong ({}).", figures.wrong, queues));
}

}  // namespace

StudyReport streams_report(const StreamStudy& study) {
  StudyReport report{.table = main_table(study),
                     .more = {long_kernel_table(study.figures)},
                     .findings = {about_depth_first(study), about_breadth_first(study), about_order(study)}};
  add_failure(report.failures, study.figures, "queues as they are");
  if (study.one_queue) {
    report.more.push_back(one_queue_table(*study.one_queue));
    add_failure(report.failures, *study.one_queue, "one hardware queue");
  }
  return report;
}

StudyReport streams(const StudyRequest& request) {
  StreamStudy study;
  try {
    study.one_queue = in_fresh_process<StreamFigures>([&] {
      ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1);
      return measure_streams(request.rounds(kRounds));
    });
  } catch (const std::runtime_error& error) {
    study.no_one_queue = std::string("in a process of its own: ") + error.what();
  }
  std::string why;
  if (!cuda_available(&why))
    throw std::runtime_error("the study streams only times copies and kernels, which needs a CUDA device: " +
                             why);
  study.figures = measure_streams(request.rounds(kRounds));
  return streams_report(study);
}

}  // namespace halfstep
