#include "physics/solids/solids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "physics/mesh/ghosts.hpp"
#include "physics/shapes/distances.hpp"
#include "physics/solids/cubes_of_cells.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {
namespace {

constexpr int kFarthest = 6;         // cells along an axis from a near cell to one around its probe
constexpr double kProbeStep = 0.25;  // in cells, by which a probe moves away from a crowded place
constexpr double kMostClimb = 3;     // in cells, by which it moves at most
constexpr double kEdge = 0.7;        // cosine of the angle between normals beyond which there is an edge
constexpr double kOnMiddle = 1e-6;   // share of a cell's distance to the next that counts as none

Point moved(const Point& x, double by, const Point& along) { return sum(x, multiple(by, along)); }

/// The body that a place is deepest in, or next to, and the distance from its surface.
struct Nearest {
  int body = 0;
  double distance = std::numeric_limits<double>::infinity();
};

/// Looks for the cells in bodies, and makes their records.
class Finder {
 public:
  Finder(const std::vector<Body>& bodies, const Mesh& mesh, const BoundaryConditions<double>& rules,
         const SolidReach& reach)
      : bodies_(bodies), mesh_(mesh), rules_(rules), reach_(reach) {}

  SolidCells find() {
    find_mask();
    find_records();
    find_faces();
    if (reach_.corrects_fluxes) find_uncorrected();
    return std::move(all_);
  }

 private:
  std::size_t number(const CellPlace& c) const {
    return static_cast<std::size_t>((std::int64_t{c[2]} * mesh_.cells[1] + c[1]) * mesh_.cells[0] + c[0]);
  }
  Nearest nearest(const Point& x) const {
    Nearest least;
    for (int b = 0; b < std::ssize(bodies_); ++b)
      if (const double d = bodies_[static_cast<std::size_t>(b)].surface->distance(x); d < least.distance)
        least = {b, d};
    return least;
  }

  /// Finds the mask, cube by cube: far from all surfaces one distance decides for a whole cube.
  void find_mask() {
    all_.mask.assign(static_cast<std::size_t>(mesh_.cell_count()), 0);
    const CubesOfCells cubes(mesh_);
#pragma omp parallel for schedule(dynamic, 16)
    for (std::int64_t n = 0; n < cubes.count(); ++n) find_mask_of(cubes.cube(n));
  }
  void find_mask_of(const CubeOfCells& cube) {
    std::vector<int> in_doubt;
    std::uint8_t holds_all = 0;
    for (int b = 0; b < std::ssize(bodies_); ++b) {
      const Surface& surface = *bodies_[static_cast<std::size_t>(b)].surface;
      const double d = surface.is_lipschitz() ? surface.distance(cube.middle) : 0;
      if (!cube.is_apart(d))
        in_doubt.push_back(b);
      else if (d < 0)
        holds_all = static_cast<std::uint8_t>(b + 1);
    }
    if (!holds_all && in_doubt.empty()) return;
    cube.for_cells([&](int i, int j, int k) {
      std::uint8_t own = holds_all;
      for (const int b : in_doubt)
        if (!own && bodies_[static_cast<std::size_t>(b)].surface->distance(mesh_.center(i, j, k)) < 0)
          own = static_cast<std::uint8_t>(b + 1);
      all_.mask[number({i, j, k})] = own;
    });
  }

  static CellPlace beside(CellPlace c, int axis, int cells) {
    c[axis] += cells;
    return c;
  }
  /// Whether a cell of the mesh or beyond its sides holds gas.
  bool is_gas(const CellPlace& c) const {
    int at[3];
    bool mirrored[3];
    if (ghost_source(rules_, c[0], c[1], c[2], at, mirrored) != GhostSource::cell) return true;
    return all_.mask[number({at[0], at[1], at[2]})] == 0;
  }

  /// Whether a stage in the gas reads the solid cell. Sets `thin` where it does from both sides of an axis.
  bool is_read(const CellPlace& c, bool& thin) const {
    bool read = false;
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh_.active(axis)) continue;
      bool sides[2] = {};
      for (const int side : {0, 1})
        for (int n = 1; n <= reach_.along_axes; ++n)
          sides[side] = sides[side] || is_gas(beside(c, axis, side ? n : -n));
      read = read || sides[0] || sides[1];
      thin = thin || (sides[0] && sides[1]);
    }
    return read || (reach_.corners > 0 && has_gas_within(c, reach_.corners));
  }
  bool has_gas_within(const CellPlace& c, int cells) const {
    bool found = false;
    for_cells_around(c, cells, [&](const CellPlace& other) { found = found || is_gas(other); });
    return found;
  }
  template <class F>
  void for_cells_around(const CellPlace& c, int cells, F f) const {
    const auto wide = [&](int axis) { return mesh_.active(axis) ? cells : 0; };
    for (int k = -wide(2); k <= wide(2); ++k)
      for (int j = -wide(1); j <= wide(1); ++j)
        for (int i = -wide(0); i <= wide(0); ++i) f(CellPlace{c[0] + i, c[1] + j, c[2] + k});
  }

  /// Makes the records of a row at a time, so that they follow the mesh's order whatever the threads.
  void find_records() {
    std::vector<SolidCells> of_rows(static_cast<std::size_t>(row_count()));
    is_near_.assign(all_.mask.size(), 0);
    for_rows([&](int j, int k, std::size_t row) { find_near(j, k, of_rows[row]); });
    for_rows([&](int j, int k, std::size_t row) { find_deep(j, k, of_rows[row]); });
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    const auto merge = [](CountedCells& to, const CountedCells& from) {
      if (to.count == 0) to.first = from.first;
      to.count += from.count;
    };
    for (const SolidCells& own : of_rows) {
      append(all_.near, own.near);
      append(all_.rim, own.rim);
      append(all_.core, own.core);
      if (!all_.sample) all_.sample = own.sample;
      all_.layers = std::max(all_.layers, own.layers);
      all_.farthest = std::max(all_.farthest, own.farthest);
      merge(all_.thin, own.thin);
      merge(all_.sharp, own.sharp);
      merge(all_.crowded, own.crowded);
    }
  }
  std::int64_t row_count() const { return std::int64_t{mesh_.cells[1]} * mesh_.cells[2]; }
  template <class F>
  void for_rows(F f) const {
#pragma omp parallel for schedule(dynamic, 4)
    for (std::int64_t row = 0; row < row_count(); ++row)
      f(static_cast<int>(row % mesh_.cells[1]), static_cast<int>(row / mesh_.cells[1]),
        static_cast<std::size_t>(row));
  }
  void find_near(int j, int k, SolidCells& to) {
    for (int i = 0; i < mesh_.cells[0]; ++i) {
      const CellPlace c{i, j, k};
      bool thin = false;
      if (all_.mask[number(c)] == 0 || !is_read(c, thin)) continue;
      is_near_[number(c)] = 1;
      to.near.push_back(record(c, to));
      if (thin) to.thin.add(c);
    }
  }
  void find_deep(int j, int k, SolidCells& to) const {
    for (int i = 0; i < mesh_.cells[0]; ++i) {
      const CellPlace c{i, j, k};
      if (all_.mask[number(c)] == 0 || is_near_[number(c)]) continue;
      (reads_near(c) ? to.rim : to.core).push_back(c);
      if (!to.sample) to.sample = c;
    }
  }
  /// Finds the faces between gas and bodies, also through periodic sides.
  void find_faces() {
    all_.faces.resize(bodies_.size());
    for (const SolidCell& cell : all_.near) {
      const CellPlace c{cell.at[0], cell.at[1], cell.at[2]};
      for (int axis = 0; axis < 3; ++axis)
        for (const int side : {0, 1}) {
          int beside[3] = {c[0], c[1], c[2]}, gas[3];
          bool mirrored[3];
          beside[axis] += side == 0 ? 1 : -1;  // the face lies on this side of the gas
          if (ghost_source(rules_, beside[0], beside[1], beside[2], gas, mirrored) == GhostSource::cell &&
              all_.mask[number({gas[0], gas[1], gas[2]})] == 0)
            all_.faces[cell.body].push_back(face(cell, {gas[0], gas[1], gas[2]}, axis, side));
        }
    }
    const auto place = [](const SolidFace& f) {
      return std::array{f.at[2], f.at[1], f.at[0], f.axis, f.side};
    };
    for (std::vector<SolidFace>& of_body : all_.faces)
      std::sort(of_body.begin(), of_body.end(),
                [&](const SolidFace& a, const SolidFace& b) { return place(a) < place(b); });
  }
  /// Finds the faces whose fourth-order correction would read a cell in a body.
  void find_uncorrected() {
    all_.uncorrected.assign(all_.mask.size(), 0);
    for_rows([&](int j, int k, std::size_t) {
      for (int i = 0; i < mesh_.cells[0]; ++i) {
        const CellPlace c{i, j, k};
        if (all_.mask[number(c)] == 0 && has_solid_beside(c)) all_.uncorrected[number(c)] = uncorrected(c);
      }
    });
  }
  /// Whether one of the cells around a cell, those at corners included, lies in a body.
  bool has_solid_beside(const CellPlace& c) const {
    bool found = false;
    for_cells_around(c, 1, [&](const CellPlace& other) {
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis)
        inside = inside && other[axis] >= 0 && other[axis] < mesh_.cells[axis];
      found = found || (inside ? all_.mask[number(other)] != 0 : !is_gas(other));
    });
    return found;
  }
  /// Returns those faces of a cell. Corrections read the two cells beside a face, and the neighbours of those
  /// along the other axes.
  std::uint8_t uncorrected(const CellPlace& c) const {
    const auto reads_solid = [&](const CellPlace& cell, int across) {
      bool reads = !is_gas(cell);
      for (int axis = 0; axis < 3; ++axis)
        for (const int step : {-1, 1})
          reads = reads || (axis != across && mesh_.active(axis) && !is_gas(beside(cell, axis, step)));
      return reads;
    };
    int faces = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) {
        const CellPlace beyond = beside(c, axis, side == 0 ? -1 : 1);
        if (mesh_.active(axis) && (reads_solid(c, axis) || reads_solid(beyond, axis)))
          faces |= 1 << (2 * axis + side);
      }
    return static_cast<std::uint8_t>(faces);
  }
  /// Returns the face between a cell in a body and one of gas, on that side of the gas.
  SolidFace face(const SolidCell& solid, const CellPlace& gas, int axis, int side) const {
    const Box box = mesh_.cell(solid.at[0], solid.at[1], solid.at[2]);
    const Point& about = bodies_[solid.body].wall.about;
    SolidFace face{{gas[0], gas[1], gas[2]}, axis, side, 1, {}};
    for (int n = 0; n < 3; ++n) {
      if (n != axis) face.area *= box.width(n);
      const double middle = n != axis ? box.center(n) : side == 0 ? box.upper[n] : box.lower[n];
      face.arm[n] = mesh_.active(n) ? middle - about[n] : 0;
    }
    return face;
  }

  /// Whether a stage in the deep cell reads a near one.
  bool reads_near(const CellPlace& c) const {
    bool reads = false;
    const auto look = [&](const CellPlace& other) {
      int at[3];
      bool mirrored[3];
      const GhostSource source = ghost_source(rules_, other[0], other[1], other[2], at, mirrored);
      reads = reads || (source == GhostSource::cell && is_near_[number({at[0], at[1], at[2]})]);
    };
    for (int axis = 0; axis < 3; ++axis)
      for (int n = -reach_.along_axes; mesh_.active(axis) && n <= reach_.along_axes; ++n)
        look(beside(c, axis, n));
    if (reach_.corners > 0) for_cells_around(c, reach_.corners, look);
    return reads;
  }

  SolidCell record(const CellPlace& c, SolidCells& to) const {
    const Point x = mesh_.center(c[0], c[1], c[2]);
    const Nearest own = nearest(x);
    const Surface& surface = *bodies_[static_cast<std::size_t>(own.body)].surface;
    bool sharp = false;
    const Point normal = normal_at(surface, x, c, sharp);
    const double cell = width_along(normal, c);
    double depth = std::max(-own.distance, 0.0);
    depth = std::max(depth - surface.distance(moved(x, depth, normal)), 0.0);
    const Point foot = moved(x, depth, normal);

    SolidCell record;
    record.body = static_cast<std::uint8_t>(own.body);
    record.depth = static_cast<float>(depth);
    for (int axis = 0; axis < 3; ++axis) {
      record.at[axis] = c[axis];
      record.normal[axis] = static_cast<float>(normal[axis]);
    }
    find_bend(surface, foot, c, cell, record, sharp);
    if (put_at_edge(surface, c, record)) {
      sharp = true;
    } else if (!place_probe(foot, normal, cell, record)) {
      take_nearest(foot, normal, cell, record);
      to.crowded.add(c);
    }
    if (sharp) to.sharp.add(c);
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh_.active(axis)) continue;
      const int first = c[axis] + record.base[axis], last = c[axis] + record.farthest(axis);
      const int low = std::min(first, last), high = std::max(first, last);
      to.layers = std::max({to.layers, -low, high - mesh_.cells[axis] + 1});
      to.farthest = std::max({to.farthest, c[axis] - low, high - c[axis]});
    }
    return record;
  }

  /// Returns the unit normal of the surface through x, out of the body. Where the distance has no gradient of
  /// length 1, at an edge or in the middle of a body, the place is `sharp`.
  Point normal_at(const Surface& surface, const Point& x, const CellPlace& c, bool& sharp) const {
    Point gradient{};
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh_.active(axis)) continue;
      const double step = 1e-3 * mesh_.width(axis, c[axis]);
      Point low = x, high = x;
      low[axis] -= step;
      high[axis] += step;
      gradient[axis] = (surface.distance(high) - surface.distance(low)) / (2 * step);
    }
    const double length = std::hypot(gradient[0], gradient[1], gradient[2]);
    sharp = sharp || std::abs(length - 1) > 0.1;
    if (!(length > 0)) {
      Point along_first{};
      for (int axis = 2; axis >= 0; --axis)
        if (mesh_.active(axis)) along_first = {axis == 0 ? 1. : 0., axis == 1 ? 1. : 0., axis == 2 ? 1. : 0.};
      return along_first;
    }
    return {gradient[0] / length, gradient[1] / length, gradient[2] / length};
  }
  /// Returns the width of the cell along a direction.
  double width_along(const Point& unit, const CellPlace& c) const {
    double inverse2 = 0;
    for (int axis = 0; axis < 3; ++axis)
      if (mesh_.active(axis)) inverse2 += std::pow(unit[axis] / mesh_.width(axis, c[axis]), 2);
    return 1 / std::sqrt(inverse2);
  }

  /// Finds the second derivatives of the distance at the surface; none where it bends within a cell.
  void find_bend(const Surface& surface, const Point& foot, const CellPlace& c, double cell,
                 SolidCell& record, bool& sharp) const {
    const auto step = [&](int axis) { return mesh_.active(axis) ? 0.5 * mesh_.width(axis, c[axis]) : 0; };
    const auto at = [&](int a, int sign_a, int b, int sign_b) {
      Point x = foot;
      x[a] += sign_a * step(a);
      x[b] += sign_b * step(b);
      return surface.distance(x);
    };
    const double middle = surface.distance(foot);
    double bend[6] = {}, most = 0;
    for (int a = 0; a < 3; ++a) {
      if (!mesh_.active(a)) continue;
      bend[a] = (at(a, 1, a, 0) - 2 * middle + at(a, -1, a, 0)) / (step(a) * step(a));
      for (int b = a + 1; b < 3; ++b)
        if (mesh_.active(b))
          bend[a + b + 2] = (at(a, 1, b, 1) - at(a, 1, b, -1) - at(a, -1, b, 1) + at(a, -1, b, -1)) /
                            (4 * step(a) * step(b));
    }
    for (const double one : bend) most = std::max(most, std::abs(one));
    if (most * cell > 0.5) sharp = true;
    for (int n = 0; n < 6; ++n) record.bend[n] = most * cell > 0.5 ? 0 : static_cast<float>(bend[n]);
  }

  /// Makes the record of a cell at an edge: there is gas beside it along several axes, along none on both
  /// sides, and the surface before it looks in different directions. Returns false elsewhere.
  bool put_at_edge(const Surface& surface, const CellPlace& c, SolidCell& record) const {
    int step[3] = {}, walls = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh_.active(axis)) continue;
      const bool below = is_gas(beside(c, axis, -1)), above = is_gas(beside(c, axis, 1));
      if (below && above) return false;
      step[axis] = above ? 1 : below ? -1 : 0;
      walls += step[axis] != 0;
    }
    if (walls < 2) return false;  // before looking for normals, which takes distances
    std::vector<Point> normals;
    for (int axis = 0; axis < 3; ++axis) {
      if (step[axis] == 0) continue;
      bool sharp = false;
      normals.push_back(normal_at(surface, middle_beside(c, axis, step[axis]), c, sharp));
    }
    const auto differ = [&](const Point& a) {
      return std::any_of(normals.begin(), normals.end(), [&](const Point& b) { return dot(a, b) < kEdge; });
    };
    if (std::none_of(normals.begin(), normals.end(), differ)) return false;
    set_probe(c, step, {}, record);
    record.at_edge = true;
    for (int axis = 0; axis < 3; ++axis)
      if (step[axis] != 0) put_wall(c, axis, record);
    return true;
  }
  Point middle_beside(const CellPlace& c, int axis, int cells) const {
    Point x = mesh_.center(c[0], c[1], c[2]);
    x[axis] = middle(axis, c[axis] + cells);
    return x;
  }
  /// Puts the probe of a wall of a cell at an edge as high as the cell is deep, or into the cell beside it
  /// where that is higher. At an edge of three walls it is there always.
  void put_wall(const CellPlace& c, int axis, SolidCell& record) const {
    const int step = record.step[axis];
    const Point inside = middle_beside(c, axis, 0), outside = middle_beside(c, axis, step);
    const double to_beside = std::abs(outside[axis] - inside[axis]);
    double low = 0, high = 1;  // shares of that way, on both sides of the surface
    for (int n = 0; n < 40; ++n) {
      const double between = 0.5 * (low + high);
      (nearest(moved(inside, between, difference(outside, inside))).distance < 0 ? low : high) = between;
    }
    const double depth = high * to_beside, of_beside = to_beside - depth;
    const bool goes_on = record.walls() == 2 && is_gas(beside(c, axis, 2 * step));
    const double height = goes_on ? std::max(depth, of_beside) : std::max(of_beside, 0.5 * depth);
    const double to_next = std::abs(middle(axis, c[axis] + 2 * step) - outside[axis]);
    record.share[axis] = goes_on ? static_cast<float>((height - of_beside) / to_next) : 0;
    record.slope[axis] = static_cast<float>(depth / height);
  }

  /// Puts the probe as high as the cell is deep, or higher until there is gas alone around it. Returns false
  /// where there is none.
  bool place_probe(const Point& foot, const Point& normal, double cell, SolidCell& record) const {
    const double depth = double(record.depth), lowest = std::max(depth, kProbeStep * cell);
    for (double climb = 0; climb <= kMostClimb; climb += kProbeStep) {
      const double height = lowest + climb * cell;
      if (!put_among(moved(foot, height, normal), record)) continue;
      record.height = static_cast<float>(height);
      return true;
    }
    return false;
  }
  /// Sets the cells around the place and their shares. Returns false where one of them is solid or too far.
  bool put_among(const Point& x, SolidCell& record) const {
    CellPlace base{};
    float share[3] = {};
    int step[3] = {};
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh_.active(axis)) continue;
      const double in_cells = mesh_.in_cells(axis, x[axis]) - 0.5;
      if (std::abs(in_cells - record.at[axis]) > kFarthest) return false;
      base[axis] = static_cast<int>(std::floor(in_cells));
      double of_next =
          (x[axis] - middle(axis, base[axis])) / (middle(axis, base[axis] + 1) - middle(axis, base[axis]));
      if (of_next > 1 - kOnMiddle) of_next = 0, ++base[axis];
      if (of_next < kOnMiddle) of_next = 0;
      share[axis] = static_cast<float>(of_next);
      step[axis] = of_next > 0;
    }
    if (!are_gas(base, step)) return false;
    // In the middle of a cell along an axis the next cell has no share, but it shows a gradient.
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh_.active(axis) || share[axis] > 0 || record.normal[axis] == 0) continue;
      step[axis] = record.normal[axis] > 0 ? 1 : -1;
      if (std::abs(base[axis] + step[axis] - record.at[axis]) > kFarthest || !are_gas(base, step))
        step[axis] = 0;
    }
    set_probe(base, step, share, record);
    return true;
  }
  double middle(int axis, int n) const { return 0.5 * (mesh_.face(axis, n) + mesh_.face(axis, n + 1)); }
  /// Whether a cell and the next ones along the axes are gas.
  bool are_gas(const CellPlace& base, const int (&step)[3]) const {
    for (int k = 0; k <= std::abs(step[2]); ++k)
      for (int j = 0; j <= std::abs(step[1]); ++j)
        for (int i = 0; i <= std::abs(step[0]); ++i)
          if (!is_gas({base[0] + i * step[0], base[1] + j * step[1], base[2] + k * step[2]})) return false;
    return true;
  }
  void set_probe(const CellPlace& base, const int (&step)[3], const float (&share)[3],
                 SolidCell& record) const {
    for (int axis = 0; axis < 3; ++axis) {
      record.base[axis] = static_cast<std::int8_t>(base[axis] - record.at[axis]);
      record.step[axis] = static_cast<std::int8_t>(step[axis]);
      record.share[axis] = share[axis];
      record.slope[axis] =
          step[axis] == 0 ? 0
                          : record.normal[axis] / static_cast<float>(middle(axis, base[axis] + step[axis]) -
                                                                     middle(axis, base[axis]));
    }
  }

  /// Takes the gas of the nearest cell that has some for the probe's.
  void take_nearest(const Point& foot, const Point& normal, double cell, SolidCell& record) const {
    const CellPlace own{record.at[0], record.at[1], record.at[2]};
    double least = std::numeric_limits<double>::infinity();
    for_cells_around(own, std::max(reach_.along_axes, 1), [&](const CellPlace& other) {
      if (!is_gas(other)) return;
      const Point x = mesh_.center(other[0], other[1], other[2]);
      double square = 0, along = 0;
      for (int axis = 0; axis < 3; ++axis) {
        square += std::pow(x[axis] - foot[axis], 2);
        along += (x[axis] - foot[axis]) * normal[axis];
      }
      if (square >= least) return;
      least = square;
      set_probe(other, {}, {}, record);
      record.height = static_cast<float>(std::max({along, double(record.depth), kProbeStep * cell}));
    });
  }

  const std::vector<Body>& bodies_;
  const Mesh& mesh_;
  const BoundaryConditions<double>& rules_;
  SolidReach reach_;
  SolidCells all_;
  std::vector<std::uint8_t> is_near_;
};

/// Returns what a block has of a byte for each cell of the mesh.
std::vector<std::uint8_t> bytes_in(const std::vector<std::uint8_t>& all, const Mesh& mesh,
                                   const Mesh& block) {
  std::vector<std::uint8_t> own;
  own.reserve(static_cast<std::size_t>(block.cell_count()));
  for (int k = block.first[2]; k < block.first[2] + block.cells[2]; ++k)
    for (int j = block.first[1]; j < block.first[1] + block.cells[1]; ++j) {
      const std::int64_t row = (std::int64_t{k} * mesh.cells[1] + j) * mesh.cells[0] + block.first[0];
      own.insert(own.end(), all.begin() + row, all.begin() + row + block.cells[0]);
    }
  return own;
}

/// Returns the cells of a block, in its indices, of those of the whole mesh.
SolidCells cells_in(const SolidCells& all, const Mesh& mesh, const Mesh& block) {
  SolidCells own;
  const auto enter = [&](auto& at) {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] -= block.first[axis];
      inside = inside && at[axis] >= 0 && at[axis] < block.cells[axis];
    }
    return inside;
  };
  for (SolidCell cell : all.near)
    if (enter(cell.at)) own.near.push_back(cell);
  for (CellPlace cell : all.rim)
    if (enter(cell)) own.rim.push_back(cell);
  for (CellPlace cell : all.core)
    if (enter(cell)) own.core.push_back(cell);
  for (const std::vector<SolidFace>& of_body : all.faces) {
    own.faces.emplace_back();
    for (SolidFace face : of_body)
      if (enter(face.at)) own.faces.back().push_back(face);
  }
  if (CellPlace cell = all.sample.value_or(CellPlace{}); all.sample && enter(cell)) own.sample = cell;
  own.mask = bytes_in(all.mask, mesh, block);
  if (!all.uncorrected.empty()) own.uncorrected = bytes_in(all.uncorrected, mesh, block);
  own.layers = own.farthest = all.farthest;
  return own;
}

}  // namespace

std::vector<Wall> walls_of(const std::vector<Body>& bodies) {
  std::vector<Wall> walls;
  for (const Body& body : bodies) walls.push_back(body.wall);
  return walls;
}

Solids::Solids(std::vector<Body> bodies, const Mesh& mesh, const BoundaryConditions<double>& rules,
               const SolidReach& reach)
    : Solids(std::move(bodies), mesh,
             [this, rules, reach] { return Finder(bodies_, mesh_, rules, reach).find(); }) {}

const SolidCells& Solids::cells() const {
  std::call_once(found_, [&] { cells_ = std::make_shared<const SolidCells>(find_()); });
  return *cells_;
}

int Solids::layers() const { return cells().layers; }

std::shared_ptr<const Solids> Solids::in_block(const Mesh& own) const {
  return std::make_shared<Solids>(bodies_, own, [own, whole = shared_from_this()] {
    return cells_in(whole->cells(), whole->mesh_, own);
  });
}

}  // namespace halfstep
