#include "physics/curved/geometry.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "physics/curved/interpolation.hpp"
#include "physics/elements/operators.hpp"

namespace halfstep {
namespace {

/// Values at the points of a product of three sets, the first fastest. Without a third dimension it has one
/// point.
using Values = std::vector<double>;

/// Applies matrices along the three axes of values; each is value or slope of an Interpolation, or none.
struct Product {
  const Interpolation* along[3];
  bool slope[3];

  Values operator()(const Values& u) const {
    Values from = u;
    int size[3] = {along[0]->from, along[1]->from, along[2] ? along[2]->from : 1};
    for (int axis = 0; axis < 3; ++axis) {
      const Interpolation* of = along[axis];
      if (!of) continue;
      int to_size[3] = {size[0], size[1], size[2]};
      to_size[axis] = of->to;
      Values to(static_cast<std::size_t>(to_size[0]) * to_size[1] * to_size[2]);
      const int stride = axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1];
      for (int k = 0; k < to_size[2]; ++k)
        for (int j = 0; j < to_size[1]; ++j)
          for (int i = 0; i < to_size[0]; ++i) {
            int at[3] = {i, j, k};
            const int p = at[axis];
            at[axis] = 0;
            const int first = at[0] + size[0] * (at[1] + size[1] * at[2]);
            double sum = 0;
            for (int m = 0; m < of->from; ++m)
              sum += (slope[axis] ? of->dL(p, m) : of->L(p, m)) * from[first + m * stride];
            to[i + to_size[0] * (j + to_size[1] * k)] = sum;
          }
      std::copy_n(to_size, 3, size);
      from = std::move(to);
    }
    return from;
  }
};

/// The map of one element by its values at Lobatto's points, and what is derived from it at other points.
class ElementMap {
 public:
  ElementMap(int dimensions, std::span<const Point> nodes, int degree, const Interpolation& from_nodes)
      : dimensions_(dimensions) {
    const Product values{{&from_nodes, &from_nodes, third(from_nodes)}, {}};
    for (int c = 0; c < 3; ++c) {
      Values of_nodes;
      for (const Point& node : nodes) of_nodes.push_back(node[c]);
      x_[c] = values(of_nodes);
    }
    const std::vector<double> lobatto = lobatto_points(degree + 1);
    const Interpolation own(lobatto, lobatto);
    if (dimensions_ == 3) make_potentials(own);
  }

  /// Returns component c of the map, or its slope along the axis `slope`, at the points of a product.
  Values map(const std::array<const Interpolation*, 3>& at, int c, int slope = -1) const {
    return product(at, slope)(x_[c]);
  }
  /// Returns component c of J a^d.
  Values metric(const std::array<const Interpolation*, 3>& at, int d, int c) const {
    if (dimensions_ == 2) {  // J a^1 = (y_eta, -x_eta), J a^2 = (-y_xi, x_xi)
      Values of = map(at, 1 - c, 1 - d);
      if (d != c)
        for (double& v : of) v = -v;
      return of;
    }
    const int j = (d + 1) % 3, k = (d + 2) % 3;
    const Values first = product(at, j)(potential_[c][k]), second = product(at, k)(potential_[c][j]);
    Values curl(first.size());
    for (std::size_t n = 0; n < curl.size(); ++n) curl[n] = second[n] - first[n];
    return curl;
  }

 private:
  const Interpolation* third(const Interpolation& of) const { return dimensions_ == 3 ? &of : nullptr; }
  static Product product(const std::array<const Interpolation*, 3>& at, int slope) {
    return {{at[0], at[1], at[2]}, {slope == 0, slope == 1, slope == 2}};
  }

  /// Makes (X_l grad X_m - X_m grad X_l) / 2, with n, m, l cyclic, at Lobatto's points; J a^d_n is minus
  /// component d of its curl.
  void make_potentials(const Interpolation& own) {
    Values slope[3][3];
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k) slope[c][k] = product({&own, &own, &own}, k)(x_[c]);
    for (int n = 0; n < 3; ++n) {
      const int m = (n + 1) % 3, l = (n + 2) % 3;
      for (int k = 0; k < 3; ++k) {
        potential_[n][k].resize(x_[0].size());
        for (std::size_t p = 0; p < x_[0].size(); ++p)
          potential_[n][k][p] = 0.5 * (x_[l][p] * slope[m][k][p] - x_[m][p] * slope[l][k][p]);
      }
    }
  }

  int dimensions_;
  Values x_[3];
  Values potential_[3][3];  // [n][k]
};

/// Returns Gauss's points and weights.
void find_gauss_points(int degree, std::vector<double>& xi, std::vector<double>& w) {
  with_degree(degree, [&]<int p>() {
    xi.assign(operators<p>().xi, operators<p>().xi + p + 1);
    w.assign(operators<p>().w, operators<p>().w + p + 1);
  });
}

double determinant(const double (&m)[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// Returns the Jacobian of the map.
Values jacobian_of(const ElementMap& map, const std::array<const Interpolation*, 3>& at, int dimensions) {
  Values slope[3][3], jacobian;
  for (int c = 0; c < dimensions; ++c)
    for (int k = 0; k < dimensions; ++k) slope[c][k] = map.map(at, c, k);
  for (std::size_t n = 0; n < slope[0][0].size(); ++n) {
    double m[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int c = 0; c < dimensions; ++c)
      for (int k = 0; k < dimensions; ++k) m[c][k] = slope[c][k][n];
    jacobian.push_back(determinant(m));
  }
  return jacobian;
}

void append(std::vector<double>& to, const Values& values) {
  to.insert(to.end(), values.begin(), values.end());
}

void append_places(std::vector<Point>& to, const ElementMap& map,
                   const std::array<const Interpolation*, 3>& at, int dimensions) {
  const Values x = map.map(at, 0), y = map.map(at, 1);
  const Values z = dimensions == 3 ? map.map(at, 2) : Values(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) to.push_back({x[n], y[n], z[n]});
}

/// The points of an element at which its map is taken.
class PointsOfElement {
 public:
  PointsOfElement(int dimensions, const std::vector<double>& lobatto, const std::vector<double>& xi,
                  const std::vector<double>& w)
      : dimensions_(dimensions),
        to_points_(lobatto, xi),
        to_corners_(lobatto, between(w)),
        to_end_{{lobatto, {-1}}, {lobatto, {1}}} {}

  std::array<const Interpolation*, 3> inside() const { return product(to_points_); }
  std::array<const Interpolation*, 3> corners() const { return product(to_corners_); }
  std::array<const Interpolation*, 3> on_face(int face) const {
    std::array<const Interpolation*, 3> at = inside();
    at[face / 2] = &to_end_[face % 2];
    return at;
  }

 private:
  std::array<const Interpolation*, 3> product(const Interpolation& of) const {
    return {&of, &of, dimensions_ == 3 ? &of : nullptr};
  }
  /// Returns the ends of cells as wide as the weights of the points.
  static std::vector<double> between(const std::vector<double>& w) {
    std::vector<double> ends{-1};
    for (std::size_t i = 0; i < w.size(); ++i) ends.push_back(i + 1 < w.size() ? ends.back() + w[i] : 1);
    return ends;
  }

  int dimensions_;
  Interpolation to_points_, to_corners_, to_end_[2];
};

void append_metric_terms(HexahedraGeometry& g, const ElementMap& map, const PointsOfElement& at) {
  for (int d = 0; d < g.dimensions; ++d)
    for (int c = 0; c < g.dimensions; ++c) append(g.metric[d][c], map.metric(at.inside(), d, c));
  append(g.jacobian, jacobian_of(map, at.inside(), g.dimensions));
  for (int face = 0; face < 2 * g.dimensions; ++face)
    for (int c = 0; c < g.dimensions; ++c) append(g.area[c], map.metric(at.on_face(face), face / 2, c));
}

void append_metric_terms(HexahedraGeometry& g, const StraightElement& of) {
  for (int d = 0; d < g.dimensions; ++d) {
    for (int c = 0; c < g.dimensions; ++c) {
      g.metric[d][c].assign(g.points, d == c ? of.area[d] : 0);
      g.area[c].resize(2 * g.dimensions * g.face_points);
    }
    std::fill_n(g.area[d].begin() + 2 * d * g.face_points, 2 * g.face_points, of.area[d]);
  }
  g.jacobian.assign(g.points, of.jacobian);
}

void append_places(HexahedraGeometry& g, const ElementMap& map, const PointsOfElement& at) {
  append_places(g.place, map, at.inside(), g.dimensions);
  append_places(g.corner, map, at.corners(), g.dimensions);
  for (int face = 0; face < 2 * g.dimensions; ++face)
    append_places(g.face_place, map, at.on_face(face), g.dimensions);
}

}  // namespace

HexahedraGeometry::HexahedraGeometry(const Hexahedra& mesh, int of_degree)
    : degree(of_degree), dimensions(mesh.dimensions) {
  const int n = degree + 1;
  face_points = dimensions == 3 ? n * n : n;
  points = face_points * n;
  std::vector<double> xi, w;
  find_gauss_points(degree, xi, w);
  const std::vector<double> lobatto = lobatto_points(n);
  const PointsOfElement at(dimensions, lobatto, xi, w);
  const Interpolation from_nodes(equidistant_points(mesh.order + 1), lobatto);
  const std::size_t nodes = mesh.nodes_of_element();
  if (mesh.widths) append_metric_terms(*this, StraightElement(dimensions, *mesh.widths));
  for (std::int32_t e = 0; e < mesh.count; ++e) {
    const ElementMap map(dimensions, std::span(mesh.nodes).subspan(nodes * e, nodes), degree, from_nodes);
    if (!mesh.widths) append_metric_terms(*this, map, at);
    append_places(*this, map, at);
    const double* const own = jacobian.data() + (jacobian.size() - points);
    for (int m = 0; m < points; ++m)
      volume.push_back(own[m] * w[m % n] * w[m / n % n] * (dimensions == 3 ? w[m / (n * n)] : 1));
  }
}

}  // namespace halfstep
