#include "app/output/histogram_file.hpp"

#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "app/output/step_rows.hpp"
#include "physics/base/choice.hpp"

namespace halfstep {

HistogramFile::HistogramFile(const std::filesystem::path& path)
    : HistogramFile(begin_step_rows(path, std::string(kHistogramHeader))) {}

HistogramFile HistogramFile::resume(const std::filesystem::path& path, std::int64_t step) {
  return HistogramFile(resume_step_rows(path, std::string(kHistogramHeader), step));
}

void HistogramFile::write(std::int64_t step, double time, HistogramField field, const Histogram& h) {
  const int bins = static_cast<int>(h.counts.size()) - 2;
  const double cells =
                   static_cast<double>(std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0})),
               outside = std::numeric_limits<double>::infinity();
  const auto edge = [&](int bin) {
    return bin < 0       ? -outside
           : bin > bins  ? outside
           : bin == bins ? h.upper
                         : h.lower + (h.upper - h.lower) * (static_cast<double>(bin) / bins);
  };
  std::string rows;
  for (int bin = -1; bin <= bins; ++bin) {
    const std::int64_t count = h.counts[static_cast<std::size_t>(bin + 1)];
    const double lower = edge(bin), upper = edge(bin + 1);
    fmt::format_to(std::back_inserter(rows), "{}{},{:.17g},{},{},{:.17g},{:.17g},{},{:.17g}",
                   rows.empty() ? "" : "\n", step, time, name_of(kHistogramFields, field), bin, lower, upper,
                   count, static_cast<double>(count) / cells / (upper - lower));
  }
  file_.write_line(std::move(rows));
}

}  // namespace halfstep
