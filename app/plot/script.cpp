#include "app/plot/script.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "app/base/embedded.hpp"
#include "app/base/temporary_directory.hpp"

namespace halfstep {
namespace {

constexpr int kModuleMissing = 3;

}  // namespace

ProcessResult run_script(const std::string& script, const std::vector<std::string>& arguments,
                         const std::vector<std::string>& modules) {
  const TemporaryDirectory scripts;
  write_embedded_files(scripts.path(), "app/plot/");
  write_embedded_files(scripts.path(), "python/halfstep/");  // their readers of a run's files
  write_embedded_files(scripts.path(), "tests/reference/");  // reference data for the pictures
  std::vector<std::string> words = {"", (scripts / ("app/plot/" + script)).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    words[0] = python;
    try {
      ProcessResult result = run_process(words);
      if (result.status != kModuleMissing) return result;
    } catch (const std::runtime_error&) {  // no such program
    }
  }
  throw std::runtime_error(fmt::format("python3 with {} was not found (apt-get install python3-{})",
                                       fmt::join(modules, " and "), fmt::join(modules, " python3-")));
}

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace halfstep
