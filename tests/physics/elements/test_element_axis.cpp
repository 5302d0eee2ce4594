// The solution points of elements as the cells of an axis.
#include <doctest/doctest.h>

#include "physics/elements/element_axis.hpp"
#include "physics/mesh/mesh.hpp"

using namespace halfstep;

TEST_CASE("cells are as wide as the weights, and each holds its point, also beyond the ends") {
  for (int degree = 1; degree <= kMaxDegree; ++degree)
    for (const bool is_periodic : {false, true})
      with_degree(degree, [&]<int p>() {
        CAPTURE(p);
        const Operators<p>& of = operators<p>();
        const auto axis = axis_of_elements(5, p, -1, 1.5, is_periodic);
        CHECK(axis->face(0) == -1);
        CHECK(axis->face(5 * of.n) == 1.5);
        for (int n = -of.n; n < 6 * of.n; ++n) {
          const int a = (n + of.n) % of.n, element = (n + of.n) / of.n - 1;
          CHECK(axis->width(n) == doctest::Approx(0.25 * of.w[a]).epsilon(1e-13));
          CHECK(axis->center(n) ==
                doctest::Approx(-1 + 0.5 * element + 0.25 * (1 + of.xi[a])).epsilon(1e-13));
          CHECK(axis->center(n) > axis->face(n));
          CHECK(axis->center(n) < axis->face(n + 1));
        }
      });
}

TEST_CASE("a sample is the cell where states are averages, and a point along axes of elements") {
  Mesh mesh{.cells = {8, 4, 1}};
  mesh.stretched[0] = axis_of_elements(2, 3, 0, 1, true);
  const Box cell = mesh.cell(3, 2, 0), sample = mesh.sample(3, 2, 0);
  const double point = mesh.stretched[0]->center(3);
  CHECK(sample.center(0) == doctest::Approx(point).epsilon(1e-14));
  CHECK(sample.width(0) < 2e-6 * cell.width(0));
  CHECK(sample.width(0) > 0);
  CHECK(mesh.center(3, 2, 0)[0] == point);
  for (const int axis : {1, 2}) {
    CHECK(sample.lower[axis] == cell.lower[axis]);
    CHECK(sample.upper[axis] == cell.upper[axis]);
  }
}
