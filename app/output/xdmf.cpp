#include "app/output/xdmf.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

#include "app/output/element_cells.hpp"

namespace halfstep {

namespace {

constexpr std::string_view kGridBegin = "      <Grid Name=\"";

/// Returns `values` by axis with z first, as every array of a dump.
template <class Value>
std::string z_first(const std::array<Value, 3>& values) {
  return fmt::format("{} {} {}", values[2], values[1], values[0]);
}

/// Returns the geometry of a stretched mesh: the faces of each axis, x first.
std::string rectilinear_geometry(const std::string& dump, const Mesh& mesh) {
  std::string text = R"(<Geometry GeometryType="VXVYVZ">)";
  for (int axis = 0; axis < 3; ++axis)
    text += fmt::format(
        R"(<DataItem Dimensions="{}" NumberType="Float" Precision="8" Format="HDF">{}:/VTKHDF/{}Coordinates</DataItem>)",
        mesh.cells[axis] + 1, dump, "XYZ"[axis]);
  return text + "</Geometry>";
}

std::string geometry(const std::string& dump, const Mesh& mesh) {
  if (mesh.is_stretched()) return rectilinear_geometry(dump, mesh);
  const auto vector = [](const std::array<double, 3>& values) {
    return fmt::format(
        R"(<DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">{}</DataItem>)",
        z_first(values));
  };
  return R"(<Geometry GeometryType="ORIGIN_DXDYDZ">)" +
         vector({mesh.lower[0], mesh.lower[1], mesh.lower[2]}) +
         vector({mesh.spacing(0), mesh.spacing(1), mesh.spacing(2)}) + "</Geometry>";
}

/// Returns the topology and the geometry of the cells of elements.
std::string element_cells(const std::string& dump, const Mesh& mesh) {
  const bool has_depth = mesh.points->dimensions == 3;
  return fmt::format(
      R"(<Topology TopologyType="{0}" NumberOfElements="{1}"><DataItem Dimensions="{1} {2}" NumberType="Int" )"
      R"(Precision="8" Format="HDF">{3}:/VTKHDF/Connectivity</DataItem></Topology><Geometry GeometryType="XYZ">)"
      R"(<DataItem Dimensions="{4} 3" NumberType="Float" Precision="8" Format="HDF">{3}:/VTKHDF/Points</DataItem>)"
      R"(</Geometry>)",
      has_depth ? "Hexahedron" : "Quadrilateral", mesh.cell_count(), nodes_of_cell(mesh), dump,
      mesh.points->corners.size());
}

std::string attribute(const std::string& dump, const std::string& field, const DumpContents& contents) {
  const auto& n = contents.mesh.cells;
  const bool is_vector = field == "velocity";
  return fmt::format(
      R"(<Attribute Name="{0}" AttributeType="{1}" Center="Cell"><DataItem Dimensions="{2}{3}" NumberType="Float" )"
      R"(Precision="{4}" Format="HDF">{5}:/VTKHDF/CellData/{0}</DataItem></Attribute>)",
      field, is_vector ? "Vector" : "Scalar",
      contents.mesh.points ? std::to_string(contents.mesh.cell_count())
                           : z_first(std::array{n[0], n[1], n[2]}),
      is_vector ? " 3" : "", bytes_of_real(contents.precision), dump);
}

}  // namespace

const ListFrame kXdmfFrame{
    .begin =
        "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
        "    <Grid Name=\"fields\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
    .separator = "\n",
    .end = "\n    </Grid>\n  </Domain>\n</Xdmf>\n"};

std::string xdmf_grid(const std::string& name, double time, const DumpContents& contents) {
  const auto& n = contents.mesh.cells;
  const std::string head = fmt::format(R"({}{}"><Time Value="{}"/>)", kGridBegin, name, time);
  const std::string points = z_first(std::array{n[0] + 1, n[1] + 1, n[2] + 1});
  std::string grid = contents.mesh.points
                         ? head + element_cells(name, contents.mesh)
                         : head + fmt::format(R"(<Topology TopologyType="{}" Dimensions="{}"/>{})",
                                              contents.mesh.is_stretched() ? "3DRectMesh" : "3DCoRectMesh",
                                              points, geometry(name, contents.mesh));
  for (const std::string& field : contents.fields) grid += attribute(name, field, contents);
  return grid + "</Grid>";
}

std::string dump_of_xdmf_grid(const std::string& line) {
  if (!line.starts_with(kGridBegin)) return "";
  return line.substr(kGridBegin.size(), line.find('"', kGridBegin.size()) - kGridBegin.size());
}

}  // namespace halfstep
