// Norms of the difference between fields, or between fields and the exact solution.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "physics/cases/case.hpp"
#include "physics/mesh/fields.hpp"

namespace halfstep {

/// The mean, root mean square and largest difference over the cells, or over the volume of a stretched mesh.
struct Norms {
  double l1 = 0, l2 = 0, linf = 0;
};

/// Returns the norms of the difference between two fields of one mesh.
inline Norms difference_norms(const std::vector<double>& a, const std::vector<double>& b) {
  Norms norms;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double difference = std::abs(a[n] - b[n]);
    norms.l1 += difference;
    norms.l2 += difference * difference;
    norms.linf = std::max(norms.linf, difference);
  }
  norms.l1 /= static_cast<double>(a.size());
  norms.l2 = std::sqrt(norms.l2 / static_cast<double>(a.size()));
  return norms;
}

/// Returns the exact cell averages of the conserved fields at `time`, where the case knows them.
inline Fields exact_fields(const Case& flow_case, const Mesh& mesh, double time) {
  Fields fields;
  for (auto& field : fields.conserved) field.reserve(static_cast<std::size_t>(mesh.cell_count()));
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) {
        const Conserved<double> c = flow_case.exact(mesh.sample(i, j, k), time);
        const double values[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
        for (int f = 0; f < kFields; ++f) fields.conserved[f].push_back(values[f]);
      }
  return fields;
}

/// Returns the norms of the difference in each conserved field.
inline std::array<Norms, kFields> conserved_norms(const Fields& a, const Fields& b) {
  std::array<Norms, kFields> norms;
  for (int f = 0; f < kFields; ++f) norms[f] = difference_norms(a.conserved[f], b.conserved[f]);
  return norms;
}

/// Returns the root of the sum over the conserved fields of the squares of their norms: with L1, "RMS-L1" of
/// the error tables of Athena++ and AthenaK (Stone et al., Astrophys. J. Suppl. 249 (2020) 4).
inline Norms root_sum_square(const std::array<Norms, kFields>& fields) {
  Norms sum;
  for (const Norms& f : fields) {
    sum.l1 += f.l1 * f.l1;
    sum.l2 += f.l2 * f.l2;
    sum.linf += f.linf * f.linf;
  }
  return {std::sqrt(sum.l1), std::sqrt(sum.l2), std::sqrt(sum.linf)};
}

/// Returns the error norms of density, velocity (the length of the difference vector) and pressure, by name.
/// Both states are cell averages of the conserved fields, converted alike. Cells of a stretched mesh count by
/// their volume. Only where flow_case.has_exact(time).
std::vector<std::pair<std::string, Norms>> exact_error(const Fields& fields, const Case& flow_case,
                                                       const Mesh& mesh, const IdealGas<double>& gas,
                                                       double time);

}  // namespace halfstep
