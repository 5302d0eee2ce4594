#include "app/commands/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/error_text.hpp"
#include "app/base/exit_codes.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/info.hpp"
#include "app/deck/diagnostic.hpp"
#include "app/deck/nearest.hpp"
#include "app/output/terminal.hpp"

namespace halfstep {
namespace {

bool in_colour() { return TerminalStyle::detect(false, false).colour; }

void print_error(const std::string& message, const std::string& help = "") {
  const Diagnostic diagnostic{.where = "halfstep", .message = message, .help = help};
  std::fputs(render(diagnostic, in_colour()).c_str(), stderr);
}

struct Command {
  const char* name;
  const char* summary;
  DeclareCommand* declare;
};

constexpr Command kCommands[] = {
    {"run", "Run a deck", declare_run},
    {"sweep", "Run a deck with every combination of some values", declare_sweep},
    {"check", "Validate a deck, print it with every default and the memory it needs", declare_check},
    {"deck", "Print a deck that the program carries, to begin your own with", declare_deck},
    {"bench", "Time steps: of a deck, or of a built-in set of schemes", declare_bench},
    {"compare", "Compare dumps, checkpoints, histories or runs", declare_compare},
    {"regress", "Run every deck at its test size against its golden numbers", declare_regress},
    {"study", "Run an experiment, or list them", declare_study},
    {"verify", "Check flows against what is known of them", declare_verify},
    {"plot", "Draw what a run, a study or a benchmark has left", declare_plot},
    {"report", "Put a run on one page of HTML", declare_report},
    {"list", "List the decks, cases, schemes, boundaries and studies there are", declare_list},
    {"info", "Print the version, compilers, libraries and devices", declare_info},
    {"schema", "Print the JSON Schema of decks, for editors", declare_schema},
};

/// The command line: all commands and their options.
class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", "halfstep " + version_text(), "Print the version and exit");
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.require_subcommand(1);
    app_.footer(
        "Examples:\n"
        "  halfstep run sod\n"
        "  halfstep run inputs/sod.yaml mesh.cells=[512,1,1] scheme.riemann=roe --output out/fine\n"
        "  halfstep check inputs/sod.yaml time.cfl=0.8\n"
        "  halfstep list\n\n"
        "'halfstep COMMAND --help' says more of a command; docs/deck.md lists every key of a deck.");
    for (const Command& command : kCommands) {
      CLI::App* declared = app_.add_subcommand(command.name, command.summary);
      declared->callback([this, action = command.declare(*declared)] { chosen_ = action; });
    }
  }

  int parse_and_run(int argc, char** argv) {
    refuse_unknown_command(argc, argv);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      if (e.get_exit_code() == 0) return print_help_or_version(e);
      refuse(e);
    }
    return chosen_();
  }

 private:
  void refuse_unknown_command(int argc, char** argv) const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    if (argc < 2)
      throw UsageError("no command given", "one of " + alternatives(names) + "; see 'halfstep --help'");
    const std::string token = argv[1];
    if (token.empty() || token[0] == '-' || std::find(names.begin(), names.end(), token) != names.end())
      return;
    if (token.ends_with(".yaml") || token.ends_with(".yml"))
      throw UsageError(fmt::format("no command {}; did you mean 'halfstep run {}'?", quote(token), token),
                       "");
    throw UsageError(fmt::format("no command {}{}", quote(token), did_you_mean(token, names)),
                     "one of " + alternatives(names) + "; see 'halfstep --help'");
  }

  int print_help_or_version(const CLI::ParseError& e) const {
    std::ostringstream out, err;
    const int code = app_.exit(e, out, err);
    fmt::print("{}", out.str());
    return code;
  }

  /// Turns CLI11's error into a UsageError; suggests the nearest option for an unknown one.
  [[noreturn]] void refuse(const CLI::ParseError& e) const {
    const CLI::App* command = &app_;
    for (const CLI::App* given : app_.get_subcommands()) command = given;
    const std::string help =
        fmt::format("see 'halfstep {}{}--help'", command == &app_ ? "" : command->get_name(),
                    command == &app_ ? "" : " ");
    for (const std::string& token : app_.remaining(true)) {
      if (token.empty() || token[0] != '-') throw UsageError("unexpected argument " + quote(token), help);
      std::vector<std::string> options;
      for (const CLI::Option* option : command->get_options())
        if (!option->get_lnames().empty()) options.push_back("--" + option->get_lnames()[0]);
      const std::string name = token.substr(0, token.find('='));
      throw UsageError(fmt::format("unknown option {}{}", quote(name), did_you_mean(name, options)), help);
    }
    const std::string message = e.what();
    if (e.get_name() == "ArgumentMismatch")  // "--output: 1 required TEXT missing", or given twice
      throw UsageError(message.substr(0, message.find(':')) + " takes exactly one value", help);
    throw UsageError(message, help);
  }

  CLI::App app_{
      "halfstep: compressible flow on a GPU. A step that goes wrong is redone with half the time step.",
      "halfstep"};
  std::function<int()> chosen_;
};

}  // namespace

int run_command_line(int argc, char** argv) {
  try {
    const int code = CommandLine().parse_and_run(argc, argv);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    print_error("cannot write to standard output");
  } catch (const DeckError& e) {
    for (const Diagnostic& d : e.diagnostics) std::fputs(render(d, in_colour()).c_str(), stderr);
    return kUsage;
  } catch (const UsageError& e) {
    print_error(e.what(), e.help);
    return kUsage;
  } catch (const std::exception& e) {
    const auto [message, help] = error_text(e);
    print_error(message, help);
  }
  return kFailed;
}

}  // namespace halfstep
