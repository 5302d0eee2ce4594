// The cells of slices and boxes, and the mesh that they make.
#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "app/output/cell_region.hpp"

using namespace halfstep;

namespace {

const Mesh kMesh{.cells = {10, 8, 1}, .lower = {-1, 0, 0}, .upper = {1, 4, 1}};

OutputRequest slice(int axis, double position) {
  OutputRequest request;
  request.kind = OutputKind::slice;
  request.axis = axis;
  request.position = position;
  return request;
}

OutputRequest box(const std::array<double, 3>& lower, const std::array<double, 3>& upper,
                  std::int64_t every_cell = 1) {
  OutputRequest request;
  request.kind = OutputKind::box;
  request.points = {lower, upper};
  request.every_cell = every_cell;
  return request;
}

}  // namespace

TEST_CASE("a slice has one cell across, the one that holds its position, and all others") {
  const CellRegion across_y = region_of(slice(1, 1.7), kMesh);
  CHECK(across_y.first == CellIndex{0, 3, 0});
  CHECK(across_y.count == std::array{10, 1, 1});
  CHECK(region_of(slice(1, 4), kMesh).first[1] == 7);
  CHECK(region_of(slice(1, 2), kMesh).first[1] == 4);
  CHECK(region_of(slice(1, 2), kMesh).count[1] == 1);
  const Mesh plane = across_y.mesh(kMesh);
  CHECK(plane.lower[1] == 1.5);
  CHECK(plane.upper[1] == 2.0);
  CHECK(plane.lower[0] == kMesh.lower[0]);
  CHECK(plane.upper[0] == doctest::Approx(kMesh.upper[0]).epsilon(1e-15));
}

TEST_CASE("a box that ends on faces has the cells between them, and one beyond the domain is cut") {
  const CellRegion inner = region_of(box({-0.6, 0.5, 0}, {0.2, 3.5, 1}), kMesh);
  CHECK(inner.first == CellIndex{2, 1, 0});
  CHECK(inner.count == std::array{4, 6, 1});
  const CellRegion all = region_of(box({-9, -9, -9}, {9, 9, 9}), kMesh);
  CHECK(all.first == CellIndex{0, 0, 0});
  CHECK(all.count == kMesh.cells);
  const CellRegion one = region_of(box({0.25, 1, 0.5}, {0.25, 1, 0.5}), kMesh);
  CHECK(one.list() == std::vector<CellIndex>{{6, 2, 0}});
}

TEST_CASE("every n-th cell is the middle one of n, with its centre") {
  for (const int every : {2, 3, 4, 7, 100}) {
    CAPTURE(every);
    const CellRegion region = region_of(box(kMesh.lower, kMesh.upper, every), kMesh);
    const Mesh coarse = region.mesh(kMesh);
    const auto list = region.list();
    REQUIRE(coarse.cell_count() == std::int64_t(list.size()));
    std::size_t n = 0;
    for (int k = 0; k < coarse.cells[2]; ++k)
      for (int j = 0; j < coarse.cells[1]; ++j)
        for (int i = 0; i < coarse.cells[0]; ++i, ++n) {
          const auto own = kMesh.center(list[n][0], list[n][1], list[n][2]), there = coarse.center(i, j, k);
          for (int axis = 0; axis < 3; ++axis) CHECK(std::abs(own[axis] - there[axis]) < 1e-14);
        }
    CHECK(region.count[0] == std::max(1, (10 + every - 1 - every / 2) / every));
    CHECK(region.count[2] == 1);
  }
}

TEST_CASE("the mesh of a region of a stretched mesh has the faces of the whole") {
  Mesh mesh{.cells = {4, 6, 1}, .lower = {-1, 0, 0}, .upper = {1, 36, 1}};
  mesh.stretched[1] =
      std::make_shared<const StretchedAxis>(std::vector<double>{0, 1, 4, 9, 16, 25, 36}, false);
  const auto own = [&](const OutputRequest& request) { return region_of(request, mesh).mesh(mesh); };
  const auto faces = [](const Mesh& of) {
    std::vector<double> all;
    for (int n = 0; n <= of.cells[1]; ++n) all.push_back(of.face(1, n));
    return all;
  };

  CHECK(faces(own(slice(0, 0))) == std::vector<double>{0, 1, 4, 9, 16, 25, 36});
  const Mesh plane = own(slice(1, 20));  // in cell 4, whose width no other has
  CHECK(plane.lower[1] == 16);
  CHECK(plane.upper[1] == 25);
  CHECK_FALSE(plane.is_stretched());

  const CellRegion inner = region_of(box({-1, 4, 0}, {1, 25.0 + 1e-12, 1}), mesh);
  CHECK(inner.first[1] == 2);
  CHECK(faces(inner.mesh(mesh)) == std::vector<double>{4, 9, 16, 25});
  CHECK(inner.mesh(mesh).lower[1] == 4);
  CHECK(inner.mesh(mesh).upper[1] == 25);

  const auto every = [&](int n) { return box(mesh.lower, mesh.upper, n); };
  CHECK(faces(own(every(3))) == std::vector<double>{0, 9, 36});
  // Of two cells it is the upper one, and half a cell on both sides of it; beyond the domain there is
  // nothing.
  CHECK(faces(own(every(2))) == std::vector<double>{0.5, 6.5, 20.5, 36});
}
