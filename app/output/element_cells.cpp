#include "app/output/element_cells.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace halfstep {
namespace {

constexpr const char* kPlaces = "places";
constexpr const char* kVolumes = "volumes";
constexpr const char* kOfElement = "points_of_element";
constexpr const char* kDimensions = "dimensions";

/// VTK's numbers of its cell types.
constexpr std::uint8_t kQuadrilateral = 9, kHexahedron = 12;

/// Returns the corners of every cell, as numbers of the corners of elements.
std::vector<std::int64_t> connectivity(const Mesh& mesh) {
  const int dimensions = mesh.points->dimensions;
  const int n = static_cast<int>(std::lround(std::pow(mesh.cells[0], 1.0 / dimensions))), m = n + 1;
  const int deep = dimensions == 3 ? n : 1;
  constexpr int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const std::int64_t corners = std::int64_t{m} * m * (dimensions == 3 ? m : 1);
  std::vector<std::int64_t> all;
  all.reserve(static_cast<std::size_t>(mesh.cell_count()) * nodes_of_cell(mesh));
  for (std::int64_t e = 0; e < mesh.cells[1]; ++e)
    for (int k = 0; k < deep; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          for (int up = 0; up < (dimensions == 3 ? 2 : 1); ++up)
            for (const auto& [a, b] : around)
              all.push_back(e * corners + (i + a) + m * ((j + b) + std::int64_t{m} * (k + up)));
  return all;
}

}  // namespace

std::vector<double> flattened(const std::vector<Point>& points) {
  std::vector<double> all;
  for (const Point& x : points) all.insert(all.end(), x.begin(), x.end());
  return all;
}

int nodes_of_cell(const Mesh& mesh) { return mesh.points->dimensions == 3 ? 8 : 4; }

void write_element_cells(hid_t image, hid_t about, const Mesh& mesh) {
  const auto cells = static_cast<hsize_t>(mesh.cell_count());
  const std::vector<std::int64_t> of_cells = connectivity(mesh);
  const auto count = [&](const char* name, std::size_t number) {
    hdf5::write_dataset<std::int64_t>(image, name, {1}, std::vector{static_cast<std::int64_t>(number)});
  };
  count("NumberOfPoints", mesh.points->corners.size());
  count("NumberOfCells", cells);
  count("NumberOfConnectivityIds", of_cells.size());
  hdf5::write_dataset<double>(image, "Points", {mesh.points->corners.size(), 3},
                              flattened(mesh.points->corners));
  hdf5::write_dataset<std::int64_t>(image, "Connectivity", {of_cells.size()}, of_cells);
  std::vector<std::int64_t> offsets;
  for (hsize_t n = 0; n <= cells; ++n) offsets.push_back(static_cast<std::int64_t>(n) * nodes_of_cell(mesh));
  hdf5::write_dataset<std::int64_t>(image, "Offsets", {offsets.size()}, offsets);
  hdf5::write_dataset<std::uint8_t>(
      image, "Types", {cells},
      std::vector<std::uint8_t>(cells, mesh.points->dimensions == 3 ? kHexahedron : kQuadrilateral));

  hdf5::write_attribute<std::int64_t>(about, kOfElement, mesh.cells[0]);
  hdf5::write_attribute<std::int64_t>(about, kDimensions, mesh.points->dimensions);
  hdf5::write_dataset<double>(about, kPlaces, {cells, 3}, flattened(mesh.points->place));
  hdf5::write_dataset<double>(about, kVolumes, {cells}, mesh.points->volume);
}

Mesh read_points(hid_t about) {
  const auto of_element = hdf5::read_attribute<std::int64_t>(about, kOfElement);
  auto points = std::make_shared<PointPlaces>();
  points->dimensions = static_cast<int>(hdf5::read_attribute<std::int64_t>(about, kDimensions));
  const hdf5::Handle places = hdf5::open_dataset(about, kPlaces),
                     volumes = hdf5::open_dataset(about, kVolumes);
  const hdf5::Shape shape = hdf5::dataset_shape(volumes, kVolumes);
  const bool fits = shape.size() == 1 && of_element > 0 && shape[0] % of_element == 0 && shape[0] > 0 &&
                    shape[0] / of_element <= (hsize_t{1} << 31) - 1 && of_element <= 216 &&
                    hdf5::dataset_shape(places, kPlaces) == hdf5::Shape{shape[0], 3} &&
                    (points->dimensions == 2 || points->dimensions == 3);
  if (!fits) throw std::runtime_error("its points are not those of elements");
  points->place.resize(shape[0]);
  points->volume.resize(shape[0]);
  hdf5::read_dataset(places, kPlaces, hdf5::native_type<double>(), points->place.data());
  hdf5::read_dataset(volumes, kVolumes, hdf5::native_type<double>(), points->volume.data());
  Mesh mesh;
  mesh.cells = {static_cast<int>(of_element), static_cast<int>(shape[0] / of_element), 1};
  for (int c = 0; c < points->dimensions; ++c) {
    mesh.lower[c] = mesh.upper[c] = points->place[0][c];
    for (const Point& x : points->place) {
      if (!std::isfinite(x[c])) throw std::runtime_error("its points have no places");
      mesh.lower[c] = std::min(mesh.lower[c], x[c]);
      mesh.upper[c] = std::max(mesh.upper[c], x[c]);
    }
  }
  mesh.points = std::move(points);
  return mesh;
}

}  // namespace halfstep
