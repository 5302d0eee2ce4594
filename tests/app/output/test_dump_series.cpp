#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "app/base/json.hpp"
#include "app/output/dump.hpp"
#include "app/output/dump_series.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "tests/support/cells.hpp"
#include "tests/support/temporary_directory.hpp"

using namespace halfstep;

namespace {

std::atomic<int> times_synchronised = 0;

}  // namespace

/// Takes the place of the system's, to be counted.
extern "C" int fsync(int descriptor) {
  times_synchronised += 1;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace {

const DumpContents kLine{.mesh = {.cells = {4, 1, 1}, .lower = {0, 0, 0}, .upper = {2, 1, 1}},
                         .fields = {"density"}};

constexpr const char* kLists[] = {"fields.vtkhdf.series", "fields.xmf"};

/// A series and its two lists in a directory of their own.
struct Run {
  void begin() { series.emplace(directory.path(), kLine); }
  void resume(std::int64_t next, double time, const DumpContents& contents = kLine) {
    series.emplace(DumpSeries::resume(directory.path(), contents, next, time));
  }
  std::string write(std::int64_t number, double time) {
    Fields gas;
    DumpInfo info;
    info.time = time;
    info.precision = "double";
    for_every_cell(kLine.mesh, [&](const auto&) { append(gas, {1, 0, 0, 0, 1}); });
    return series->write(number, time, dump_image(info, kLine.mesh, view_of(gas), {"density"}));
  }
  /// Writes a dump at the time of its number.
  void write_next() {
    const auto number = static_cast<std::int64_t>(list().size());
    write(number, static_cast<double>(number));
  }
  void begin_with_two() {
    begin();
    write(0, 0);
    write_next();
  }
  Json list() const { return Json::parse(contents(directory / "fields.vtkhdf.series")).at("files"); }
  /// Lines of fields.xmf that describe a dump.
  std::vector<std::string> grids() const {
    std::vector<std::string> found;
    for (const std::string& line : lines(directory / "fields.xmf"))
      if (!dump_of_xdmf_grid(line).empty()) found.push_back(line);
    return found;
  }

  TemporaryDirectory directory;
  std::optional<DumpSeries> series;
};

bool has_leases(const std::filesystem::path& probe) {
  const int file = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  const bool has = ::fcntl(file, F_SETLEASE, F_WRLCK) == 0;
  ::close(file);
  return has;
}

ino_t inode(const std::filesystem::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_ino;
}

}  // namespace

TEST_CASE("The lists name the dumps with their times, and a restart drops the later ones") {
  Run run;
  run.begin();
  for (const int number : {0, 1, 2, 3}) run.write(number, 0.1 * number);
  CHECK(Json::parse(contents(run.directory / "fields.vtkhdf.series"))["file-series-version"] == "1.0");
  REQUIRE(run.list().size() == 4);
  CHECK(run.list()[3]["name"] == "fields_000003.vtkhdf");
  CHECK(run.list()[3]["time"] == 0.1 * 3);
  REQUIRE(run.grids().size() == 4);
  CHECK(dump_of_xdmf_grid(run.grids()[3]) == "fields_000003.vtkhdf");

  run.resume(2, 0.15);
  CHECK(run.grids().size() == 2);
  CHECK(run.write(2, 0.25) == "fields_000002.vtkhdf");
  REQUIRE(run.list().size() == 3);
  CHECK(run.list()[1]["time"] == 0.1);
  CHECK(run.list()[2]["time"] == 0.25);
  REQUIRE(run.grids().size() == 3);
  CHECK(contains(run.grids()[2], "<Time Value=\"0.25\"/>"));

  // The run resumes from a checkpoint taken before the dump of the same time: the dump is written again and
  // listed once.
  run.resume(2, 0.25);
  run.write(2, 0.25);
  CHECK(run.list().size() == 3);
  CHECK(run.grids().size() == 3);

  // Lists that somebody removed are written anew.
  std::filesystem::remove(run.directory / "fields.vtkhdf.series");
  std::filesystem::remove(run.directory / "fields.xmf");
  run.write(3, 0.3);
  CHECK(run.list().size() == 4);
  CHECK(run.grids().size() == 4);

  put(run.directory / "fields.vtkhdf.series", "{");
  CHECK(contains(refusal([&] { run.resume(2, 0.25); }), "fields.vtkhdf.series"));
}

TEST_CASE("A series that is safe when it is synchronised brings its lists alone to the disk before") {
  Run run;
  run.series.emplace(run.directory.path(), kLine, "fields", Safe::when_synchronised);
  int before = times_synchronised;
  const auto times_since = [&] {
    const int now = times_synchronised;
    return now - std::exchange(before, now);
  };
  for (const int number : {0, 1, 2}) run.write(number, 0.1 * number);
  CHECK(times_since() == 0);
  CHECK_FALSE(std::filesystem::exists(run.directory / "fields.xmf"));
  run.series->flush();
  CHECK(times_since() == 2);
  CHECK(run.list().size() == 3);
  CHECK(run.grids().size() == 3);
  run.series->flush();
  CHECK(times_since() == 0);
  run.series->synchronise();
  CHECK(times_since() == 4);  // three dumps, the directory
  run.series->synchronise();
  CHECK(times_since() == 0);
  for (const int number : {3, 4}) run.write(number, 0.1 * number);
  std::filesystem::remove(run.directory / "fields_000003.vtkhdf");
  run.series->synchronise();
  CHECK(times_since() == 4);  // a dump, the lists, the directory
  CHECK(run.list().size() == 5);
}

TEST_CASE("The grid of a stretched mesh points at the faces in the dump, x first") {
  DumpContents contents = kLine;
  contents.mesh.stretched[0] =
      std::make_shared<const StretchedAxis>(std::vector<double>{0, 0.1, 0.3, 0.7, 2}, false);
  const std::string grid = xdmf_grid("fields_000000.vtkhdf", 0, contents);
  CHECK(contains(grid,
                 R"(<Topology TopologyType="3DRectMesh" Dimensions="2 2 5"/><Geometry GeometryType="VXVYVZ">)"
                 R"(<DataItem Dimensions="5" NumberType="Float" Precision="8" Format="HDF">)"
                 R"(fields_000000.vtkhdf:/VTKHDF/XCoordinates</DataItem>)"
                 R"(<DataItem Dimensions="2" NumberType="Float" Precision="8" Format="HDF">)"
                 R"(fields_000000.vtkhdf:/VTKHDF/YCoordinates</DataItem>)"));
  CHECK(contains(grid, ":/VTKHDF/ZCoordinates</DataItem></Geometry><Attribute Name=\"density\""));
  CHECK(dump_of_xdmf_grid(grid) == "fields_000000.vtkhdf");
}

TEST_CASE("An entry costs no more than itself, and a restart leaves what is still so") {
  Run run;
  run.begin_with_two();
  for (const char* name : kLists) {
    CAPTURE(name);
    const auto path = run.directory / name;
    const auto first = inode(path);
    run.write_next();
    const auto second = inode(path);
    CHECK(second != first);
    run.write_next();
    CHECK(inode(path) == first);  // not written anew: n dumps would write n^2 lines
    run.write_next();
    CHECK(inode(path) == second);
  }
  CHECK(run.list().size() == 8);
  CHECK(run.grids().size() == 8);
  run.series.reset();
  for (const char* name : kLists) {
    CHECK_FALSE(std::filesystem::exists(temporary_name(run.directory / name)));
    const std::string before = contents(run.directory / name);
    run.resume(8, 7);
    CHECK(contents(run.directory / name) == before);
  }
}

TEST_CASE("A reader that is slower than the next dumps reads the list that it opened") {
  Run run;
  if (!has_leases(run.directory / "probe")) {
    MESSAGE("not tested: this file system has no leases");
    return;
  }
  run.begin_with_two();
  for (const char* name : kLists) {
    CAPTURE(name);
    const auto path = run.directory / name;
    const std::string before = contents(path);
    std::ifstream reader(path);
    std::string read(before.size() / 2, ' ');
    reader.read(read.data(), std::ssize(read));
    for (int n = 0; n < 4; ++n) run.write_next();
    reader.clear();
    reader.seekg(std::ssize(read));
    read.append(std::istreambuf_iterator<char>(reader), {});
    CHECK(read == before);
  }
  CHECK(run.list().size() == 10);
  CHECK(run.grids().size() == 10);
}

TEST_CASE("A list is not written through a symbolic link") {
  Run run;
  run.begin();
  run.write(0, 0);
  const auto list = run.directory / "fields.xmf", elsewhere = run.directory / "elsewhere";
  for (const int number : {1, 2, 3}) {
    std::filesystem::rename(list, elsewhere);
    std::filesystem::create_symlink(elsewhere, list);
    const std::string before = contents(elsewhere);
    run.write(number, number);
    CHECK(contents(elsewhere) == before);
    CHECK(run.grids().size() == static_cast<std::size_t>(number + 1));
  }
}

TEST_CASE("A restart keeps the grids of earlier dumps as they are, though it dumps other fields") {
  Run run;
  run.begin();
  run.write(0, 0);
  DumpContents other = kLine;
  other.fields = {"density", "velocity"};
  run.resume(1, 0, other);
  run.write(1, 1);
  REQUIRE(run.grids().size() == 2);
  CHECK_FALSE(contains(run.grids()[0], "velocity"));
  CHECK(contains(run.grids()[1], "velocity"));
}

TEST_CASE("A grid has its points and cells by z, y and x, and numbers of the file's precision") {
  const DumpContents box{.mesh = {.cells = {5, 3, 2}, .lower = {-1, 0, 2}, .upper = {1, 0.75, 3}},
                         .fields = {"density", "velocity"},
                         .precision = Precision::single_precision};
  const std::string grid = xdmf_grid("fields_000007.vtkhdf", 0.125, box);
  for (const char* part :
       {"<Time Value=\"0.125\"/>", "\"3DCoRectMesh\" Dimensions=\"3 4 6\"", ">2 0 -1<", ">0.5 0.25 0.4<",
        "Name=\"density\" AttributeType=\"Scalar\" Center=\"Cell\"><DataItem Dimensions=\"2 3 5\"",
        "Name=\"velocity\" AttributeType=\"Vector\" Center=\"Cell\"><DataItem Dimensions=\"2 3 5 3\"",
        "Precision=\"4\" Format=\"HDF\">fields_000007.vtkhdf:/VTKHDF/CellData/velocity<"})
    CHECK_MESSAGE(contains(grid, part), part << " is not in " << grid);
  CHECK(dump_of_xdmf_grid(grid) == "fields_000007.vtkhdf");
  CHECK_FALSE(contains(grid, "\n"));
}
