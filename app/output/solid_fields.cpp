#include "app/output/solid_fields.hpp"

#include <algorithm>
#include <limits>

#include "physics/solids/solid_cell.hpp"

namespace halfstep {
namespace {

double distance_from(const std::vector<Body>& bodies, const Point& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const Body& body : bodies) least = std::min(least, body.surface->distance(x));
  return least;
}

SolidValues values_in(const Solids& solids, const Mesh& mesh, const CellRegion& region) {
  const std::vector<std::uint8_t>& mask = solids.cells().mask;
  const auto cells = static_cast<std::size_t>(region.cells());
  SolidValues values{std::vector<std::uint8_t>(cells), std::vector<double>(cells)};
#pragma omp parallel for schedule(dynamic, 256)
  for (std::size_t n = 0; n < cells; ++n) {
    const auto [i, j, k] = region.cell(static_cast<std::int64_t>(n));
    const std::int64_t at = (std::int64_t{k} * mesh.cells[1] + j) * mesh.cells[0] + i;
    values.solid[n] = mask[static_cast<std::size_t>(at)];
    values.distance[n] = distance_from(solids.bodies(), mesh.center(i, j, k));
  }
  return values;
}

}  // namespace

const SolidValues* SolidFields::in(const CellRegion& region) {
  if (!problem_.has_solids()) return nullptr;
  if (!values_ || !(region == region_)) {
    values_ = values_in(*problem_.solids, problem_.mesh, region);
    region_ = region;
  }
  return &*values_;
}

}  // namespace halfstep
