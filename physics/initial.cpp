#include "physics/initial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "physics/eos.hpp"

namespace halfstep {

namespace {

Conserved<double> at(const Fields& fields, std::size_t n) {
  const auto& c = fields.conserved;
  return {c[0][n], c[1][n], c[2][n], c[3][n], c[4][n]};
}

void put(Fields& fields, std::size_t n, const Conserved<double>& c) {
  const double values[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
  for (int f = 0; f < kFields; ++f) fields.conserved[f][n] = values[f];
}

/// A thread a field, each with memory for `cells` values: what one thread touches for the first time takes as
/// long as the rest of a large set-up.
template <class F>
void fill_fields(Fields& fields, int count, std::size_t cells, F fill) {
  for (int f = 0; f < count; ++f) fields.field(f).reserve(cells);  // here, where it may throw
#pragma omp parallel for
  for (int f = 0; f < count; ++f) fill(f, fields.field(f));
}

std::array<int, 3> margins(const Mesh& mesh, int layers) {
  return {mesh.swept(0) ? layers : 0, mesh.swept(1) ? layers : 0, mesh.swept(2) ? layers : 0};
}

}  // namespace

Fields extended_initial_fields(const Case& flow_case, const Mesh& mesh, const IdealGas<double>& gas,
                               int layers, bool has_reactant) {
  const auto g = margins(mesh, layers);
  const int wide_x = mesh.cells[0] + 2 * g[0], wide_y = mesh.cells[1] + 2 * g[1],
            wide_z = mesh.cells[2] + 2 * g[2];
  const std::size_t cells = static_cast<std::size_t>(wide_x) * wide_y * wide_z;
  Fields fields;
  fill_fields(fields, has_reactant ? kReactant + 1 : kFields, cells,
              [&](int, std::vector<double>& field) { field.resize(cells); });
#pragma omp parallel for collapse(2)
  for (int k = 0; k < wide_z; ++k)
    for (int j = 0; j < wide_y; ++j)
      for (int i = 0; i < wide_x; ++i) {
        const std::size_t n = (static_cast<std::size_t>(k) * wide_y + j) * wide_x + i;
        const Box cell = mesh.cell(i - g[0], j - g[1], k - g[2]);
        put(fields, n, flow_case.initial(cell));
        if (has_reactant) fields.reactant[n] = flow_case.initial_reactant(cell);
      }
  const auto place_of = [&](int i, int j, int k) {
    return (static_cast<std::size_t>(k + g[2]) * wide_y + j + g[1]) * wide_x + i + g[0];
  };
  const auto fraction_at = [&](std::size_t n) {
    return has_reactant ? fields.reactant[n] / fields.conserved[0][n] : 0;
  };
  std::int64_t first_bad = mesh.cell_count();
#pragma omp parallel for collapse(2) reduction(min : first_bad)
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        const std::size_t n = place_of(i, j, k);
        constexpr double round_off = 1e-12;
        const bool is_fraction = fraction_at(n) >= -round_off && fraction_at(n) <= 1 + round_off;
        if (!is_admissible(at(fields, n), gas) || !is_fraction)
          first_bad = std::min(first_bad, (std::int64_t{k} * mesh.cells[1] + j) * mesh.cells[0] + i);
      }
  if (first_bad == mesh.cell_count()) return fields;

  const int i = static_cast<int>(first_bad % mesh.cells[0]),
            j = static_cast<int>(first_bad / mesh.cells[0] % mesh.cells[1]),
            k = static_cast<int>(first_bad / mesh.cells[0] / mesh.cells[1]);
  const std::size_t n = place_of(i, j, k);
  const Conserved<double> c = at(fields, n);
  const auto x = mesh.center(i, j, k);
  const std::string cell = "the initial state in cell [" + std::to_string(i) + ", " + std::to_string(j) +
                           ", " + std::to_string(k) + "] at (" + std::to_string(x[0]) + ", " +
                           std::to_string(x[1]) + ", " + std::to_string(x[2]) + ") is unphysical: ";
  if (!is_admissible(c, gas))
    throw std::invalid_argument(cell + "density " + std::to_string(c.density) + ", pressure " +
                                std::to_string(to_primitive(c, gas).pressure));
  throw std::invalid_argument(cell + "mass fraction of the reactant " + std::to_string(fraction_at(n)));
}

Fields interior_of(const Fields& extended, const Mesh& mesh, int layers) {
  const auto g = margins(mesh, layers);
  const std::size_t wide_x = mesh.cells[0] + 2 * g[0], wide_y = mesh.cells[1] + 2 * g[1];
  Fields fields;
  fill_fields(fields, extended.count(), mesh.cell_count(), [&](int f, std::vector<double>& field) {
    for (int k = 0; k < mesh.cells[2]; ++k)
      for (int j = 0; j < mesh.cells[1]; ++j) {
        const auto row = extended.field(f).begin() + ((k + g[2]) * wide_y + j + g[1]) * wide_x + g[0];
        field.insert(field.end(), row, row + mesh.cells[0]);
      }
  });
  return fields;
}

namespace {

template <class Real>
HeldPressure held_by(const Conserved<double>& c, double gamma) {
  const double pressure = to_primitive(c, {gamma}).pressure, internal = pressure / (gamma - 1);
  const Conserved<Real> rounded{Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)};
  const Conserved<double> again{rounded.density, rounded.mu, rounded.mv, rounded.mw, rounded.energy};
  const IdealGas<Real> gas{Real(gamma)};
  const bool positive = positive_and_finite(rounded.density) &&
                        positive_and_finite(to_primitive(rounded, gas).pressure) &&
                        to_primitive(again, {gamma}).pressure > 0;
  const double twice_epsilon = 2 * double(std::numeric_limits<Real>::epsilon());
  return {{},
          pressure,
          positive ? twice_epsilon * c.energy / internal : std::numeric_limits<double>::infinity(),
          positive,
          is_admissible(rounded, gas)};
}

/// Of the cells where looks_at(i, j, k).
template <class LooksAt>
HeldPressure worst_held(const Fields& fields, const Problem& problem, int layers, const LooksAt& looks_at) {
  const Mesh& mesh = problem.mesh;
  const auto g = margins(mesh, layers);
  const int wide_x = mesh.cells[0] + 2 * g[0], wide_y = mesh.cells[1] + 2 * g[1],
            wide_z = mesh.cells[2] + 2 * g[2];
  const auto held =
      problem.scheme.precision == Precision::single_precision ? held_by<float> : held_by<double>;
  std::vector<HeldPressure> rows(static_cast<std::size_t>(wide_y) * wide_z);
#pragma omp parallel for
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (int i = -g[0]; i < wide_x - g[0]; ++i) {
      const int j = static_cast<int>(row % wide_y) - g[1], k = static_cast<int>(row / wide_y) - g[2];
      if (!looks_at(i, j, k)) continue;
      HeldPressure own = held(at(fields, row * wide_x + i + g[0]), problem.gamma);
      own.cell = {i, j, k};
      if (own.uncertainty > rows[row].uncertainty) rows[row] = own;
    }
  return *std::max_element(rows.begin(), rows.end(), [](const HeldPressure& a, const HeldPressure& b) {
    return a.uncertainty < b.uncertainty;
  });
}

}  // namespace

HeldPressure held_pressure(const Fields& interior, const Problem& problem) {
  return worst_held(interior, problem, 0, [](int, int, int) { return true; });
}

HeldPressure held_inflow_pressure(const Fields& extended, const Problem& problem) {
  return worst_held(extended, problem, ghost_layers(problem.scheme.reconstruction), [&](int i, int j, int k) {
    const int cell[3] = {i, j, k};
    for (int axis = 0; axis < 3; ++axis) {
      if (cell[axis] >= 0 && cell[axis] < problem.mesh.cells[axis]) continue;
      const Boundary kind = problem.boundary[axis][cell[axis] < 0 ? 0 : 1];
      if (kind == Boundary::inflow || kind == Boundary::prescribed) return true;
    }
    return false;
  });
}

DensityRange density_range(const Fields& fields) {
  const std::vector<double>& density = fields.conserved[0];
  double least = density.front(), largest = least;
#pragma omp parallel for reduction(min : least) reduction(max : largest)
  for (std::size_t n = 0; n < density.size(); ++n) {
    least = std::min(least, density[n]);
    largest = std::max(largest, density[n]);
  }
  return {least, largest};
}

std::vector<std::pair<std::string, Norms>> exact_error(const Fields& fields, const Case& flow_case,
                                                       const Mesh& mesh, const IdealGas<double>& gas,
                                                       double time) {
  const std::size_t cells = mesh.cell_count();
  std::vector<std::array<double, 3>> differences(cells);
#pragma omp parallel for collapse(2)
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        const std::size_t n = (static_cast<std::size_t>(k) * mesh.cells[1] + j) * mesh.cells[0] + i;
        const Primitive<double> q = to_primitive(at(fields, n), gas);
        const Conserved<double> exact = flow_case.exact(mesh.cell(i, j, k), time);
        // A vacuum has neither velocity nor pressure.
        const Primitive<double> e = exact.density > 0 ? to_primitive(exact, gas) : Primitive<double>{};
        differences[n] = {std::abs(q.density - e.density), std::hypot(q.u - e.u, q.v - e.v, q.w - e.w),
                          std::abs(q.pressure - e.pressure)};
      }
  std::vector<std::pair<std::string, Norms>> all = {{"density", {}}, {"velocity", {}}, {"pressure", {}}};
  for (int f = 0; f < 3; ++f) {
    Norms& norms = all[f].second;
    for (const auto& d : differences) {
      norms.l1 += d[f];
      norms.l2 += d[f] * d[f];
      norms.linf = std::max(norms.linf, d[f]);
    }
    norms.l1 /= static_cast<double>(cells);
    norms.l2 = std::sqrt(norms.l2 / static_cast<double>(cells));
  }
  return all;
}

}  // namespace halfstep
