#include "physics/solids/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "physics/solids/cubes_of_cells.hpp"

namespace halfstep {
namespace {

/// Returns the distance from the nearest of the bodies.
double distance(const std::vector<const Surface*>& bodies, const Point& x) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Surface* body : bodies) {
    const double own = body->distance(x);
    nearest = own < nearest || std::isnan(own) ? own : nearest;
  }
  return nearest;
}

/// What was found so far, by all threads.
class Findings {
 public:
  void note(bool& found) {
#pragma omp atomic write
    found = true;
  }
  bool has(const bool& found) const {
    bool value;
#pragma omp atomic read
    value = found;
    return value;
  }
  /// Notes what the distance at a centre says of a place within `reach` of it.
  void note_distance(double distance, double reach) {
    note(distance < 0 ? inside : outside);
    if (distance < reach) note(touches);
  }
  bool inside = false, outside = false, touches = false;
};

}  // namespace

Coverage coverage(const std::vector<const Surface*>& bodies, const Mesh& mesh) {
  const bool is_lipschitz =
      std::all_of(bodies.begin(), bodies.end(), [](const Surface* body) { return body->is_lipschitz(); });
  const CubesOfCells cubes(mesh);
  Findings findings;
  std::int64_t first_undefined = mesh.cell_count();
#pragma omp parallel for schedule(dynamic, 8) reduction(min : first_undefined)
  for (std::int64_t number = 0; number < cubes.count(); ++number) {
    const CubeOfCells cube = cubes.cube(number);
    if (is_lipschitz) {
      if (findings.has(findings.inside) && findings.has(findings.outside)) continue;
      if (const double from_middle = distance(bodies, cube.middle); cube.is_apart(from_middle)) {
        findings.note_distance(from_middle, cube.radius);
        continue;
      }
    }
    cube.for_cells([&](int i, int j, int k) {
      const double own = distance(bodies, mesh.center(i, j, k));
      const std::int64_t here = (std::int64_t{k} * mesh.cells[1] + j) * mesh.cells[0] + i;
      if (std::isnan(own))
        first_undefined = std::min(first_undefined, here);
      else
        findings.note_distance(own, radius_of(mesh, mesh.cell(i, j, k)));
    });
  }
  Coverage result{findings.inside, findings.outside, findings.touches, {}};
  if (first_undefined < mesh.cell_count()) {
    const std::int64_t row = first_undefined / mesh.cells[0];
    result.undefined =
        mesh.center(static_cast<int>(first_undefined % mesh.cells[0]), static_cast<int>(row % mesh.cells[1]),
                    static_cast<int>(row / mesh.cells[1]));
  }
  return result;
}

}  // namespace halfstep
