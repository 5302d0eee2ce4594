#include "physics/cases/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "physics/base/short_text.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/fraction.hpp"
#include "physics/mesh/block.hpp"

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

/// Divides rows into blocks that threads share: few enough for all threads, and each in one plane.
std::vector<CellRows> blocks_of(const ExtendedRows& rows, std::int64_t first, std::int64_t count) {
  const std::int64_t most = std::clamp<std::int64_t>(count / 128, 1, 32);
  std::vector<CellRows> blocks;
  for (std::int64_t row = first; row < first + count; row += blocks.back().count) {
    const std::int64_t left_in_plane = rows.in_plane - row % rows.in_plane;
    const std::int64_t size = std::min({most, left_in_plane, first + count - row});
    blocks.push_back(
        {-rows.ghosts[0], static_cast<int>(rows.length), rows.j(row), static_cast<int>(size), rows.k(row)});
  }
  return blocks;
}

/// Returns the layout of a whole initial state with `layers` of ghost cells.
Layout layout_with(const Mesh& mesh, int layers, const Scalars& scalars) {
  return {mesh, layers, kFields + scalars.count(), scalars.has_second_gas()};
}

std::array<int, 3> margins(const Mesh& mesh, int layers) {
  return {mesh.active(0) ? layers : 0, mesh.active(1) ? layers : 0, mesh.active(2) ? layers : 0};
}

}  // namespace

IdealGas<double> mix_in_second_gas(const Case& flow_case, const Scalars& scalars, const Gases<double>& gases,
                                   const Box& cell, Conserved<double>& c, double& fraction) {
  if (!scalars.has_second_gas()) return gases.first;
  fraction = scalars.volume_fraction(flow_case, cell);
  const IdealGas<double> mixture = gases.mixed(fraction);
  if (!flow_case.knows_volume_fraction())
    c.energy += to_primitive(c, gases.first).pressure *
                (mixture.energy_per_pressure - gases.first.energy_per_pressure);
  return mixture;
}

void InitialState::get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) {
  const ExtendedRows rows(layout);
  const std::vector<CellRows> blocks = blocks_of(rows, first, count);
  std::int64_t first_bad = mesh_.cell_count();
#pragma omp parallel for schedule(dynamic) reduction(min : first_bad)
  for (std::size_t b = 0; b < blocks.size(); ++b)
    first_bad = std::min(first_bad, fill(layout, rows, blocks[b], first, to));
  if (first_bad < mesh_.cell_count()) refuse(first_bad);
}

std::int64_t InitialState::fill(const Layout& layout, const ExtendedRows& rows, const CellRows& block,
                                std::int64_t first, const RowPointers& to) const {
  std::vector<Conserved<double>> states(static_cast<std::size_t>(rows.length * block.count));
  case_.initial_rows(mesh_, block, states.data());
  std::int64_t first_bad = mesh_.cell_count();
  const std::int64_t row = rows.row(block.first_j, block.k);
  for (std::int64_t n = 0; n < std::ssize(states); ++n) {
    const int i = block.first_i + static_cast<int>(n % rows.length),
              j = block.first_j + static_cast<int>(n / rows.length);
    Conserved<double>& c = states[static_cast<std::size_t>(n)];
    const std::int64_t at = (row - first) * rows.length + n;
    const Box cell = mesh_.sample(i, j, block.k);
    double fraction = 0;
    const IdealGas<double> gas = mix_in_second_gas(case_, scalars_, gases_, cell, c, fraction);
    const double values[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
    for (int f = 0; f < kFields; ++f) to[f][at] = values[f];
    bool good = is_positive(c, gas) && is_fraction(fraction);
    if (layout.two_gases) to[layout.fields - 1][at] = fraction;
    for (int s = 0; s < layout.scalars(); ++s) {
      const double mass = scalars_.mass(s, case_, cell, c.density);
      to[kFields + s][at] = mass;
      good = good && is_fraction(mass / c.density);
    }
    if (!good && layout.holds(i, j, block.k))
      first_bad = std::min(first_bad, rows.interior(row + n / rows.length) + i);
  }
  return first_bad;
}

bool InitialState::is_positive(const Conserved<double>& c, const IdealGas<double>& gas) {
  return is_admissible(to_primitive(c, gas));
}

std::unique_ptr<StateRows> InitialState::of_block(const Split& split) const {
  if (!case_.is_of_deck()) return nullptr;
  return std::make_unique<InitialState>(case_, scalars_, block_of(mesh_, split.block()), gases_);
}

void InitialState::refuse(std::int64_t n) const {
  const int i = static_cast<int>(n % mesh_.cells[0]),
            j = static_cast<int>(n / mesh_.cells[0] % mesh_.cells[1]),
            k = static_cast<int>(n / mesh_.cells[0] / mesh_.cells[1]);
  const Box box = mesh_.sample(i, j, k);
  Conserved<double> c = case_.initial(box);
  double fraction = 0;
  const IdealGas<double> gas = mix_in_second_gas(case_, scalars_, gases_, box, c, fraction);
  const auto x = mesh_.center(i, j, k);
  const std::array<int, 3> whole = mesh_.in_whole(i, j, k);
  const std::int64_t number =
      (std::int64_t{whole[2]} * mesh_.extent(1) + whole[1]) * mesh_.extent(0) + whole[0];
  const std::string cell = "the initial state in cell [" + std::to_string(whole[0]) + ", " +
                           std::to_string(whole[1]) + ", " + std::to_string(whole[2]) + "] at (" +
                           std::to_string(x[0]) + ", " + std::to_string(x[1]) + ", " + std::to_string(x[2]) +
                           ") is unphysical: ";
  if (!is_positive(c, gas)) {
    const double pressure = to_primitive(c, gas).pressure;
    const double round_off = kEnergyMargin<double> * c.energy / gas.energy_per_pressure;
    throw UnphysicalCell(
        number, cell + "density " + short_text(c.density) + ", pressure " + short_text(pressure) +
                    (std::abs(pressure) <= round_off ? ", what round-off of the kinetic energy leaves" : ""));
  }
  if (!is_fraction(fraction))
    throw UnphysicalCell(number, cell + "volume fraction of the second gas " + std::to_string(fraction));
  const int masses = scalars_.count() - (scalars_.has_second_gas() ? 1 : 0);
  for (int s = 0; s < masses; ++s)
    if (const double y = scalars_.mass(s, case_, box, c.density) / c.density; !is_fraction(y))
      throw UnphysicalCell(number,
                           cell + "mass fraction of " + scalars_.names()[s] + " " + std::to_string(y));
  throw std::logic_error("the state is physical");
}

Fields extended_initial_fields(const Case& flow_case, const Mesh& mesh, const Gases<double>& gases,
                               int layers, const Scalars& scalars) {
  const Layout layout = layout_with(mesh, layers, scalars);
  const ExtendedRows rows(layout);
  const auto cells = static_cast<std::size_t>(rows.count * rows.length);
  Fields fields;
  fields.scalars.resize(layout.carried());
  fill_fields(fields, layout.fields, cells, [&](int, std::vector<double>& field) { field.resize(cells); });
  RowPointers to{};
  for (int f = 0; f < layout.fields; ++f) to[f] = fields.field(f).data();
  InitialState(flow_case, scalars, mesh, gases).get(layout, 0, rows.count, to);
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
