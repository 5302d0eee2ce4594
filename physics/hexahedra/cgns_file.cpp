#include "physics/hexahedra/cgns_file.hpp"

#include "physics/hexahedra/hexahedra_error.hpp"

#if HALFSTEP_HAS_CGNS

#include <cgnslib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "physics/base/short_text.hpp"
#include "physics/hexahedra/cgns_nodes.hpp"
#include "physics/hexahedra/connect.hpp"
#include "physics/hexahedra/jacobian.hpp"

namespace halfstep {
namespace {

constexpr std::size_t kLongestName = 1024;

/// The types of elements with all nodes of an order.
struct FullType {
  CGNS_ENUMT(ElementType_t) type;
  int order, dimensions;
};
constexpr FullType kFullTypes[] = {{CGNS_ENUMV(HEXA_8), 1, 3},  {CGNS_ENUMV(HEXA_27), 2, 3},
                                   {CGNS_ENUMV(HEXA_64), 3, 3}, {CGNS_ENUMV(HEXA_125), 4, 3},
                                   {CGNS_ENUMV(QUAD_4), 1, 2},  {CGNS_ENUMV(QUAD_9), 2, 2},
                                   {CGNS_ENUMV(QUAD_16), 3, 2}, {CGNS_ENUMV(QUAD_25), 4, 2}};

std::optional<FullType> full_type(CGNS_ENUMT(ElementType_t) type) {
  for (const FullType& full : kFullTypes)
    if (full.type == type) return full;
  return std::nullopt;
}

/// Returns how many dimensions an element of any type has.
int dimensions_of(CGNS_ENUMT(ElementType_t) type) {
  const std::string name = cg_ElementTypeName(type);
  if (name == "NODE") return 0;
  for (const char* start : {"BAR", "TRI", "QUAD", "NGON"})
    if (name.starts_with(start)) return start[0] == 'B' ? 1 : 2;
  return 3;
}

/// A file that is open for reading.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) {
    expect_database(path);
    if (cg_open(path.c_str(), CG_MODE_READ, &number_) != CG_OK)
      throw HexahedraError("'" + path + "' is no CGNS file: " + cg_get_error(), "write it again");
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { cg_close(number_); }
  int number() const { return number_; }

 private:
  /// Refuses what begins as neither of the two formats. The library reads on in any file.
  static void expect_database(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 32> start{};
    if (!in || std::filesystem::is_directory(path))
      throw HexahedraError("cannot read '" + path + "'", "its path begins at the working directory");
    in.read(start.data(), start.size());
    const std::string_view text(start.data(), start.size());
    if (!text.starts_with("\x89HDF\r\n\x1a\n") && text.find("ADF Database") == text.npos)
      throw HexahedraError("'" + path + "' is no CGNS file", "such a file is an HDF5 or an ADF database");
  }

  int number_ = 0;
};

/// Throws where a call of the library failed.
void expect(int code) {
  if (code != CG_OK)
    throw HexahedraError(std::string("the file cannot be read: ") + cg_get_error(), "write it again");
}

using Corners = std::vector<std::int64_t>;  // of a face, sorted

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path) {}

  Hexahedra read() {
    find_zone();
    read_places();
    if (zone_type_ == CGNS_ENUMV(Structured))
      make_structured();
    else
      read_sections();
    if (mesh_.count == 0)
      throw HexahedraError(
          mesh_.dimensions == 3 ? "the zone has no hexahedra" : "the zone has no quadrilaterals",
          "write the mesh's elements, beside those of its sides");
    if (mesh_.dimensions == 2) move_to_plane();
    mend_left_handed(mesh_, corners_);
    expect_positive_jacobians(mesh_);
    read_boundaries();
    connect(mesh_, corners_, [this](std::span<const std::int64_t> corners) { return side_of(corners); });
    forget_empty_sides();
    return std::move(mesh_);
  }

 private:
  void find_zone() {
    int bases = 0, zones = 0, cell = 0, physical = 0;
    expect(cg_nbases(file_.number(), &bases));
    if (bases != 1)
      throw HexahedraError("the file has " + std::to_string(bases) + " bases", "write one base");
    std::array<char, kLongestName> name{};
    expect(cg_base_read(file_.number(), 1, name.data(), &cell, &physical));
    if (cell < 2 || cell > physical)
      throw HexahedraError(
          "the base has cells of " + std::to_string(cell) + " dimensions in " + std::to_string(physical),
          "hexahedra have 3 of 3, quadrilaterals 2 of 2 or 3");
    mesh_.dimensions = cell;
    expect(cg_nzones(file_.number(), 1, &zones));
    if (zones != 1)
      throw HexahedraError("the file has " + std::to_string(zones) + " zones",
                           "join them to one unstructured zone, with one vertex at each place");
    expect(cg_zone_type(file_.number(), 1, 1, &zone_type_));
    expect(cg_zone_read(file_.number(), 1, 1, name.data(), size_.data()));
  }

  void read_places() {
    cgsize_t count = size_[0], first[] = {1, 1, 1}, last[] = {count, 1, 1};
    if (zone_type_ == CGNS_ENUMV(Structured))
      for (int axis = 0; axis < mesh_.dimensions; ++axis) {
        last[axis] = size_[axis];
        count = axis == 0 ? size_[axis] : count * size_[axis];
      }
    if (count < 1 || *std::min_element(last, last + mesh_.dimensions) < 1)
      throw HexahedraError("the zone has no vertices", "write the file again");
    places_.assign(static_cast<std::size_t>(count), Point{});
    std::vector<double> values(places_.size());
    for (int axis = 0; axis < 3; ++axis) {
      const std::string name = std::string("Coordinate") + "XYZ"[axis];
      if (axis == 2 && mesh_.dimensions == 2 && !has_coordinate(name)) continue;
      if (!has_coordinate(name))
        throw HexahedraError("the zone has no " + name, "write Cartesian coordinates");
      expect(cg_coord_read(file_.number(), 1, 1, name.c_str(), CGNS_ENUMV(RealDouble), first, last,
                           values.data()));
      for (std::size_t n = 0; n < values.size(); ++n) {
        places_[n][axis] = values[n];
        if (!std::isfinite(values[n]))
          throw HexahedraError("vertex " + std::to_string(n + 1) + " has a coordinate that is not finite",
                               "write the file again; vertices count from 1");
      }
    }
  }

  bool has_coordinate(const std::string& name) const {
    int count = 0;
    expect(cg_ncoords(file_.number(), 1, 1, &count));
    for (int n = 1; n <= count; ++n) {
      CGNS_ENUMT(DataType_t) type{};
      std::array<char, kLongestName> own{};
      expect(cg_coord_info(file_.number(), 1, 1, n, &type, own.data()));
      if (name == own.data()) return true;
    }
    return false;
  }

  /// Makes the mesh one of the plane z = 0.
  void move_to_plane() {
    double size = 0, lowest = places_[0][2], highest = lowest;
    for (const Point& x : places_) {
      size = std::max({size, std::abs(x[0] - places_[0][0]), std::abs(x[1] - places_[0][1])});
      lowest = std::min(lowest, x[2]);
      highest = std::max(highest, x[2]);
    }
    if (highest - lowest > 1e-9 * size)
      throw HexahedraError(
          "the quadrilaterals reach from z = " + short_text(lowest) + " to " + short_text(highest),
          "a mesh in two dimensions is in the plane of x and y");
    for (Point& x : mesh_.nodes) x[2] = 0;
  }

  void make_structured() {
    mesh_.order = 1;
    const std::int64_t nx = size_[0], ny = size_[1], nz = mesh_.dimensions == 3 ? size_[2] : 2;
    const int layers = mesh_.dimensions == 3 ? 2 : 1;
    for (std::int64_t k = 0; k + 1 < nz; ++k)
      for (std::int64_t j = 0; j + 1 < ny; ++j)
        for (std::int64_t i = 0; i + 1 < nx; ++i, ++mesh_.count)
          for (int n = 0; n < 4 * layers; ++n) {
            corners_.push_back(((k + (n >> 2)) * ny + j + (n >> 1 & 1)) * nx + i + (n & 1));
            mesh_.nodes.push_back(places_[static_cast<std::size_t>(corners_.back())]);
          }
  }

  void read_sections() {
    int sections = 0;
    expect(cg_nsections(file_.number(), 1, 1, &sections));
    for (int section = 1; section <= sections; ++section) read_section(section);
  }

  void read_section(int section) {
    std::array<char, kLongestName> name{};
    CGNS_ENUMT(ElementType_t) type{};
    cgsize_t first = 0, last = 0, length = 0;
    int boundary = 0, parents = 0;
    expect(cg_section_read(file_.number(), 1, 1, section, name.data(), &type, &first, &last, &boundary,
                           &parents));
    if (type == CGNS_ENUMV(NGON_n) || type == CGNS_ENUMV(NFACE_n)) refuse_type(name.data(), type);
    expect(cg_ElementDataSize(file_.number(), 1, 1, section, &length));
    std::vector<cgsize_t> nodes(static_cast<std::size_t>(std::max<cgsize_t>(length, 0)));
    const bool is_mixed = type == CGNS_ENUMV(MIXED);
    if (is_mixed) {
      std::vector<cgsize_t> offsets(static_cast<std::size_t>(std::max<cgsize_t>(last - first, -1) + 2));
      expect(cg_poly_elements_read(file_.number(), 1, 1, section, nodes.data(), offsets.data(), nullptr));
    } else {
      expect(cg_elements_read(file_.number(), 1, 1, section, nodes.data(), nullptr));
    }
    std::span<const cgsize_t> rest(nodes);
    for (cgsize_t number = first; number <= last; ++number) {
      if (is_mixed) type = static_cast<CGNS_ENUMT(ElementType_t)>(taken(rest, 1)[0]);
      int own = 0;
      expect(cg_npe(type, &own));
      add_element(name.data(), type, number, taken(rest, own));
    }
  }

  /// Returns the first numbers of those of a section's elements, and leaves the others.
  static std::span<const cgsize_t> taken(std::span<const cgsize_t>& rest, int count) {
    const auto own = static_cast<std::size_t>(count);
    if (count < 1 || rest.size() < own)
      throw HexahedraError("a section has fewer nodes than its elements", "write the file again");
    const std::span<const cgsize_t> first = rest.first(own);
    rest = rest.subspan(own);
    return first;
  }

  [[noreturn]] static void refuse_type(const std::string& section, CGNS_ENUMT(ElementType_t) type) {
    throw HexahedraError("the section '" + section + "' has elements " + cg_ElementTypeName(type),
                         "take HEXA_8, HEXA_27, HEXA_64 or HEXA_125, in a plane QUAD_4, QUAD_9, QUAD_16 or "
                         "QUAD_25");
  }

  /// Takes an element of the mesh, or one of a face that boundary conditions may name by its number.
  void add_element(const std::string& section, CGNS_ENUMT(ElementType_t) type, cgsize_t number,
                   std::span<const cgsize_t> nodes) {
    const int dimensions = dimensions_of(type);
    if (dimensions == mesh_.dimensions - 1) {
      const std::size_t corners = dimensions == 1                                   ? 2
                                  : std::string(cg_ElementTypeName(type))[0] == 'T' ? 3
                                                                                    : 4;
      Corners own;
      for (std::size_t n = 0; n < corners; ++n) own.push_back(vertex(nodes[n]));
      std::sort(own.begin(), own.end());
      faces_[number] = std::move(own);
    }
    if (dimensions != mesh_.dimensions) return;
    const std::optional<FullType> full = full_type(type);
    if (!full) refuse_type(section, type);
    if (mesh_.count > 0 && full->order != mesh_.order)
      throw HexahedraError("the section '" + section + "' has elements of order " +
                               std::to_string(full->order) + ", others are of order " +
                               std::to_string(mesh_.order),
                           "write elements of one order");
    mesh_.order = full->order;
    ++mesh_.count;
    add_nodes(nodes);
  }

  void add_nodes(std::span<const cgsize_t> nodes) {
    if (order_of_nodes_.empty()) order_of_nodes_ = cgns_nodes(mesh_.order, mesh_.dimensions);
    const std::size_t first = mesh_.nodes.size();
    mesh_.nodes.resize(first + order_of_nodes_.size());
    for (std::size_t n = 0; n < order_of_nodes_.size(); ++n)
      mesh_.nodes[first + static_cast<std::size_t>(order_of_nodes_[n])] =
          places_[static_cast<std::size_t>(vertex(nodes[n]))];
    // CGNS goes around a face; the third corner in tensor order is its fourth.
    for (int layer = 0; layer < mesh_.dimensions - 1; ++layer)
      for (const std::size_t n : {0, 1, 3, 2})
        corners_.push_back(vertex(nodes[4 * static_cast<std::size_t>(layer) + n]));
  }

  /// Returns a vertex counted from 0.
  std::int64_t vertex(cgsize_t number) const {
    if (number < 1 || static_cast<std::size_t>(number) > places_.size())
      throw HexahedraError(
          "an element has the vertex " + std::to_string(number) + " of " + std::to_string(places_.size()),
          "write the file again; vertices count from 1");
    return std::int64_t{number} - 1;
  }

  void read_boundaries() {
    int count = 0;
    expect(cg_nbocos(file_.number(), 1, 1, &count));
    for (int n = 1; n <= count; ++n) read_boundary(n);
  }

  void read_boundary(int n) {
    std::array<char, kLongestName> own_name{};
    CGNS_ENUMT(BCType_t) kind{};
    CGNS_ENUMT(PointSetType_t) form{};
    CGNS_ENUMT(DataType_t) normals{};
    CGNS_ENUMT(GridLocation_t) location{};
    cgsize_t points = 0, normal_size = 0;
    int sets = 0, normal_index[3] = {};
    expect(cg_boco_info(file_.number(), 1, 1, n, own_name.data(), &kind, &form, &points, normal_index,
                        &normal_size, &normals, &sets));
    expect(cg_boco_gridlocation_read(file_.number(), 1, 1, n, &location));
    const int indices = zone_type_ == CGNS_ENUMV(Structured) ? mesh_.dimensions : 1;
    std::vector<cgsize_t> numbers(static_cast<std::size_t>(std::max<cgsize_t>(points, 0) * indices));
    expect(cg_boco_read(file_.number(), 1, 1, n, numbers.data(), nullptr));
    const std::string name = name_of(n, own_name.data());
    const bool is_range = form == CGNS_ENUMV(PointRange) || form == CGNS_ENUMV(ElementRange);
    const bool of_elements = form == CGNS_ENUMV(ElementRange) || form == CGNS_ENUMV(ElementList);
    if (!of_elements && location == CGNS_ENUMV(Vertex))
      add_vertices(side_named(name), numbers, is_range, indices);
    else if (zone_type_ == CGNS_ENUMV(Structured))
      throw HexahedraError("the boundary '" + name + "' of a structured zone does not list vertices",
                           "write its ranges with the grid location Vertex");
    else
      add_faces(name, numbers, is_range);
  }

  /// Returns the family of a boundary condition, or its own name where it has none.
  std::string name_of(int n, const std::string& own) const {
    std::array<char, kLongestName> family{};
    expect(cg_goto(file_.number(), 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", n, "end"));
    return cg_famname_read(family.data()) == CG_OK && family[0] != 0 ? family.data() : own;
  }

  int side_named(const std::string& name) {
    const auto at = std::find(mesh_.sides.begin(), mesh_.sides.end(), name);
    if (at == mesh_.sides.end()) {
      if (mesh_.sides.size() > 100) refuse_many(mesh_.sides.size());
      mesh_.sides.push_back(name);
      vertices_.emplace_back();
    }
    return static_cast<int>(std::find(mesh_.sides.begin(), mesh_.sides.end(), name) - mesh_.sides.begin());
  }

  [[noreturn]] static void refuse_many(std::size_t names) {
    throw HexahedraError("the file names " + std::to_string(names) + " boundaries",
                         "give those with one boundary condition one family: there are at most " +
                             std::to_string(Hexahedra::kMaxSides));
  }

  void add_vertices(int side, const std::vector<cgsize_t>& numbers, bool is_range, int indices) {
    std::set<std::int64_t>& own = vertices_[static_cast<std::size_t>(side)];
    const auto add = [&](const std::array<cgsize_t, 3>& index) {
      for (int axis = 0; axis < indices; ++axis)
        if (index[axis] < 1 || index[axis] > size_[axis])
          throw HexahedraError("the boundary '" + mesh_.sides[static_cast<std::size_t>(side)] +
                                   "' has a vertex " + std::to_string(index[axis]) + " of " +
                                   std::to_string(size_[axis]),
                               "write the file again; vertices count from 1");
      own.insert(((index[2] - 1) * std::int64_t{indices == 1 ? 1 : size_[1]} + index[1] - 1) * size_[0] +
                 index[0] - 1);
    };
    const auto index = [&](std::size_t n) {
      std::array<cgsize_t, 3> all{1, 1, 1};
      for (int axis = 0; axis < indices; ++axis) all[axis] = numbers[n * indices + axis];
      return all;
    };
    const std::size_t count = numbers.size() / static_cast<std::size_t>(indices);
    if (!is_range || count < 2) {
      for (std::size_t n = 0; n < count; ++n) add(index(n));
      return;
    }
    const auto lower = index(0), upper = index(1);
    for (cgsize_t k = lower[2]; k <= upper[2]; ++k)
      for (cgsize_t j = lower[1]; j <= upper[1]; ++j)
        for (cgsize_t i = lower[0]; i <= upper[0]; ++i) add({i, j, k});
  }

  void add_faces(const std::string& name, const std::vector<cgsize_t>& numbers, bool is_range) {
    const auto add = [&](cgsize_t number) {
      const auto face = faces_.find(number);
      if (face == faces_.end())
        throw HexahedraError("the boundary '" + name + "' names the element " + std::to_string(number) +
                                 ", which is none of a face",
                             "write the elements of the faces, too; elements count from 1");
      const int side = side_named(name);
      const auto [known, is_new] = sides_of_faces_.emplace(face->second, side);
      if (!is_new && known->second != side) refuse_two(known->second, side);
    };
    if (is_range && numbers.size() == 2)
      for (cgsize_t number = numbers[0]; number <= numbers[1]; ++number) add(number);
    else
      for (const cgsize_t number : numbers) add(number);
  }

  [[noreturn]] void refuse_two(int one, int other) const {
    throw HexahedraError("a face is on the boundaries '" + mesh_.sides[static_cast<std::size_t>(one)] +
                             "' and '" + mesh_.sides[static_cast<std::size_t>(other)] + "'",
                         "let them list faces in place of vertices, each once");
  }

  int side_of(std::span<const std::int64_t> corners) const {
    Corners sorted(corners.begin(), corners.end());
    std::sort(sorted.begin(), sorted.end());
    if (const auto face = sides_of_faces_.find(sorted); face != sides_of_faces_.end()) return face->second;
    int found = -1;
    for (std::size_t side = 0; side < vertices_.size(); ++side) {
      const auto has = [&](std::int64_t corner) { return vertices_[side].count(corner) > 0; };
      if (!std::all_of(corners.begin(), corners.end(), has)) continue;
      if (found >= 0) refuse_two(found, static_cast<int>(side));
      found = static_cast<int>(side);
    }
    return found;
  }

  /// Leaves out sides without a face, such as names of lines and vertices.
  void forget_empty_sides() {
    std::vector<int> number(mesh_.sides.size(), -1);
    std::vector<std::string> kept;
    for (const Neighbour& beyond : mesh_.beyond)
      if (beyond.side >= 0) number[static_cast<std::size_t>(beyond.side)] = 0;
    for (std::size_t side = 0; side < number.size(); ++side)
      if (number[side] == 0) {
        number[side] = static_cast<int>(kept.size());
        kept.push_back(mesh_.sides[side]);
      }
    if (kept.size() > Hexahedra::kMaxSides) refuse_many(kept.size());
    for (Neighbour& beyond : mesh_.beyond)
      if (beyond.side >= 0)
        beyond.side = static_cast<std::int8_t>(number[static_cast<std::size_t>(beyond.side)]);
    mesh_.sides = std::move(kept);
  }

  OpenFile file_;
  Hexahedra mesh_;
  CGNS_ENUMT(ZoneType_t) zone_type_{};
  std::array<cgsize_t, 9> size_{};
  std::vector<Point> places_;
  std::vector<int> order_of_nodes_;
  std::vector<std::int64_t> corners_;             // of the mesh's elements
  std::map<cgsize_t, Corners> faces_;             // elements of faces, by their numbers
  std::map<Corners, int> sides_of_faces_;         // of faces that boundary conditions list
  std::vector<std::set<std::int64_t>> vertices_;  // of each side, where its vertices are listed
};

}  // namespace

std::string cgns_version() {
  return std::to_string(CGNS_VERSION / 1000) + "." + std::to_string(CGNS_VERSION / 100 % 10);
}

Hexahedra read_cgns(const std::string& path) { return Reader(path).read(); }

}  // namespace halfstep

#else

namespace halfstep {

std::string cgns_version() { return ""; }

Hexahedra read_cgns(const std::string&) {
  throw HexahedraError("this program was built without the CGNS library",
                       "install the package libcgns-dev and build again");
}

}  // namespace halfstep

#endif
