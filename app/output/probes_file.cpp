#include "app/output/probes_file.hpp"

#include <fmt/format.h>

#include <iterator>

#include "app/output/step_rows.hpp"

namespace halfstep {
namespace {

std::string header(const std::vector<std::string>& fields, std::size_t points) {
  std::string columns = "step,time";
  for (std::size_t n = 0; n < points; ++n)
    for (const std::string& field : fields) columns += fmt::format(",{}_{}", field, n);
  return columns;
}

}  // namespace

ProbesFile::ProbesFile(const std::filesystem::path& path, const std::vector<std::string>& fields,
                       std::size_t points, Precision precision)
    : ProbesFile(begin_step_rows(path, header(fields, points)), precision) {}

ProbesFile ProbesFile::resume(const std::filesystem::path& path, const std::vector<std::string>& fields,
                              std::size_t points, Precision precision, std::int64_t step) {
  return {resume_step_rows(path, header(fields, points), step), precision};
}

void ProbesFile::write(std::int64_t step, double time, const std::vector<std::vector<double>>& values) {
  const auto row = std::back_inserter(held_);
  fmt::format_to(row, "{},{:.17g}", step, time);
  for (std::size_t point = 0; point < values.front().size(); ++point)
    for (const std::vector<double>& field : values)
      precision_ == Precision::single_precision
          ? fmt::format_to(row, ",{:.9g}", static_cast<float>(field[point]))
          : fmt::format_to(row, ",{:.17g}", field[point]);
  held_ += '\n';
  if (held_.size() >= kMostHeld) flush();
}

void ProbesFile::flush() {
  if (held_.empty()) return;
  file_.write_lines(held_);
  held_.clear();
}

void ProbesFile::synchronise() {
  flush();
  file_.synchronise();
}

}  // namespace halfstep
