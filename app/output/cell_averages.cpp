#include "app/output/cell_averages.hpp"

namespace halfstep {

CellAverages::CellAverages(const Mesh& mesh, const std::array<bool, 3>& along)
    : left_(mesh), cells_(mesh.cells) {
  for (int axis = 0; axis < 3; ++axis) {
    const double length = mesh.upper[axis] - mesh.lower[axis];
    for (int n = 0; n < mesh.cells[axis]; ++n)
      weights_[axis].push_back(!along[axis] ? 1.0
                               : mesh.is_stretched(axis)
                                   ? (mesh.face(axis, n + 1) - mesh.face(axis, n)) / length
                                   : 1.0 / mesh.cells[axis]);
    if (!along[axis]) continue;
    left_.cells[axis] = 1;
    left_.stretched[axis] = nullptr;
  }
}

std::vector<double> CellAverages::of(const std::vector<double>& values) const {
  std::vector<double> averages(static_cast<std::size_t>(left_.cell_count()));
  const auto stride = [&](int axis) { return left_.cells[axis] == 1 ? 0 : 1; };
  std::size_t from = 0;
  for (int k = 0; k < cells_[2]; ++k)
    for (int j = 0; j < cells_[1]; ++j) {
      const double weight = weights_[1][j] * weights_[2][k];
      const std::size_t row =
          static_cast<std::size_t>(left_.cells[0]) * (k * stride(2) * left_.cells[1] + j * stride(1));
      for (int i = 0; i < cells_[0]; ++i)
        averages[row + i * stride(0)] += weight * weights_[0][i] * values[from++];
    }
  return averages;
}

}  // namespace halfstep
