#include "physics/curved/geometry.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "physics/curved/lobatto_points.hpp"
#include "physics/elements/operators.hpp"
#include "physics/hexahedra/element_map.hpp"

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

/// How values come to the points of a product along each axis; none in the third of two dimensions.
using Axes = std::array<const Interpolation*, 3>;

/// Returns how values, or their slopes along the axis `slope`, come to the points of a product.
Product along_axes(const Axes& points, int slope) {
  return {{points[0], points[1], points[2]}, {slope == 0, slope == 1, slope == 2}};
}

/// The map of one element by its values at Lobatto's points.
class ElementMap {
 public:
  /// `from_nodes`: from the nodes of the mesh to Lobatto's points.
  ElementMap(int dimensions, std::span<const Point> nodes, const Interpolation& from_nodes)
      : dimensions_(dimensions) {
    const Product values{{&from_nodes, &from_nodes, dimensions == 3 ? &from_nodes : nullptr}, {}};
    for (int c = 0; c < 3; ++c) {
      Values of_nodes;
      for (const Point& node : nodes) of_nodes.push_back(node[c]);
      x_[c] = values(of_nodes);
    }
  }

  int dimensions() const { return dimensions_; }
  /// Returns component c of the map at Lobatto's points.
  const Values& values(int c) const { return x_[c]; }
  /// Returns component c of the map, or its slope along the axis `slope`, at the points of a product.
  Values at(const Axes& points, int c, int slope = -1) const { return along_axes(points, slope)(x_[c]); }

 private:
  int dimensions_;
  Values x_[3];
};

/// The metric terms of one element, from its map.
class ElementMetric {
 public:
  /// `own`: from Lobatto's points to themselves.
  ElementMetric(const ElementMap& map, const Interpolation& own) : map_(map) {
    if (map.dimensions() == 3) make_potentials(own);
  }

  /// Returns component c of J a^d.
  Values at(const Axes& points, int d, int c) const {
    if (map_.dimensions() == 2) {  // J a^1 = (y_eta, -x_eta), J a^2 = (-y_xi, x_xi)
      Values of = map_.at(points, 1 - c, 1 - d);
      if (d != c)
        for (double& v : of) v = -v;
      return of;
    }
    const int j = (d + 1) % 3, k = (d + 2) % 3;
    const Values first = along_axes(points, j)(potential_[c][k]),
                 second = along_axes(points, k)(potential_[c][j]);
    Values curl(first.size());
    for (std::size_t n = 0; n < curl.size(); ++n) curl[n] = second[n] - first[n];
    return curl;
  }

 private:
  /// Makes (X_l grad X_m - X_m grad X_l) / 2, with n, m, l cyclic, at Lobatto's points; J a^d_n is minus
  /// component d of its curl.
  void make_potentials(const Interpolation& own) {
    Values slope[3][3];
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k) slope[c][k] = map_.at({&own, &own, &own}, c, k);
    for (int n = 0; n < 3; ++n) {
      const int m = (n + 1) % 3, l = (n + 2) % 3;
      const Values &x_m = map_.values(m), &x_l = map_.values(l);
      for (int k = 0; k < 3; ++k) {
        potential_[n][k].resize(x_m.size());
        for (std::size_t p = 0; p < x_m.size(); ++p)
          potential_[n][k][p] = 0.5 * (x_l[p] * slope[m][k][p] - x_m[p] * slope[l][k][p]);
      }
    }
  }

  const ElementMap& map_;
  Values potential_[3][3];  // [n][k]
};

/// Returns the Jacobian of the map.
Values jacobian_of(const ElementMap& map, const Axes& points) {
  Values slope[3][3], jacobian;
  for (int c = 0; c < map.dimensions(); ++c)
    for (int k = 0; k < map.dimensions(); ++k) slope[c][k] = map.at(points, c, k);
  for (std::size_t n = 0; n < slope[0][0].size(); ++n) {
    std::array<Point, 3> m{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int c = 0; c < map.dimensions(); ++c)
      for (int k = 0; k < map.dimensions(); ++k) m[c][k] = slope[c][k][n];
    jacobian.push_back(determinant(m));
  }
  return jacobian;
}

/// The points of a degree in the elements of a mesh, and how a map's values come to them.
class PointsOfElement {
 public:
  PointsOfElement(const Hexahedra& mesh, int degree)
      : mesh_(mesh),
        gauss_(gauss_points(degree)),
        lobatto_(lobatto_points(degree + 1)),
        from_nodes_(equidistant_nodes(mesh.order), lobatto_),
        own_(lobatto_, lobatto_),
        to_points_(lobatto_, gauss_.xi),
        to_corners_(lobatto_, between(gauss_.w)),
        to_end_{{lobatto_, {-1}}, {lobatto_, {1}}} {}

  int on_axis() const { return static_cast<int>(gauss_.xi.size()); }
  int count() const { return power(on_axis(), mesh_.dimensions); }
  int corner_count() const { return power(on_axis() + 1, mesh_.dimensions); }
  int face_count() const { return power(on_axis(), mesh_.dimensions - 1); }

  Axes inside() const { return product(to_points_); }
  Axes corners() const { return product(to_corners_); }
  Axes on_face(int face) const {
    Axes points = inside();
    points[face / 2] = &to_end_[face % 2];
    return points;
  }

  ElementMap map(std::int32_t element) const {
    const auto nodes = static_cast<std::size_t>(mesh_.nodes_of_element());
    return {mesh_.dimensions, std::span(mesh_.nodes).subspan(nodes * element, nodes), from_nodes_};
  }
  ElementMetric metric(const ElementMap& map) const { return {map, own_}; }
  /// Returns what a point stands for where the Jacobian is given.
  double volume(int point, double jacobian) const {
    const int n = on_axis();
    const std::vector<double>& w = gauss_.w;
    return jacobian * w[point % n] * w[point / n % n] * (mesh_.dimensions == 3 ? w[point / (n * n)] : 1);
  }

 private:
  struct Gauss {
    std::vector<double> xi, w;
  };
  static Gauss gauss_points(int degree) {
    Gauss gauss;
    with_degree(degree, [&]<int p>() {
      gauss.xi.assign(operators<p>().xi, operators<p>().xi + p + 1);
      gauss.w.assign(operators<p>().w, operators<p>().w + p + 1);
    });
    return gauss;
  }
  /// Returns the ends of cells as wide as the weights of the points.
  static std::vector<double> between(const std::vector<double>& w) {
    std::vector<double> ends{-1};
    for (std::size_t i = 0; i < w.size(); ++i) ends.push_back(i + 1 < w.size() ? ends.back() + w[i] : 1);
    return ends;
  }
  static int power(int base, int exponent) {
    return exponent == 1 ? base : exponent == 2 ? base * base : base * base * base;
  }
  Axes product(const Interpolation& of) const { return {&of, &of, mesh_.dimensions == 3 ? &of : nullptr}; }

  const Hexahedra& mesh_;
  Gauss gauss_;
  std::vector<double> lobatto_;
  Interpolation from_nodes_, own_, to_points_, to_corners_, to_end_[2];
};

void put_places(const ElementMap& map, const Axes& points, Point* to) {
  const Values x = map.at(points, 0), y = map.at(points, 1);
  const Values z = map.dimensions() == 3 ? map.at(points, 2) : Values(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) to[n] = {x[n], y[n], z[n]};
}

void put(const Values& values, std::vector<double>& to, std::int64_t first) {
  std::copy(values.begin(), values.end(), to.begin() + first);
}

void put_metric_terms(HexahedraGeometry& g, std::int32_t element, const ElementMap& map,
                      const PointsOfElement& points) {
  const ElementMetric metric = points.metric(map);
  const std::int64_t first = std::int64_t{element} * g.points;
  for (int d = 0; d < g.dimensions; ++d)
    for (int c = 0; c < g.dimensions; ++c) put(metric.at(points.inside(), d, c), g.metric[d][c], first);
  put(jacobian_of(map, points.inside()), g.jacobian, first);
  for (int face = 0; face < 2 * g.dimensions; ++face)
    for (int c = 0; c < g.dimensions; ++c)
      put(metric.at(points.on_face(face), face / 2, c), g.area[c], g.first_of_face(element, face));
}

void put_metric_terms(HexahedraGeometry& g, const StraightElement& of) {
  for (int d = 0; d < g.dimensions; ++d) {
    std::fill(g.metric[d][d].begin(), g.metric[d][d].end(), of.area[d]);
    std::fill_n(g.area[d].begin() + g.first_of_face(0, 2 * d), 2 * g.face_points, of.area[d]);
  }
  std::fill(g.jacobian.begin(), g.jacobian.end(), of.jacobian);
}

}  // namespace

PointPlaces places_of_points(const Hexahedra& mesh, int degree) {
  const PointsOfElement points(mesh, degree);
  const int count = points.count(), corners = points.corner_count();
  const auto of_all = [&](int of_element) { return static_cast<std::size_t>(of_element) * mesh.count; };
  PointPlaces places{.dimensions = mesh.dimensions,
                     .place = std::vector<Point>(of_all(count)),
                     .corners = std::vector<Point>(of_all(corners)),
                     .volume = std::vector<double>(of_all(count))};
  const Values straight =
      mesh.widths ? Values(count, StraightElement(mesh.dimensions, *mesh.widths).jacobian) : Values{};
#pragma omp parallel for
  for (std::int32_t e = 0; e < mesh.count; ++e) {
    const ElementMap map = points.map(e);
    const std::int64_t first = std::int64_t{e} * count;
    put_places(map, points.inside(), &places.place[first]);
    put_places(map, points.corners(), &places.corners[std::int64_t{e} * corners]);
    const Values own = mesh.widths ? Values{} : jacobian_of(map, points.inside());
    const Values& jacobian = mesh.widths ? straight : own;
    for (int m = 0; m < count; ++m) places.volume[first + m] = points.volume(m, jacobian[m]);
  }
  return places;
}

HexahedraGeometry::HexahedraGeometry(const Hexahedra& mesh, int of_degree)
    : degree(of_degree), dimensions(mesh.dimensions) {
  const PointsOfElement at(mesh, degree);
  points = at.count();
  face_points = at.face_count();
  const std::size_t shapes = mesh.widths ? 1 : mesh.count;
  jacobian.resize(shapes * points);
  for (int c = 0; c < dimensions; ++c) {
    for (int d = 0; d < dimensions; ++d) metric[d][c].resize(shapes * points);
    area[c].resize(shapes * mesh.faces() * face_points);
  }
  face_place.resize(static_cast<std::size_t>(mesh.count) * mesh.faces() * face_points);
  if (mesh.widths) put_metric_terms(*this, StraightElement(dimensions, *mesh.widths));
#pragma omp parallel for
  for (std::int32_t e = 0; e < mesh.count; ++e) {
    const ElementMap map = at.map(e);
    if (!mesh.widths) put_metric_terms(*this, e, map, at);
    for (int face = 0; face < mesh.faces(); ++face)
      put_places(map, at.on_face(face), &face_place[first_of_face(e, face)]);
  }
}

}  // namespace halfstep
