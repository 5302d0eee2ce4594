#include "app/output/history.hpp"

#include <fmt/format.h>

#include <string>

#include "app/output/step_rows.hpp"

namespace halfstep {

namespace {

std::string header(bool has_reactant) {
  return std::string(kHistoryHeader) + std::string(has_reactant ? kReactantColumn : "");
}

}  // namespace

History::History(const std::filesystem::path& path, bool has_reactant)
    : History(begin_step_rows(path, header(has_reactant)), has_reactant) {}

History History::resume(const std::filesystem::path& path, std::int64_t step, bool has_reactant) {
  return {resume_step_rows(path, header(has_reactant), step), has_reactant};
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
