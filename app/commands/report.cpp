// `halfstep report`: writes a run's results as one HTML page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/base/exit_codes.hpp"
#include "app/commands/commands.hpp"
#include "app/output/output_directory.hpp"
#include "app/plot/run_picture.hpp"

namespace halfstep {
namespace {

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

}  // namespace

std::function<int()> declare_report(CLI::App& command) {
  const auto directory = std::make_shared<std::string>();
  command.add_option("DIR", *directory, "the run's directory; the page is DIR/report.html")->required();
  command.footer("Example:\n  halfstep report out/sod\n\nDraws with python3, its matplotlib and h5py.");
  return [=] { return report(*directory); };
}

}  // namespace halfstep
