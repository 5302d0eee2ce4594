#include "app/output/history.hpp"

#include <fmt/format.h>

#include <string>

#include "app/output/step_rows.hpp"
#include "physics/curved/wall_of_mesh.hpp"
#include "physics/diagnostics/totals.hpp"

namespace halfstep {

namespace {

std::string header(const OptionalColumns& optional) {
  std::string columns(kHistoryHeader);
  for (const std::string& name : optional.carried) columns += "," + name;
  if (optional.enstrophy) columns += ",enstrophy";
  if (optional.sponges) columns += "," + std::string(kSpongeColumns);
  if (optional.budgets)
    for (const std::string& name : budget_columns(optional.ways)) columns += "," + name;
  for (const std::string& name : optional.bodies) {
    columns += "," + columns_of_body(name);
    if (optional.reference.is_given()) columns += "," + coefficient_columns_of_body(name);
  }
  return columns;
}

std::string numbers_of_body(const BodyLoads& load, const LoadReference& reference) {
  std::string numbers;
  const auto add = [&](double number) { numbers += fmt::format(",{:.17g}", number); };
  for (int n = 0; n < 3; ++n) add(load.pressure_force[n] + load.friction_force[n]);
  for (const double force : load.friction_force) add(force);
  for (const double moment : load.moment) add(moment);
  add(load.heat);
  if (!reference.is_given()) return numbers;
  const LoadCoefficients c = coefficients(load, reference);
  for (const double force : c.force) add(force);
  for (const double moment : c.moment) add(moment);
  add(c.heat);
  return numbers;
}

/// Returns the columns of vectors, with a comma behind each.
std::string vectors_of_body(const std::string& name, const std::vector<const char*>& vectors) {
  std::string columns;
  for (const char* what : vectors)
    for (const char axis : {'x', 'y', 'z'}) columns += fmt::format("{}_{}_{},", name, what, axis);
  return columns;
}

/// Returns the indices of a cell by its number; all -1 of none.
std::array<std::int64_t, 3> indices(std::int64_t cell, const std::array<int, 3>& cells) {
  if (cell < 0) return {-1, -1, -1};
  return {cell % cells[0], cell / cells[0] % cells[1], cell / cells[0] / cells[1]};
}

}  // namespace

std::vector<std::string> names_of_loads(const Problem& problem) {
  std::vector<std::string> names;
  if (problem.has_solids())
    for (const Body& body : problem.solids->bodies()) names.push_back(body.name);
  if (problem.has_hexahedra())
    for (const WallOfMesh& wall : walls_of_mesh(*problem.hexahedra, problem.boundary))
      names.push_back(wall.name);
  return names;
}

std::string columns_of_body(const std::string& name) {
  return vectors_of_body(name, {"force", "friction", "moment"}) + name + "_heat";
}

std::string coefficient_columns_of_body(const std::string& name) {
  return vectors_of_body(name, {"force_coefficient", "moment_coefficient"}) + name + "_heat_coefficient";
}

History::History(const std::filesystem::path& path, OptionalColumns optional)
    : History(begin_step_rows(path, header(optional)), optional) {}

History History::resume(const std::filesystem::path& path, std::int64_t step, OptionalColumns optional) {
  return {resume_step_rows(path, header(optional), step), optional};
}

void History::write(const HistoryRow& row) {
  const Totals& t = row.totals;
  const std::array<std::int64_t, 3> fastest = indices(t.fastest_cell, optional_.cells);
  std::string line = fmt::format(
      "{},{:.17g},{:.17g},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},"
      "{:.17g},{},{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{},{},{}",
      row.step, row.time, row.dt, row.attempts, t.mass, t.momentum[0], t.momentum[1], t.momentum[2], t.energy,
      t.kinetic_energy, t.min_density, t.min_pressure, t.max_mach, row.repaired_faces, row.floored.cells,
      row.floored.mass, row.floored.energy, row.floored.momentum[0], row.floored.momentum[1],
      row.floored.momentum[2], fastest[0], fastest[1], fastest[2]);
  for (std::size_t s = 0; s < optional_.carried.size(); ++s)
    line += fmt::format(",{:.17g}", t.scalar_mass[s]);
  if (optional_.enstrophy) line += fmt::format(",{:.17g}", t.enstrophy);
  if (const SpongeSums& s = row.sponged; optional_.sponges)
    line += fmt::format(",{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}", s.mass, s.energy, s.momentum[0],
                        s.momentum[1], s.momentum[2]);
  if (optional_.budgets) {
    for (const double value : budget_values(optional_.ways, row.budget))
      line += fmt::format(",{:.17g}", value);
    const Drift& d = row.drift;
    line += fmt::format(",{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}", d.mass, d.momentum[0], d.momentum[1],
                        d.momentum[2], d.energy);
  }
  for (const BodyLoads& load : t.loads) line += numbers_of_body(load, optional_.reference);
  file_.write_line(line);
}

}  // namespace halfstep
