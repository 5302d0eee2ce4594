#include "physics/solids/coverage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "physics/shapes/distances.hpp"

namespace halfstep {
namespace {

constexpr int kBlock = 16;  // cells per axis of the blocks that are asked as a whole

/// The cells of a mesh in blocks.
class Blocks {
 public:
  explicit Blocks(const Mesh& mesh) : mesh_(mesh) {
    for (int axis = 0; axis < 3; ++axis) count_[axis] = (mesh.cells[axis] + kBlock - 1) / kBlock;
  }
  std::int64_t count() const { return std::int64_t{count_[0]} * count_[1] * count_[2]; }

  /// Returns the first cell of a block.
  std::array<int, 3> first(std::int64_t number) const {
    return {kBlock * static_cast<int>(number % count_[0]),
            kBlock * static_cast<int>(number / count_[0] % count_[1]),
            kBlock * static_cast<int>(number / count_[0] / count_[1])};
  }
  /// Returns the first cell behind it along each axis.
  std::array<int, 3> end(const std::array<int, 3>& first) const {
    std::array<int, 3> end{};
    for (int axis = 0; axis < 3; ++axis) end[axis] = std::min(first[axis] + kBlock, mesh_.cells[axis]);
    return end;
  }
  /// Returns the box of a block.
  Box box(const std::array<int, 3>& first) const {
    const std::array<int, 3> last = end(first);
    Box box{};
    for (int axis = 0; axis < 3; ++axis)
      box.lower[axis] = mesh_.face(axis, first[axis]), box.upper[axis] = mesh_.face(axis, last[axis]);
    return box;
  }

 private:
  const Mesh& mesh_;
  std::array<int, 3> count_{};
};

/// Returns the distance from the nearest of the bodies.
double distance(const std::vector<const Surface*>& bodies, const Point& x) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Surface* body : bodies) {
    const double own = body->distance(x);
    nearest = own < nearest || std::isnan(own) ? own : nearest;
  }
  return nearest;
}

/// Returns half the diagonal of a box within the mesh's active axes.
double radius(const Mesh& mesh, const Box& box) {
  Point half{};
  for (int axis = 0; axis < 3; ++axis) half[axis] = mesh.active(axis) ? 0.5 * box.width(axis) : 0;
  return norm(half);
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

Point center(const Box& box) { return {box.center(0), box.center(1), box.center(2)}; }

}  // namespace

Coverage coverage(const std::vector<const Surface*>& bodies, const Mesh& mesh) {
  const bool is_lipschitz =
      std::all_of(bodies.begin(), bodies.end(), [](const Surface* body) { return body->is_lipschitz(); });
  const Blocks blocks(mesh);
  Findings findings;
  std::int64_t first_undefined = mesh.cell_count();
#pragma omp parallel for schedule(dynamic) reduction(min : first_undefined)
  for (std::int64_t number = 0; number < blocks.count(); ++number) {
    const std::array<int, 3> first = blocks.first(number), end = blocks.end(first);
    if (is_lipschitz) {
      if (findings.has(findings.inside) && findings.has(findings.outside)) continue;
      const Box box = blocks.box(first);
      const double from_center = distance(bodies, center(box)), reach = radius(mesh, box);
      if (std::abs(from_center) > reach) {
        findings.note_distance(from_center, reach);
        continue;
      }
    }
    for (int k = first[2]; k < end[2]; ++k)
      for (int j = first[1]; j < end[1]; ++j)
        for (int i = first[0]; i < end[0]; ++i) {
          const Box cell = mesh.cell(i, j, k);
          const double own = distance(bodies, center(cell));
          const std::int64_t here = (std::int64_t{k} * mesh.cells[1] + j) * mesh.cells[0] + i;
          if (std::isnan(own))
            first_undefined = std::min(first_undefined, here);
          else
            findings.note_distance(own, radius(mesh, cell));
        }
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
