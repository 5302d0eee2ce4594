// `halfstep sweep`: runs a deck with every combination of some values.
#include "app/sweep/sweep.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/base/exit_codes.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/plot/picture.hpp"
#include "app/run/ranks.hpp"

namespace halfstep {
namespace {

/// Draws the table of the sweep in `directory`. A machine that cannot draw still has the table.
void draw_table(const std::filesystem::path& directory) {
  const std::filesystem::path json = directory / "sweep.json";
  try {
    const Picture picture = draw_report(ReportKind::sweep, json, directory / "sweep");
    for (const std::filesystem::path& file : picture.files) fmt::print("{}\n", file.string());
  } catch (const std::exception& e) {
    fmt::print(stderr, "no picture: {}; 'halfstep plot {}' draws it later\n", e.what(), json.string());
  }
}

}  // namespace

std::function<int()> declare_sweep(CLI::App& command) {
  const auto arguments = std::make_shared<DeckArguments>();
  const auto options = std::make_shared<SweepOptions>();
  arguments->declare(command);
  command
      .add_option("--output", options->output, "Put the runs and their table here, by default out/NAME.sweep")
      ->check(not_empty())
      ->option_text("DIR");
  declare_backend(command, options->backend, options->threads);
  command
      .add_option("--jobs", options->jobs,
                  "Runs beside each other, with --backend host; the processors are divided between them")
      ->check(whole_number(1, 1024))
      ->option_text("N");
  command.footer(
      "Examples:\n"
      "  halfstep sweep sod scheme.riemann=hll,hllc,roe mesh.cells.x=64,128,256\n"
      "  halfstep sweep inputs/isentropic_vortex.yaml mesh.cells=[32,32,1],[64,64,1] time.end=1\n\n"
      "A key with several values, separated by commas, is swept; one with a single value is for every run.\n"
      "mesh.cells.x, y and z are single cell counts.\n\n"
      "Results are in DIR/sweep.csv and sweep.json, drawn as sweep.png and sweep.svg where python3 has "
      "matplotlib, each run in a directory named after its values. The "
      "same\n"
      "command goes on where it was stopped: a run is done again only if its deck has changed.\n\n"
      "Exit codes: 0 all runs have a result, 1 a run failed, 2 a value is not possible (nothing is run),\n"
      "3 a run exhausted every remedy, 4 stopped by a signal.");
  return [=] {
    arguments->sort("sweep", true, options->deck, options->arguments);
    // Each run is a process of its own, which cannot be a rank.
    if (rank_count() > 1)
      throw UsageError("a sweep does not run on several ranks", "start it without mpirun, with --jobs N");
    const int code = sweep(*options);
    if (code == kFinished || code == kExhausted) draw_table(sweep_directory(*options));
    return code;
  };
}

}  // namespace halfstep
