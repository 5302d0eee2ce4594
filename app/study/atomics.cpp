#include "app/study/atomics.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "app/base/quartiles.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/histogram.hpp"
#include "runtime/device/reduction.hpp"

namespace halfstep {
namespace atomics_study {
namespace {

constexpr double kLargestError = 1e-5;  // relative, of a dot product in single precision
constexpr const char* kSource = "(USTH lecture 2019-20)";

/// The lecture's milliseconds on a Quadro M2200.
constexpr double kTheirCpu = 55, kTheirGlobal = 67, kTheirShared = 5;

std::vector<std::uint8_t> random_bytes(std::int64_t count) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  std::mt19937_64 generator;
  for (std::size_t n = 0; n < bytes.size(); n += sizeof(std::uint64_t)) {
    const std::uint64_t word = generator();
    std::memcpy(&bytes[n], &word, sizeof word);
  }
  return bytes;
}

/// Returns random numbers from 0 to 1.
std::vector<float> random_floats(std::int64_t count, std::uint64_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::mt19937_64 generator(seed);
  for (float& value : values) value = 0x1p-24f * static_cast<float>(generator() >> 40);
  return values;
}

double milliseconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

Counts counted_on_host(std::span<const std::uint8_t> bytes, int threads) {
  const auto bins_of = [&](std::int64_t item) {
    std::array<std::uint8_t, kBytesAtOnce> bins;
    std::memcpy(bins.data(), &bytes[static_cast<std::size_t>(item * kBytesAtOnce)], kBytesAtOnce);
    return bins;
  };
  const auto counted =
      histogram(static_cast<std::int64_t>(bytes.size()) / kBytesAtOnce, kBins, threads, bins_of);
  Counts counts;
  std::transform(counted.begin(), counted.end(), counts.begin(),
                 [](std::int64_t count) { return static_cast<std::uint32_t>(count); });
  return counts;
}

/// Returns the expected counts, by a method that is not timed.
Counts expected_counts(std::span<const std::uint8_t> bytes) {
  Counts counts{};
  for (const std::uint8_t byte : bytes) counts[byte] += 1;
  return counts;
}

std::string cpu_way(int threads) {
  return threads == 1 ? "CPU, one thread" : fmt::format("CPU, {} threads", threads);
}

HistogramTrial host_histogram(std::span<const std::uint8_t> bytes, const Counts& expected, int threads,
                              int runs) {
  HistogramTrial trial{cpu_way(threads)};
  for (int run = -1; run < runs; ++run) {  // run -1 warms up
    Counts counts;
    const double time = milliseconds_of([&] { counts = counted_on_host(bytes, threads); });
    if (run < 0) continue;
    trial.milliseconds.push_back(time);
    trial.wrong += counts != expected;
  }
  return trial;
}

/// Computes the dot product in the order of the device's two-pass reduction.
float dot_on_host(std::span<const float> a, std::span<const float> b, int threads) {
  std::vector<DotSum> rows(a.size() / kRow);
#pragma omp parallel for num_threads(threads)
  for (std::size_t row = 0; row < rows.size(); ++row)
    rows[row] = reduced_row<DotSum>(kRow, [&](DotSum& sum, int item) {
      const std::size_t n = row * kRow + static_cast<std::size_t>(item);
      add_product(sum, a[n], b[n]);
    });
  return reduced_over_rows(rows).value;
}

DotTrial host_dot(std::span<const float> a, std::span<const float> b, int threads, int runs) {
  DotTrial trial{cpu_way(threads) + ", two passes"};
  for (int run = -1; run < runs; ++run) {
    float result = 0;
    const double time = milliseconds_of([&] { result = dot_on_host(a, b, threads); });
    if (run < 0) continue;
    trial.milliseconds.push_back(time);
    trial.results.push_back(result);
  }
  return trial;
}

/// Returns 1 and the number of all threads; only 1 if they are equal.
std::vector<int> thread_counts() {
  const int all = omp_get_max_threads();
  return all > 1 ? std::vector{1, all} : std::vector{1};
}

std::string spread(const Quartiles& time) { return fmt::format("{:.4g} to {:.4g}", time.low, time.high); }
double median(const std::vector<double>& values) { return quartiles(values).median; }

// --- the histogram ---

struct Histograms {
  std::vector<HistogramTrial> random, equal;  // bytes; the same methods in the same order
};

Histograms measure_histograms(const AtomicsOptions& options, bool on_device) {
  Histograms all;
  const auto measure = [&](const std::vector<std::uint8_t>& bytes) {
    const Counts expected = expected_counts(bytes);
    std::vector<HistogramTrial> trials;
    for (const int threads : thread_counts())
      trials.push_back(host_histogram(bytes, expected, threads, options.cpu_runs));
    if (on_device)
      for (HistogramTrial& trial : device_histograms(bytes, expected, options.device_runs))
        trials.push_back(std::move(trial));
    return trials;
  };
  all.random = measure(random_bytes(options.bytes));
  all.equal = measure(std::vector<std::uint8_t>(static_cast<std::size_t>(options.bytes), 'a'));
  return all;
}

Table histogram_table(const AtomicsOptions& options, const Histograms& all, const std::string& lacking) {
  Table table{
      .title = fmt::format("A histogram of {:.4g} million bytes, 256 bins",
                           1e-6 * static_cast<double>(options.bytes)),
      .columns = {"histogram by", "random (ms)", "quartiles", "G/s", "all equal (ms)", "quartiles ", "G/s "},
      .rows = {},
      .notes = {lacking.empty()
                    ? fmt::format("Medians of {} runs of the CPU and {} of the GPU, every count checked.",
                                  options.cpu_runs, options.device_runs)
                    : fmt::format("Medians of {} runs, every count checked.", options.cpu_runs),
                "Of the GPU the time of the kernel, by events: the bytes are on it, and not in its cache.",
                "All equal: every byte falls into one bin, the worst case for atomics. G/s: 1e9 bytes.",
                "Shared atomics: each block counts in bins of its own, as output.histogram does."}};
  const auto rate = [&](double ms) { return 1e-6 * static_cast<double>(options.bytes) / ms; };
  for (std::size_t n = 0; n < all.random.size(); ++n) {
    const Quartiles random = quartiles(all.random[n].milliseconds),
                    equal = quartiles(all.equal[n].milliseconds);
    table.rows.push_back({all.random[n].way, random.median, spread(random), rate(random.median), equal.median,
                          spread(equal), rate(equal.median)});
  }
  if (!lacking.empty()) {
    for (const char* way : kDeviceHistograms)
      table.rows.push_back({std::string(way), "not measured", "-", "-", "-", "-", "-"});
    table.notes.push_back("Not measured: " + lacking + '.');
  }
  return table;
}

/// Compares a ratio of the lecture with that of this run.
Finding ratio_finding(const std::string& claim, double their_slow, double their_fast, double slow,
                      double fast, std::string why) {
  // The finding holds while the ratio exceeds the square root of the published one, half of it
  // logarithmically.
  const double there = their_slow / their_fast, here = slow / fast;
  return {.claim = claim + ' ' + kSource,
          .there = fmt::format("{:.3g} / {:.3g} ms = {:.3g}", their_slow, their_fast, there),
          .here = fmt::format("{:.3g} / {:.3g} ms = {:.3g}", slow, fast, here),
          .standing = standing_of(here, std::sqrt(there)),
          .why = std::move(why)};
}

constexpr const char* kClaims[] = {"Global atomics take longer than one CPU thread",
                                   "Global atomics take longer than shared ones",
                                   "One CPU thread takes longer than shared atomics"};

std::vector<Finding> histogram_findings(const AtomicsOptions& options, const Histograms& all,
                                        const std::string& lacking) {
  const double cpu = median(all.random.front().milliseconds);
  if (!lacking.empty()) {
    const double theirs[][2] = {
        {kTheirGlobal, kTheirCpu}, {kTheirGlobal, kTheirShared}, {kTheirCpu, kTheirShared}};
    std::vector<Finding> findings;
    for (std::size_t n = 0; n < std::size(kClaims); ++n)
      findings.push_back({.claim = fmt::format("{} {}", kClaims[n], kSource),
                          .there = fmt::format("{:.3g} / {:.3g} ms = {:.3g}", theirs[n][0], theirs[n][1],
                                               theirs[n][0] / theirs[n][1]),
                          .here = fmt::format("one CPU thread: {:.3g} ms", cpu),
                          .standing = Standing::not_measured,
                          .why = lacking});
    return findings;
  }
  const std::size_t on_cpu = all.random.size() - kDeviceHistograms.size();
  const double global = median(all.random[on_cpu].milliseconds),
               shared = median(all.random[on_cpu + 1].milliseconds),
               global_equal = median(all.equal[on_cpu].milliseconds),
               shared_equal = median(all.equal[on_cpu + 1].milliseconds),
               all_threads = median(all.random[on_cpu - 1].milliseconds);
  const auto rate = [&](double ms) { return 1e-6 * static_cast<double>(options.bytes) / ms; };
  return {ratio_finding(kClaims[0], kTheirGlobal, kTheirCpu, global, cpu,
                        fmt::format("256 words in the GPU's memory take {:.3g} G additions a second, one CPU "
                                    "thread makes {:.3g}: there it was {:.3g} and {:.3g}",
                                    rate(global), rate(cpu), 100 / kTheirGlobal, 100 / kTheirCpu)),
          ratio_finding(kClaims[1], kTheirGlobal, kTheirShared, global, shared,
                        fmt::format("each multiprocessor adds in its own memory, and once a block and bin to "
                                    "the GPU's: {:.3g} G additions a second against {:.3g}; with all bytes "
                                    "equal {:.3g} against {:.3g}",
                                    rate(shared), rate(global), rate(shared_equal), rate(global_equal))),
          ratio_finding(kClaims[2], kTheirCpu, kTheirShared, cpu, shared,
                        fmt::format("{:.3g} G additions a second against {:.3g}; {} make {:.3g}, and against "
                                    "them the GPU is {:.3g} times as fast",
                                    rate(shared), rate(cpu), all.random[on_cpu - 1].way, rate(all_threads),
                                    all_threads / shared))};
}

// --- the dot product ---

int different(const std::vector<float>& results) {
  std::set<std::uint32_t> bits;
  for (const float result : results) bits.insert(std::bit_cast<std::uint32_t>(result));
  return static_cast<int>(bits.size());
}

double largest_error(const DotTrial& trial, double exact) {
  double largest = 0;
  for (const float result : trial.results) largest = std::max(largest, std::abs(result - exact) / exact);
  return largest;
}

std::vector<DotTrial> measure_dots(const AtomicsOptions& options, bool on_device, double& exact) {
  const std::vector<float> a = random_floats(options.products, 1), b = random_floats(options.products, 2);
  exact = std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                             [](double x, double y) { return x * y; });
  std::vector<DotTrial> trials;
  for (const int threads : thread_counts()) trials.push_back(host_dot(a, b, threads, options.cpu_runs));
  if (on_device)
    for (DotTrial& trial : device_dots(a, b, options.device_runs)) trials.push_back(std::move(trial));
  return trials;
}

Table dot_table(const AtomicsOptions& options, const std::vector<DotTrial>& trials, double exact,
                const std::string& lacking) {
  Table table{
      .name = "dot",
      .title = fmt::format("A dot product of {} floats", options.products),
      .columns = {"dot product by", "ms", "quartiles", "GB/s", "results", "of runs", "largest error"},
      .rows = {},
      .notes = {"results: how many different ones all runs gave; 1: the same bits in every run. Error: "
                "relative, against the sum in double precision.",
                "Two passes: the order of the run's own totals, the same on CPU and GPU."}};
  for (const DotTrial& trial : trials) {
    const Quartiles time = quartiles(trial.milliseconds);
    table.rows.push_back({trial.way, time.median, spread(time),
                          1e-6 * 2 * sizeof(float) * static_cast<double>(options.products) / time.median,
                          std::int64_t{different(trial.results)},
                          static_cast<std::int64_t>(trial.results.size()), largest_error(trial, exact)});
  }
  if (!lacking.empty()) {
    for (const char* way : kDeviceDots)
      table.rows.push_back({std::string(way), "not measured", "-", "-", "-", "-", "-"});
    table.notes.push_back("Not measured: " + lacking + '.');
  }
  return table;
}

/// Returns the targets that the program's own methods miss, and methods with wrong results.
std::vector<std::string> failures(const Histograms& histograms, const std::vector<DotTrial>& dots,
                                  double exact) {
  std::vector<std::string> all;
  for (const auto* trials : {&histograms.random, &histograms.equal})
    for (const HistogramTrial& trial : *trials)
      if (trial.wrong > 0)
        all.push_back(fmt::format("{}: {} of {} histograms are wrong", trial.way, trial.wrong,
                                  trial.milliseconds.size()));
  for (const DotTrial& trial : dots)
    if (const double error = largest_error(trial, exact); !(error <= kLargestError))
      all.push_back(fmt::format("{}: a dot product is wrong by {:.2g} of it", trial.way, error));
  std::vector<float> two_passes;
  for (const DotTrial& trial : dots)
    if (trial.way.ends_with("two passes"))
      two_passes.insert(two_passes.end(), trial.results.begin(), trial.results.end());
  if (different(two_passes) != 1)
    all.push_back("two passes do not give the same bits in every run, on CPU and GPU");
  return all;
}

}  // namespace
}  // namespace atomics_study

StudyReport measure_atomics(const AtomicsOptions& options) {
  using namespace atomics_study;
  std::string lacking;
  const bool on_device = cuda_available(&lacking);
  const Histograms histograms = measure_histograms(options, on_device);
  double exact = 0;
  const std::vector<DotTrial> dots = measure_dots(options, on_device, exact);
  return {.table = histogram_table(options, histograms, lacking),
          .more = {dot_table(options, dots, exact, lacking)},
          .findings = histogram_findings(options, histograms, lacking),
          .failures = failures(histograms, dots, exact)};
}

StudyReport atomics(const StudyRequest& request) {
  AtomicsOptions options;
  options.cpu_runs = request.rounds(options.cpu_runs);
  options.device_runs = request.rounds(options.device_runs);
  return measure_atomics(options);
}

}  // namespace halfstep
