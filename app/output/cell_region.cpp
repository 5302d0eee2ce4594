#include "app/output/cell_region.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/output/mesh_faces.hpp"

namespace halfstep {
namespace {

/// Returns the last cell that a box ending at `x` has of an axis.
int last_cell(const Mesh& mesh, int axis, double x) {
  const double n = std::ceil(mesh.in_cells(axis, x) - kOnFace) - 1;
  return static_cast<int>(std::clamp<double>(n, 0, mesh.cells[axis] - 1));
}

/// Returns the place that is so many cells from the lower end of an axis, at most its upper end.
double place(const Mesh& mesh, int axis, double cells) {
  const int n = std::min(static_cast<int>(cells), mesh.cells[axis] - 1);
  return std::lerp(mesh.face(axis, n), mesh.face(axis, n + 1), std::min(cells - n, 1.0));
}

}  // namespace

std::int64_t CellRegion::cells_with_neighbours(const Mesh& whole) const {
  std::int64_t all = cells();
  for (int axis = 0; axis < 3; ++axis)
    if (whole.active(axis) && (count[axis] == 1 || stride[axis] > 2)) all += 2 * cells();
  return std::min(all, whole.cell_count());
}

std::vector<CellIndex> CellRegion::list() const {
  std::vector<CellIndex> all;
  all.reserve(static_cast<std::size_t>(cells()));
  for (int k = 0; k < count[2]; ++k)
    for (int j = 0; j < count[1]; ++j)
      for (int i = 0; i < count[0]; ++i)
        all.push_back({first[0] + i * stride[0], first[1] + j * stride[1], first[2] + k * stride[2]});
  return all;
}

Mesh CellRegion::mesh(const Mesh& whole) const {
  Mesh own{.cells = count};
  for (int axis = 0; axis < 3; ++axis) {
    if (whole.is_stretched(axis)) {
      std::vector<double> faces;
      for (int n = 0; n <= count[axis]; ++n)
        faces.push_back(place(whole, axis, first[axis] + n * stride[axis] - 0.5 * (stride[axis] - 1)));
      set_faces(own, axis, faces);
      continue;
    }
    const double width = stride[axis] * whole.spacing(axis);
    const double beyond = 0.5 * (stride[axis] - 1) * whole.spacing(axis);  // the first cell's own face
    own.lower[axis] = whole.face(axis, first[axis]) - beyond;
    own.upper[axis] = own.lower[axis] + count[axis] * width;
  }
  return own;
}

CellRegion region_of(const OutputRequest& request, const Mesh& mesh) {
  std::array<double, 3> lower = mesh.lower, upper = mesh.upper;
  if (request.kind == OutputKind::slice) {
    lower[request.axis] = upper[request.axis] = request.position;
  } else if (!takes_all_cells(request.kind)) {
    lower = request.points[0];
    upper = request.points[1];
  }
  CellRegion region{.first = cell_of(mesh, lower)};
  for (int axis = 0; axis < 3; ++axis) {
    const int last = std::max(region.first[axis], last_cell(mesh, axis, upper[axis]));
    const int cells = last - region.first[axis] + 1;
    region.stride[axis] = static_cast<int>(std::min<std::int64_t>(request.every_cell, cells));
    region.first[axis] += region.stride[axis] / 2;
    region.count[axis] = (last - region.first[axis]) / region.stride[axis] + 1;
  }
  return region;
}

}  // namespace halfstep
