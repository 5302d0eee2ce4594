#include "physics/hexahedra/jacobian.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "physics/base/gauss_rule.hpp"
#include "physics/base/short_text.hpp"
#include "physics/hexahedra/element_map.hpp"
#include "physics/hexahedra/hexahedra_error.hpp"

namespace halfstep {
namespace {

/// Beside the product of the tangents' lengths a smaller Jacobian is round-off.
constexpr double kRoundOff = 1e-10;

double norm(const Point& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

/// The tangents of elements at the tensor products of points along an axis.
class Tangents {
 public:
  Tangents(const Hexahedra& mesh, std::vector<double> points)
      : mesh_(mesh), points_(std::move(points)), table_(equidistant_nodes(mesh.order), points_) {}

  int count() const { return mesh_.dimensions == 3 ? side() * side() * side() : side() * side(); }
  /// Returns the coordinates of a point in the element.
  Point xi(int n) const {
    return {points_[n % side()], points_[n / side() % side()],
            mesh_.dimensions == 3 ? points_[n / (side() * side())] : 0};
  }

  void move_to(std::int32_t element) {
    const int nodes = mesh_.nodes_of_element();
    const Point* first = &mesh_.nodes[static_cast<std::size_t>(element) * nodes];
    for (int axis = 0; axis < mesh_.dimensions; ++axis) {
      along_[axis].assign(first, first + nodes);
      for (int d = 0; d < mesh_.dimensions; ++d) apply(along_[axis], d, d == axis);
    }
  }
  /// Returns the derivatives of the place by xi, eta and zeta; of a quadrilateral the last is z itself.
  std::array<Point, 3> at(int n) const {
    return {along_[0][n], along_[1][n], mesh_.dimensions == 3 ? along_[2][n] : Point{0, 0, 1}};
  }

 private:
  int side() const { return table_.to; }

  /// Goes from nodes to points along one axis. Axes before it have points already, those after it nodes.
  void apply(std::vector<Point>& values, int axis, bool slope) {
    const std::vector<double>& table = slope ? table_.slope : table_.value;
    int inner = 1;
    for (int d = 0; d < axis; ++d) inner *= table_.to;
    const int outer = static_cast<int>(values.size()) / (inner * table_.from);
    result_.assign(static_cast<std::size_t>(outer) * table_.to * inner, Point{});
    for (int o = 0; o < outer; ++o)
      for (int p = 0; p < table_.to; ++p)
        for (int m = 0; m < table_.from; ++m)
          for (int i = 0; i < inner; ++i)
            for (int d = 0; d < 3; ++d)
              result_[(o * table_.to + p) * inner + i][d] +=
                  table[p * table_.from + m] * values[(o * table_.from + m) * inner + i][d];
    values.swap(result_);
  }

  const Hexahedra& mesh_;
  std::vector<double> points_;
  Interpolation table_;
  std::array<std::vector<Point>, 3> along_;
  std::vector<Point> result_;
};

/// Returns the product of the largest lengths that the tangents of an element have.
double size_of(const Tangents& tangents) {
  double product = 1;
  for (int axis = 0; axis < 3; ++axis) {
    double largest = 0;
    for (int n = 0; n < tangents.count(); ++n) largest = std::max(largest, norm(tangents.at(n)[axis]));
    product *= largest;
  }
  return product;
}

/// Returns the first point whose Jacobian is not positive, or round-off; -1 if there is none.
int bad_point(const Tangents& tangents) {
  const double least = kRoundOff * size_of(tangents);
  for (int n = 0; n < tangents.count(); ++n)
    if (!(determinant(tangents.at(n)) > least)) return n;
  return -1;
}

[[noreturn]] void refuse_element(const Hexahedra& mesh, Tangents tangents, std::int32_t element) {
  tangents.move_to(element);
  const int point = bad_point(tangents);
  const double jacobian = determinant(tangents.at(point));
  throw HexahedraError(
      "element " + std::to_string(element) + " has a Jacobian of " + short_text(jacobian) + " at " +
          text_of_place(place_in_element(mesh, element, tangents.xi(point))) +
          (jacobian > 0 ? ": it is round-off beside the element's size" : ": it has to be positive"),
      "the element is folded, collapsed or left-handed there; elements count from 0");
}

void exchange_first_axes(Point* nodes, int n, int layers) {
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < j; ++i) std::swap(nodes[(k * n + j) * n + i], nodes[(k * n + i) * n + j]);
}

}  // namespace

void expect_positive_jacobians(const Hexahedra& mesh) {
  for (const std::vector<double>& points :
       {equidistant_nodes(mesh.order), gauss_rule(mesh.order + 1).nodes}) {
    std::int32_t first_bad = mesh.count;
#pragma omp parallel reduction(min : first_bad)
    {
      Tangents tangents(mesh, points);
#pragma omp for
      for (std::int32_t element = 0; element < mesh.count; ++element) {
        tangents.move_to(element);
        if (bad_point(tangents) >= 0) first_bad = std::min(first_bad, element);
      }
    }
    if (first_bad < mesh.count) refuse_element(mesh, Tangents(mesh, points), first_bad);
  }
}

void mend_left_handed(Hexahedra& mesh, std::vector<std::int64_t>& corners) {
  Tangents tangents(mesh, {0});
  for (std::int32_t element = 0; element < mesh.count; ++element) {
    tangents.move_to(element);
    if (!(determinant(tangents.at(0)) < 0)) return;
  }
  const int n = mesh.order + 1, layers = mesh.dimensions == 3 ? n : 1;
  for (std::int32_t element = 0; element < mesh.count; ++element)
    exchange_first_axes(&mesh.nodes[static_cast<std::size_t>(element) * mesh.nodes_of_element()], n, layers);
  for (std::size_t first = 0; first < corners.size(); first += 4)
    std::swap(corners[first + 1], corners[first + 2]);
}

}  // namespace halfstep
