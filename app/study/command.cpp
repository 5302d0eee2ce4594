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
  command.add_option("KERNEL", options->kernel, "FILE.cu:NAME, for the study 'kernel' alone");
  const auto add = [&](const char* flag, std::string& value, const char* what, const char* form) {
    command.add_option(flag, value, what)->needs(name)->option_text(form);
  };
  add("--output", options->output,
      "Write NAME.csv, NAME.json and the pictures NAME.png and NAME.svg into this directory", "DIR");
  add("--json", options->json, "Write the report into this file", "FILE");
  command.add_flag("--quick", options->quick, "A first look: a fifth of the rounds, and smaller transfers")
      ->needs(name);
  add("--arch", options->architectures,
      "Architectures; 'kernel' has by default this machine's GPU's, or sm_80,sm_90 without one", "sm_80,...");
  add("--block", options->blocks, "Threads of a block; 'kernel' has by default 128,256", "N,...");
  add("--caps", options->caps,
      "Most registers of a thread, 0 for no cap; 'kernel' has by default 0 and what binds of 64,96,128",
      "N,...");
  add("--scheme", options->schemes, "Words of the names of kernels that 'registers' has, for example plm,roe",
      "NAME,...");
  add("--method", options->methods, "Ways of reporting that 'registers' has; none is always there",
      "NAME,...");
  add("--precision", options->precisions, "Precisions that 'registers' has: double, single", "NAME,...");
  command.footer(
      "Examples:\n"
      "  halfstep study\n"
      "  halfstep study detection --quick\n"
      "  halfstep study async-error --output out/async-error\n"
      "  halfstep study registers --scheme weno5z --precision double --output out/registers\n"
      "  halfstep study kernel forces.cu:lennard_jones --arch sm_80,sm_90 --output out/kernel\n\n"
      "Most studies measure a CUDA device. Without one 'registers', 'kernel' and 'detection' have what the\n"
      "compiler tells, for which they need nvcc. Exit codes: 0 done, 1 the study cannot run here, or an I/O\n"
      "or device error, 2 no such study, or a kernel that cannot be compiled.");
  return [=] { return run_study(*options); };
}

}  // namespace halfstep
