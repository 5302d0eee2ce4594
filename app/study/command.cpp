// `halfstep study`: the command's options.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/base/studies.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/options.hpp"
#include "app/study/study.hpp"

namespace halfstep {

std::function<int()> declare_study(CLI::App& command) {
  const auto options = std::make_shared<StudyOptions>();
  std::vector<std::string> names;
  for (const Study& s : studies()) names.push_back(s.name);
  CLI::Option* name = command.add_option("NAME", options->name, "the study; without it they are listed")
                          ->check(one_of(names));
  command
      .add_option("--output", options->output,
                  "Write NAME.csv, NAME.json and the pictures NAME.png and NAME.svg into this directory")
      ->needs(name)
      ->option_text("DIR");
  command.footer(
      "Examples:\n"
      "  halfstep study\n"
      "  halfstep study async-error --output out/async-error\n"
      "  halfstep study registers --output out/registers\n\n"
      "Most studies measure a CUDA device. Without one 'registers' has what the compiler tells; it needs\n"
      "nvcc. Exit codes: 0 done, 1 the study cannot run here, or an I/O or device error, 2 no such study.");
  return [=] { return study(*options); };
}

}  // namespace halfstep
