#include "app/commands/study.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "app/commands/commands.hpp"
#include "app/study/studies.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

void make_writable(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw_system_error("create", directory, error.value());
  if (::access(directory.c_str(), W_OK | X_OK) != 0) throw_system_error("write into", directory, errno);
}

}  // namespace

int study(const StudyOptions& options) {
  const auto chosen = std::find_if(studies().begin(), studies().end(),
                                   [&](const Study& s) { return s.name == options.name; });
  if (chosen == studies().end()) {
    std::size_t width = 0;
    for (const Study& s : studies()) width = std::max(width, s.name.size());
    for (const Study& s : studies()) fmt::print("{:<{}}  {}\n", s.name, width, s.summary);
    return kFinished;
  }
  const std::filesystem::path directory = options.output;
  if (!directory.empty()) make_writable(directory);  // first: a study may take long
  const Table table = chosen->run();
  fmt::print("{}", table_text(table));
  if (!directory.empty()) {
    write_file(directory / (chosen->name + ".csv"), table_csv(table));
    write_file(directory / (chosen->name + ".json"), table_json(table));
  }
  return kFinished;
}

}  // namespace halfstep
