// STL files: distances, and what is wrong with some.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "physics/shapes/distances.hpp"
#include "physics/shapes/shape_error.hpp"
#include "physics/shapes/stl.hpp"
#include "physics/shapes/surfaces.hpp"
#include "physics/shapes/triangles.hpp"
#include "tests/support/shape_values.hpp"
#include "tests/support/stl_files.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

/// Returns the surface in a file with these bytes.
std::shared_ptr<const Surface> surface_of(const std::string& bytes, double scale = 1) {
  const TemporaryDirectory directory;
  put(directory / "body.stl", bytes);
  return stl_surface((directory / "body.stl").string(), scale);
}

/// Returns why the triangles enclose no body.
std::string refused(const Soup& soup) {
  return refusal([&] { expect_closed(joined(soup)); });
}

std::vector<Point> places(int count) {
  std::mt19937_64 bits(11);
  std::uniform_real_distribution<double> near(-0.2, 1.2);
  std::vector<Point> all(static_cast<std::size_t>(count));
  for (Point& x : all) x = {near(bits), near(bits), near(bits)};
  return all;
}

Soup turned(Soup soup, std::size_t first, std::size_t end) {
  for (std::size_t n = first; n < end; ++n) std::swap(soup[n][1], soup[n][2]);
  return soup;
}

const Soup kCube = box_soup({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75});

TEST_CASE("a cube's distance from a file, text or binary, is that of the box") {
  if (!can_read_stl()) return;
  const Mesh mesh{{16, 16, 16}, {0, 0, 0}, {1, 1, 1}};
  const std::vector<double> lower(3, 0.25), upper(3, 0.75);
  const auto box =
      make_surface(shape_values(surface_kinds(), "box", {{"lower", lower}, {"upper", upper}}), {}, mesh);
  for (const std::string& bytes : {binary_stl(kCube), text_stl(kCube)}) {
    const auto own = surface_of(bytes);
    CHECK(own->is_lipschitz());
    for (const Point& x : places(5000))
      CHECK(own->distance(x) == doctest::Approx(box->distance(x)).epsilon(1e-12));
    // Beside corners and edges, where the nearest place has several normals.
    for (const double sign : {-1.0, 1.0})
      for (const double far : {1e-9, 1e-6, 1e-3, 0.2}) {
        const Point x{0.75 + sign * far, 0.75 + sign * far, 0.75 + sign * far};
        CHECK(own->distance(x) == doctest::Approx(box->distance(x)).epsilon(1e-9));
      }
  }
}

TEST_CASE("a file's coordinates are scaled") {
  if (!can_read_stl()) return;
  const auto own = surface_of(binary_stl(box_soup({-1, -1, -1}, {1, 1, 1})), 1e-3);
  CHECK(own->distance({0.003, 0, 0}) == doctest::Approx(0.002));
  CHECK(own->distance({0, 0, 0}) == doctest::Approx(-0.001));
}

TEST_CASE("a sphere of triangles has the distance from the nearest of all of them") {
  if (!can_read_stl()) return;
  const Soup soup = sphere_soup({0.5, 0.5, 0.5}, 0.3, 4);
  const auto own = surface_of(binary_stl(soup));
  Soup as_read = soup;
  for (auto& face : as_read)
    for (Point& corner : face)
      for (double& x : corner) x = static_cast<float>(x);
  const SignedTriangles all(joined(as_read));
  for (const Point& x : places(300)) {
    double nearest = 1e9;
    for (std::uint32_t n = 0; n < soup.size(); ++n) {
      const double distance = all.distance(x, n);
      if (std::abs(distance) < std::abs(nearest)) nearest = distance;
    }
    CHECK(own->distance(x) == nearest);
  }
  for (const Point& x : places(5000))
    CHECK(std::abs(own->distance(x) - (norm(difference(x, {0.5, 0.5, 0.5})) - 0.3)) < 2e-3);
}

TEST_CASE("the sign is right beside edges of any angle, in and out") {
  // A wedge so sharp that the normals of its faces nearly cancel at the edge.
  const Point a{0, 0, 0}, b{0, 0, 1}, c{1, 0.01, 0}, d{1, 0.01, 1}, e{1, -0.01, 0}, f{1, -0.01, 1};
  const Soup wedge = {{a, c, d}, {a, d, b}, {a, f, e}, {a, b, f}, {c, e, f}, {c, f, d}, {a, e, c}, {b, d, f}};
  const Triangles joined_wedge = joined(turned(wedge, 0, wedge.size()));
  CHECK(refused(turned(wedge, 0, wedge.size())) == "");
  const SignedTriangles all(joined_wedge);
  for (const Point& x : places(2000)) {
    const Point at{2 * x[0] - 0.5, 0.1 * (x[1] - 0.5), x[2]};
    double nearest = 1e9;
    for (std::uint32_t n = 0; n < wedge.size(); ++n) {
      const double distance = all.distance(at, n);
      if (std::abs(distance) < std::abs(nearest)) nearest = distance;
    }
    const bool is_inside = at[0] > 0 && at[0] < 1 && std::abs(at[1]) < 0.01 * at[0] && at[2] > 0 && at[2] < 1;
    CHECK((nearest < 0) == is_inside);
  }
}

TEST_CASE("the sign is right above a sharp corner with many triangles on one side of it") {
  const Point top{0, 0, 1}, back{-0.1, 0, 0};
  const auto front = [](int n) { return Point{0.1, 0.02 * n - 0.1, 0}; };
  Soup needle = {{top, back, front(0)}, {top, front(10), back}};
  for (int n = 0; n < 10; ++n) {
    needle.push_back({top, front(n), front(n + 1)});
    needle.push_back({back, front(n + 1), front(n)});
  }
  CHECK(refused(needle) == "");
  const SignedTriangles all(joined(needle));
  for (const Point& x : places(2000)) {
    const Point at{x[0] - 0.5, x[1] - 0.5, 1 + 0.5 * x[2]};
    if (at[2] < 1) continue;
    double nearest = 1e9;
    for (std::uint32_t n = 0; n < needle.size(); ++n) {
      const double distance = all.distance(at, n);
      if (std::abs(distance) < std::abs(nearest)) nearest = distance;
    }
    CHECK(nearest > 0);
  }
}

TEST_CASE("a surface with a hole is open, and the hole's place is told") {
  Soup soup = kCube;
  soup.erase(soup.begin() + 1);
  CHECK(refused(soup) ==
        "the surface is open: 3 edges belong to one triangle alone, the first from (0.25, 0.25, 0.25) to "
        "(0.25, 0.75, 0.75)");
  // A slit: two corners of one triangle are a little apart from their neighbours'.
  soup = kCube;
  soup[0][0][0] += 1e-4;
  CHECK(refused(soup).starts_with("the surface is open: 4 edges belong to one triangle alone"));
  soup = kCube;
  soup.push_back(soup[0]);
  CHECK(refused(soup).starts_with("3 edges belong to more than two triangles, the first from"));
}

TEST_CASE("turned normals are told, inconsistent ones with the first triangle") {
  CHECK(refused(kCube) == "");
  CHECK(refused(turned(kCube, 0, kCube.size())) == "the normals point inwards");
  CHECK(refused(turned(kCube, 3, 4)) ==
        "1 triangle is turned against the neighbours, triangle 3 at (0.75, 0.416667, 0.583333)");
  CHECK(refused(turned(kCube, 0, 10))
            .starts_with("2 triangles are turned against the neighbours, the first triangle 10 at"));
}

TEST_CASE("pieces beside each other and cavities make a body, overlapping pieces do not") {
  const auto with = [](Soup soup, const Soup& more) {
    soup.insert(soup.end(), more.begin(), more.end());
    return soup;
  };
  const Soup inner = box_soup({0.4, 0.4, 0.4}, {0.6, 0.6, 0.6}), beside = box_soup({2, 0, 0}, {3, 1, 1});
  const Soup crossing = box_soup({0.5, 0.3, 0.3}, {1, 0.7, 0.7});
  CHECK(refused(with(kCube, beside)) == "");
  CHECK(refused(with(kCube, turned(inner, 0, inner.size()))) == "");
  CHECK(refused(with(kCube, turned(beside, 0, beside.size())))
            .starts_with("the normals of the piece with triangle 12, at"));
  CHECK(refused(with(kCube, inner)).starts_with("the surface of the piece with triangle 12, at"));
  CHECK(refused(with(kCube, crossing)).ends_with("lies within another piece"));
  if (!can_read_stl()) return;
  const auto hollow = surface_of(binary_stl(with(kCube, turned(inner, 0, inner.size()))));
  CHECK(hollow->distance({0.5, 0.5, 0.5}) == doctest::Approx(0.1));
  CHECK(hollow->distance({0.35, 0.5, 0.5}) == doctest::Approx(-0.05));
}

TEST_CASE("triangles without an area are refused") {
  Soup soup = kCube;
  soup[4][1] = soup[4][0];
  CHECK(refused(soup) ==
        "triangle 4 has no area: its corners are (0.25, 0.25, 0.25), (0.25, 0.25, 0.25) and (0.75, 0.25, "
        "0.75)");
  soup[4] = {Point{0, 0, 0}, Point{0.5, 0.5, 0.5}, Point{1, 1, 1}};
  CHECK(refused(soup).starts_with("triangle 4 has no area"));
  CHECK(refused({}) == "the file has no triangle");
}

TEST_CASE("files that are no STL, or end too early, are refused") {
  if (!can_read_stl()) return;
  CHECK(refusal([] { stl_surface("absent/file.stl", 1); }) == "cannot read 'absent/file.stl'");
  const auto why = [](const std::string& bytes) { return refusal([&] { surface_of(bytes); }); };
  const std::string binary = binary_stl(kCube), text = text_stl(kCube);
  for (const std::string& bytes :
       {std::string(), std::string("title: a deck\n"), std::string(500, '\0'), std::string(500, '\7'),
        binary.substr(0, 83), binary.substr(0, 100), binary.substr(0, binary.size() - 30),
        std::string("solid\nendsolid\n"), text.substr(0, text.size() / 2), std::string("o obj\nv 1 2 3\n")}) {
    CAPTURE(bytes.size());
    CHECK(why(bytes) != "");
  }
  // A corner that is no number.
  std::string bad = binary;
  std::fill_n(bad.begin() + 84 + 12, 4, '\xff');
  CHECK(why(bad) == "triangle 0 has a corner that is not finite");
}

}  // namespace
