#include "physics/accuracy/norms.hpp"

namespace halfstep {
namespace {

Conserved<double> at(const Fields& fields, std::size_t n) {
  const auto& c = fields.conserved;
  return {c[0][n], c[1][n], c[2][n], c[3][n], c[4][n]};
}

}  // namespace

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
