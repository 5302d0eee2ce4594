#include "app/study/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "app/base/quartiles.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {
namespace {

constexpr std::int64_t kSmallest = 4 << 10, kLargest = 1 << 30, kLargestQuick = 64 << 20;
constexpr int kStep = 4;  // factor between sizes
constexpr double kEnough = 1.5;
constexpr const char* kSource = "USTH lecture 2019-20";
constexpr double kMegabyte = 1 << 20;
// MB/s of the lecture's loop, from pageable and from pinned memory, to the device and back.
constexpr double kLoopThere[2][kWays] = {{5215, 5013}, {10406, 9858}};
constexpr std::array<const char*, kWays> kWayNames = {"up", "down"};
constexpr std::array<const char*, kDots> kDotNames = {
    "copied from pageable memory", "copied from pinned memory", "read in mapped memory",
    "read in mapped write-combined memory", "on the device already"};

const std::string kNotMeasured = name_of(Standing::not_measured);

double median(const Samples& samples) { return quartiles(samples).median; }

/// Returns the difference of the quartiles in percent of the median.
double spread(const Samples& samples) {
  const Quartiles q = quartiles(samples);
  return 100 * (q.high - q.low) / q.median;
}

double gigabytes_a_second(std::int64_t bytes, const Samples& samples) {
  return 1e-9 * static_cast<double>(bytes) / median(samples);
}

double megabytes_a_second(const Samples& loop) {
  return kLoopCopies * static_cast<double>(kLoopBytes) / kMegabyte / median(loop);
}

const TransferSize* size_of(const TransferStudy& study, std::int64_t bytes) {
  if (study.figures)
    for (const TransferSize& size : study.figures->sizes)
      if (size.bytes == bytes) return &size;
  return nullptr;
}

const HostCopy* host_copy_of(const TransferStudy& study, std::int64_t bytes) {
  for (const HostCopy& copy : study.host)
    if (copy.bytes == bytes) return &copy;
  return nullptr;
}

bool has_loop(const TransferStudy& study) {
  return study.figures && !study.figures->loop[kPageable][kToDevice].empty();
}

std::string reason(const TransferStudy& study) {
  return study.figures ? "there is no room for it in the memory of the host or of the device" : study.why;
}

// --- tables ---

/// Makes a table with a row per size and direction, a column per kind of memory.
template <class Value>
Table sizes_table(const TransferStudy& study, const Value& value) {
  Table table{.title = {}, .columns = {"bytes", "way"}, .rows = {}, .notes = {}};
  for (int memory = 0; memory < kHostMemories; ++memory)
    table.columns.push_back(name_of(static_cast<HostMemory>(memory)));
  for (const std::int64_t bytes : study.sizes)
    for (int way = 0; way < kWays; ++way) {
      std::vector<Cell> row = {bytes, kWayNames[way]};
      const TransferSize* size = size_of(study, bytes);
      for (int memory = 0; memory < kHostMemories; ++memory)
        row.push_back(size ? Cell(value(bytes, size->seconds[memory][way])) : Cell(kNotMeasured));
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table rates_table(const TransferStudy& study) {
  Table table = sizes_table(study, gigabytes_a_second);
  table.title = "Between the memories of host and device, GB/s (medians)";
  table.notes = {"Wall time from the call until the bytes are there, the kinds of memory in turn.",
                 "pageable, pinned, write-combined: one cudaMemcpy. mapped: a kernel reads (up) or writes "
                 "(down) the host's memory in place.",
                 fmt::format("A factor that others found holds if it is {} here, is reversed if its inverse "
                             "is, and gone between the two.",
                             kEnough)};
  if (!study.figures)
    table.notes.push_back("Not measured: " + study.why + '.');
  else if (study.figures->sizes.size() < study.sizes.size())
    table.notes.push_back(
        "Sizes that are not measured do not fit into the memory of the host or of the device.");
  return table;
}

Table spread_table(const TransferStudy& study) {
  Table table = sizes_table(study, [](std::int64_t, const Samples& samples) { return spread(samples); });
  table.name = "spread";
  table.title = "How far they scatter: between the quartiles, in percent of the median";
  return table;
}

Table host_table(const TransferStudy& study) {
  Table table{.name = "host",
              .title = "On the host: memcpy by one thread",
              .columns = {"bytes", "rate (GB/s)", "spread (%)"},
              .rows = {},
              .notes = {}};
  for (const HostCopy& copy : study.host)
    table.rows.push_back({copy.bytes, gigabytes_a_second(copy.bytes, copy.seconds), spread(copy.seconds)});
  return table;
}

Table loop_table(const TransferStudy& study) {
  Table table{.name = "loop",
              .title = fmt::format("The loop of the {}: {} copies of 256 MB (1 MB = 2^20 bytes)", kSource,
                                   kLoopCopies),
              .columns = {"memory", "way", "rate (MB/s)", "spread (%)", "there (MB/s)"},
              .rows = {},
              .notes = {}};
  for (const HostMemory memory : {kPageable, kPinned})
    for (int way = 0; way < kWays; ++way) {
      const bool is_there = has_loop(study);
      const Samples loop = is_there ? study.figures->loop[memory][way] : Samples{};
      table.rows.push_back({name_of(memory), kWayNames[way],
                            is_there ? Cell(megabytes_a_second(loop)) : Cell(kNotMeasured),
                            is_there ? Cell(spread(loop)) : Cell(kNotMeasured), kLoopThere[memory][way]});
    }
  return table;
}

Table dot_table(const TransferStudy& study) {
  Table table{.name = "dot",
              .title = fmt::format("Dot product of two vectors of {} floats", kDotElements),
              .columns = {"the vectors are", "time (ms)", "spread (%)", "GB/s"},
              .rows = {},
              .notes = {"From vectors in the host's memory to the number there, except where they are on the "
                        "device already."}};
  for (int which = 0; which < kDots; ++which) {
    if (!has_loop(study)) {
      table.rows.push_back({kDotNames[which], kNotMeasured, kNotMeasured, kNotMeasured});
      continue;
    }
    const Samples& samples = study.figures->dot[which];
    table.rows.push_back({kDotNames[which], 1e3 * median(samples), spread(samples),
                          gigabytes_a_second(2 * kDotElements * std::int64_t{sizeof(float)}, samples)});
  }
  return table;
}

// --- findings ---

Finding about_pinned(const TransferStudy& study, Way way) {
  const double there = kLoopThere[kPinned][way] / kLoopThere[kPageable][way];
  Finding finding{.claim = fmt::format("Pinned memory is faster, {} ({})", kWayNames[way], kSource),
                  .there = fmt::format("{:.2f} ({} / {} MB/s)", there, kLoopThere[kPinned][way],
                                       kLoopThere[kPageable][way]),
                  .here = kNotMeasured,
                  .why = reason(study)};
  if (!has_loop(study)) return finding;
  const Samples &pinned = study.figures->loop[kPinned][way], &pageable = study.figures->loop[kPageable][way];
  const double here = median(pageable) / median(pinned);
  finding.here = fmt::format("{:.2f} ({:.0f} / {:.0f} MB/s)", here, megabytes_a_second(pinned),
                             megabytes_a_second(pageable));
  finding.standing = standing_of(here, kEnough);
  const double link = 1e3 * median(pinned) / kLoopCopies, all = 1e3 * median(pageable) / kLoopCopies;
  finding.why =
      fmt::format("256 MB take {:.3g} ms from pinned memory and {:.3g} ms from pageable memory", link, all);
  if (study.figures->pageable_is_direct) {
    finding.why += ", which this device reads by the host's page tables.";
  } else {
    finding.why += ", whose bytes the driver moves once more, through pinned memory of its own.";
    if (const HostCopy* copy = host_copy_of(study, kLoopBytes)) {
      const double once = 1e3 * median(copy->seconds);
      finding.why += fmt::format(" One thread's memcpy of them takes {:.3g} ms, {} than the link.", once,
                                 once > link ? "more" : "less");
    }
  }
  return finding;
}

/// Returns the number of passes over the same vectors from which a copy and `on_device` passes beat reading
/// in place.
std::string passes_that_pay(double copy_and_pass, double on_device, double in_place) {
  if (in_place <= on_device) return "however often they are used, a copy does not pay";
  const double passes = std::floor((copy_and_pass - on_device) / (in_place - on_device)) + 1;
  return fmt::format("for vectors used {:.0f} times or more a copy pays", std::max(passes, 1.0));
}

Finding about_zero_copy(const TransferStudy& study, Dot in_place, const std::string& memory) {
  Finding finding{.claim = fmt::format("A dot product is faster in {} memory ({})", memory, kSource),
                  .there = "2 to 4 (a laptop)",
                  .here = kNotMeasured,
                  .why = reason(study)};
  if (!has_loop(study)) return finding;
  std::array<double, kDots> ms;
  for (int which = 0; which < kDots; ++which) ms[which] = 1e3 * median(study.figures->dot[which]);
  const double here = ms[kCopyPageable] / ms[in_place];
  finding.here = fmt::format("{:.2f} ({:.3g} / {:.3g} ms)", here, ms[kCopyPageable], ms[in_place]);
  finding.standing = standing_of(here, kEnough);
  finding.why = fmt::format(
      "Against copies from pageable memory and a kernel. Of the factor {:.2f} is pinned memory's: copied "
      "from there it takes {:.3g} ms. The other {:.2f} is that of one pass over the link in place of a copy "
      "and then a kernel of {:.3g} ms; {}.",
      ms[kCopyPageable] / ms[kCopyPinned], ms[kCopyPinned], ms[kCopyPinned] / ms[in_place], ms[kOnDevice],
      passes_that_pay(ms[kCopyPinned], ms[kOnDevice], ms[in_place]));
  return finding;
}

std::vector<std::string> wrong_dot_products(const TransferStudy& study) {
  std::vector<std::string> failures;
  if (!has_loop(study)) return failures;
  for (int which = 0; which < kDots; ++which)
    if (study.figures->dot_results[which] != exact_dot())
      failures.push_back(fmt::format("The dot product of vectors {} came to {}, not to {}.", kDotNames[which],
                                     study.figures->dot_results[which], exact_dot()));
  return failures;
}

// --- measurements ---

/// Returns the bytes of memory available without swapping; practically infinite if the system does not say.
std::int64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::int64_t kilobytes = 0;
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> kilobytes) return kilobytes * 1024;
  return std::int64_t{1} << 60;
}

/// Returns the sizes up to `most` of which `buffers` buffers fit into host memory.
std::vector<std::int64_t> that_fit(std::vector<std::int64_t> sizes, int buffers, std::int64_t most) {
  most = std::min(most, available_bytes() / (buffers + 1));  // leaves some memory free
  std::erase_if(sizes, [&](std::int64_t bytes) { return bytes > most; });
  return sizes;
}

std::vector<HostCopy> host_copies(const std::vector<std::int64_t>& sizes) {
  if (sizes.empty()) return {};
  constexpr std::int64_t bytes_of_all = 1 << 29;
  void* (*const volatile copy)(void*, const void*, std::size_t) =
      std::memcpy;  // prevents elimination by the compiler
  const std::vector<std::byte> from(static_cast<std::size_t>(sizes.back()));
  std::vector<std::byte> to(from.size());
  std::vector<HostCopy> copies;
  for (const std::int64_t bytes : sizes) {
    const int rounds = static_cast<int>(std::clamp<std::int64_t>(bytes_of_all / bytes, 3, 100));
    HostCopy one{bytes, {}};
    for (int round = -1; round < rounds; ++round) {  // round -1 warms up
      const auto began = std::chrono::steady_clock::now();
      copy(to.data(), from.data(), static_cast<std::size_t>(bytes));
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
      if (round >= 0) one.seconds.push_back(seconds.count());
    }
    copies.push_back(std::move(one));
  }
  return copies;
}

}  // namespace

std::string name_of(HostMemory memory) {
  constexpr std::array<const char*, kHostMemories> names = {"pageable", "pinned", "write-combined", "mapped",
                                                            "mapped write-combined"};
  return names[memory];
}

StudyReport transfers_report(const TransferStudy& study) {
  StudyReport report{.table = rates_table(study),
                     .more = {host_table(study)},
                     .findings = {about_pinned(study, kToDevice), about_pinned(study, kToHost),
                                  about_zero_copy(study, kReadMapped, "mapped"),
                                  about_zero_copy(study, kReadMappedWriteCombined, "mapped write-combined")},
                     .failures = wrong_dot_products(study)};
  if (study.figures)
    report.more.insert(report.more.begin(), {spread_table(study), loop_table(study), dot_table(study)});
  return report;
}

StudyReport transfers(const StudyRequest& request) {
  TransferStudy study;
  for (std::int64_t bytes = kSmallest; bytes <= (request.quick ? kLargestQuick : kLargest); bytes *= kStep)
    study.sizes.push_back(bytes);
  study.host = host_copies(that_fit(study.sizes, 2, kLoopBytes));
  if (cuda_available(&study.why)) study.figures = measure_transfers(that_fit(study.sizes, 3, kLargest));
  return transfers_report(study);
}

}  // namespace halfstep
