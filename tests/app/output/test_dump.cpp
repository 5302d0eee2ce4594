#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/output/dump.hpp"
#include "physics/gas/eos.hpp"
#include "runtime/checkpoint/hdf5.hpp"
#include "runtime/checkpoint/trial.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

const Mesh kBox{.cells = {5, 3, 2}, .lower = {-1, 0, 2}, .upper = {1, 0.75, 3}};
const Mesh kLine{.cells = {4, 1, 1}, .lower = {0, 0, 0}, .upper = {2, 1, 1}};
constexpr double kGamma = 1.25;

/// Returns a state with no two cells and no two axes alike; read_vtkhdf.py has the same formula.
Primitive<double> state(int i, int j, int k) {
  return {1.0 + i + 16 * j + 256 * k, 0.5 * i, -0.25 * j, 2.0 * k, 10.0 + i + 32 * j + 1024 * k};
}

Fields sample(const Mesh& mesh) {
  Fields fields;
  for_every_cell(mesh, [&](const auto& cell) {
    append(fields, to_conserved(state(cell[0], cell[1], cell[2]), IdealGas<double>{kGamma}));
  });
  return fields;
}

DumpInfo info(const std::string& precision, double time = 0.125) {
  return {.time = time,
          .step = 17,
          .dt = 0.0625,
          .gases = {{kGamma}},
          .title = "Größe",
          .deck = "title: Größe\n" + std::string(100000, '#'),  // longer than an HDF5 object header may be
          .git = "abc",
          .precision = precision,
          .backend = "host"};
}

struct Array {
  hdf5::Shape shape;
  std::size_t bytes_each = 0;
  std::vector<double> values;
};

Array read(const hdf5::MemoryFile& file, const std::string& name) {
  const hdf5::Handle set(H5Dopen2(file.root(), name.c_str(), H5P_DEFAULT), H5Dclose);
  REQUIRE(set >= 0);
  const hdf5::Handle space(H5Dget_space(set), H5Sclose), type(H5Dget_type(set), H5Tclose);
  Array array;
  array.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, array.shape.data(), nullptr);
  array.bytes_each = H5Tget_size(type);
  array.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  REQUIRE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) >= 0);
  return array;
}

template <class T>
std::vector<T> attribute(const hdf5::MemoryFile& file, const std::string& object, const std::string& name) {
  const hdf5::Handle id(H5Aopen_by_name(file.root(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                        H5Aclose);
  REQUIRE(id >= 0);
  const hdf5::Handle space(H5Aget_space(id), H5Sclose);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  REQUIRE(H5Aread(id, hdf5::native_type<T>(), values.data()) >= 0);
  return values;
}

void write_dump(const std::filesystem::path& path, const DumpInfo& info, const Mesh& mesh,
                const Fields& fields, const std::vector<std::string>& selected) {
  halfstep::write_dump(path, dump_image(info, mesh, view_of(fields), selected));
}

}  // namespace

// The CTest entry vtk_reads_dumps sets HALFSTEP_DUMPS to keep the files for VTK's own reader.
TEST_CASE("A dump holds the selected fields by z, y and x, and what VTK and ParaView ask for") {
  const TemporaryDirectory temporary;
  const char* kept = std::getenv("HALFSTEP_DUMPS");
  const std::filesystem::path directory = kept ? std::filesystem::path(kept) : temporary.path();

  for (const std::string precision : {"double", "single"})
    for (const auto& [name, mesh] : std::map<std::string, Mesh>{{"box", kBox}, {"line", kLine}}) {
      INFO("name ", name, ", precision ", precision);
      const auto path = directory / (name + "_" + precision + ".vtkhdf");
      write_dump(path, info(precision), mesh, sample(mesh), {"density", "velocity", "pressure"});
      const auto file = hdf5::MemoryFile::open(path);

      CHECK(attribute<std::int64_t>(file, "VTKHDF", "Version") == std::vector<std::int64_t>{1, 0});
      const auto [nx, ny, nz] = mesh.cells;
      CHECK(attribute<std::int64_t>(file, "VTKHDF", "WholeExtent") ==
            std::vector<std::int64_t>{0, nx, 0, ny, 0, nz});
      CHECK(attribute<double>(file, "VTKHDF", "Origin") ==
            std::vector<double>{mesh.lower[0], mesh.lower[1], mesh.lower[2]});
      CHECK(attribute<double>(file, "VTKHDF", "Spacing") ==
            std::vector<double>{mesh.spacing(0), mesh.spacing(1), mesh.spacing(2)});
      CHECK(attribute<double>(file, "VTKHDF", "Direction") == std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1});
      {
        const hdf5::Handle id(H5Aopen_by_name(file.root(), "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT),
                              H5Aclose);
        const hdf5::Handle type(H5Aget_type(id), H5Tclose);
        CHECK(H5Tis_variable_str(type) == 0);
        CHECK(H5Tget_cset(type) == H5T_CSET_ASCII);
        REQUIRE(H5Tget_size(type) == 9);
        std::string text(9, '?');
        H5Aread(id, type, text.data());
        CHECK(text == "ImageData");
      }

      const auto density = read(file, "VTKHDF/CellData/density");
      const auto velocity = read(file, "VTKHDF/CellData/velocity");
      const auto pressure = read(file, "VTKHDF/CellData/pressure");
      const auto size = [](int n) { return static_cast<hsize_t>(n); };
      CHECK(density.shape == hdf5::Shape{size(nz), size(ny), size(nx)});
      CHECK(velocity.shape == hdf5::Shape{size(nz), size(ny), size(nx), 3});
      CHECK(pressure.shape == density.shape);
      CHECK(density.bytes_each == (precision == "single" ? 4 : 8));
      std::size_t c = 0;
      for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
          for (int i = 0; i < nx; ++i, ++c) {
            const auto q = state(i, j, k);
            CHECK(density.values[c] == q.density);
            CHECK(velocity.values[3 * c] == doctest::Approx(q.u).epsilon(1e-6));
            CHECK(velocity.values[3 * c + 1] == doctest::Approx(q.v).epsilon(1e-6));
            CHECK(velocity.values[3 * c + 2] == doctest::Approx(q.w).epsilon(1e-6));
            CHECK(pressure.values[c] == doctest::Approx(q.pressure).epsilon(1e-6));
          }

      const DumpInfo said = read_dump(path).info, written = info(precision);
      CHECK(std::tie(said.time, said.step, said.dt, said.gases.first.gamma, said.title, said.deck, said.git,
                     said.precision, said.backend) ==
            std::tie(written.time, written.step, written.dt, written.gases.first.gamma, written.title,
                     written.deck, written.git, written.precision, written.backend));
      CHECK(attribute<double>(file, "halfstep", "time") == std::vector<double>{0.125});
      CHECK(attribute<std::int64_t>(file, "halfstep", "step") == std::vector<std::int64_t>{17});
    }
}

TEST_CASE("A dump of a stretched mesh holds the faces along each axis, and is none of VTK's images") {
  const TemporaryDirectory directory;
  const std::vector<double> z = {2, 2.125, 3};
  Mesh mesh = kBox;
  mesh.stretched[2] = std::make_shared<const StretchedAxis>(z, true);
  const auto path = directory / "a.vtkhdf";
  write_dump(path, info("single"), mesh, sample(mesh), {"density"});
  const auto file = hdf5::MemoryFile::open(path);
  const hdf5::Handle type(H5Aopen_by_name(file.root(), "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const hdf5::Handle text(H5Aget_type(type), H5Tclose);
  std::string name(H5Tget_size(text), '?');
  H5Aread(type, text, name.data());
  CHECK(name == "RectilinearGrid");
  CHECK(H5Aexists_by_name(file.root(), "VTKHDF", "Spacing", H5P_DEFAULT) == 0);
  CHECK(read(file, "VTKHDF/XCoordinates").values.size() == 6);
  CHECK(read(file, "VTKHDF/YCoordinates").values == std::vector<double>{0, 0.25, 0.5, 0.75});
  CHECK(read(file, "VTKHDF/ZCoordinates").values == z);
  CHECK(read(file, "VTKHDF/ZCoordinates").bytes_each == 8);

  const Mesh found = read_dump(path).mesh;
  CHECK(found.cells == mesh.cells);
  CHECK(found.lower == mesh.lower);
  CHECK(found.upper == mesh.upper);
  CHECK_FALSE(found.is_stretched(0));
  CHECK_FALSE(found.is_stretched(1));
  REQUIRE(found.is_stretched(2));
  CHECK(found.width(2, 0) == 0.125);
  CHECK(found.center(4, 0, 1) == mesh.center(4, 0, 1));
}

TEST_CASE("Faces that are none of a mesh are refused") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.vtkhdf";
  Mesh mesh = kLine;
  const auto reason = [&](const std::vector<double>& faces) {
    mesh.stretched[0] = std::make_shared<const StretchedAxis>(faces, false);
    write_dump(path, info("double"), mesh, sample(mesh), {"density"});
    return refusal([&] { read_dump(path); });
  };
  CHECK(reason({0, 0.1, 0.3, 0.7, 2}) == "");
  CHECK(contains(reason({0, 0.3, 0.1, 0.7, 2}), "as a dump: its faces along x are not increasing"));
  CHECK(contains(reason({0, 0.1, 0.1, 0.7, 2}), "its faces along x are not increasing"));
  CHECK(contains(reason({0, 0.1, 0.3, 0.7, HUGE_VAL}), "its faces along x are not finite"));
}

TEST_CASE("A dump holds only the fields the deck selects") {
  const TemporaryDirectory directory;
  write_dump(directory / "a.vtkhdf", info("double"), kLine, sample(kLine), {"pressure"});
  const auto file = hdf5::MemoryFile::open(directory / "a.vtkhdf");
  CHECK(H5Lexists(file.root(), "VTKHDF/CellData/pressure", H5P_DEFAULT) > 0);
  CHECK(H5Lexists(file.root(), "VTKHDF/CellData/density", H5P_DEFAULT) == 0);
  CHECK(H5Lexists(file.root(), "VTKHDF/CellData/velocity", H5P_DEFAULT) == 0);
}

TEST_CASE("A dump holds the mass fraction of each scalar by its name, by z, y and x") {
  const TemporaryDirectory directory;
  Fields fields = sample(kBox);
  DumpInfo about = info("double");
  about.scalars = {"dye", "smoke"};
  CHECK_THROWS_AS(write_dump(directory / "a.vtkhdf", about, kBox, fields, {"smoke"}), std::logic_error);
  fields.scalars.assign(2, fields.conserved[0]);
  for (std::size_t c = 0; c < 30; ++c) fields.scalars[1][c] *= static_cast<double>(c) / 32;
  write_dump(directory / "a.vtkhdf", about, kBox, fields, {"density", "smoke"});
  const auto fraction = read(hdf5::MemoryFile::open(directory / "a.vtkhdf"), "VTKHDF/CellData/smoke");
  CHECK(fraction.shape == hdf5::Shape{2, 3, 5});
  for (std::size_t c = 0; c < 30; ++c)
    CHECK(fraction.values[c] == doctest::Approx(static_cast<double>(c) / 32));
}

TEST_CASE("A sealed dump with any byte changed or cut off is refused before HDF5 sees it") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.vtkhdf";
  DumpInfo small = info("double");
  small.deck = "title: a\n";
  write_dump(path, small, kLine, sample(kLine), {"density"});
  const std::string whole = contents(path);
  CHECK(read_dump(path).fields.size() == 1);
  for (std::size_t at = 17; at < whole.size(); at += 7) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    put(path, damaged);
    CAPTURE(at);
    CHECK(contains(refusal([&] { read_dump(path); }), "': it is "));
    put(path, whole.substr(0, at));
    CHECK(contains(refusal([&] { read_dump(path); }), "': it is "));
  }
}

TEST_CASE("A dump without a seal is read, and refused where HDF5 crashes, hangs or fails on it") {
  const TemporaryDirectory directory;
  const auto path = directory / "a.vtkhdf";
  DumpInfo small = info("double");
  small.deck = "title: a\n";
  const hdf5::Image image = dump_image(small, kLine, view_of(sample(kLine)), {"density", "velocity"});
  const auto bytes = image.bytes();
  const std::string whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  put(path, whole);
  CHECK(read_dump(path).info.step == 17);
  // Looks in the global heap, where the texts are: HDF5 1.10 never ends on objects of size zero.
  const std::size_t heap = whole.find("GCOL");
  REQUIRE(heap != std::string::npos);
  for (std::size_t at = heap; at < heap + 120; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    put(path, damaged);
    CAPTURE(at - heap);
    const std::string reason = refusal([&] { read_dump(path); });
    CHECK((reason.empty() || contains(reason, "cannot use '" + path.string() + "' as a dump: ")));
  }
  put(path, whole.substr(0, whole.size() / 2));
  CHECK(contains(refusal([&] { read_dump(path); }), "as a dump: "));
}

TEST_CASE("Work that crashes, hangs or throws is over in time, and said to be") {
  CHECK(trial(5, [] {}) == "");
  CHECK(trial(5, [] { throw std::runtime_error("a reason"); }) == "a reason");
  CHECK(contains(trial(5, [] { ::raise(SIGKILL); }), "crashes"));
  CHECK(contains(trial(0.2, [] { ::pause(); }), "does not come to an end"));
}
