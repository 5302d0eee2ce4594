#include "app/plot/picture.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "app/embedded.hpp"
#include "app/kernels/process.hpp"
#include "app/output/temporary_directory.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

// Exit codes of study.py.
constexpr int kDrawn = 0, kNoMatplotlib = 3, kNothingToDraw = 4;

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

/// By the first python3 that has matplotlib: that on the PATH, or the distribution's, which apt-get serves.
ProcessResult run_script(std::vector<std::string> words) {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    words[0] = python;
    try {
      const ProcessResult result = run_process(words);
      if (result.status != kNoMatplotlib) return result;
    } catch (const std::runtime_error&) {  // there is no such program
    }
  }
  throw std::runtime_error("python3 with matplotlib was not found (apt-get install python3-matplotlib)");
}

}  // namespace

Picture draw_study(const fs::path& json, const fs::path& directory) {
  const TemporaryDirectory scripts;
  write_embedded_files(scripts.path(), "app/plot/");
  const fs::path stem = directory / json.stem();
  const ProcessResult result =
      run_script({"python3", (scripts / "app/plot/study.py").string(), json.string(), stem.string()});
  if (result.status == kNothingToDraw) return {.why_not = last_line(result.output)};
  if (result.status != kDrawn)
    throw std::runtime_error(fmt::format("cannot draw '{}': {}", json.string(), last_line(result.output)));
  return {.files = {stem.string() + ".png", stem.string() + ".svg"}};
}

}  // namespace halfstep
