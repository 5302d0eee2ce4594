// Checks that the sources embedded in the program are those of the source tree.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "app/base/embedded.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace halfstep;
namespace fs = std::filesystem;

const fs::path kSource = HALFSTEP_SOURCE_DIR;

TEST_CASE("every byte of an embedded file is that of the source tree") {
  REQUIRE(embedded_files().size() > 50);
  for (const EmbeddedFile& file : embedded_files()) {
    CAPTURE(std::string(file.path));
    CHECK(file.text == contents(kSource / file.path));
    CHECK_FALSE(file.text.empty());
  }
}

TEST_CASE("embedded files are in order, and the plotting script and the stage kernel are among them") {
  const auto files = embedded_files();
  CHECK(std::is_sorted(files.begin(), files.end(),
                       [](const auto& a, const auto& b) { return a.path < b.path; }));
  std::set<std::string_view> paths;
  for (const EmbeddedFile& file : files) CHECK(paths.insert(file.path).second);
  CHECK(paths.count("app/plot/study.py") == 1);
  CHECK(paths.count("physics/cuda/stage/body.cuh") == 1);
}

TEST_CASE("written anywhere, what an embedded header includes is there too") {
  const TemporaryDirectory directory;
  write_embedded_files(directory.path(), "");
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.ends_with(".py")) continue;
    const fs::path path = directory / std::string(file.path);
    CHECK(contents(path) == file.text);
    std::istringstream text{std::string(file.text)};
    for (std::string line; std::getline(text, line);) {
      if (line.rfind("#include \"", 0) != 0) continue;
      const std::string name = line.substr(10, line.find('"', 10) - 10);
      INFO("path ", path, ", name ", name);
      // The last two are what a user's kernel is compiled with.
      CHECK((fs::exists(directory / name) || fs::exists(path.parent_path() / name) ||
             fs::exists(directory / "app/study/include" / name) ||
             fs::exists(directory / "runtime/soft_error/facade" / name)));
    }
  }
}

TEST_CASE("only what begins with the prefix is written") {
  const TemporaryDirectory directory;
  write_embedded_files(directory.path(), "app/plot/");
  CHECK(fs::exists(directory / "app/plot/study.py"));
  CHECK_FALSE(fs::exists(directory / "physics"));
}

TEST_CASE("a directory that cannot be written into is an error with its name") {
  const TemporaryDirectory directory;
  put(directory / "app", "a file where a directory has to be");
  CHECK(contains(refusal([&] { write_embedded_files(directory.path(), "app/plot/"); }), "app/plot"));
}

}  // namespace
