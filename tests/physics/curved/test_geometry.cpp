// The metric terms of curved elements: a free stream stays, neighbours share their faces, volumes add up.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "physics/curved/geometry.hpp"
#include "physics/curved/hexahedra_tables.hpp"
#include "tests/support/bent_box.hpp"

using namespace halfstep;

namespace {

/// Returns the largest divergence of the metric terms, what flux reconstruction makes of a constant flux.
template <class C>
double largest_divergence(C c, const Hexahedra& mesh, const HexahedraGeometry& g) {
  const auto& of = operators<C::degree>();
  double largest = 0;
  for (int e = 0; e < mesh.count; ++e)
    for (int m = 0; m < C::points; ++m)
      for (int k = 0; k < C::dimensions; ++k) {
        double sum = 0;
        for (int d = 0; d < C::dimensions; ++d) {
          const int i = index_along(c, d, m), stride = stride_along(c, d),
                    first = e * C::points + m - i * stride, s = end_of_line(c, d, m);
          for (int j = 0; j < C::n; ++j) sum += of.C[i][j] * g.metric[d][k][first + j * stride];
          for (int side = 0; side < 2; ++side)
            sum += of.g[side][i] * g.area[k][(e * C::faces + 2 * d + side) * C::face_points + s];
        }
        largest = std::max(largest, std::abs(sum));
      }
  return largest;
}

/// Returns the largest difference of the areas and places that two elements have at the points they share.
/// Places across a periodic side differ by the box's width, a whole number here.
template <class C>
double largest_mismatch(C c, const Hexahedra& mesh, const HexahedraGeometry& g) {
  const HexahedraView<double> view{
      Layout({C::points, mesh.count, 1}, {0, 0, 0}), false, {}, {}, {}, {}, {}, mesh.beyond.data()};
  double largest = 0;
  for (int e = 0; e < mesh.count; ++e)
    for (int face = 0; face < C::faces; ++face)
      for (int point = 0; point < C::face_points; ++point) {
        const FacePoint own{e, face, point}, other = view.across(c, own);
        if (other.element < 0) continue;
        const auto here = view.slot(c, own), there = view.slot(c, other);
        const double sign = own.side() == other.side() ? 1 : -1;
        for (int k = 0; k < C::dimensions; ++k) {
          largest = std::max(largest, std::abs(g.area[k][here] + sign * g.area[k][there]));
          const double step = g.face_place[here][k] - g.face_place[there][k];
          largest = std::max(largest, std::abs(step - std::round(step)));
        }
      }
  return largest;
}

}  // namespace

TEST_CASE("metric terms of bent elements have no divergence, and both sides of a face the same area") {
  for (const int dimensions : {2, 3})
    for (int order = 1; order <= 4; ++order)
      for (int degree = 1; degree <= kMaxDegree; ++degree) {
        INFO(dimensions << " dimensions, order " << order << ", degree " << degree);
        const Hexahedra mesh = bent_box({3, 2, dimensions == 3 ? 2 : 1}, order);
        const HexahedraGeometry geometry(mesh, degree);
        with_cube(degree, dimensions, [&](auto c) {
          CHECK(largest_divergence(c, mesh, geometry) < 1e-13);
          CHECK(largest_mismatch(c, mesh, geometry) < 1e-14);
        });
      }
}

TEST_CASE("elements of one shape have the metric terms of the same box under a map, once") {
  const auto largest_difference = [](const std::vector<double>& of_shape, const std::vector<double>& of_all) {
    double largest = 0;
    for (std::size_t n = 0; n < of_all.size(); ++n)
      largest = std::max(largest, std::abs(of_shape[n % of_shape.size()] - of_all[n]));
    return largest;
  };
  for (const int dimensions : {2, 3}) {
    const BoxOfElements box{
        .count = {3, 7, dimensions == 3 ? 2 : 1}, .lower = {-1, 0, 2}, .upper = {1, 3, 5}};
    const Hexahedra straight = straight_box(box), mapped = mapped_box(box, [](const Point&x) { return x; });
    const HexahedraGeometry shape(straight, 3), all(mapped, 3);
    CHECK(bytes_of_hexahedra(straight, 3, false, 8) < bytes_of_hexahedra(mapped, 3, false, 8));
    CHECK(shape.shapes() == 1);
    CHECK(std::ssize(shape.jacobian) == shape.points);
    CHECK(all.shapes() == 21 * box.count[2]);
    for (int d = 0; d < dimensions; ++d)
      for (int c = 0; c < dimensions; ++c)
        CHECK(largest_difference(shape.metric[d][c], all.metric[d][c]) < 1e-14);
    for (int c = 0; c < dimensions; ++c) CHECK(largest_difference(shape.area[c], all.area[c]) < 1e-14);
    CHECK(largest_difference(shape.jacobian, all.jacobian) < 1e-14);
    CHECK(shape.face_place == all.face_place);
    const PointPlaces points = places_of_points(straight, 3), points_of_map = places_of_points(mapped, 3);
    CHECK(largest_difference(points.volume, points_of_map.volume) < 1e-14);
    CHECK(points.place == points_of_map.place);
    CHECK(points.corners == points_of_map.corners);
  }
}

TEST_CASE("volumes of a bent box add up to the box's") {
  for (const int dimensions : {2, 3}) {
    const PointPlaces points = places_of_points(bent_box({4, 4, dimensions == 3 ? 4 : 1}, 4), 4);
    double sum = 0;
    for (const double v : points.volume) sum += v;
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  }
}
