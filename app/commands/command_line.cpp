#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/commands/bench.hpp"
#include "app/commands/check.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/compare.hpp"
#include "app/commands/info.hpp"
#include "app/commands/list.hpp"
#include "app/commands/plot.hpp"
#include "app/commands/regress.hpp"
#include "app/commands/report.hpp"
#include "app/commands/run.hpp"
#include "app/commands/schema.hpp"
#include "app/commands/study.hpp"
#include "app/commands/verify.hpp"
#include "app/deck/diagnostic.hpp"
#include "app/deck/duration.hpp"
#include "app/deck/nearest.hpp"
#include "app/output/terminal.hpp"
#include "app/study/studies.hpp"

namespace halfstep {
namespace {

bool in_colour() { return TerminalStyle::detect(false, false).colour; }

void print_error(const std::string& message, const std::string& help = "") {
  const Diagnostic diagnostic{.where = "halfstep", .message = message, .help = help};
  std::fputs(render(diagnostic, in_colour()).c_str(), stderr);
}

/// Whether it begins as block.key= does.
bool is_override(std::string_view token) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view others = "0123456789.";
  const std::string_view key = token.substr(0, token.find('='));
  const auto allowed = [&](char c) {
    return letters.find(c) != letters.npos || others.find(c) != others.npos;
  };
  return key.size() < token.size() && !key.empty() && letters.find(key.front()) != letters.npos &&
         std::all_of(key.begin(), key.end(), allowed);
}

/// Positional arguments of run, check and bench: a deck and overrides, in any order.
struct Positionals {
  std::string first;
  std::vector<std::string> others;

  void add_to(CLI::App& command) {
    command.add_option("DECK", first, "the deck, a YAML file");
    command.add_option("OVERRIDES", others, "values that replace the deck's: block.key=value");
  }

  void sort(const char* command, bool deck_required, std::string& deck,
            std::vector<std::string>& overrides) const {
    std::vector<std::string> all = others;
    if (!first.empty()) all.insert(all.begin(), first);
    for (const std::string& token : all) {
      if (is_override(token))
        overrides.push_back(token);
      else if (deck.empty())
        deck = token;
      else
        throw UsageError(
            fmt::format("unexpected argument {}: the deck is {} already", quote(token), quote(deck)),
            "an override is block.key=value, for example time.cfl=0.3");
    }
    if (deck.empty() && deck_required)
      throw UsageError("no deck given", fmt::format("for example: halfstep {} inputs/sod.yaml", command));
  }
};

CLI::Validator one_of(const std::vector<std::string>& choices) {
  return CLI::Validator(
      [choices](std::string& text) {
        if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::string();
        return fmt::format("{} is not {}{}", quote(text), alternatives(choices), did_you_mean(text, choices));
      },
      "");
}

CLI::Validator whole_number(int low, int high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        int value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return std::string();
        return fmt::format("{} is not an integer from {} to {}", quote(text), low, high);
      },
      "");
}

CLI::Validator not_negative() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= 0 && std::isfinite(value))
          return std::string();
        return fmt::format("{} is not a number from 0 up", quote(text));
      },
      "");
}

/// A shell's unset variable is not the default.
CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& text) { return std::string(text.empty() ? "'' is not a path" : ""); }, "");
}

CLI::Validator duration() {
  return CLI::Validator(
      [](std::string& text) {
        const auto seconds = parse_duration(text);
        if (seconds && *seconds > 0) return std::string();
        return fmt::format("{} is not a duration HH:MM:SS greater than 00:00:00", quote(text));
      },
      "");
}

/// The whole command line, declared once.
class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", "halfstep " + version_text(), "Print the version and exit");
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.require_subcommand(1);
    app_.footer(
        "Examples:\n"
        "  halfstep run inputs/sod.yaml\n"
        "  halfstep run inputs/sod.yaml mesh.cells=[512,1,1] scheme.riemann=roe --output out/fine\n"
        "  halfstep check inputs/sod.yaml time.cfl=0.8\n"
        "  halfstep list\n\n"
        "'halfstep COMMAND --help' says more of a command; docs/deck.md lists every key of a deck.");
    declare_run();
    declare_check();
    declare_bench();
    declare_compare();
    declare_regress();
    declare_study();
    declare_verify();
    declare_plot();
    declare_report();
    declare("list", "List the cases, schemes, boundaries and studies there are", list)
        ->footer("Example:\n  halfstep list");
    declare("info", "Print the version, compilers, libraries and devices", info)
        ->footer("Example:\n  halfstep info");
    declare_schema();
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
  CLI::App* declare(const std::string& name, const std::string& summary, std::function<int()> action) {
    CLI::App* command = app_.add_subcommand(name, summary);
    command->callback([this, action = std::move(action)] { chosen_ = action; });
    return command;
  }

  void declare_backend(CLI::App& command, std::string& backend, int& threads) {
    command.add_option("--backend", backend, "auto takes a CUDA device if there is one")
        ->check(one_of({"auto", "cuda", "host"}))
        ->option_text("auto|cuda|host");
    command
        .add_option("--threads", threads,
                    "Threads of the host backend; by default as many as the mesh keeps busy")
        ->check(whole_number(1, 65536))
        ->option_text("N");
  }

  void declare_run() {
    CLI::App* command = declare("run", "Run a deck", [this] {
      run_deck_.sort("run", run_.restart.empty(), run_.deck, run_.overrides);
      return run(run_);
    });
    run_deck_.add_to(*command);
    command
        ->add_option("--output", run_.output,
                     "Write here, not to the deck's output.directory, by default out/NAME of NAME.yaml")
        ->check(not_empty())
        ->option_text("DIR");
    declare_backend(*command, run_.backend, run_.threads);
    command
        ->add_option("--restart", run_.restart,
                     "Go on from a checkpoint, or from the newest that can be used of a run's directory; "
                     "DECK may then be left out")
        ->check(not_empty())
        ->option_text("FILE|DIR");
    command->add_option("--wall-time", run_.wall_time, "Stop with a checkpoint after this time, exit code 4")
        ->check(duration())
        ->option_text("HH:MM:SS");
    command->add_flag("--quiet", run_.quiet, "Print errors only");
    command->add_flag("--no-progress", run_.no_progress, "No progress lines");
    command->footer(
        "Examples:\n"
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
  }

  void declare_check() {
    CLI::App* command =
        declare("check", "Validate a deck, print it with every default and the memory it needs", [this] {
          std::string deck;
          std::vector<std::string> overrides;
          check_deck_.sort("check", true, deck, overrides);
          return check(deck, overrides);
        });
    check_deck_.add_to(*command);
    command->footer(
        "Examples:\n"
        "  halfstep check inputs/sod.yaml\n"
        "  halfstep check inputs/sod.yaml mesh.cells=[1024,1024,1024]\n\n"
        "What it prints is a deck itself. Exit codes: 0 valid, 2 not valid.");
  }

  void declare_bench() {
    CLI::App* command = declare("bench", "Time steps: of a deck, or of a built-in set of schemes", [this] {
      bench_deck_.sort("bench", false, bench_.deck, bench_.overrides);
      return bench(bench_);
    });
    bench_deck_.add_to(*command);
    declare_backend(*command, bench_.settings.backend, bench_.settings.threads);
    command
        ->add_option("--steps", bench_.settings.steps,
                     "Steps timed together; by default as many as take half a second")
        ->check(whole_number(1, 1000000))
        ->option_text("N");
    command->add_option("--repeats", bench_.settings.repeats, "How often they are timed; 9 by default")
        ->check(whole_number(1, 1000000))
        ->option_text("N");
    command->add_option("--json", bench_.json, "Write the figures to this file; 'halfstep plot' draws it")
        ->option_text("FILE");
    command
        ->add_option("--compare", bench_.compare,
                     "Compare with the figures of an earlier --json, of another build")
        ->option_text("FILE");
    command->footer(
        "Without a DECK it runs a built-in set: an oblique sound wave with hllc and plm, ppm and weno5z, in\n"
        "double and single precision, on 256^3 cells on a GPU and 64^3 on the host. Overrides are for all of "
        "it.\n\n"
        "Examples:\n"
        "  halfstep bench --json bench.json\n"
        "  halfstep bench --compare bench.json\n"
        "  halfstep bench mesh.cells=[512,512,512] scheme.precision=single\n"
        "  halfstep bench inputs/taylor_green.yaml --steps 50\n\n"
        "Exit codes: 0 measured, 1 an I/O or device error or a step that failed, 2 command line or deck "
        "error,\n"
        "or a FILE of --compare that is not of a benchmark.");
  }

  void declare_compare() {
    CLI::App* command = declare("compare", "Compare dumps, checkpoints, histories or runs",
                                [this] { return compare(compare_); });
    command
        ->add_option("A", compare_.a, "a dump, checkpoint, history, histogram, summary or a run's directory")
        ->required();
    command->add_option("B", compare_.b, "the other one, of the same kind")->required();
    for (const auto& [name, value, meaning] :
         {std::tuple{"--rtol", &compare_.tolerance.relative,
                     "Relative tolerance, of the quantity's largest magnitude"},
          std::tuple{"--atol", &compare_.tolerance.absolute, "Absolute tolerance"}})
      command->add_option(name, *value, std::string(meaning) + "; 0 by default")
          ->check(not_negative())
          ->option_text("X");
    command->add_flag("--quiet", compare_.quiet, "Print the last line alone");
    command->footer(
        "Values agree where |A - B| <= atol + rtol * the largest magnitude of the quantity; without a "
        "tolerance,\n"
        "where they have the same bits. Files that only one of two directories holds are a difference, but\n"
        "for checkpoints.\n\n"
        "Examples:\n"
        "  halfstep compare out/sod out/sod.previous\n"
        "  halfstep compare out/a/fields_000004.vtkhdf out/b/fields_000004.vtkhdf --rtol 1e-12\n\n"
        "Exit codes: 0 equal, 5 different, 2 nothing that can be compared, 1 a file that cannot be read.");
  }

  void declare_regress() {
    CLI::App* command = declare("regress", "Run every deck at its test size against its golden numbers",
                                [this] { return regress(regress_); });
    command->add_option("NAME", regress_.decks, "decks of inputs/; all, if none is named");
    command->add_flag("--bless", regress_.bless, "Write what the decks give now into the file of --golden");
    command
        ->add_option("--golden", regress_.golden,
                     "A file of golden numbers; by default those of this version")
        ->option_text("FILE");
    declare_backend(*command, regress_.machine.backend, regress_.machine.threads);
    command->footer(
        "The golden numbers of a deck are its steps and rejected attempts, norms, extrema and three probes "
        "of\n"
        "every field, and the conserved totals. How far each may be from them tests/regression/decks.txt "
        "says.\n\n"
        "Examples:\n"
        "  halfstep regress\n"
        "  halfstep regress sod lax --backend host\n"
        "  halfstep regress sod --bless --golden tests/regression/golden.txt\n\n"
        "Exit codes: 0 as they were, 5 a difference.");
  }

  void declare_study() {
    CLI::App* command = declare("study", "Run an experiment, or list them", [this] { return study(study_); });
    std::vector<std::string> names;
    for (const Study& s : studies()) names.push_back(s.name);
    CLI::Option* name = command->add_option("NAME", study_.name, "the study; without it they are listed")
                            ->check(one_of(names));
    command
        ->add_option("--output", study_.output,
                     "Write NAME.csv, NAME.json and the pictures NAME.png and NAME.svg into this directory")
        ->needs(name)
        ->option_text("DIR");
    command->footer(
        "Examples:\n"
        "  halfstep study\n"
        "  halfstep study async-error --output out/async-error\n"
        "  halfstep study registers --output out/registers\n\n"
        "Most studies measure a CUDA device. Without one 'registers' has what the compiler tells; it needs\n"
        "nvcc. Exit codes: 0 done, 1 the study cannot run here, or an I/O or device error, 2 no such study.");
  }

  void declare_verify() {
    CLI::App* command = declare("verify", "Check flows against what is known of them", [this] {
      verify_.extent = full_ ? Extent::full : Extent::quick;
      return verify(verify_);
    });
    command->add_option("NAME", verify_.names, "checks or groups of them; by default all");
    CLI::Option* quick =
        command->add_flag("--quick", quick_, "The checks of a few seconds each; the default");
    command->add_flag("--full", full_, "Finer meshes and every scheme as well: for a GPU")->excludes(quick);
    declare_backend(*command, verify_.machine.backend, verify_.machine.threads);
    command->add_option("--json", verify_.json, "Write the outcomes to this file")->option_text("FILE");
    command->add_option("--output", verify_.output, "Write verify.json and its pictures into this directory")
        ->option_text("DIR");
    command->footer(
        "Examples:\n  halfstep verify\n  halfstep verify riemann noh_2d --output out/verify\n\n"
        "'halfstep list' names the checks. Exit codes: 0 all within their bars, 5 a bar was missed.");
  }

  void declare_schema() {
    CLI::App* command = declare("schema", "Print the JSON Schema of decks, for editors",
                                [this] { return schema(markdown_); });
    command->add_flag("--markdown", markdown_,
                      "Print every key with type, unit, default and range: docs/deck.md");
    command->footer(
        "Examples:\n"
        "  halfstep schema > deck.schema.json\n"
        "  halfstep schema --markdown\n\n"
        "Editors complete and check a deck with the first line\n"
        "  # yaml-language-server: $schema=deck.schema.json");
  }

  void declare_plot() {
    CLI::App* command =
        declare("plot", "Draw what a run, a study or a benchmark has left", [this] { return plot(plot_); });
    command
        ->add_option(
            "FILE", plot_.files,
            "A run's directory, or of it a dump, history.csv or events.jsonl; NAME.json of 'halfstep study "
            "NAME --output DIR'; FILE of 'halfstep bench --json FILE'; several are drawn in turn")
        ->required();
    command
        ->add_option(
            "--field", plot_.fields,
            "Of dumps: a field of the file, or mach, vorticity, schlieren, temperature, entropy; may be "
            "given several times")
        ->take_all()
        ->allow_extra_args(false)
        ->option_text("NAME");
    command->add_option("--column", plot_.columns, "Of a history; may be given several times")
        ->take_all()
        ->allow_extra_args(false)
        ->option_text("NAME");
    command->add_flag("--movie", plot_.movie,
                      "Of a run's directory: its dumps as an animated GIF, and as mp4 where there is ffmpeg");
    command
        ->add_option("--output", plot_.output,
                     "Write the pictures into this directory; by default each goes beside its file")
        ->option_text("DIR");
    command->footer(
        "Examples:\n"
        "  halfstep plot out/sod\n"
        "  halfstep plot out/double_mach --field density --field schlieren --movie\n"
        "  halfstep plot out/sod/history.csv --column mass --column dt\n"
        "  halfstep plot out/registers/registers.json\n"
        "  halfstep plot bench.json\n"
        "  halfstep plot out/sod out/lax --output pictures\n\n"
        "With --output, names of pictures that would be the same begin with those of their directories.\n"
        "Draws with python3, its matplotlib and h5py.");
  }

  void declare_report() {
    CLI::App* command =
        declare("report", "Put a run on one page of HTML", [this] { return report(report_directory_); });
    command->add_option("DIR", report_directory_, "the run's directory; the page is DIR/report.html")
        ->required();
    command->footer("Example:\n  halfstep report out/sod\n\nDraws with python3, its matplotlib and h5py.");
  }

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

  /// Turns CLI11's error into ours: an unknown option gets the nearest one.
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
  Positionals run_deck_, check_deck_, bench_deck_;
  RunOptions run_;
  BenchOptions bench_;
  CompareOptions compare_;
  RegressOptions regress_;
  StudyOptions study_;
  PlotOptions plot_;
  VerifyOptions verify_;
  bool quick_ = false, full_ = false;
  std::string report_directory_;
  bool markdown_ = false;
};

}  // namespace

int run_command_line(int argc, char** argv) {
  constexpr const char* no_output = "cannot write to standard output";
  try {
    const int code = CommandLine().parse_and_run(argc, argv);
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
    print_error(no_output);
  } catch (const DeckError& e) {
    for (const Diagnostic& d : e.diagnostics) std::fputs(render(d, in_colour()).c_str(), stderr);
    return kUsage;
  } catch (const UsageError& e) {
    print_error(e.what(), e.help);
    return kUsage;
  } catch (const std::bad_alloc&) {
    print_error("not enough main memory", "use fewer cells; 'halfstep check DECK' says what a run needs");
  } catch (const std::filesystem::filesystem_error& e) {
    print_error(fmt::format("cannot use '{}': {}", e.path1().string(), e.code().message()),
                "check the path and its permissions");
  } catch (const std::exception& e) {
    print_error(std::ferror(stdout) ? no_output : e.what());  // fmt throws, but does not say of which file
  }
  return kFailed;
}

}  // namespace halfstep
