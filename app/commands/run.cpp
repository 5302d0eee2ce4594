// `halfstep run`: runs a deck or continues a checkpoint.
#include "app/run/run.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"

namespace halfstep {

std::function<int()> declare_run(CLI::App& command) {
  const auto arguments = std::make_shared<DeckArguments>();
  const auto options = std::make_shared<RunOptions>();
  arguments->declare(command);
  command
      .add_option("--output", options->output,
                  "Write here, not to the deck's output.directory, by default out/NAME of NAME.yaml")
      ->check(not_empty())
      ->option_text("DIR");
  declare_backend(command, options->backend, options->threads);
  command
      .add_option("--restart", options->restart,
                  "Go on from a checkpoint, or from the newest that can be used of a run's directory; "
                  "DECK may then be left out")
      ->check(not_empty())
      ->option_text("FILE|DIR");
  command
      .add_option("--wall-time", options->wall_time, "Stop with a checkpoint after this time, exit code 4")
      ->check(duration())
      ->option_text("HH:MM:SS");
  command.add_flag("--share-devices", options->share_devices,
                   "With several ranks (mpirun): let them share a GPU, for tests");
  command.add_flag("--quiet", options->quiet, "Print errors only");
  command.add_flag("--no-progress", options->no_progress, "No progress lines");
  command.footer(
      "Examples:\n"
      "  halfstep run sod\n"
      "  halfstep run inputs/sod.yaml\n"
      "  halfstep run inputs/sod.yaml time.cfl=0.3 case.left.density=2 --output out/denser\n"
      "  halfstep run inputs/sod.yaml --wall-time 01:00:00\n"
      "  halfstep run --restart out/sod\n"
      "  halfstep run --restart out/sod/checkpoint_00000120.h5 time.end=0.3\n\n"
      "SIGINT, SIGTERM and SIGHUP stop a run with a checkpoint, SIGUSR1 has one written; so do empty files "
      "'stop'\n"
      "and 'checkpoint' in the output directory.\n\n"
      "A run into a directory that holds an earlier one moves the files of that to DIR.previous, or\n"
      "DIR.previous.2, ...; files of others stay where they are.\n\n"
      "Exit codes: 0 finished or at time.max_steps, 1 internal, I/O or device error, 2 command line or\n"
      "deck error, or a --restart that cannot be used, 3 soft errors exhausted every remedy, 4 stopped by\n"
      "a signal, a file or the wall time; after\n"
      "3 and 4 there is a restartable checkpoint.");
  return [=] {
    arguments->sort("run", options->restart.empty(), options->deck, options->overrides);
    return run(*options);
  };
}

}  // namespace halfstep
