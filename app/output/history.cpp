#include "app/output/history.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string>

namespace halfstep {

namespace {

std::string header(bool has_reactant) {
  return std::string(kHistoryHeader) + std::string(has_reactant ? kReactantColumn : "");
}

}  // namespace

History::History(const std::filesystem::path& path, bool has_reactant)
    : History(AppendFile(path), has_reactant) {
  file_.truncate(0);
  file_.write_line(header(has_reactant));
}

History History::resume(const std::filesystem::path& path, std::int64_t step, bool has_reactant) {
  History history(AppendFile(path), has_reactant);
  std::ifstream rows(path, std::ios::binary);
  std::string row;
  if (!std::getline(rows, row)) return History(path, has_reactant);
  if (row != header(has_reactant))
    throw std::runtime_error(
        "cannot go on with '" + path.string() +
        "': it has other columns than this program writes; move it away and restart again");
  std::uintmax_t keep = row.size() + 1;
  while (std::getline(rows, row)) {
    std::int64_t row_step = 0;
    const auto parsed = std::from_chars(row.data(), row.data() + row.size(), row_step);
    if (parsed.ec != std::errc{} || *parsed.ptr != ',')
      throw std::runtime_error("cannot go on with '" + path.string() +
                               "': a row does not begin with a step: '" + row.substr(0, 40) + "'");
    if (row_step > step) break;
    keep += row.size() + 1;
  }
  history.file_.truncate(keep);
  return history;
}

void History::write(const HistoryRow& row) {
  const Totals& t = row.totals;
  std::string line = fmt::format(
      "{},{:.17g},{:.17g},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},"
      "{:.17g},{},{},{:.17g},{:.17g}",
      row.step, row.time, row.dt, row.attempts, t.mass, t.momentum[0], t.momentum[1], t.momentum[2], t.energy,
      t.kinetic_energy, t.min_density, t.min_pressure, t.max_mach, row.repaired_faces, row.floored.cells,
      row.floored.mass, row.floored.energy);
  if (has_reactant_) line += fmt::format(",{:.17g}", t.reactant_mass);
  file_.write_line(line);
}

}  // namespace halfstep
