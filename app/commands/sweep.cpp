// `halfstep sweep`: runs a deck with every combination of some values.
#include "app/sweep/sweep.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"

namespace halfstep {

std::function<int()> declare_sweep(CLI::App& command) {
  const auto arguments = std::make_shared<DeckArguments>();
  const auto options = std::make_shared<SweepOptions>();
  arguments->declare(command);
  command
      .add_option("--output", options->output, "Put the runs and their table here, by default out/NAME.sweep")
      ->check(not_empty())
      ->option_text("DIR");
  declare_backend(command, options->backend, options->threads);
  command.footer(
      "Examples:\n"
      "  halfstep sweep sod scheme.riemann=hll,hllc,roe mesh.cells.x=64,128,256\n"
      "  halfstep sweep inputs/isentropic_vortex.yaml mesh.cells=[32,32,1],[64,64,1] time.end=1\n\n"
      "A key with several values, separated by commas, is swept; one with a single value is for every run.\n"
      "mesh.cells.x, y and z are single cell counts.\n\n"
      "Results are in DIR/sweep.csv and sweep.json, each run in a directory named after its values. The "
      "same\n"
      "command goes on where it was stopped: a run is done again only if its deck has changed.\n\n"
      "Exit codes: 0 all runs have a result, 1 a run failed, 2 a value is not possible (nothing is run),\n"
      "3 a run exhausted every remedy, 4 stopped by a signal.");
  return [=] {
    arguments->sort("sweep", true, options->deck, options->arguments);
    return sweep(*options);
  };
}

}  // namespace halfstep
