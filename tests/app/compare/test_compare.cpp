// `halfstep compare`: what it reads from files, what it reports about two of them, and its exit codes.
#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "app/compare/comparison.hpp"
#include "app/compare/contents.hpp"
#include "app/output/dump.hpp"
#include "app/output/run_checkpoint.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;
namespace fs = std::filesystem;

namespace {

const Mesh kBox{.cells = {5, 3, 2}, .lower = {-1, 0, 2}, .upper = {1.5, 0.75, 3}};
const std::string kDeck = "case: {name: riemann}\nmesh: {cells: [64, 1, 1]}\ntime: {end: 0.2}\n";

/// Returns a sample: density from 1 up, cell by cell; momentum (d, 2 d, -d); a scalar of half the mass.
Fields sample() {
  Fields fields;
  for (std::int64_t n = 0; n < kBox.cell_count(); ++n) {
    const double density = static_cast<double>(n + 1);
    append(fields, {density, density, 2 * density, -density, 10 * density});
    fields.scalars.resize(1);
    fields.scalars[0].push_back(density / 2);
  }
  return fields;
}

void write_dump(const fs::path& path, const Fields& fields, const Mesh& mesh = kBox,
                const std::string& precision = "double", const std::string& deck = kDeck) {
  const DumpInfo info{.time = 0.125,
                      .step = 17,
                      .dt = 0.0625,
                      .gases = {{1.25}},
                      .title = "Größe",
                      .deck = deck,
                      .git = "abc",
                      .precision = precision,
                      .backend = "host",
                      .scalars = {"dye"}};
  write_file(path, dump_image(info, mesh, view_of(fields), {"density", "velocity", "dye"}).bytes());
}

Comparison dumps(const fs::path& a, const fs::path& b, const Tolerance& tolerance = {}) {
  return compare(read_contents(a, FileKind::dump), read_contents(b, FileKind::dump), tolerance);
}

const QuantityComparison& named(const Comparison& comparison, std::string_view name) {
  for (const QuantityComparison& quantity : comparison.quantities)
    if (quantity.name == name) return quantity;
  throw std::runtime_error("nothing was compared under the name " + std::string(name));
}

}  // namespace

TEST_CASE("a dump is read as it was written") {
  const TemporaryDirectory directory;
  for (const std::string precision : {"double", "single"}) {
    write_dump(directory / "a.vtkhdf", sample(), kBox, precision);
    const Dump dump = read_dump(directory / "a.vtkhdf");
    CHECK(std::tuple(dump.info.time, dump.info.step, dump.info.title, dump.info.deck, dump.info.precision) ==
          std::tuple(0.125, 17, "Größe", kDeck, precision));
    CHECK(dump.mesh.cells == kBox.cells);
    CHECK(dump.mesh.lower == kBox.lower);
    CHECK(dump.mesh.upper == kBox.upper);
    REQUIRE(dump.fields.size() == 3);
    CHECK(dump.fields[0].name == "density");
    CHECK(dump.fields[0].values == sample().conserved[0]);
    CHECK(dump.fields[1].name == "dye");
    CHECK(dump.fields[2].name == "velocity");
    CHECK(dump.fields[2].components == 3);
    REQUIRE(dump.fields[2].values.size() == 90);
    CHECK(dump.fields[2].values[88] == 2);
    CHECK(dump.fields[2].values[89] == -1);
  }
}

TEST_CASE("a file that is no dump is an error with its name") {
  const TemporaryDirectory directory;
  put(directory / "text.vtkhdf", "no HDF5");
  CHECK(contains(refusal([&] { read_dump(directory / "text.vtkhdf"); }), "text.vtkhdf' as a dump: "));
  hdf5::MemoryFile other("other");
  { const hdf5::Handle group = hdf5::create_group(other.root(), "VTKHDF"); }
  write_file(directory / "other.vtkhdf", other.finish().bytes());
  CHECK(contains(refusal([&] { read_dump(directory / "other.vtkhdf"); }), "other.vtkhdf' as a dump: "));
}

TEST_CASE("equal dumps are identical; one bit of one cell is found, with its place and both values") {
  const TemporaryDirectory directory;
  write_dump(directory / "a.vtkhdf", sample());
  write_dump(directory / "b.vtkhdf", sample());
  const Comparison equal = dumps(directory / "a.vtkhdf", directory / "b.vtkhdf");
  CHECK(equal.agreement() == Agreement::identical);
  CHECK(equal.remarks.empty());
  CHECK(comparison_text(equal, "").empty());

  Fields changed = sample();
  changed.conserved[0][22] = 23.5;  // [2, 1, 1]
  write_dump(directory / "b.vtkhdf", changed);
  const Comparison other = dumps(directory / "a.vtkhdf", directory / "b.vtkhdf");
  CHECK(other.agreement() == Agreement::different);
  const QuantityComparison& density = named(other, "density");
  CHECK(density.values == 30);
  CHECK(density.difference.count == 1);
  CHECK(density.difference.norms.linf == 0.5);
  CHECK(density.worst == "[2, 1, 1] at (0.25, 0.375, 2.75): A 23, B 23.5");
  CHECK(named(other, "time").difference.same_bits);
  CHECK(contains(named(other, "velocity").worst, "A (1, 2, -1), B ("));
  CHECK(contains(comparison_text(other, "  "), "worst [2, 1, 1] at (0.25, 0.375, 2.75): A 23, B 23.5\n"));
  CHECK(dumps(directory / "a.vtkhdf", directory / "b.vtkhdf", {.relative = 0.1}).agreement() ==
        Agreement::within_tolerance);
}

TEST_CASE("dumps on other meshes, or with other fields, are different, and it is said why") {
  const TemporaryDirectory directory;
  write_dump(directory / "a.vtkhdf", sample());
  Mesh moved = kBox;
  moved.upper[0] = 2;
  write_dump(directory / "b.vtkhdf", sample(), moved);
  const Comparison meshes = dumps(directory / "a.vtkhdf", directory / "b.vtkhdf");
  CHECK(meshes.agreement() == Agreement::different);
  REQUIRE(meshes.problems.size() == 1);
  CHECK(
      meshes.problems[0] ==
      "the meshes differ: 5 x 3 x 2 cells from (-1, 0, 2) to (1.5, 0.75, 3) in A, 5 x 3 x 2 cells from (-1, "
      "0, 2) "
      "to (2, 0.75, 3) in B");

  Mesh stretched = kBox;
  stretched.stretched[1] =
      std::make_shared<const StretchedAxis>(std::vector<double>{0, 0.25, 0.375, 0.75}, false);
  write_dump(directory / "b.vtkhdf", sample(), stretched);
  CHECK(dumps(directory / "a.vtkhdf", directory / "b.vtkhdf").problems ==
        std::vector<std::string>{"the meshes differ: face 2 along y is at 0.5 in A, 0.375 in B"});
  CHECK(dumps(directory / "b.vtkhdf", directory / "b.vtkhdf").agreement() == Agreement::identical);

  Contents a = read_contents(directory / "a.vtkhdf", FileKind::dump), b = a;
  std::erase_if(b.quantities, [](const Quantity& q) { return q.name == "velocity"; });
  CHECK(compare(a, b, {}).problems == std::vector<std::string>{"velocity is only in A"});
  CHECK(compare(b, a, {}).problems == std::vector<std::string>{"velocity is only in B"});
}

TEST_CASE("another precision and another deck are remarks; the values decide") {
  const TemporaryDirectory directory;
  write_dump(directory / "a.vtkhdf", sample());
  write_dump(directory / "b.vtkhdf", sample(), kBox, "single", kDeck + "output: {directory: elsewhere}\n");
  const Comparison comparison = dumps(directory / "a.vtkhdf", directory / "b.vtkhdf");
  CHECK(comparison.agreement() == Agreement::identical);
  CHECK(comparison.remarks == std::vector<std::string>{"precision is double in A, single in B"});
  CHECK(deck_remarks(kDeck, kDeck + "scheme: {riemann: roe}\n") ==
        std::vector<std::string>{"deck: scheme.riemann is hllc in A, roe in B"});
  CHECK(deck_remarks(kDeck, "nonsense").size() == 1);
}

TEST_CASE("checkpoints are compared by the state they hold") {
  const TemporaryDirectory directory;
  RunCheckpoint checkpoint;
  checkpoint.deck = kDeck;
  checkpoint.mesh = kBox;
  checkpoint.precision = "double";
  checkpoint.scalars = {"dye"};
  const auto write = [&](const std::string& name, const Fields& fields) {
    fs::create_directory(directory / name);
    checkpoint_file(directory / name, checkpoint, view_of(fields)).commit();
    return read_contents(directory / name / checkpoint_name(checkpoint.state.step), FileKind::checkpoint);
  };
  const Contents a = write("a", sample());
  CHECK(compare(a, write("b", sample()), {}).agreement() == Agreement::identical);
  Fields changed = sample();
  changed.conserved[3][7] += 0.25;
  changed.scalars[0][7] = 0;
  const Comparison comparison = compare(a, write("c", changed), {});
  CHECK(comparison.agreement() == Agreement::different);
  CHECK(named(comparison, "momentum").worst ==
        "[2, 1, 0] at (0.25, 0.375, 2.25): A (8, 16, -8), B (8, 16, -7.75)");
  CHECK(named(comparison, "dye").difference.norms.linf == 4);
  CHECK(named(comparison, "energy").difference.same_bits);
}

TEST_CASE("tables are compared row by row, those of one step, and what only one has is a difference") {
  const TemporaryDirectory directory;
  const std::string header = "step,time,dt,mass\n";
  put(directory / "history.csv", "");
  CHECK(kind_of(directory / "history.csv") == FileKind::history);
  CHECK(contains(refusal([&] { read_contents(directory / "history.csv", FileKind::history); }), "is empty"));
  put(directory / "a.csv", header + "0,0,0,1\n1,0.5,0.5,1\n2,1,0.5,1\n");
  put(directory / "b.csv", header + "0,0,0,1\n2,1,0.5,1.25\n");
  const auto read = [&](const std::string& name) {
    return read_contents(directory / name, FileKind::history);
  };
  const Comparison comparison = compare(read("a.csv"), read("b.csv"), {});
  CHECK(comparison.problems == std::vector<std::string>{"1 row only in A, the first: step 1"});
  CHECK(named(comparison, "mass").values == 2);
  CHECK(named(comparison, "mass").worst == "step 2: A 1, B 1.25");
  CHECK(named(comparison, "time").difference.same_bits);

  put(directory / "c.csv", header + "0,0,0,1\n1,0.5,0.5,nan\n2,1,0.5\n");
  CHECK(contains(refusal([&] { read("c.csv"); }), "row 3 has 3 fields, and the header has 4"));
  put(directory / "c.csv", header + "0,0,zero,1\n");
  CHECK(contains(refusal([&] { read("c.csv"); }), "row 1: 'zero' in the column 'dt' is not a number"));
  put(directory / "c.csv", header + "0,0,1,1\n0,0,1,1\n");
  CHECK(contains(refusal([&] { read("c.csv"); }), "row 2 repeats step 0"));
}

TEST_CASE("of a summary what is no number is no quantity") {
  const TemporaryDirectory directory;
  put(directory / "summary.json", R"({"steps": 3, "empty": [], "words": ["a"], "momentum": [1, 2]})");
  const Contents contents = read_contents(directory / "summary.json", FileKind::summary);
  REQUIRE(contents.quantities.size() == 2);
  CHECK(contents.quantities[0].name == "steps");
  CHECK(contents.quantities[1].name == "momentum");
  put(directory / "summary.json", "[]");
  CHECK_THROWS(read_contents(directory / "summary.json", FileKind::summary));
}

TEST_CASE("histograms are compared bin by bin") {
  const TemporaryDirectory directory;
  const std::string header = "step,time,field,bin,lower,upper,count,probability_density\n";
  put(directory / "histogram.csv", header + "0,0,density,-1,-inf,1,0,0\n0,0,density,0,1,2,5,1\n");
  put(directory / "other.csv", header + "0,0,density,-1,-inf,1,0,0\n0,0,density,0,1,2,4,1\n");
  CHECK(kind_of(directory / "histogram.csv") == FileKind::histogram);
  const auto read = [&](const std::string& name) {
    return read_contents(directory / name, FileKind::histogram);
  };
  const Comparison comparison = compare(read("histogram.csv"), read("other.csv"), {});
  CHECK(named(comparison, "count").worst == "step 0, field density, bin 0: A 5, B 4");
  CHECK(named(comparison, "lower").difference.same_bits);
}

TEST_CASE("compare of runs: exit code 0 if they agree, 5 if not, 2 without two of a kind, 1 for damage") {
  const Shell halfstep;
  for (const char* run : {"run sod.yaml --output a", "run sod.yaml --output b --threads 2",
                          "run sod.yaml --output c time.cfl=0.3"})
    REQUIRE(halfstep(std::string(run) + " --backend host --quiet output.every=0.1").code == 0);

  CHECK(halfstep
            .expect(0, "compare a b",
                    {"fields_000002.vtkhdf: identical\n", "history.csv: identical\n", "\nidentical: "})
            .err.empty());
  halfstep.expect(5, "compare a c",
                  {"remark: deck: time.cfl is 0.4 in A, 0.3 in B\n", "fields_000000.vtkhdf: identical\n",
                   "fields_000002.vtkhdf: different\n"});
  halfstep.expect(5, "compare a/fields_000002.vtkhdf c/fields_000002.vtkhdf");
  CHECK(halfstep("compare a/fields_000000.vtkhdf c/fields_000002.vtkhdf --quiet --atol 1e-3").out ==
        "different: time, density, pressure, velocity\n");
  halfstep.expect(0, "compare a/fields_000002.vtkhdf c/fields_000002.vtkhdf --rtol 0.1",
                  {"equal within the tolerance: time, density, pressure, velocity\n"});

  CHECK(halfstep("compare a b --quiet").out == "identical: 6 files compared, 0 different\n");
  CHECK(halfstep("compare a c --quiet").out.starts_with("different: "));
  halfstep.expect(5, "compare a/history.csv c/history.csv --quiet");
  fs::copy(halfstep / "a/history.csv", halfstep / "kept.csv");
  halfstep.expect(0, "compare a/history.csv kept.csv");
  halfstep.expect(0, "compare a/checkpoint_latest.h5 b/checkpoint_latest.h5");
  halfstep.expect(2, "compare a/history.csv a/fields_000000.vtkhdf",
                  {"cannot compare a history with a dump"});

  fs::remove(halfstep / "b/fields_000001.vtkhdf");
  halfstep.expect(5, "compare a b",
                  {"fields_000001.vtkhdf: different: only in A\n",
                   "different: 5 files compared, 0 different; 1 in only one of the two\n"});
  halfstep.write("b/fields_000002.vtkhdf", "damaged");
  halfstep.expect(1, "compare a b", {"b/fields_000002.vtkhdf"});
}
