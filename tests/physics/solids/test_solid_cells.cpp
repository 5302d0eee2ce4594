// Which cells lie in bodies, where their probes are, and what state they take.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "physics/flux/riemann/hllc.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/solids/cell_groups.hpp"
#include "physics/solids/filling_order.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solid_state.hpp"
#include "physics/solids/solids.hpp"
#include "tests/support/expressions.hpp"
#include "tests/support/stretched.hpp"

using namespace halfstep;

namespace {

struct Ball final : Surface {
  Point center;
  double radius;
  Ball(const Point& middle, double r) : center(middle), radius(r) {}
  double distance(const Point& x) const override {
    return std::hypot(x[0] - center[0], x[1] - center[1], x[2] - center[2]) - radius;
  }
};

/// All between two planes across x.
struct Plate final : Surface {
  double low, high;
  Plate(double lower, double upper) : low(lower), high(upper) {}
  double distance(const Point& x) const override { return std::max(low - x[0], x[0] - high); }
};

/// All that is right of a corner and below it.
struct Step final : Surface {
  double x, top;
  Step(double face, double height) : x(face), top(height) {}
  double distance(const Point& at) const override { return std::max(x - at[0], at[1] - top); }
};

constexpr int kLayers = 2;

SolidCells cells_of(std::shared_ptr<const Surface> surface, const Mesh& mesh,
                    const Boundaries& boundaries = kAllOutflow, int corners = 0,
                    bool corrects_fluxes = false) {
  const BoundaryConditions<double> rules(Layout(mesh, kLayers), mesh, boundaries, {}, {{1.4}});
  const Solids solids({{"body", std::move(surface), {}}}, mesh, rules,
                      SolidReach{kLayers, corners, corrects_fluxes});
  return solids.cells();
}

/// The groups of cells that are all filled between sweeps.
CellGroups groups_of(const Layout& layout, const std::vector<SolidCell>& near,
                     const std::vector<CellPlace>& rim) {
  return CellGrouping(layout).groups_of(near, rim, FillingOrder(layout, 0, kLayers));
}

const Mesh line{{20, 1, 1}, {0, 0, 0}, {2, 1, 1}};
const Mesh cube{{24, 20, 16}, {0, 0, 0}, {1, 1, 1}};

}  // namespace

TEST_CASE("before a wall of cells probes are the cells' mirror images") {
  const SolidCells all = cells_of(std::make_shared<Plate>(1.2, 9), line);
  REQUIRE(all.near.size() == 2);
  for (int n = 0; n < 2; ++n) {
    const SolidCell& c = all.near[static_cast<std::size_t>(n)];
    CHECK(c.at[0] == 12 + n);
    CHECK(c.at[0] + c.base[0] == 11 - n);
    CHECK(c.share[0] == 0);
    CHECK(c.normal[0] == -1);
    CHECK(c.depth == doctest::Approx(0.1 * (n + 0.5)));
    CHECK(c.height == doctest::Approx(c.depth));
    CHECK(c.bend[0] == doctest::Approx(0));
  }
  CHECK(all.rim == std::vector<CellPlace>{{14, 0, 0}, {15, 0, 0}});
  CHECK(all.core == std::vector<CellPlace>{{16, 0, 0}, {17, 0, 0}, {18, 0, 0}, {19, 0, 0}});
  CHECK(all.thin.count + all.sharp.count + all.crowded.count == 0);
  REQUIRE(all.faces.size() == 1);
  REQUIRE(all.faces[0].size() == 1);
  CHECK(all.faces[0][0].at[0] == 11);
  CHECK(all.faces[0][0].side == 1);
}

TEST_CASE("the cells of a ball are those with their middle in it, each once, and its faces are closed") {
  const auto ball = std::make_shared<Ball>(Point{0.47, 0.52, 0.55}, 0.31);
  for (const Mesh& mesh : {cube, stretched(cube)}) {
    const SolidCells all = cells_of(ball, mesh);
    std::set<CellPlace> places(all.rim.begin(), all.rim.end());
    places.insert(all.core.begin(), all.core.end());
    for (const SolidCell& c : all.near) places.insert({c.at[0], c.at[1], c.at[2]});
    CHECK(places.size() == all.near.size() + all.rim.size() + all.core.size());
    std::size_t inside = 0;
    for (int k = 0; k < mesh.cells[2]; ++k)
      for (int j = 0; j < mesh.cells[1]; ++j)
        for (int i = 0; i < mesh.cells[0]; ++i) {
          const bool is_in = ball->distance(mesh.center(i, j, k)) < 0;
          inside += is_in;
          CHECK(is_in == places.contains({i, j, k}));
        }
    CHECK(inside == places.size());
    double sum[3] = {}, volume = 0;
    for (const SolidFace& face : all.faces[0]) {
      const double area = face.side == 0 ? face.area : -face.area;  // out of the body
      sum[face.axis] += area;
      volume += area * face.arm[face.axis] / 3;
    }
    for (const double one : sum) CHECK(std::abs(one) < 1e-12);
    CHECK(volume == doctest::Approx(4 * 3.14159265 / 3 * std::pow(0.31, 3)).epsilon(0.05));
  }
}

TEST_CASE("the near cells of a viscous gas are all that its differences read, across edges and corners too") {
  const auto ball = std::make_shared<Ball>(Point{0.47, 0.52, 0.55}, 0.31);
  for (const int corners : {1, 2}) {
    std::set<CellPlace> near;
    for (const SolidCell& c : cells_of(ball, cube, kAllOutflow, corners).near)
      near.insert({c.at[0], c.at[1], c.at[2]});
    const auto is_in = [&](int i, int j, int k) { return ball->distance(cube.center(i, j, k)) < 0; };
    for (int k = 2; k < cube.cells[2] - 2; ++k)
      for (int j = 2; j < cube.cells[1] - 2; ++j)
        for (int i = 2; i < cube.cells[0] - 2; ++i) {
          if (!is_in(i, j, k)) continue;
          bool is_read = false;
          for (int n = 0; n < 125; ++n) {
            const int x = n % 5 - 2, y = n / 5 % 5 - 2, z = n / 25 - 2;
            const int along = (x != 0) + (y != 0) + (z != 0);
            const int reach = along == 1 ? kLayers : corners;
            if (std::max({std::abs(x), std::abs(y), std::abs(z)}) <= reach)
              is_read = is_read || !is_in(i + x, j + y, k + z);
          }
          CHECK(is_read == near.contains({i, j, k}));
        }
  }
}

TEST_CASE("the faces of a body through a periodic side are those towards both ends of the mesh") {
  Boundaries periodic = kAllOutflow;
  periodic[0] = {Boundary::periodic, Boundary::periodic};
  const SolidCells through = cells_of(std::make_shared<Plate>(-1, 0.4), line, periodic),
                   ends = cells_of(std::make_shared<Plate>(-1, 0.4), line);
  CHECK(ends.faces[0].size() == 1);
  REQUIRE(through.faces[0].size() == 2);
  CHECK(through.faces[0][0].at[0] == 4);
  CHECK(through.faces[0][0].side == 0);
  CHECK(through.faces[0][1].at[0] == 19);
  CHECK(through.faces[0][1].side == 1);
  CHECK(through.faces[0][1].arm[0] == 0);  // where the body is, not the gas
}

TEST_CASE("linear fields are at probes what they are there, with their slopes") {
  const auto ball = std::make_shared<Ball>(Point{0.47, 0.52, 0.55}, 0.31);
  for (const Mesh& mesh : {cube, stretched(cube)}) {
    const SolidCells all = cells_of(ball, mesh);
    const Layout layout(mesh, kLayers);
    std::vector<double> field(static_cast<std::size_t>(layout.values()));
    const auto value = [](const Point& x) { return 2 + 3 * x[0] - x[1] + 0.5 * x[2]; };
    for (int k = 0; k < mesh.cells[2]; ++k)
      for (int j = 0; j < mesh.cells[1]; ++j)
        for (int i = 0; i < mesh.cells[0]; ++i)
          field[static_cast<std::size_t>(layout.index(i, j, k))] = value(mesh.center(i, j, k));
    for (const SolidCell& c : all.near) {
      const Point x = mesh.center(c.at[0], c.at[1], c.at[2]);
      Point probe{};
      double along = 0, bend = 0;
      for (int axis = 0; axis < 3; ++axis) {
        probe[axis] = x[axis] + (double(c.depth) + double(c.height)) * double(c.normal[axis]);
        along += (axis == 0 ? 3 : axis == 1 ? -1 : 0.5) * double(c.normal[axis]);
        bend += double(c.bend[axis]);
      }
      CHECK(ball->distance(probe) == doctest::Approx(double(c.height)).epsilon(1e-5));
      CHECK(c.height >= c.depth);
      CHECK(bend == doctest::Approx(2 / 0.31).epsilon(0.02));  // twice the mean curvature
      const AtProbe<double> at = at_probe<double>(AroundProbe(layout, c, field.data()), 0, c);
      CHECK(at.value == doctest::Approx(value(probe)).epsilon(1e-6));
      if (c.step[0] != 0 && c.step[1] != 0 && c.step[2] != 0)
        CHECK(at.slope == doctest::Approx(along).epsilon(1e-5));
    }
  }
}

TEST_CASE("groups of near cells fetch what their probes read, each pair of cells once") {
  const Layout layout(cube, kLayers);
  const auto key = [](const auto& at) { return CellPlace{at[2], at[1], at[0]}; };
  const auto check = [&](const std::vector<SolidCell>& near, bool is_full) {
    std::map<CellPlace, SolidCell> left;
    for (const SolidCell& c : near) left[key(c.at)] = c;
    const CellGroups all = groups_of(layout, near, {});
    const std::size_t groups = all.near.size() / kGroupCells;
    REQUIRE(all.near.size() == kGroupCells * groups);
    REQUIRE(all.pairs.size() == kGroupPairs * groups);
    SolidCell original;
    for (std::size_t n = 0; n < all.near.size(); ++n) {
      const GroupedCell& own = all.near[n];
      const FetchedPair* const pairs = all.pairs.data() + n / kGroupCells * kGroupPairs;
      const SolidCell c = own.cell(layout);
      if (n % kGroupCells == 0 || own.number != all.near[n - 1].number) {
        const auto found = left.find(key(c.at));
        REQUIRE(found != left.end());
        original = found->second;
        left.erase(found);
      }
      CHECK(std::equal(c.bend, c.bend + 6, original.bend));
      const RowsAroundProbe rows(layout, original);
      for (int row = 0; row < 4; ++row)
        for (const int second : {0, 1}) {
          const int at = own.first[row] + second * own.next;
          REQUIRE(at / 2 < kGroupPairs);
          CHECK(2 * std::int64_t{pairs[at / 2]} + at % 2 == rows.first[row] + second * rows.next);
        }
    }
    CHECK(left.empty());
    for (std::size_t n = 1; n < all.pairs.size(); ++n)
      if (n % kGroupPairs > 0 && all.pairs[n] != kNoPair) CHECK(all.pairs[n - 1] < all.pairs[n]);
    CHECK((groups == (near.size() + kGroupCells - 1) / kGroupCells) == is_full);
  };
  std::vector<SolidCell> near = cells_of(std::make_shared<Ball>(Point{0.47, 0.52, 0.55}, 0.41), cube).near;
  check(near, true);
  // Cells that lie far apart share little: groups end before they have all cells that they may have.
  std::erase_if(near, [](const SolidCell& c) { return (c.at[0] + 3 * c.at[1] + 5 * c.at[2]) % 7 != 0; });
  check(near, false);
}

TEST_CASE("groups have every rim cell once, each beside near cells of its brick where there are enough") {
  const Mesh mesh{{64, 64, 64}, {0, 0, 0}, {1, 1, 1}};
  const SolidCells all = cells_of(std::make_shared<Ball>(Point{0.47, 0.52, 0.55}, 0.31), mesh);
  const Layout layout(mesh, kLayers);
  const auto count_all = [&](const CellGroups& groups) {
    REQUIRE(groups.rim.size() == groups.near.size());
    std::vector<CellPlace> found;
    for (const CellNumber number : groups.rim)
      if (number != kNoCell) found.push_back(place_of(layout, number));
    std::vector<CellPlace> rim = all.rim;
    std::sort(found.begin(), found.end());
    std::sort(rim.begin(), rim.end());
    CHECK(found == rim);
  };
  const CellGroups both = groups_of(layout, all.near, all.rim);
  count_all(both);
  std::int64_t close = 0;
  for (std::size_t n = 0; n < both.rim.size(); ++n) {
    CHECK(both.near[n].number != kNoCell);
    if (both.rim[n] == kNoCell) continue;
    const CellPlace rim = place_of(layout, both.rim[n]);
    const auto first = both.near.begin() + static_cast<std::ptrdiff_t>(n / kGroupCells * kGroupCells);
    close += std::any_of(first, first + kGroupCells, [&](const GroupedCell& c) {
      const CellPlace near = place_of(layout, c.number);
      return std::abs(near[0] - rim[0]) < 16 && std::abs(near[1] - rim[1]) < 4 &&
             std::abs(near[2] - rim[2]) < 4;
    });
  }
  CHECK(close > 0.75 * double(all.rim.size()));
  // A block of the mesh may have rim cells alone.
  const CellGroups alone = groups_of(layout, {}, all.rim);
  count_all(alone);
  CHECK(alone.rim.size() / kGroupCells == (all.rim.size() + kGroupCells - 1) / kGroupCells);
  for (const GroupedCell& c : alone.near) CHECK(c.number == kNoCell);
  for (const FetchedPair pair : alone.pairs) CHECK(pair == kNoPair);
}

TEST_CASE("faces near a body have no correction, and both of their cells know it") {
  Boundaries boundaries = kAllOutflow;
  boundaries[0] = {Boundary::periodic, Boundary::periodic};
  boundaries[1] = {Boundary::reflecting, Boundary::reflecting};
  const auto ball = std::make_shared<Ball>(Point{0.12, 0.25, 0.55}, 0.22);  // through the lower side of x
  const auto periodic = [](const Point& x) { return Point{x[0] - std::floor(x[0]), x[1], x[2]}; };
  const SolidCells all = cells_of(ball, cube, boundaries, 0, true);
  CHECK(cells_of(ball, cube, boundaries).uncorrected.empty());
  const auto number = [](const std::array<int, 3>& c) {
    return static_cast<std::size_t>((c[2] * cube.cells[1] + c[1]) * cube.cells[0] + c[0]);
  };
  const auto is_solid = [&](const std::array<int, 3>& c) {
    const Point x = periodic(
        {(c[0] + 0.5) / cube.cells[0], std::abs((c[1] + 0.5) / cube.cells[1]), (c[2] + 0.5) / cube.cells[2]});
    return ball->distance(x) < 0;
  };
  const auto reads_solid = [&](const std::array<int, 3>& c, int across) {
    bool reads = is_solid(c);
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) {
        std::array<int, 3> beside = c;
        beside[static_cast<std::size_t>(axis)] += axis == across ? 0 : step;
        reads = reads || is_solid(beside);
      }
    return reads;
  };
  std::int64_t without = 0;
  for (int k = 0; k < cube.cells[2]; ++k)
    for (int j = 0; j < cube.cells[1]; ++j)
      for (int i = 0; i < cube.cells[0]; ++i) {
        const std::array<int, 3> c{i, j, k};
        if (is_solid(c)) continue;
        for (int axis = 0; axis < 3; ++axis)
          for (const int side : {0, 1}) {
            std::array<int, 3> beyond = c;
            beyond[static_cast<std::size_t>(axis)] += side == 0 ? -1 : 1;
            const bool is_uncorrected = (all.uncorrected[number(c)] >> (2 * axis + side) & 1) != 0;
            CHECK(is_uncorrected == (reads_solid(c, axis) || reads_solid(beyond, axis)));
            without += is_uncorrected;
            if (axis == 0) beyond[0] = (beyond[0] + cube.cells[0]) % cube.cells[0];
            const int n = beyond[static_cast<std::size_t>(axis)];
            if (n < 0 || n >= cube.cells[static_cast<std::size_t>(axis)] || is_solid(beyond)) continue;
            CHECK((all.uncorrected[number(beyond)] >> (2 * axis + 1 - side) & 1) == is_uncorrected);
          }
      }
  CHECK(without > 1000);
}

TEST_CASE("thin bodies, edges and gaps are counted") {
  CHECK(cells_of(std::make_shared<Plate>(1.0, 1.25), line).thin.count == 2);
  CHECK(cells_of(std::make_shared<Plate>(1.0, 1.45), line).thin.count == 0);
  const SolidCells gap = cells_of(std::make_shared<Plate>(0.35, 9), Mesh{{20, 1, 1}, {0, 0, 0}, {2, 1, 1}},
                                  {{{Boundary::reflecting, Boundary::outflow}, {}, {}}});
  CHECK(gap.layers == 0);
  CHECK(cells_of(std::make_shared<Ball>(Point{0.5, 0.5, 0.5}, 0.06), cube).sharp.count > 0);
}

TEST_CASE("cells that are filled beside a sweep neither read nor are what its part sweeps or reads") {
  const Mesh mesh{{32, 32, 64}, {0, 0, 0}, {1, 1, 1}};
  const Layout layout(mesh, kLayers);
  const SolidCells all = cells_of(std::make_shared<Ball>(Point{0.5, 0.5, 0.55}, 0.47), mesh);
  constexpr int planes = 40;
  const FillingOrder order(layout, planes, kLayers);
  std::map<Turn, int> count;
  const auto look = [&](const CellPlace& at, int first_read, int last_read, Turn turn) {
    ++count[turn];
    if (turn == Turn::beside_this_sweep) {  // the second part sweeps and reads planes - kLayers and on
      CHECK(at[2] + kLayers < planes);
      CHECK(at[2] >= kLayers);  // and the first planes through a periodic side
      CHECK(last_read < planes);
    } else if (turn == Turn::beside_next_sweep) {  // the first part sweeps and reads up to planes + kLayers
      CHECK(at[2] >= planes + kLayers);
      CHECK(first_read >= 0);
      for (int axis = 0; axis < 3; ++axis) {  // what ghost cells copy is filled before them
        CHECK(at[axis] >= kLayers);
        CHECK(at[axis] < mesh.cells[axis] - kLayers);
      }
    }
  };
  for (const SolidCell& c : all.near) {
    const int one = c.at[2] + c.base[2], other = c.at[2] + c.farthest(2);
    look({c.at[0], c.at[1], c.at[2]}, std::min(one, other), std::max(one, other), order.turn(c));
  }
  for (const CellPlace& c : all.rim) look(c, c[2], c[2], order.turn(c));
  CHECK(count[Turn::beside_this_sweep] > 2000);
  CHECK(count[Turn::beside_next_sweep] > 500);
  CHECK(count[Turn::between_sweeps] > 500);
  const CellGroups groups = CellGrouping(layout).groups_of(all.near, all.rim, order);
  CHECK(groups.turns[kTurns] == groups.count());
  std::int64_t found = 0;
  for (int turn = 0; turn < kTurns; ++turn)
    for (std::int64_t n = kGroupCells * groups.turns[turn]; n < kGroupCells * groups.turns[turn + 1]; ++n) {
      const CellNumber rim = groups.rim[static_cast<std::size_t>(n)];
      if (rim == kNoCell) continue;
      CHECK(order.turn(place_of(layout, rim)) == Turn(turn));
      ++found;
    }
  CHECK(found == std::ssize(all.rim));
}

TEST_CASE("a cell at an edge has a wall along each axis, wherever the edge is in it") {
  const Mesh mesh{{20, 20, 1}, {0, 0, 0}, {20, 20, 1}};
  for (const double x : {10.0, 10.2, 10.4, 9.6, 9.8})
    for (const double top : {8.0, 8.2, 8.4, 7.6, 7.8}) {
      INFO(x, " ", top);
      const SolidCells all = cells_of(std::make_shared<Step>(x, top), mesh);
      std::vector<SolidCell> edges;
      std::copy_if(all.near.begin(), all.near.end(), std::back_inserter(edges),
                   [](const SolidCell& c) { return c.at_edge; });
      REQUIRE(edges.size() == 1);
      CHECK(all.sharp.count >= 1);
      const SolidCell& c = edges[0];
      CHECK(c.at[0] == static_cast<int>(x + 0.5));
      CHECK(c.at[1] == static_cast<int>(top - 0.5));
      CHECK(c.step[0] == -1);
      CHECK(c.step[1] == 1);
      const double depth[2] = {c.at[0] + 0.5 - x, top - c.at[1] - 0.5};
      for (int axis = 0; axis < 2; ++axis) {
        const double height = std::max(depth[axis], 1 - depth[axis]);
        CHECK(c.slope[axis] == doctest::Approx(depth[axis] / height).epsilon(1e-5));
        CHECK(c.share[axis] == doctest::Approx(height - (1 - depth[axis])).epsilon(1e-5));
      }
    }
}

TEST_CASE("hardly anything passes the walls of a cell at an edge, whatever its pressures are") {
  const Mesh mesh{{20, 20, 1}, {0, 0, 0}, {20, 20, 1}};
  const Layout layout(mesh, kLayers);
  const BoundaryConditions<double> rules(layout, mesh, kAllOutflow, {}, {{1.4}});
  const IdealGas<double> gas{1.4};
  const SolidCells all = cells_of(std::make_shared<Step>(10, 8), mesh);
  const auto edge =
      std::find_if(all.near.begin(), all.near.end(), [](const SolidCell& c) { return c.at_edge; });
  REQUIRE(edge != all.near.end());
  const Wall walls[1] = {};
  std::vector<double> u(static_cast<std::size_t>(layout.values()), 1.0);
  const Primitive<double> before{6, 0.4, 1.1, 0, 9}, above{4.5, 1.6, 0.2, 0, 6};
  store(layout, u.data(), 9, 7, 0, to_conserved(before, gas));
  store(layout, u.data(), 10, 8, 0, to_conserved(above, gas));
  const AroundProbe<double> around(layout, *edge, u.data());
  fill_solid_cell(rules, walls, *edge, around, flow_at_probe<double>(around, *edge), u.data());
  const Primitive<double> own = to_primitive(load(layout, u.data(), 10, 7, 0), gas);
  const auto turned = [](const Primitive<double>& q) {
    return Primitive<double>{q.density, q.v, q.u, q.w, q.pressure};
  };
  const double into = Hllc::flux(before, own, gas).density,
               out = Hllc::flux(turned(own), turned(above), gas).density;
  CHECK(std::abs(into) < 0.02 * before.density * before.v);
  CHECK(std::abs(out) < 0.02 * above.density * above.u);
  // The pressures on both walls are those of gas that is mirrored.
  const auto mirrored = [](Primitive<double> q) { return q.u *= -1, q; };
  CHECK(Hllc::flux(before, own, gas).mu ==
        doctest::Approx(Hllc::flux(before, mirrored(before), gas).mu).epsilon(0.05));
  CHECK(Hllc::flux(turned(own), turned(above), gas).mu ==
        doctest::Approx(Hllc::flux(mirrored(turned(above)), turned(above), gas).mu).epsilon(0.05));
}

TEST_CASE("walls give the states that they are to") {
  const IdealGas<double> gas{1.4};
  SolidCell c;
  c.normal[0] = 1;
  c.depth = c.height = 0.5f;
  const Primitive<double> q{1.2, 0.3, -0.2, 0.1, 0.8};
  const double at_rest[3] = {};
  SUBCASE("slip: the velocity through it is mirrored, a uniform flow along it keeps its bits") {
    const Primitive<double> own = beyond_slip_wall<double>(c, at_rest, 0, {q, {}}, gas);
    CHECK(own.density == q.density);
    CHECK(own.u == -q.u);
    CHECK(own.v == q.v);
    CHECK(own.w == q.w);
    CHECK(own.pressure == q.pressure);
  }
  SUBCASE("slip: gas that follows a cylinder presses on it") {
    c.bend[1] = 0.04f;  // 1 / R
    const Primitive<double> own = beyond_slip_wall<double>(c, at_rest, 0, {q, {}}, gas);
    const double fall = q.density * q.v * q.v * 0.04;  // over a length of 1
    CHECK(own.pressure == doctest::Approx(q.pressure - fall).epsilon(1e-5));
    const double entropy = own.pressure / std::pow(own.density, 1.4);
    CHECK(entropy == doctest::Approx(q.pressure / std::pow(q.density, 1.4)).epsilon(1e-5));
  }
  SUBCASE("no slip: velocity and temperature are those of the wall on the way") {
    const double moves[3] = {0, 0.4, 0};
    const Primitive<double> adiabatic = beyond_no_slip_wall<double>(c, moves, 0, 0, q, gas),
                            held = beyond_no_slip_wall<double>(c, moves, 0, 0.7, q, gas);
    CHECK(0.5 * (adiabatic.v + q.v) == doctest::Approx(0.4));
    CHECK(0.5 * (adiabatic.u + q.u) == doctest::Approx(0));
    CHECK(adiabatic.pressure / adiabatic.density == doctest::Approx(q.pressure / q.density));
    const double of_probe = q.pressure / q.density;
    CHECK(0.5 * (held.pressure / held.density + of_probe) == doctest::Approx(0.7).epsilon(1e-3));
  }
  SUBCASE("gas that meets a wall faster than sound is mirrored, wherever the wall is between two cells") {
    c.depth = 0.1f;
    c.height = 0.9f;
    const Primitive<double> slow{1, -0.01, 0, 0, 1}, fast{1, -6, 0, 0, 1};
    CHECK(beyond_slip_wall<double>(c, at_rest, 0, {slow, {}}, gas).u ==
          doctest::Approx(0.01 / 9).epsilon(1e-3));
    CHECK(beyond_slip_wall<double>(c, at_rest, 0, {fast, {}}, gas).u > 5.5);
    CHECK(beyond_no_slip_wall<double>(c, at_rest, 0, 0, fast, gas).u > 5.5);
  }
  SUBCASE("what bends or changes within a cell is no part of it") {
    c.bend[1] = 2;
    const Primitive<double> fast{1, 0, 50, 0, 1e-3};
    const Primitive<double> own = beyond_slip_wall<double>(c, at_rest, 0, {fast, {9, 0, 40, 0, 7}}, gas);
    CHECK(own.pressure == doctest::Approx(fast.pressure).epsilon(0.01));
    CHECK(own.density == doctest::Approx(fast.density).epsilon(0.01));
    CHECK(own.v == doctest::Approx(fast.v).epsilon(0.01));
  }
}
