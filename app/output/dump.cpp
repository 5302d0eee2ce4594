#include "app/output/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/output/block_writer.hpp"
#include "app/output/element_cells.hpp"
#include "app/output/mesh_faces.hpp"
#include "app/output/possible_cells.hpp"
#include "app/output/solid_fields.hpp"
#include "physics/gas/eos.hpp"
#include "runtime/checkpoint/hdf5.hpp"
#include "runtime/checkpoint/trial.hpp"

namespace halfstep {

namespace {

constexpr const char* kKind = "halfstep dump";
constexpr int kVersion = 1;

/// Cell count below which threads cost more than they save.
constexpr std::int64_t kManyCells = 100'000;

template <class Stored>
Primitive<double> primitive(const FieldSpans<Stored>& fields, std::int64_t cell, const Gases<double>& gases) {
  const auto value = [&](std::size_t f) {
    return static_cast<double>(fields[f][static_cast<std::size_t>(cell)]);
  };
  return to_primitive(Conserved<double>{value(0), value(1), value(2), value(3), value(4)},
                      gases.are_two() ? gases.mixed(value(fields.size() - 1)) : gases.first);
}

/// Returns the shape of a field: a number for each cell, z first, or of a mesh of points for each of them.
hdf5::Shape shape_of(const Mesh& mesh) {
  if (mesh.points) return {static_cast<hsize_t>(mesh.cell_count())};
  const auto size = [&](int axis) { return static_cast<hsize_t>(mesh.cells[axis]); };
  return {size(2), size(1), size(0)};
}

/// A field as it is stored; a function of a cell like the others that are dumped.
template <class Real, class Stored>
struct StoredField {
  std::span<const Stored> values;
  void operator()(Real* value, std::int64_t cell) const {
    *value = static_cast<Real>(values[static_cast<std::size_t>(cell)]);
  }
};

/// In place of values that are not asked for.
template <class Value>
const std::vector<Value> kNone;

/// Calls take(name, components, store) for each selected field; store(values, cell) sets the `components`
/// values of a cell.
template <class Real, class Stored, class Take>
void for_dumped_fields(const DumpGas& of, const FieldSpans<Stored>& fields,
                       const std::vector<std::string>& selected, const Take& take) {
  for (const std::string& name : selected) {
    if (name == "density") {
      take(name, 1, StoredField<Real, Stored>{fields[0]});
    } else if (name == "velocity") {
      take(name, 3, [&](Real* value, std::int64_t cell) {
        const Primitive<double> q = primitive(fields, cell, of.gases);
        value[0] = static_cast<Real>(q.u);
        value[1] = static_cast<Real>(q.v);
        value[2] = static_cast<Real>(q.w);
      });
    } else if (name == "pressure") {
      take(name, 1, [&](Real* value, std::int64_t cell) {
        *value = static_cast<Real>(primitive(fields, cell, of.gases).pressure);
      });
    } else if (name == "solid") {
      take(name, 1, StoredField<Real, std::uint8_t>{of.solids ? of.solids->solid : kNone<std::uint8_t>});
    } else if (name == "distance") {
      take(name, 1, StoredField<Real, double>{of.solids ? of.solids->distance : kNone<double>});
    } else {
      const auto scalar = std::find(of.scalars.begin(), of.scalars.end(), name) - of.scalars.begin();
      const std::size_t f = kFields + static_cast<std::size_t>(scalar);
      if (f >= fields.size()) throw std::logic_error("no field '" + name + "' to dump");
      if (of.gases.are_two() && f == fields.size() - 1)
        take(name, 1, StoredField<Real, Stored>{fields[f]});
      else
        take(name, 1, [&](Real* value, std::int64_t cell) {
          *value = static_cast<Real>(double(fields[f][cell]) / double(fields[0][cell]));
        });
    }
  }
}

/// Calls call.operator()<Real, Stored>(spans) for the type of a dump's numbers and that of the state's.
template <class Call>
void with_types(const std::string& precision, const FieldsView& fields, const Call& call) {
  std::visit(
      [&]<class Stored>(const FieldSpans<Stored>& spans) {
        if (precision == "single")
          call.template operator()<float, Stored>(spans);
        else
          call.template operator()<double, Stored>(spans);
      },
      fields);
}

hdf5::Shape shape_of(const Mesh& mesh, int components) {
  hdf5::Shape shape = shape_of(mesh);
  if (components > 1) shape.push_back(static_cast<hsize_t>(components));
  return shape;
}

/// Writes the selected fields as Real, x fastest, under `cell_data`.
template <class Real, class Stored>
void write_fields(hid_t cell_data, const DumpGas& gas, const Mesh& mesh, const FieldSpans<Stored>& fields,
                  const std::vector<std::string>& selected, int compress) {
  const std::int64_t cells = mesh.cell_count();
  // One buffer for all computed fields, first touched by the threads that fill it.
  const auto buffer = std::make_unique_for_overwrite<Real[]>(static_cast<std::size_t>(3 * cells));
  for_dumped_fields<Real>(
      gas, fields, selected, [&]<class Store>(const std::string& name, int components, const Store& store) {
        std::span<const Real> values(buffer.get(), static_cast<std::size_t>(components * cells));
        if constexpr (std::is_same_v<Store, StoredField<Real, Real>>) {
          values = store.values;
        } else {
#pragma omp parallel for if (cells > kManyCells)
          for (std::int64_t cell = 0; cell < cells; ++cell) store(&buffer[components * cell], cell);
        }
        hdf5::write_dataset<Real>(cell_data, name, shape_of(mesh, components), values, compress);
      });
}

/// The datasets with the faces of a stretched mesh, by axis.
constexpr const char* kCoordinates[] = {"XCoordinates", "YCoordinates", "ZCoordinates"};

void write_coordinates(hid_t image, const Mesh& mesh) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double> faces = faces_of(mesh, axis);
    hdf5::write_dataset<double>(image, kCoordinates[axis], {faces.size()}, faces);
  }
}

constexpr const char* kUnstructured = "UnstructuredGrid";
/// The group with the points of a mesh of elements.
constexpr const char* kElements = "elements";

/// Makes the group /VTKHDF, and has write(cell_data) fill its group of fields. VTKHDF has no type for a
/// stretched mesh: VTK's reader fails on this one, where an image would put the cells at wrong places.
template <class Write>
void write_image(hid_t root, const Mesh& mesh, const Write& write) {
  const hdf5::Handle image = hdf5::create_group(root, "VTKHDF");
  hdf5::write_attribute(image, "Version", {std::int64_t{1}, std::int64_t{0}});
  if (mesh.points) {
    hdf5::write_ascii_attribute(image, "Type", kUnstructured);
    write_element_cells(image, hdf5::create_group(root, kElements), mesh);
    write(hdf5::create_group(image, "CellData"));
    return;
  }
  hdf5::write_ascii_attribute(image, "Type", mesh.is_stretched() ? "RectilinearGrid" : "ImageData");
  const auto& n = mesh.cells;
  hdf5::write_attribute<std::int64_t>(image, "WholeExtent",
                                      {0, n[0], 0, n[1], 0, n[2]});  // points, inclusive
  if (mesh.is_stretched()) {
    write_coordinates(image, mesh);
  } else {
    hdf5::write_attribute(image, "Origin", {mesh.lower[0], mesh.lower[1], mesh.lower[2]});
    hdf5::write_attribute(image, "Spacing", {mesh.spacing(0), mesh.spacing(1), mesh.spacing(2)});
    hdf5::write_attribute<double>(image, "Direction", {1, 0, 0, 0, 1, 0, 0, 0, 1});
  }
  const hdf5::Handle cell_data = hdf5::create_group(image, "CellData");
  write(cell_data);
}

DumpGas gas_of(const DumpInfo& info) { return {info.gases, info.precision, info.scalars, info.solids}; }

/// Writes the group /halfstep.
void write_info(hid_t root, const DumpInfo& info) {
  const hdf5::Handle about = hdf5::create_group(root, "halfstep");
  hdf5::write_attribute(about, "time", info.time);
  hdf5::write_attribute(about, "step", info.step);
  hdf5::write_attribute(about, "dt", info.dt);
  hdf5::write_attribute(about, "gamma", info.gases.first.gamma);
  if (info.gases.are_two()) hdf5::write_attribute(about, "second_gamma", 1 + 1 / info.gases.second);
  hdf5::write_attribute(about, "title", info.title);
  hdf5::write_attribute(about, "deck", info.deck);
  hdf5::write_attribute(about, "git", info.git);
  hdf5::write_attribute(about, "precision", info.precision);
  hdf5::write_attribute(about, "backend", info.backend);
}

/// Makes a dump in memory, and has write(cell_data) fill its group of fields.
template <class Write>
hdf5::Image make_image(const DumpInfo& info, const Mesh& mesh, const Write& write) {
  hdf5::MemoryFile file("dump of step " + std::to_string(info.step));
  write_image(file.root(), mesh, write);
  write_info(file.root(), info);
  return file.finish();
}

DumpInfo read_info(hid_t root) {
  const hdf5::Handle about = hdf5::open_group(root, "halfstep");
  const auto text = [&](const char* name) { return hdf5::read_text_attribute(about, name); };
  return {.time = hdf5::read_attribute<double>(about, "time"),
          .step = hdf5::read_attribute<std::int64_t>(about, "step"),
          .dt = hdf5::read_attribute<double>(about, "dt"),
          .gases = {{hdf5::read_attribute<double>(about, "gamma")}},
          .title = text("title"),
          .deck = text("deck"),
          .git = text("git"),
          .precision = text("precision"),
          .backend = text("backend")};
}

[[noreturn]] void refuse_extent() { throw std::runtime_error("its extent is not one of a mesh"); }

std::array<int, 3> read_cells(hid_t image) {
  const auto extent = hdf5::read_attribute<std::int64_t, 6>(image, "WholeExtent");
  constexpr std::int64_t most = std::int64_t{1} << 31;
  std::array<std::int64_t, 3> cells{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto [first, last] = std::pair(extent[2 * axis], extent[2 * axis + 1]);
    if (first < -most || last > most) refuse_extent();
    cells[axis] = last - first;
  }
  return possible_cells(cells);
}

void read_coordinates(hid_t image, Mesh& mesh) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name = kCoordinates[axis];
    const hdf5::Handle set = hdf5::open_dataset(image, name);
    const auto count = static_cast<hsize_t>(mesh.cells[axis]) + 1;
    if (hdf5::dataset_shape(set, name) != hdf5::Shape{count})
      throw std::runtime_error("'" + name + "' does not fit the mesh");
    std::vector<double> faces(count);
    hdf5::read_dataset(set, name, hdf5::native_type<double>(), faces.data());
    set_faces(mesh, axis, faces);
  }
}

Mesh read_mesh(hid_t image) {
  Mesh mesh{.cells = read_cells(image)};
  if (hdf5::has(image, kCoordinates[0])) {
    read_coordinates(image, mesh);
    return mesh;
  }
  const auto spacing = hdf5::read_attribute<double, 3>(image, "Spacing");
  mesh.lower = hdf5::read_attribute<double, 3>(image, "Origin");
  for (int axis = 0; axis < 3; ++axis) {
    if (!std::isfinite(mesh.lower[axis]) || !std::isfinite(spacing[axis])) refuse_extent();
    mesh.upper[axis] = mesh.lower[axis] + mesh.cells[axis] * spacing[axis];
  }
  return mesh;
}

DumpField read_field(hid_t cell_data, const std::string& name, const Mesh& mesh) {
  const hdf5::Handle set = hdf5::open_dataset(cell_data, name);
  hdf5::Shape shape = hdf5::dataset_shape(set, name);
  DumpField field{.name = name, .values = {}};
  if (shape.size() == shape_of(mesh).size() + 1) {
    constexpr hsize_t most = 64;
    if (shape.back() < 1 || shape.back() > most)
      throw std::runtime_error("'" + name + "' is no field of cells");
    field.components = static_cast<int>(shape.back());
    shape.pop_back();
  }
  if (shape != shape_of(mesh)) throw std::runtime_error("'" + name + "' does not fit the mesh");
  field.values.resize(static_cast<std::size_t>(field.components * mesh.cell_count()));
  hdf5::read_dataset(set, name, hdf5::native_type<double>(), field.values.data());
  return field;
}

Dump read_unguarded(const std::filesystem::path& path) {
  const hdf5::MemoryFile file = hdf5::MemoryFile::open(path);
  const hdf5::Handle image = hdf5::open_group(file.root(), "VTKHDF");
  Dump dump{.info = read_info(file.root()),
            .mesh = hdf5::has(file.root(), kElements) ? read_points(hdf5::open_group(file.root(), kElements))
                                                      : read_mesh(image),
            .fields = {}};
  const hdf5::Handle cell_data = hdf5::open_group(image, "CellData");
  for (const std::string& name : hdf5::children(cell_data))
    dump.fields.push_back(read_field(cell_data, name, dump.mesh));
  return dump;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw std::runtime_error("cannot use '" + path.string() + "' as a dump: " + reason);
}

}  // namespace

void write_dump(const std::filesystem::path& path, hdf5::Image image, Safe safe) {
  SealedFile(path, kKind, kVersion, std::move(image)).commit(safe);
}

void expect_dump(const std::filesystem::path& path) {
  if (is_sealed(path)) check_seal(path, kKind, kVersion);
  // A seal detects damage, not intent.
  const std::string reason = trial(seconds_to_read(path), [&] { read_unguarded(path); });
  if (!reason.empty()) refuse(path, reason);
}

Dump read_dump(const std::filesystem::path& path) {
  expect_dump(path);
  try {
    return read_unguarded(path);
  } catch (const std::runtime_error& error) {
    refuse(path, error.what());
  }
}

hdf5::Image dump_image(const DumpInfo& info, const Mesh& mesh, const FieldsView& fields,
                       const std::vector<std::string>& selected, int compress) {
  return make_image(info, mesh, [&](hid_t cell_data) {
    with_types(info.precision, fields, [&]<class Real, class Stored>(const FieldSpans<Stored>& spans) {
      write_fields<Real>(cell_data, gas_of(info), mesh, spans, selected, compress);
    });
  });
}

hdf5::Image image_of_values(const DumpInfo& info, const Mesh& mesh, const std::vector<std::string>& names,
                            const std::vector<std::vector<double>>& values, int compress) {
  return make_image(info, mesh, [&](hid_t cell_data) {
    for (std::size_t f = 0; f < names.size(); ++f) {
      const std::vector<double>& all = values[f];
      if (info.precision == "single")
        hdf5::write_dataset<float>(cell_data, names[f], shape_of(mesh),
                                   std::vector<float>(all.begin(), all.end()), compress);
      else
        hdf5::write_dataset<double>(cell_data, names[f], shape_of(mesh), all, compress);
    }
  });
}

PartedFile parted_dump(const std::filesystem::path& path, const DumpInfo& info, const Mesh& mesh,
                       const std::vector<std::string>& selected) {
  hdf5::Outline file(path);
  // Their names and components are the same without a cell.
  const FieldSpans<double> none(kFields + info.scalars.size());
  write_image(file.root(), mesh, [&](hid_t cell_data) {
    for_dumped_fields<double>(gas_of(info), none, selected,
                              [&](const std::string& name, int components, const auto&) {
                                const hdf5::Shape shape = shape_of(mesh, components);
                                if (info.precision == "single")
                                  file.reserve<float>(cell_data, name, shape);
                                else
                                  file.reserve<double>(cell_data, name, shape);
                              });
  });
  write_info(file.root(), info);
  return {path, kKind, kVersion, std::move(file)};
}

void write_dump_block(BlockWriter& writer, const DumpGas& gas, const FieldsView& fields,
                      const std::vector<std::string>& selected) {
  with_types(gas.precision, fields, [&]<class Real, class Stored>(const FieldSpans<Stored>& spans) {
    for_dumped_fields<Real>(gas, spans, selected, [&](const std::string&, int components, const auto& store) {
      writer.write<Real>(components, store);
    });
  });
}

std::string dump_name(std::int64_t number, std::string_view series) {
  return fmt::format("{}_{:06}.vtkhdf", series, number);
}

}  // namespace halfstep
