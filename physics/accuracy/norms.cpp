#include "physics/accuracy/norms.hpp"

#include <numeric>

namespace halfstep {
namespace {

Conserved<double> at(const Fields& fields, std::size_t n) {
  const auto& c = fields.conserved;
  return {c[0][n], c[1][n], c[2][n], c[3][n], c[4][n]};
}

/// Returns the volume of each cell over their mean; nothing where all are alike.
std::vector<double> weights(const Mesh& mesh) {
  std::vector<double> all;
  if (mesh.points) {
    const std::vector<double>& volume = mesh.points->volume;
    const double mean =
        std::accumulate(volume.begin(), volume.end(), 0.0) / static_cast<double>(volume.size());
    for (const double v : volume) all.push_back(v / mean);
  }
  if (!mesh.is_stretched()) return all;
  const auto width = [&](int axis, int i) { return mesh.width(axis, i) / mesh.spacing(axis); };
  for (int k = 0; k < mesh.cells[2]; ++k)
    for (int j = 0; j < mesh.cells[1]; ++j)
      for (int i = 0; i < mesh.cells[0]; ++i) all.push_back(width(0, i) * width(1, j) * width(2, k));
  return all;
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
        const Conserved<double> exact = flow_case.exact(mesh.sample(i, j, k), time);
        // A vacuum has neither velocity nor pressure.
        const Primitive<double> e = exact.density > 0 ? to_primitive(exact, gas) : Primitive<double>{};
        differences[n] = {std::abs(q.density - e.density), std::hypot(q.u - e.u, q.v - e.v, q.w - e.w),
                          std::abs(q.pressure - e.pressure)};
      }
  std::vector<std::pair<std::string, Norms>> all = {{"density", {}}, {"velocity", {}}, {"pressure", {}}};
  const std::vector<double> weight = weights(mesh);
  for (int f = 0; f < 3; ++f) {
    Norms& norms = all[f].second;
    for (std::size_t n = 0; n < cells; ++n) {
      const double d = differences[n][f], w = weight.empty() ? 1 : weight[n];
      norms.l1 += w * d;
      norms.l2 += w * (d * d);
      norms.linf = std::max(norms.linf, d);
    }
    norms.l1 /= static_cast<double>(cells);
    norms.l2 = std::sqrt(norms.l2 / static_cast<double>(cells));
  }
  return all;
}

}  // namespace halfstep
