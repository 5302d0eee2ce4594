#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "app/deck/deck.hpp"
#include "app/output/dump.hpp"
#include "app/output/given_fields.hpp"
#include "app/output/run_checkpoint.hpp"
#include "runtime/checkpoint/hdf5.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

namespace fs = std::filesystem;

const Mesh kBox{.cells = {5, 3, 2}, .lower = {-1, 0, 2}, .upper = {1, 0.75, 3}};
constexpr IdealGas<double> kGas{1.25};

Primitive<double> state(int i, int j, int k) {
  return {1.0 + i + 16 * j + 256 * k, 0.5 * i, -0.25 * j, 2.0 * k, 10.0 + i + 32 * j + 1024 * k};
}

/// Returns state() on kBox with two scalars.
Fields sample() {
  Fields fields;
  fields.scalars.resize(2);
  for_every_cell(kBox, [&](const auto& c) {
    const auto q = state(c[0], c[1], c[2]);
    append(fields, to_conserved(q, kGas));
    fields.scalars[0].push_back(0.25 * q.density);
    fields.scalars[1].push_back(0.5 * q.density);
  });
  return fields;
}

FieldRequest request(const fs::path& file, double gamma = kGas.gamma) {
  return {.file = file,
          .density = "density",
          .pressure = "pressure",
          .energy = "",
          .velocity = {"velocity", {}},
          .momentum = {},
          .scalars = {"dye"},
          .gas = IdealGas<double>{gamma},
          .lower = kBox.lower,
          .upper = kBox.upper};
}

void expect_state(const GivenFields& given, double gamma) {
  REQUIRE(given.mesh.cells == kBox.cells);
  for (int axis = 0; axis < 3; ++axis) CHECK(given.mesh.upper[axis] == doctest::Approx(kBox.upper[axis]));
  const auto& u = given.fields.conserved;
  std::size_t n = 0;
  for_every_cell(kBox, [&](const auto& c) {
    const auto q = to_primitive(Conserved<double>{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]},
                                IdealGas<double>{gamma}),
               is = state(c[0], c[1], c[2]);
    REQUIRE(q.density == is.density);
    for (const auto& [mine, its] : {std::pair(q.u, is.u), std::pair(q.v, is.v), std::pair(q.w, is.w),
                                    std::pair(q.pressure, is.pressure)})
      REQUIRE(mine == doctest::Approx(its).epsilon(1e-12));
    if (!given.scalars.empty()) REQUIRE(given.fields.scalars[0][n] == doctest::Approx(0.25 * is.density));
    ++n;
  });
}

void write_sample_dump(const fs::path& path, const std::vector<std::string>& fields) {
  DumpInfo info;
  info.gases = {kGas};
  info.precision = "double";
  info.scalars = {"dye", "smoke"};
  write_dump(path, dump_image(info, kBox, view_of(sample()), fields));
}

void write_sample_checkpoint(const fs::path& directory) {
  RunCheckpoint checkpoint;
  checkpoint.mesh = kBox;
  checkpoint.gamma = kGas.gamma;
  checkpoint.precision = "double";
  checkpoint.scalars = {"smoke", "dye"};
  Fields fields = sample();
  std::swap(fields.scalars[0], fields.scalars[1]);
  checkpoint_file(directory, checkpoint, view_of(fields)).commit();
}

/// A file of another program.
class Foreign {
 public:
  explicit Foreign(fs::path path) : path_(std::move(path)), file_(path_.string()) {}
  Foreign& add(const std::string& name, const hdf5::Shape& shape, const std::vector<double>& values) {
    hdf5::write_dataset<double>(file_.root(), name, shape, values);
    return *this;
  }
  void write() {
    const hdf5::Image image = file_.finish();
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(image.bytes().data()), std::ssize(image.bytes()));
  }

 private:
  fs::path path_;
  hdf5::MemoryFile file_;
};

/// Returns value(state) of every cell, x fastest.
template <class F>
std::vector<double> values(F value) {
  std::vector<double> all;
  for_every_cell(kBox, [&](const auto& c) { all.push_back(value(state(c[0], c[1], c[2]))); });
  return all;
}

/// Returns what a deck that begins from `file` is refused with; "" if it is not.
std::string refusal_of(const fs::path& file, const std::string& more = "",
                       const std::string& cells = "[5, 3, 2]") {
  const std::string deck = "case: {name: file, file: '" + file.string() + "'" + more +
                           "}\nmesh: {cells: " + cells +
                           ", lower: [-1, 0, 2], upper: [1, 0.75, 3]}\ngas: {gamma: 1.25}\n"
                           "scheme: {reconstruction: plm}\ntime: {end: 1}\n";
  return refusal([&] { parse_deck(deck, "deck", {}, read_given_fields); });
}

}  // namespace

TEST_CASE("a dump, a checkpoint and datasets of another program are read as the same state") {
  const TemporaryDirectory directory;
  write_sample_dump(directory / "a.vtkhdf", {"density", "velocity", "pressure", "dye", "smoke"});
  write_sample_checkpoint(directory / "");
  const auto density = values([](const auto&q) { return q.density; }),
             pressure = values([](const auto&q) { return q.pressure; }),
             u = values([](const auto&q) { return q.u; }), v = values([](const auto&q) { return q.v; }),
             w = values([](const auto&q) { return q.w; });
  std::vector<double> velocity;
  for (std::size_t n = 0; n < u.size(); ++n) velocity.insert(velocity.end(), {u[n], v[n], w[n]});
  Foreign(directory / "b.h5")
      .add("flow/rho", {2, 3, 5}, density)
      .add("flow/u", {2, 3, 5}, u)
      .add("flow/v", {2, 3, 5}, v)
      .add("flow/w", {2, 3, 5}, w)
      .add("flow/uvw", {2, 3, 5, 3}, velocity)
      .add("flow/dye", {2, 3, 5}, std::vector<double>(30, 0.25))
      .add("p", {2, 3, 5}, pressure)
      .write();

  for (const double gamma : {1.25, 1.4}) {
    const GivenFields dump = read_given_fields(request(directory / "a.vtkhdf", gamma)),
                      checkpoint = read_given_fields(request(directory / checkpoint_name(0), gamma));
    expect_state(dump, gamma);
    expect_state(checkpoint, gamma);
    for (const GivenFields& given : {dump, checkpoint}) {
      CHECK(given.scalars == std::vector<std::string>{"dye"});
      CHECK(given.not_wanted == std::vector<std::string>{"smoke"});
    }
    FieldRequest foreign = request(directory / "b.h5", gamma);
    foreign.density = "/flow/rho", foreign.velocity.whole = "flow/uvw", foreign.pressure = "p";
    expect_state(read_given_fields(foreign), gamma);
    CHECK(read_given_fields(foreign).scalars == std::vector<std::string>{"dye"});
    foreign.velocity.components = {"flow/u", "flow/v", "flow/w"};
    expect_state(read_given_fields(foreign), gamma);
  }
  // Of the same gas a checkpoint keeps its bits.
  CHECK(read_given_fields(request(directory / checkpoint_name(0))).fields.conserved == sample().conserved);
  CHECK(refusal_of(directory / "a.vtkhdf") == "");
}

TEST_CASE("datasets of another program may hold conserved fields, whose bits are kept") {
  const TemporaryDirectory directory;
  const auto& u = sample().conserved;
  const hdf5::Shape shape{2, 3, 5};
  std::vector<double> momentum;
  for (std::size_t n = 0; n < u[1].size(); ++n) momentum.insert(momentum.end(), {u[1][n], u[2][n], u[3][n]});
  Foreign(directory / "conserved.h5")
      .add("D", shape, u[0])
      .add("Mx", shape, u[1])
      .add("My", shape, u[2])
      .add("Mz", shape, u[3])
      .add("M", {2, 3, 5, 3}, momentum)
      .add("E", shape, u[4])
      .add("p", shape, values([](const auto& q) { return q.pressure; }))
      .add("u", shape, values([](const auto& q) { return q.u; }))
      .add("v", shape, values([](const auto& q) { return q.v; }))
      .add("w", shape, values([](const auto& q) { return q.w; }))
      .write();
  FieldRequest conserved = request(directory / "conserved.h5");
  conserved.density = "D", conserved.energy = "E", conserved.momentum.components = {"Mx", "My", "Mz"};
  CHECK(read_given_fields(conserved).fields.conserved == u);
  conserved.momentum = {"M", {}};
  CHECK(read_given_fields(conserved).fields.conserved == u);
  // A momentum goes with a pressure, and a velocity with an energy, too.
  FieldRequest mixed = conserved;
  mixed.energy = "", mixed.pressure = "p";
  expect_state(read_given_fields(mixed), kGas.gamma);
  mixed = conserved;
  mixed.momentum = {}, mixed.velocity.components = {"u", "v", "w"};
  expect_state(read_given_fields(mixed), kGas.gamma);
  CHECK(read_given_fields(mixed).fields.conserved[4] == u[4]);

  const std::string names = ", datasets: {density: D, momentum_x: Mx, momentum_y: My, momentum_z: Mz, ";
  CHECK(refusal_of(directory / "conserved.h5", names + "energy: E}") == "");
  const auto expect = [&](const std::string& more, const std::string& part) {
    const std::string told = refusal_of(directory / "conserved.h5", more);
    CHECK_MESSAGE(contains(told, part), part << " is not in " << told);
  };
  expect(names + "energy: e}", "case.datasets.energy: '");
  expect(names + "energy: M}", "'M' has the shape (2, 3, 5, 3), the density (2, 3, 5)");
  expect(", datasets: {density: D, momentum: E, energy: E}",
         "case.datasets.momentum: 'E' has the shape (2, 3, 5); ");
  // Less energy than the motion alone has.
  expect(names + "energy: Mx}", "of the file is unphysical: density ");
}

TEST_CASE("components without a name are 0, and planes and lines have fewer indices") {
  const TemporaryDirectory directory;
  Foreign(directory / "plane.h5")
      .add("density", {3, 4}, std::vector<double>(12, 2))
      .add("velocity", {3, 4, 2}, std::vector<double>(24, 5))
      .add("pressure", {3, 4}, std::vector<double>(12, 1))
      .add("u", {3, 4}, std::vector<double>(12, 7))
      .write();
  const GivenFields plane = read_given_fields(request(directory / "plane.h5"));
  CHECK(plane.mesh.cells == std::array{4, 3, 1});
  CHECK(plane.mesh.lower == kBox.lower);
  CHECK(plane.fields.conserved[2] == std::vector<double>(12, 10));
  CHECK(plane.fields.conserved[3] == std::vector<double>(12, 0));
  FieldRequest one = request(directory / "plane.h5");
  one.velocity.components[1] = "u";
  CHECK(read_given_fields(one).fields.conserved[1] == std::vector<double>(12, 0));
  CHECK(read_given_fields(one).fields.conserved[2] == std::vector<double>(12, 14));
}

TEST_CASE("a file that cannot be begun from is an error at its place in the deck, with the reason") {
  const TemporaryDirectory directory;
  const auto expect = [&](const std::string& file, const std::vector<std::string>& parts,
                          const std::string& more = "", const std::string& cells = "[5, 3, 2]") {
    CAPTURE(file);
    const std::string told = refusal_of(directory / file, more, cells);
    for (const std::string& part : parts) CHECK_MESSAGE(contains(told, part), part << " is not in " << told);
  };
  expect("none.vtkhdf",
         {"deck:1:26: error: case 'file': no such file '", "none.vtkhdf', in the directory '"});
  expect("", {"is a directory"});
  REQUIRE(::mkfifo((directory / "pipe").c_str(), 0600) == 0);
  expect("pipe", {"is no regular file"});
  put(directory / "text.h5", "no HDF5");
  expect("text.h5", {"is neither a dump, nor a checkpoint, nor HDF5"});
  put(directory / "empty", "");
  expect("empty", {"is neither a dump"});
  put(directory / "huge", "");
  fs::resize_file(directory / "huge", std::uintmax_t{4} << 40);
  expect("huge", {"too many: "});
  put(directory / "sparse", "");
  fs::resize_file(directory / "sparse", std::uintmax_t{1} << 28);
  expect("sparse", {"nor HDF5"});

  write_sample_dump(directory / "a.vtkhdf", {"density", "velocity", "pressure"});
  fs::create_symlink("a.vtkhdf", directory / "link");
  CHECK(refusal_of(directory / "link") == "");
  std::string bytes = contents(directory / "a.vtkhdf");
  bytes[bytes.size() / 2] ^= 1;
  put(directory / "damaged.vtkhdf", bytes);
  expect("damaged.vtkhdf", {"it is damaged"});
  put(directory / "cut.vtkhdf", bytes.substr(0, bytes.size() / 2));
  expect("cut.vtkhdf", {"it is incomplete"});
  // A file of HDF5 alone, without the seal: HDF5 itself meets the damage.
  put(directory / "cut.h5", bytes.substr(512, bytes.size() / 4));
  expect("cut.h5", {"deck:1:26: error: case 'file': "});
  expect("a.vtkhdf", {"more than one cell along x, y, z, the mesh along x, y"}, "", "[5, 3, 1]");
  write_sample_dump(directory / "less.vtkhdf", {"density", "velocity"});
  expect("less.vtkhdf", {"has no pressure, but density, velocity"});

  const std::vector<double> ones(30, 1), nan(30, std::numeric_limits<double>::quiet_NaN());
  Foreign(directory / "b.h5")
      .add("density", {2, 3, 5}, ones)
      .add("velocity", {2, 3, 5, 2}, std::vector<double>(60, 1))
      .add("turned", {3, 2, 3, 5}, std::vector<double>(90, 1))
      .add("pressure", {2, 3, 5}, ones)
      .add("other", {5, 3, 2}, ones)
      .add("deep/in/nan", {2, 3, 5}, nan)
      .add("four", {1, 2, 3, 5}, ones)
      .write();
  CHECK(refusal_of(directory / "b.h5") == "");
  const auto with = [&](const std::string& dataset, const std::string& name,
                        const std::vector<std::string>& parts) {
    expect("b.h5", parts, ", datasets: {" + dataset + ": " + name + "}");
  };
  with("pressure", "p",
       {"error: case 'file': case.datasets.pressure: ",
        "has no dataset 'p'; it has deep/in/nan, density, four, other"});
  with("pressure", "other", {"'other' has the shape (5, 3, 2), the density (2, 3, 5)"});
  with("pressure", "deep", {"case.datasets.pressure: HDF5 cannot open dataset 'deep'"});
  with("pressure", "/deep/in/nan", {"cell [0, 0, 0] of the file is unphysical"});
  with("pressure", "deep//in", {"case.datasets.pressure: "});
  with("density", "four", {"'four' has 4 indices"});
  with("velocity", "turned", {"'turned' has the shape (3, 2, 3, 5); it needs that of the density"});
  with("velocity", "density", {"components as its last index"});
  with("velocity_x", "velocity", {"case.datasets.velocity_x: ", "the density (2, 3, 5)"});
  with("pressure", "deep/in/nan", {"the state in cell [0, 0, 0] of the file is unphysical"});
  with("velocity_z", "deep/in/nan", {"the state in cell [0, 0, 0] of the file is unphysical"});
}

TEST_CASE("a run begins from a file of the run that it moves aside, and is restarted without it") {
  const Shell halfstep;
  halfstep.write("first.yaml",
                 "case: {name: riemann}\nmesh: {cells: 32}\nscalars: {dye: 0.5}\ntime: {end: 0.1}\n"
                 "output: {directory: out}\n");
  halfstep.expect(0, "run first.yaml --backend host");
  fs::copy_file(halfstep / "out/fields_000001.vtkhdf", halfstep / "kept.vtkhdf");
  halfstep.write("next.yaml",
                 "case: {name: file, file: out/fields_000001.vtkhdf}\nmesh: {cells: 64}\nscalars: {dye: 0}\n"
                 "time: {end: 0.1}\noutput: {directory: out}\n");
  halfstep.expect(0, "check next.yaml", {"file: out/fields_000001.vtkhdf"});
  halfstep.expect(0, "run next.yaml --backend host time.max_steps=4", {"out.previous"});
  CHECK_FALSE(fs::exists(halfstep / "out/fields_000002.vtkhdf"));
  const Dump kept = read_dump(halfstep / "kept.vtkhdf"),
             begun = read_dump(halfstep / "out/fields_000000.vtkhdf");
  for (std::size_t f = 0; f < kept.fields.size(); ++f)
    for (std::size_t n = 0; n < 64; ++n)
      CHECK(begun.fields[f].values[n * begun.fields[f].components] ==
            doctest::Approx(kept.fields[f].values[n / 2 * kept.fields[f].components]));
  // The earlier run, and the file in it, are elsewhere now.
  fs::remove_all(halfstep / "out.previous");
  halfstep.expect(0, "run --restart out --backend host time.max_steps=0", {"finished"});
  halfstep.write("whole.yaml",
                 "case: {name: file, file: kept.vtkhdf}\nmesh: {cells: 64}\nscalars: {dye: 0}\n"
                 "time: {end: 0.1}\noutput: {directory: whole}\n");
  halfstep.expect(0, "run whole.yaml --backend host");
  halfstep.expect(0, "compare out/fields_000001.vtkhdf whole/fields_000001.vtkhdf", {"identical"});
}
