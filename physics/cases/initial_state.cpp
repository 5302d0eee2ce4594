#include "physics/cases/initial_state.hpp"

#include <algorithm>
#include <stdexcept>

#include "physics/gas/admissible.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/mass_fraction.hpp"

namespace halfstep {

namespace {

/// Calls fill(f, field) for each field with memory for `cells` values, on a thread per field: on one thread
/// the first touch of the memory takes as long as the rest of a large set-up.
template <class F>
void fill_fields(Fields& fields, int count, std::size_t cells, F fill) {
  for (int f = 0; f < count; ++f) fields.field(f).reserve(cells);  // here, where it may throw
#pragma omp parallel for
  for (int f = 0; f < count; ++f) fill(f, fields.field(f));
}

std::array<int, 3> margins(const Mesh& mesh, int layers) {
  return {mesh.active(0) ? layers : 0, mesh.active(1) ? layers : 0, mesh.active(2) ? layers : 0};
}

}  // namespace

void InitialState::get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) {
  const ExtendedRows rows(layout);
  std::int64_t first_bad = mesh_.cell_count();
#pragma omp parallel for reduction(min : first_bad)
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t row = first + n;
    const int j = rows.j(row), k = rows.k(row);
    for (int x = 0; x < rows.length; ++x) {
      const int i = x - rows.ghosts[0];
      const Box cell = mesh_.cell(i, j, k);
      const Conserved<double> c = case_.initial(cell);
      const std::int64_t at = n * rows.length + x;
      const double values[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
      for (int f = 0; f < kFields; ++f) to[f][at] = values[f];
      bool good = is_admissible(c, gas_);
      for (int s = 0; s < layout.scalars(); ++s) {
        const double mass = scalars_.mass(s, case_, cell, c.density);
        to[kFields + s][at] = mass;
        good = good && is_mass_fraction(mass / c.density);
      }
      if (!rows.inside(row) || i < 0 || i >= mesh_.cells[0]) continue;
      if (!good) first_bad = std::min(first_bad, rows.interior(row) + i);
    }
  }
  if (first_bad < mesh_.cell_count()) refuse(first_bad);
}

void InitialState::refuse(std::int64_t n) const {
  const int i = static_cast<int>(n % mesh_.cells[0]),
            j = static_cast<int>(n / mesh_.cells[0] % mesh_.cells[1]),
            k = static_cast<int>(n / mesh_.cells[0] / mesh_.cells[1]);
  const Box box = mesh_.cell(i, j, k);
  const Conserved<double> c = case_.initial(box);
  const auto x = mesh_.center(i, j, k);
  const std::string cell = "the initial state in cell [" + std::to_string(i) + ", " + std::to_string(j) +
                           ", " + std::to_string(k) + "] at (" + std::to_string(x[0]) + ", " +
                           std::to_string(x[1]) + ", " + std::to_string(x[2]) + ") is unphysical: ";
  if (!is_admissible(c, gas_))
    throw std::invalid_argument(cell + "density " + std::to_string(c.density) + ", pressure " +
                                std::to_string(to_primitive(c, gas_).pressure));
  for (int s = 0; s < scalars_.count(); ++s)
    if (const double y = scalars_.mass(s, case_, box, c.density) / c.density; !is_mass_fraction(y))
      throw std::invalid_argument(cell + "mass fraction of " + scalars_.names()[s] + " " + std::to_string(y));
  throw std::logic_error("the state is physical");
}

Fields extended_initial_fields(const Case& flow_case, const Mesh& mesh, const IdealGas<double>& gas,
                               int layers, const Scalars& scalars) {
  const Layout layout(mesh, layers, kFields + scalars.count());
  const ExtendedRows rows(layout);
  const auto cells = static_cast<std::size_t>(rows.count * rows.length);
  Fields fields;
  fields.scalars.resize(layout.scalars());
  fill_fields(fields, layout.fields, cells, [&](int, std::vector<double>& field) { field.resize(cells); });
  RowPointers to{};
  for (int f = 0; f < layout.fields; ++f) to[f] = fields.field(f).data();
  InitialState(flow_case, scalars, mesh, gas).get(layout, 0, rows.count, to);
  return fields;
}

Fields interior_of(const Fields& extended, const Mesh& mesh, int layers) {
  const auto g = margins(mesh, layers);
  const std::size_t wide_x = mesh.cells[0] + 2 * g[0], wide_y = mesh.cells[1] + 2 * g[1];
  Fields fields;
  fields.scalars.resize(extended.scalars.size());
  fill_fields(fields, extended.count(), mesh.cell_count(), [&](int f, std::vector<double>& field) {
    for (int k = 0; k < mesh.cells[2]; ++k)
      for (int j = 0; j < mesh.cells[1]; ++j) {
        const auto row = extended.field(f).begin() + ((k + g[2]) * wide_y + j + g[1]) * wide_x + g[0];
        field.insert(field.end(), row, row + mesh.cells[0]);
      }
  });
  return fields;
}

}  // namespace halfstep
