#include "app/study/timers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "app/base/quartiles.hpp"
#include "app/study/clocks.hpp"
#include "app/study/fresh_process.hpp"
#include "physics/base/choice.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {
namespace {

constexpr int kRepeats = 100;
constexpr int kLeastColdRuns = 3, kMostColdRuns = 10;
constexpr double kColdSeconds = 3;  // after the minimum number of runs, none is begun later than this
constexpr double kBusySeconds = 0.01;

constexpr double kEnough = 1.1;  // a smaller factor between two timers counts as none
constexpr const char* kSource = "timing CUDA code, 2016";
// The source's milliseconds on a K80, in the order of the timers.
constexpr std::array<double, kTimers> kColdThere = {535.16, 346.57, 440, 470};
constexpr std::array<double, kTimers> kWarmThere = {326.97, 328.31, 330, 324};
constexpr double kScatterOfGettimeofdayThere = 20, kScatterOfChronoThere = 3;

constexpr std::array<const char*, kParts> kPartNames = {"the first call (a cold one makes the context)",
                                                        "memory on the host, filled",
                                                        "memory on the device",
                                                        "copies up",
                                                        "the kernel",
                                                        "the copy down",
                                                        "all of it freed"};

// --- statistics -------------------------------------------------------------------------------------------

struct Statistics {
  double median, mean, deviation;
};

Statistics statistics(const std::vector<double>& values) {
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {quartiles(values).median, mean, std::sqrt(squares / std::max(count - 1, 1.0))};
}

std::vector<double> totals(const std::vector<VectorAddRun>& runs, int timer) {
  std::vector<double> values;
  for (const VectorAddRun& run : runs) values.push_back(run.total[timer]);
  return values;
}

double median_part(const std::vector<VectorAddRun>& runs, int part) {
  std::vector<double> values;
  for (const VectorAddRun& run : runs) values.push_back(run.part[part]);
  return quartiles(values).median;
}

// --- tables -----------------------------------------------------------------------------------------------

const std::string kNotMeasured = name_of(Standing::not_measured);

/// Adds a row. `values` are in seconds; without any the figures are `otherwise`.
void add_row(Table& table, const std::string& measured, int timer, const std::vector<double>& values,
             const Cell& there, const std::string& otherwise = kNotMeasured) {
  std::vector<Cell> row = {measured, name_of(static_cast<Timer>(timer)),
                           static_cast<std::int64_t>(values.size())};
  if (values.empty()) {
    row.insert(row.end(), 3, otherwise);
  } else {
    const Statistics s = statistics(values);
    for (const double seconds : {s.median, s.mean, s.deviation}) row.push_back(1e3 * seconds);
  }
  row.push_back(there);
  table.rows.push_back(std::move(row));
}

Table readings_table(const TimerFigures& figures) {
  Table table{
      .title = fmt::format("vectorAdd of {} floats by four timers", kVectorElements),
      .columns = {"measured", "timer", "runs", "median (ms)", "mean (ms)", "deviation (ms)", "a K80 (ms)"},
      .rows = {},
      .notes = {"cold, warm: from allocation to free, on the host and on the device, with both copies up and "
                "the one down. All four timers are read around the same runs.",
                "cold: the first use of CUDA in a process of its own. warm: after others in one process.",
                "kernel: the kernel alone, with a wait for it before the timer is read again, and without; "
                "each timer around launches of its own.",
                fmt::format("a K80: {}. A factor below {} between two timers is none.", kSource, kEnough)}};
  for (int timer = 0; timer < kTimers; ++timer)
    add_row(table, "cold", timer, totals(figures.cold, timer), kColdThere[timer]);
  for (int timer = 0; timer < kTimers; ++timer)
    add_row(table, "warm", timer, totals(figures.warm, timer), kWarmThere[timer]);
  for (int timer = 0; timer < kTimers; ++timer)
    add_row(table, "kernel, waited for", timer, figures.kernel.waited[timer], "-");
  for (int timer = 0; timer < kTimers; ++timer)
    add_row(table, "kernel, launched", timer, figures.kernel.launched[timer], "-",
            figures.warm.empty() ? kNotMeasured : "-");
  if (figures.cold.empty()) table.notes.push_back("cold is not measured: " + figures.no_cold + '.');
  if (figures.warm.empty())
    table.notes.push_back("warm and kernel are not measured: " + figures.no_warm + '.');
  else
    table.notes.push_back(
        fmt::format("Events that were asked without a wait were not ready in {} of {} launches.",
                    figures.kernel.not_ready, figures.kernel.waited[kCudaEvent].size()));
  return table;
}

Table parts_table(const TimerFigures& figures) {
  Table table{.name = "parts",
              .title = "What vectorAdd from allocation to free is made of (medians, by chrono)",
              .columns = {"part", "cold (ms)", "warm (ms)"},
              .rows = {},
              .notes = {}};
  const auto cell = [](const std::vector<VectorAddRun>& runs, int part) {
    return runs.empty() ? Cell(kNotMeasured) : Cell(1e3 * median_part(runs, part));
  };
  for (int part = 0; part < kParts; ++part)
    table.rows.push_back({kPartNames[part], cell(figures.cold, part), cell(figures.warm, part)});
  return table;
}

Table costs_table(const TimerFigures& figures) {
  Table table{.name = "calls",
              .title = "What a reading costs and how finely it counts",
              .columns = {"timer", "counts", "a call (ns)", "smallest step (ns)"},
              .rows = {},
              .notes = {}};
  for (const TimerCost& timer : figures.costs)
    table.rows.push_back({timer.timer, timer.counts, 1e9 * timer.cost, 1e9 * timer.step});
  return table;
}

Table uses_table(const TimerFigures& figures) {
  Table table{.name = "processor",
              .title = "What clock() counts",
              .columns = {"during", "wall time (ms)", "clock() (ms)", "ratio"},
              .rows = {},
              .notes = {}};
  for (const ProcessorUse& use : figures.uses)
    table.rows.push_back({use.during, 1e3 * use.wall, 1e3 * use.processor, use.processor / use.wall});
  return table;
}

// --- findings ---------------------------------------------------------------------------------------------

/// Formats a quotient and its two terms, which are in `unit`.
std::string quotient(double above, double below, const char* unit = "ms") {
  return fmt::format("{:.3g} ({:.4g} / {:.4g} {})", above / below, above, below, unit);
}

Finding unmeasured(const std::string& claim, const std::string& there, const std::string& why) {
  return {claim, there, kNotMeasured, Standing::not_measured, why};
}

class Findings {
 public:
  explicit Findings(const TimerFigures& figures) : figures_(figures) {}

  std::vector<Finding> all() {
    about_cold_runs();
    about_warm_runs();
    about_one_kernel();
    about_processor_time();
    return std::move(findings_);
  }

 private:
  double cold(int timer) const { return 1e3 * statistics(totals(figures_.cold, timer)).median; }
  double warm(int timer) const { return 1e3 * statistics(totals(figures_.warm, timer)).median; }

  void about_cold_runs() {
    const std::string long_start = fmt::format("Cold takes longer than warm, by gettimeofday ({})", kSource);
    const std::string there = quotient(kColdThere[kGettimeofday], kWarmThere[kGettimeofday]);
    if (figures_.cold.empty() || figures_.warm.empty())
      findings_.push_back(
          unmeasured(long_start, there, figures_.cold.empty() ? figures_.no_cold : figures_.no_warm));
    else
      findings_.push_back({long_start, there, quotient(cold(kGettimeofday), warm(kGettimeofday)),
                           standing_of(cold(kGettimeofday) / warm(kGettimeofday), kEnough),
                           where_cold_is_longer()});

    const auto less_of_cold = [&](const std::string& claim, int timer, const auto& why) {
      const std::string was = quotient(kColdThere[kGettimeofday], kColdThere[timer]);
      if (figures_.cold.empty()) {
        findings_.push_back(unmeasured(claim, was, figures_.no_cold));
        return;
      }
      findings_.push_back({claim, was, quotient(cold(kGettimeofday), cold(timer)),
                           standing_of(cold(kGettimeofday) / cold(timer), kEnough), why()});
    };
    less_of_cold(fmt::format("Cold, events read less than gettimeofday ({})", kSource), kCudaEvent, [&] {
      return fmt::format(
          "An event needs a context: creating the first one took {:.4g} ms, all of it before it "
          "could be recorded. Events read {:.4g} ms less than gettimeofday.",
          1e3 * median_part(figures_.cold, kFirstCall), cold(kGettimeofday) - cold(kCudaEvent));
    });
    less_of_cold(fmt::format("Cold, clock() reads less than gettimeofday ({})", kSource), kClock, [&] {
      return fmt::format(
          "clock() counts processor time: in {:.4g} ms the threads of the process had {:.4g} ms of "
          "it{}.",
          cold(kGettimeofday), cold(kClock),
          cold(kClock) < cold(kGettimeofday) ? " and waited for the rest"
                                             : ", more than one of them at times");
    });
    less_of_cold(fmt::format("Cold, chrono reads less than gettimeofday ({})", kSource), kChrono, [&] {
      const Statistics s = statistics(totals(figures_.cold, kChrono));
      return fmt::format(
          "Both count wall time, and here they were read around the same starts, which differ among "
          "themselves: {:.4g} +- {:.2g} ms.",
          1e3 * s.mean, 1e3 * s.deviation);
    });
  }

  /// Names the two parts that differ most.
  std::string where_cold_is_longer() const {
    std::array<double, kParts> longer;
    for (int part = 0; part < kParts; ++part)
      longer[part] = 1e3 * (median_part(figures_.cold, part) - median_part(figures_.warm, part));
    std::array<int, kParts> order;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int one, int other) { return longer[one] > longer[other]; });
    return fmt::format("Of {:.4g} ms between them {:.4g} are in {}, {:.4g} in {}.",
                       cold(kGettimeofday) - warm(kGettimeofday), longer[order[0]], kPartNames[order[0]],
                       longer[order[1]], kPartNames[order[1]]);
  }

  void about_warm_runs() {
    const std::string agree = fmt::format("Warm, all four agree ({})", kSource);
    const std::string scatter = fmt::format("Warm, gettimeofday scatters more than chrono ({})", kSource);
    const std::string agree_there = quotient(kWarmThere[kClock], kWarmThere[kChrono]);
    const std::string scatter_there = quotient(kScatterOfGettimeofdayThere, kScatterOfChronoThere);
    if (figures_.warm.empty()) {
      findings_.push_back(unmeasured(agree, agree_there, figures_.no_warm));
      findings_.push_back(unmeasured(scatter, scatter_there, figures_.no_warm));
      return;
    }
    int most = 0, least = 0;
    for (int timer = 1; timer < kTimers; ++timer) {
      if (warm(timer) > warm(most)) most = timer;
      if (warm(timer) < warm(least)) least = timer;
    }
    findings_.push_back({agree, agree_there, quotient(warm(most), warm(least)),
                         warm(most) < kEnough * warm(least) ? Standing::holds : Standing::gone,
                         fmt::format("The largest is {}'s, the smallest {}'s. The process was on a processor "
                                     "for {:.3g} % of the time: it waits {}.",
                                     name_of(static_cast<Timer>(most)), name_of(static_cast<Timer>(least)),
                                     100 * warm(kClock) / warm(kChrono),
                                     warm(kClock) > warm(kChrono) / kEnough
                                         ? "spinning, which clock() counts"
                                         : "asleep in part, which clock() does not count")});
    const double mine = 1e3 * statistics(totals(figures_.warm, kGettimeofday)).deviation;
    const double other = 1e3 * statistics(totals(figures_.warm, kChrono)).deviation;
    findings_.push_back({scatter, scatter_there, quotient(mine, other), standing_of(mine / other, kEnough),
                         fmt::format("Both were read around the same {} runs, which scatter by {:.2g} % as "
                                     "chrono reads them{}.",
                                     figures_.warm.size(), 100 * other / warm(kChrono),
                                     std::max(mine, other) < kEnough * std::min(mine, other)
                                         ? ": it is the run that does, and not the timer"
                                         : "; they differ about how much")});
  }

  void about_one_kernel() {
    const std::string launch_only =
        fmt::format("Without a wait a CPU timer reads the launch alone ({})", kSource);
    const std::string events =
        fmt::format("With a wait a CPU timer reads more than the kernel ({})", kSource);
    if (figures_.warm.empty()) {
      findings_.push_back(unmeasured(launch_only, "no figure", figures_.no_warm));
      findings_.push_back(unmeasured(events, "no figure", figures_.no_warm));
      return;
    }
    const double kernel = 1e6 * statistics(figures_.kernel.waited[kCudaEvent]).median;
    const double waited = 1e6 * statistics(figures_.kernel.waited[kChrono]).median;
    const double launched = 1e6 * statistics(figures_.kernel.launched[kChrono]).median;
    findings_.push_back(
        {launch_only, "no figure", quotient(kernel, launched, "us"), standing_of(kernel / launched, kEnough),
         fmt::format(
             "A launch returns once it is queued, after {:.3g} us. The end of the kernel was not there "
             "yet in {} of {} launches.",
             launched, figures_.kernel.not_ready, figures_.kernel.waited[kCudaEvent].size())});
    findings_.push_back(
        {events, "no figure", quotient(waited, kernel, "us"), standing_of(waited / kernel, kEnough),
         fmt::format(
             "With a wait chrono reads {:.3g} us on top of the kernel's {:.3g} us: the launch, and the "
             "way back to the host. Events are stamped by the device.",
             waited - kernel, kernel)});
  }

  void about_processor_time() {
    const ProcessorUse& sleep = figures_.uses.front();
    std::string why;
    for (const ProcessorUse& use : figures_.uses)
      why += fmt::format("{}{:.3g} ms in {:.3g} ms of {}", why.empty() ? "It counted " : ", ",
                         1e3 * use.processor, 1e3 * use.wall, use.during);
    findings_.push_back({fmt::format("clock() does not count a sleep ({})", kSource), "no figure",
                         quotient(1e3 * sleep.wall, 1e3 * sleep.processor),
                         standing_of(sleep.wall / sleep.processor, kEnough), why + '.'});
  }

  const TimerFigures& figures_;
  std::vector<Finding> findings_;
};

// --- measurements -----------------------------------------------------------------------------------------

template <class Work>
ProcessorUse processor_use(const std::string& during, const Work& work) {
  constexpr int repeats = 5;
  const Clock &processor = clocks()[1], &wall = clocks()[2];
  std::vector<double> wall_seconds, processor_seconds;
  for (int n = 0; n < repeats; ++n) {
    const std::int64_t wall_began = wall.nanoseconds(), processor_began = processor.nanoseconds();
    work();
    processor_seconds.push_back(seconds_between(processor_began, processor.nanoseconds()));
    wall_seconds.push_back(seconds_between(wall_began, wall.nanoseconds()));
  }
  return {during, quartiles(wall_seconds).median, quartiles(processor_seconds).median};
}

std::vector<ProcessorUse> uses_of_the_host() {
  const auto compute = [] {
    const Clock& wall = clocks()[2];
    const std::int64_t began = wall.nanoseconds();
    while (seconds_between(began, wall.nanoseconds()) < kBusySeconds) {
    }
  };
  return {processor_use("a sleep",
                        [] { std::this_thread::sleep_for(std::chrono::duration<double>(kBusySeconds)); }),
          processor_use("work of one thread", compute), processor_use("work of two threads", [&] {
            const std::jthread other(compute);
            compute();
          })};
}

void measure_cold_runs(TimerFigures& figures) {
  const auto run = [] { return in_fresh_process<VectorAddRun>(vector_add_run); };
  const Clock& wall = clocks()[2];
  try {
    run();  // loads the driver's files into the page cache
    const std::int64_t began = wall.nanoseconds();
    for (int n = 0; n < kMostColdRuns; ++n) {
      if (n >= kLeastColdRuns && seconds_between(began, wall.nanoseconds()) > kColdSeconds) break;
      figures.cold.push_back(run());
    }
  } catch (const std::runtime_error& error) {
    figures.cold.clear();
    figures.no_cold = std::string("in a process of its own: ") + error.what();
  }
}

void measure_warm_runs(TimerFigures& figures, int repeats) {
  constexpr int warm_up = 5;
  for (int n = -warm_up; n < repeats; ++n) {
    const VectorAddRun run = vector_add_run();
    if (n >= 0) figures.warm.push_back(run);
  }
  figures.kernel = kernel_readings(repeats);
}

}  // namespace

std::string name_of(Timer timer) {
  constexpr std::array<const char*, kTimers> names = {"gettimeofday", "cudaEvent", "clock", "chrono"};
  return names[timer];
}

StudyReport timers_report(const TimerFigures& figures) {
  StudyReport report{.table = readings_table(figures),
                     .more = {costs_table(figures), uses_table(figures)},
                     .findings = Findings(figures).all()};
  if (!figures.warm.empty()) report.more.insert(report.more.begin(), parts_table(figures));
  return report;
}

StudyReport timers(const StudyRequest& request) {
  TimerFigures figures;
  measure_cold_runs(figures);  // before this process uses CUDA
  for (const Clock& clock : clocks())
    figures.costs.push_back({clock.name, clock.counts, cost_of(clock), step_of(clock)});
  figures.uses = uses_of_the_host();
  if (!cuda_available(&figures.no_warm)) {
    figures.no_cold = figures.no_warm;
    return timers_report(figures);
  }
  measure_warm_runs(figures, request.rounds(kRepeats));
  const EventFigures events = event_figures();
  figures.costs.push_back({name_of(kCudaEvent), "time of the device", events.cost, events.step});
  const std::vector<ProcessorUse> waits = waits_for_kernel(kBusySeconds);
  figures.uses.insert(figures.uses.end(), waits.begin(), waits.end());
  return timers_report(figures);
}

}  // namespace halfstep
