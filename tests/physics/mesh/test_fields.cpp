// Views of fields in either precision, and what is computed from them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "app/output/dump.hpp"
#include "app/output/run_checkpoint.hpp"
#include "tests/support/run_case.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;

const Mesh kMesh{.cells = {7, 5, 3}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};

/// A state in single precision, as floats and as the same values in doubles.
struct TwoCopies {
  std::vector<std::vector<float>> floats;
  Fields doubles;

  explicit TwoCopies(int scalars) : floats(kFields + scalars) {
    doubles.scalars.resize(scalars);
    for (int f = 0; f < kFields + scalars; ++f)
      for (std::int64_t c = 0; c < kMesh.cell_count(); ++c) {
        const double wave = 0.3 * std::sin(1.0 + static_cast<double>(c) + 100 * f);
        floats[f].push_back(static_cast<float>(f == kFields - 1 ? 3 + wave : f == 0 ? 1 + wave : wave));
        doubles.field(f).push_back(floats[f].back());
      }
  }
  FieldsView view() const { return FieldSpans<float>(floats.begin(), floats.end()); }
};

std::vector<std::byte> bytes_of(const hdf5::Image& image) {
  return {image.bytes().begin(), image.bytes().end()};
}

TEST_CASE("fields that are seen and widened again are the fields") {
  for (const int scalars : {0, 1, 3}) {
    const TwoCopies state(scalars);
    CHECK(identical(widened(view_of(state.doubles)), state.doubles));
    CHECK(identical(widened(state.view()), state.doubles));
  }
}

TEST_CASE("a dump of floats where they lie is, byte by byte, the dump of the same values in doubles") {
  const TwoCopies state(2);
  for (const char* precision : {"single", "double"}) {
    DumpInfo info;
    info.precision = precision;
    info.scalars = {"dye", "smoke"};
    const std::vector<std::string> selected = {"density", "velocity", "pressure", "smoke"};
    CHECK((bytes_of(dump_image(info, kMesh, state.view(), selected)) ==
           bytes_of(dump_image(info, kMesh, view_of(state.doubles), selected))));
  }
}

TEST_CASE("a checkpoint of floats where they lie is that of the same values in doubles") {
  const TemporaryDirectory directory;
  for (const int scalars : {0, 1, 3}) {
    const TwoCopies state(scalars);
    RunCheckpoint checkpoint;
    checkpoint.mesh = kMesh;
    checkpoint.precision = "single";
    for (int s = 0; s < scalars; ++s) checkpoint.scalars.push_back("s" + std::to_string(s));
    std::string files[2];
    for (int n = 0; n < 2; ++n) {
      const FieldsView fields = n == 0 ? state.view() : view_of(state.doubles);
      const std::string name =
          publish_checkpoint(directory.path(), 0, checkpoint_file(directory.path(), checkpoint, fields), 1);
      files[n] = contents(directory / name);
      CHECK(identical(read_checkpoint(directory / name).fields, state.doubles));
    }
    CHECK((files[0] == files[1]));
  }
}

TEST_CASE("a snapshot stays as it was while the run goes on") {
  CaseRun run("sod", {"mesh.cells=[64,1,1]"});
  run.run(3);
  const Fields now = run.fields();
  const auto snapshot = run.solver->snapshot();
  run.run(6);
  CHECK(identical(widened(snapshot->fields()), now));
  CHECK_FALSE(identical(run.fields(), now));
}

}  // namespace
