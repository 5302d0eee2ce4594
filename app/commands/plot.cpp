// `halfstep plot`: draws runs and reports as PNG and SVG.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/base/exit_codes.hpp"
#include "app/base/json.hpp"
#include "app/base/writable_directory.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/plot_together.hpp"
#include "app/commands/plot_view.hpp"
#include "app/output/histogram_file.hpp"
#include "app/output/number_table.hpp"
#include "app/output/output_directory.hpp"
#include "app/output/probes_file.hpp"
#include "app/plot/picture.hpp"
#include "app/plot/run_picture.hpp"

namespace halfstep {
namespace {

struct PlotOptions {
  std::vector<std::string> files;    ///< run directories and their files; JSON of studies and benchmarks
  std::vector<std::string> fields;   ///< of dumps; empty = the default ones
  std::vector<std::string> columns;  ///< of histories; empty = the default ones
  std::vector<double> times;         ///< of dumps to be drawn, and of histograms
  std::vector<int> dumps;            ///< numbers of dumps to be drawn
  bool movie = false;                ///< draws a movie of each run directory's dumps
  bool together = false;             ///< draws all in one picture of each kind
  bool difference = false;           ///< draws the first less the second
  PlotView view;
  std::string output;  ///< directory for the pictures; empty = beside the files
};

namespace fs = std::filesystem;

constexpr const char* kWhatIsDrawn =
    "what is drawn: the directory of a run; its fields_NUMBER.vtkhdf, history.csv, histogram.csv and "
    "events.jsonl, and the files of its outputs: NAME.csv, NAME_NUMBER.vtkhdf and NAME.vtkhdf.series; the "
    "NAME.json of 'halfstep study NAME --output DIR'; the JSON of 'halfstep bench --json "
    "FILE'; the directory of 'halfstep sweep' or its sweep.json";

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw UsageError(fmt::format("'{}' {}", file.string(), why), kWhatIsDrawn);
}

std::ifstream open(const fs::path& file) {
  if (!fs::exists(file)) refuse(file, "does not exist");
  if (!fs::is_regular_file(file)) refuse(file, "is no regular file");  // opening a pipe may block
  std::ifstream stream(file);
  if (!stream) refuse(file, "cannot be read");
  return stream;
}

/// Returns the kind of a JSON report. Throws UsageError unless it is the report of a study or a benchmark and
/// has rows.
ReportKind report_kind(const fs::path& file) {
  std::ifstream stream = open(file);
  Json report;
  try {
    report = parse_json(stream);
  } catch (const Json::parse_error& e) {
    refuse(file, fmt::format("is not JSON: byte {} is wrong", e.byte));
  } catch (const Json::exception& e) {
    refuse(file, fmt::format("is not of a study or a benchmark: {}", e.what()));
  }
  const auto is_of = [&](const char* key) {
    return report.is_object() && report.contains(key) && report[key].is_string();
  };
  if (is_of("sweep")) return ReportKind::sweep;
  if (!is_of("study") && !is_of("bench")) refuse(file, "is not of a study or a benchmark");
  if (!report.contains("rows") || !report["rows"].is_array() || report["rows"].empty())
    refuse(file, "has no rows");
  return is_of("study") ? ReportKind::study : ReportKind::bench;
}

/// Returns what the options say of a run's pictures, but for its dumps.
RunView view_of(const PlotOptions& options) {
  return {.fields = options.fields,
          .columns = options.columns,
          .time = options.times.empty() ? std::nullopt : std::optional(options.times.front()),
          .flow = options.view.view()};
}

enum class Table { histogram, history, probes, other };

/// Returns of what a table is, by its first line.
Table table_of(const std::string& header) {
  if (header == kHistogramHeader) return Table::histogram;
  if (header.starts_with("step,time,dt,")) return Table::history;
  return header.starts_with(kProbesHeader) ? Table::probes : Table::other;
}

/// Returns the pictures of a list of dumps: of those chosen, or of the last, and a movie.
std::vector<PictureOrder> series_orders(const fs::path& list, const PlotOptions& options) {
  open(list);
  const std::string name = list.stem().stem();  // NAME.vtkhdf.series
  const RunDirectory run = open_run_directory(list.parent_path(), name);
  if (run.dumps.empty()) refuse(list, "names no dump that is there");
  RunView what = view_of(options);
  what.dumps = chosen_dumps(run, options.times, options.dumps);
  std::vector<PictureOrder> orders = dump_orders(run, what);
  if (options.movie) orders.push_back(movie_order(run, what));
  return orders;
}

/// Returns the pictures to draw for one argument; none for a report, which is a picture by itself.
std::vector<PictureOrder> orders_of(const fs::path& file, const PlotOptions& options) {
  if (fs::is_directory(file)) {
    if (!holds_run(file)) refuse(file, "holds no run");
    const RunDirectory run = open_run_directory(file);
    RunView what = view_of(options);
    what.dumps = chosen_dumps(run, options.times, options.dumps);
    std::vector<PictureOrder> orders = run_orders(run, what), of_outputs = output_orders(run, what);
    orders.insert(orders.end(), of_outputs.begin(), of_outputs.end());
    if (orders.empty()) refuse(file, "holds nothing to be drawn: no dump, history.csv or events.jsonl");
    if (options.movie) {
      if (run.dumps.empty()) refuse(file, "holds no dumps for a movie");
      orders.push_back(movie_order(run, what));
    }
    return orders;
  }
  const fs::path kind = file.extension();
  if (kind == ".json") return {};
  if (kind == ".series") return series_orders(file, options);
  const RunDirectory run = open_run_directory(file.parent_path());
  const RunView what = view_of(options);
  if (kind == ".vtkhdf") {
    open(file);
    return {dump_order(run, file, what)};
  }
  if (kind == ".csv") {
    std::ifstream stream = open(file);
    std::string header;
    std::getline(stream, header);
    switch (table_of(header)) {
      case Table::histogram:
        return {histogram_order(run, file, what)};
      case Table::history:
        return {history_order(run, file, what)};
      case Table::probes:
        return {table_order(run, file, what)};
      case Table::other:
        refuse(file, "is not a history: it has other columns");
    }
  }
  if (is_number_table(file)) return {table_order(run, file, what)};
  if (kind == ".jsonl") {
    open(file);
    return {events_order(run, file, what)};
  }
  if (!fs::exists(file)) refuse(file, "does not exist");
  throw UsageError(fmt::format("cannot draw '{}'", file.string()), kWhatIsDrawn);
}

/// Returns the first line of a file; "" for what cannot be opened or may block.
std::string first_line(const fs::path& file) {
  std::string line;
  if (fs::is_regular_file(file)) {
    std::ifstream stream(file);
    std::getline(stream, line);
  }
  return line;
}

/// Returns what the deck of its run says of a table: "probes", "histogram" or "spectrum".
std::string kind_of_table(const fs::path& file) {
  return table_order(open_run_directory(file.parent_path()), file, {}).kind;
}

/// Returns what a file is to options: "directory", "histogram", "probes", "spectrum", or its extension.
std::string kind_of(const fs::path& file) {
  if (fs::is_directory(file)) return "directory";
  if (is_number_table(file)) return kind_of_table(file);
  const std::string extension = file.extension().string();
  if (extension != ".csv") return extension;
  const Table table = table_of(first_line(file));
  return table == Table::histogram ? "histogram" : table == Table::probes ? kind_of_table(file) : extension;
}

/// Throws UsageError for options that none of the files uses.
void check_options(const PlotOptions& options) {
  std::set<std::string> given;
  for (const std::string& file : options.files) given.insert(kind_of(file));
  const auto expect = [&](bool is_set, const std::string& option, std::vector<std::string> kinds,
                          const std::string& what) {
    const auto is_given = [&](const std::string& kind) { return given.contains(kind); };
    if (is_set && std::none_of(kinds.begin(), kinds.end(), is_given))
      throw UsageError(fmt::format("{} is for {}, and none is given", option, what), kWhatIsDrawn);
  };
  const std::string of_flows = options.view.only_for_flows(), of_scales = options.view.only_for_scales(),
                    of_runs = options.view.only_for_runs();
  const std::string a_flow = "a dump, a list of dumps or the directory of a run";
  expect(options.movie, "--movie", {"directory", ".series"}, "the directory of a run or a list of dumps");
  expect(!options.fields.empty(), "--field", {"directory", ".vtkhdf", ".series", "probes"},
         a_flow + ", or probes");
  expect(!options.columns.empty(), "--column", {"directory", ".csv"}, "a history or the directory of a run");
  expect(!of_flows.empty(), of_flows, {"directory", ".vtkhdf", ".series"}, a_flow);
  expect(!options.dumps.empty(), "--dump", {"directory", ".series"},
         "the directory of a run or a list of dumps");
  expect(!options.times.empty(), "--time", {"directory", ".series", "histogram", "spectrum"},
         "the directory of a run, a list of dumps, a histogram or a spectrum");
  expect(!of_scales.empty(), of_scales,
         {"directory", ".vtkhdf", ".series", "histogram", "spectrum", "probes",
          options.columns.empty() ? "histogram" : ".csv"},
         "a dump, the directory of a run, a histogram, a spectrum, probes, or a history with --column");
  expect(!of_runs.empty(), of_runs,
         {"directory", ".vtkhdf", ".series", "histogram", "spectrum", "probes", ".csv", ".jsonl"},
         "the directory of a run or a file in it");
  if (options.movie && (options.together || options.difference))
    throw UsageError("--movie is of one run", "leave --together and --difference out");
  if (options.together && options.difference)
    throw UsageError("--together and --difference exclude each other", "give one of them");
  if (options.difference && !options.columns.empty())
    throw UsageError("--column is of histories, and --difference is of dumps", "leave one of them out");
}

/// A picture of a run, or of the report in `file`.
struct Drawing {
  fs::path file;
  fs::path from;     // directory of the drawn file
  std::string stem;  // of the picture's file names
  std::optional<PictureOrder> order = {};
  ReportKind kind = ReportKind::study;

  std::string source() const {
    return order && fs::is_directory(file)
               ? fmt::format("no picture of the {} in '{}'", order->kind, file.string())
               : file.string();
  }
};

/// Returns the drawings, each once even if named twice.
std::vector<Drawing> drawings_of(const PlotOptions& options) {
  std::vector<Drawing> all;
  std::set<fs::path> known;
  const auto add = [&](Drawing drawing) {
    drawing.from = fs::canonical(drawing.from.empty() ? "." : drawing.from);
    if (known.insert(drawing.from / drawing.stem).second) all.push_back(std::move(drawing));
  };
  for (const fs::path file : options.files) {
    const bool is_directory = fs::is_directory(file);
    for (PictureOrder& order : orders_of(file, options)) {
      const std::string stem = order.stem;
      add({file, is_directory ? file : file.parent_path(), stem, std::move(order)});
    }
    if (file.extension() == ".json" && !is_directory)
      add({file, file.parent_path(), file.stem(), {}, report_kind(file)});
  }
  return all;
}

/// Makes names of pictures from several directories unique: if two are equal, all are prefixed with their
/// directory's name; any that are still equal get a number.
void tell_apart(std::vector<Drawing>& drawings) {
  std::set<std::string> stems;
  for (const Drawing& drawing : drawings) stems.insert(drawing.stem);
  if (stems.size() == drawings.size()) return;
  stems.clear();
  for (Drawing& drawing : drawings) {
    const std::string name = fmt::format("{}_{}", drawing.from.filename().string(), drawing.stem);
    drawing.stem = name;
    for (int n = 2; !stems.insert(drawing.stem).second; ++n) drawing.stem = fmt::format("{}_{}", name, n);
  }
}

/// Prints the picture's files, or why there are none. `what`: "out/sod/history.csv", "no picture of the
/// events in out/sod".
void say(const std::string& what, const Picture& picture) {
  if (picture.files.empty()) fmt::print("{}: {}\n", what, picture.why_not);
  for (const fs::path& drawn : picture.files) fmt::print("{}\n", drawn.string());
}

void draw(const std::vector<PictureOrder>& orders, const std::vector<std::string>& sources) {
  if (orders.empty()) return;
  const std::vector<Picture> pictures = draw_run(orders);
  for (std::size_t n = 0; n < pictures.size(); ++n) say(sources[n], pictures[n]);
}

void draw_runs(const std::vector<Drawing>& drawings, bool elsewhere) {
  std::vector<PictureOrder> orders;
  std::vector<std::string> sources;
  for (const Drawing& drawing : drawings) {
    if (!drawing.order) continue;
    orders.push_back(*drawing.order);
    orders.back().stem = drawing.stem;
    if (elsewhere) orders.back().source = (drawing.from / drawing.order->stem).string();
    sources.push_back(drawing.source());
  }
  draw(orders, sources);
}

void plot_each(const PlotOptions& options) {
  std::vector<Drawing> drawings = drawings_of(options);
  const bool elsewhere = !options.output.empty();
  if (elsewhere) {
    make_writable(options.output);
    tell_apart(drawings);
  }
  for (Drawing& drawing : drawings) {
    const fs::path beside = fs::is_directory(drawing.file) ? drawing.file : drawing.file.parent_path();
    drawing.stem = ((elsewhere ? fs::path(options.output) : beside) / drawing.stem).string();
  }
  draw_runs(drawings, elsewhere);
  for (const Drawing& drawing : drawings)
    if (!drawing.order)
      say(drawing.source(), draw_report(drawing.kind, drawing.file, drawing.stem,
                                        elsewhere ? (drawing.from / drawing.file.filename()).string() : ""));
}

void plot_in_one(const PlotOptions& options) {
  const Together together = open_together(options.files, options.times, options.dumps);
  const RunView what = view_of(options);
  const fs::path directory = options.output.empty() ? "." : options.output;
  make_writable(directory);
  const std::vector<PictureOrder> orders = options.difference ? difference_orders(together, what, directory)
                                                              : together_orders(together, what, directory);
  std::vector<std::string> sources;
  for (const PictureOrder& order : orders) sources.push_back(fmt::format("no picture of the {}", order.kind));
  draw(orders, sources);
}

/// Returns the sweep.json in the directory of a sweep; any other path as it is.
std::string drawn_file(const fs::path& file) {
  const fs::path sweep = file / "sweep.json";
  return fs::is_directory(file) && !holds_run(file) && fs::exists(sweep) ? sweep : file;
}

int plot(PlotOptions options) {
  for (std::string& file : options.files) file = drawn_file(file);
  check_options(options);
  try {
    options.together || options.difference ? plot_in_one(options) : plot_each(options);
  } catch (const RefusedInput& e) {
    throw UsageError(e.what(), e.remedy);
  }
  return kFinished;
}

}  // namespace

std::function<int()> declare_plot(CLI::App& command) {
  const auto options = std::make_shared<PlotOptions>();
  command
      .add_option(
          "FILE", options->files,
          "A run's directory, or of it a dump, a list of dumps (.vtkhdf.series), history.csv, histogram.csv, "
          "events.jsonl or the table of an output; NAME.json of 'halfstep study NAME --output DIR'; FILE of "
          "'halfstep bench --json FILE'; a sweep's directory or its sweep.json; "
          "several are drawn in turn")
      ->required();
  command
      .add_option(
          "--field", options->fields,
          "Draw this field of a dump, or mach, vorticity, schlieren, temperature, entropy; may be given "
          "several times")
      ->take_all()
      ->allow_extra_args(false)
      ->option_text("NAME");
  command
      .add_option("--column", options->columns, "Draw this column of a history; may be given several times")
      ->take_all()
      ->allow_extra_args(false)
      ->option_text("NAME");
  command
      .add_option("--time", options->times,
                  "Draw the dump, the histogram or the spectrum nearest to that time; may be given several "
                  "times")
      ->take_all()
      ->allow_extra_args(false)
      ->option_text("T");
  command
      .add_option("--dump", options->dumps,
                  "Draw the dump fields_NUMBER of a run's directory; may be given several times")
      ->take_all()
      ->allow_extra_args(false)
      ->option_text("NUMBER");
  options->view.declare(command);
  command.add_flag(
      "--together", options->together,
      "Draw all runs, or dumps of a run, in one picture: lines over each other, images side by side");
  command.add_flag("--difference", options->difference,
                   "Draw the first of two runs or dumps less the second");
  command.add_flag(
      "--movie", options->movie,
      "Draw the dumps of a run's directory as an animated GIF, and as mp4 where there is ffmpeg");
  command
      .add_option(
          "--output", options->output,
          "Write the pictures into this directory; by default each goes beside its file, and those of "
          "several runs into the present directory")
      ->option_text("DIR");
  command.footer(
      "Examples:\n"
      "  halfstep plot out/sod\n"
      "  halfstep plot out/double_mach --field density --field schlieren --movie\n"
      "  halfstep plot out/jet --time 0.5 --field mach --zoom x=0,0.4 --range 0,6 --colours magma\n"
      "  halfstep plot out/taylor_green --field vorticity --cut z=1.5\n"
      "  halfstep plot out/hllc out/roe --together\n"
      "  halfstep plot out/sod --difference --time 0.2 --time 0.1\n"
      "  halfstep plot out/sod/history.csv --column mass --column dt\n"
      "  halfstep plot out/registers/registers.json\n"
      "  halfstep plot bench.json\n"
      "  halfstep plot out/sod out/lax --output pictures\n\n"
      "With --output, names of pictures that would be the same begin with those of their directories, and a\n"
      "picture of another source is never replaced: the name gets a number.\n"
      "Draws with python3, its matplotlib and h5py.");
  return [=] { return plot(*options); };
}

}  // namespace halfstep
