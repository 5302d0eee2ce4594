// The metric terms of curved elements: a free stream stays, neighbours share their faces, volumes add up.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "physics/curved/geometry.hpp"
#include "physics/curved/hexahedra_view.hpp"
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
      Layout({C::points, mesh.count, 1}, {0, 0, 0}), {}, {}, {}, {}, mesh.beyond.data()};
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

TEST_CASE("volumes of a bent box add up to the box's") {
  for (const int dimensions : {2, 3}) {
    const HexahedraGeometry geometry(bent_box({4, 4, dimensions == 3 ? 4 : 1}, 4), 4);
    double sum = 0;
    for (const double v : geometry.volume) sum += v;
    CHECK(sum == doctest::Approx(1).epsilon(1e-12));
  }
}
