#include "app/commands/report.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/commands/commands.hpp"
#include "app/output/output_directory.hpp"
#include "app/plot/run_picture.hpp"

namespace halfstep {

int report(const std::string& directory) {
  if (!std::filesystem::is_directory(directory) || !holds_run(directory))
    throw UsageError(fmt::format("'{}' holds no run", directory),
                     "give the output directory of 'halfstep run', for example out/sod");
  try {
    fmt::print("{}\n", write_report(open_run_directory(directory)).string());
  } catch (const RefusedInput& e) {
    throw UsageError(e.what(), e.remedy);
  }
  return kFinished;
}

}  // namespace halfstep
