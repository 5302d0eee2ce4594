#include "app/output/cell_averages.hpp"

#include <limits>
#include <utility>

namespace halfstep {

CellAverages::CellAverages(const Mesh& mesh, const std::array<bool, 3>& along,
                           std::vector<std::uint8_t> solid)
    : left_(mesh), cells_(mesh.cells), solid_(std::move(solid)) {
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
  if (!solid_.empty()) shares_ = sums(std::vector<double>(solid_.size(), 1));
}

std::vector<double> CellAverages::of(const std::vector<double>& values) const {
  std::vector<double> averages = sums(values);
  for (std::size_t n = 0; n < shares_.size(); ++n)
    averages[n] = shares_[n] > 0 ? averages[n] / shares_[n] : std::numeric_limits<double>::quiet_NaN();
  return averages;
}

std::vector<double> CellAverages::sums(const std::vector<double>& values) const {
  std::vector<double> sums(static_cast<std::size_t>(left_.cell_count()));
  const auto stride = [&](int axis) { return left_.cells[axis] == 1 ? 0 : 1; };
  std::size_t from = 0;
  for (int k = 0; k < cells_[2]; ++k)
    for (int j = 0; j < cells_[1]; ++j) {
      const double weight = weights_[1][j] * weights_[2][k];
      const std::size_t row =
          static_cast<std::size_t>(left_.cells[0]) * (k * stride(2) * left_.cells[1] + j * stride(1));
      for (int i = 0; i < cells_[0]; ++i, ++from)
        if (solid_.empty() || solid_[from] == 0)
          sums[row + i * stride(0)] += weight * weights_[0][i] * values[from];
    }
  return sums;
}

}  // namespace halfstep
