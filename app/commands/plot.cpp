#include "app/commands/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "app/commands/commands.hpp"
#include "app/output/json.hpp"
#include "app/output/output_directory.hpp"
#include "app/output/writable_directory.hpp"
#include "app/plot/picture.hpp"
#include "app/plot/run_picture.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhatIsDrawn =
    "what is drawn: the directory of a run; its fields_NUMBER.vtkhdf, history.csv and events.jsonl; the "
    "NAME.json of 'halfstep study NAME --output DIR'; the JSON of 'halfstep bench --json FILE'";

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw UsageError(fmt::format("'{}' {}", file.string(), why), kWhatIsDrawn);
}

std::ifstream open(const fs::path& file) {
  if (fs::exists(file) && !fs::is_regular_file(file)) refuse(file, "is no regular file");  // a pipe never opens
  std::ifstream stream(file);
  if (!stream) refuse(file, "cannot be read");
  return stream;
}

/// Of JSON that can be drawn. Throws UsageError unless it is the report of a study or a benchmark and has
/// rows.
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
  if (!is_of("study") && !is_of("bench")) refuse(file, "is not of a study or a benchmark");
  if (!report.contains("rows") || !report["rows"].is_array() || report["rows"].empty())
    refuse(file, "has no rows");
  return is_of("study") ? ReportKind::study : ReportKind::bench;
}

/// What there is to be drawn of one argument; nothing of a report, which is drawn by itself.
std::vector<PictureOrder> orders_of(const fs::path& file, const PlotOptions& options) {
  if (fs::is_directory(file)) {
    if (!holds_run(file)) refuse(file, "holds no run");
    const RunDirectory run = open_run_directory(file);
    std::vector<PictureOrder> orders = run_orders(run, options.fields, options.columns);
    if (orders.empty()) refuse(file, "holds nothing to be drawn: no dump, history.csv or events.jsonl");
    if (options.movie) {
      if (run.dumps.empty()) refuse(file, "holds no dumps for a movie");
      orders.push_back(movie_order(run, options.fields));
    }
    return orders;
  }
  const fs::path kind = file.extension();
  if (kind == ".json") return {};
  const RunDirectory run = open_run_directory(file.parent_path());
  if (kind == ".vtkhdf") {
    open(file);
    return {dump_order(run, file, options.fields)};
  }
  if (kind == ".csv") {
    std::ifstream stream = open(file);
    std::string header;
    std::getline(stream, header);
    if (!header.starts_with("step,time,dt,")) refuse(file, "is not a history: it has other columns");
    return {history_order(run, file, options.columns)};
  }
  if (kind == ".jsonl") {
    open(file);
    return {events_order(run, file)};
  }
  if (!fs::exists(file)) refuse(file, "cannot be read");
  throw UsageError(fmt::format("cannot draw '{}'", file.string()), kWhatIsDrawn);
}

/// Options that no file has a use for are a mistake.
void check_options(const PlotOptions& options) {
  const auto is_given = [&](const char* kind) {
    return std::any_of(options.files.begin(), options.files.end(), [&](const std::string& file) {
      return fs::is_directory(file) || fs::path(file).extension() == kind;
    });
  };
  if (options.movie && !is_given("/"))
    throw UsageError("--movie is for the directory of a run, and none is given", kWhatIsDrawn);
  if (!options.fields.empty() && !is_given(".vtkhdf"))
    throw UsageError("--field is for a dump or the directory of a run, and none is given", kWhatIsDrawn);
  if (!options.columns.empty() && !is_given(".csv"))
    throw UsageError("--column is for a history or the directory of a run, and none is given", kWhatIsDrawn);
}

/// A picture of a run, or of the report that is its file.
struct Drawing {
  fs::path file;
  fs::path from;     // the directory of what is drawn
  std::string stem;  // of the picture's files
  std::optional<PictureOrder> order = {};
  ReportKind kind = ReportKind::study;

  std::string source() const {
    return order && fs::is_directory(file)
               ? fmt::format("no picture of the {} in '{}'", order->kind, file.string())
               : file.string();
  }
};

/// Each once, whatever was named twice.
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

/// For pictures of several directories in one: where two would have the same name, all names begin with that
/// of their directory, and those that are the same still have a number.
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

/// `what`: "out/sod/history.csv", "no picture of the events in out/sod".
void say(const std::string& what, const Picture& picture) {
  if (picture.files.empty()) fmt::print("{}: {}\n", what, picture.why_not);
  for (const fs::path& drawn : picture.files) fmt::print("{}\n", drawn.string());
}

void draw_runs(const std::vector<Drawing>& drawings) {
  std::vector<PictureOrder> orders;
  std::vector<std::string> sources;
  for (const Drawing& drawing : drawings) {
    if (!drawing.order) continue;
    orders.push_back(*drawing.order);
    orders.back().stem = drawing.stem;
    sources.push_back(drawing.source());
  }
  if (orders.empty()) return;
  const std::vector<Picture> pictures = draw_run(orders);
  for (std::size_t n = 0; n < pictures.size(); ++n) say(sources[n], pictures[n]);
}

}  // namespace

int plot(const PlotOptions& options) {
  check_options(options);
  std::vector<Drawing> drawings = drawings_of(options);
  if (!options.output.empty()) {
    make_writable(options.output);
    tell_apart(drawings);
  }
  for (Drawing& drawing : drawings) {
    const fs::path beside = fs::is_directory(drawing.file) ? drawing.file : drawing.file.parent_path();
    drawing.stem = ((options.output.empty() ? beside : fs::path(options.output)) / drawing.stem).string();
  }
  try {
    draw_runs(drawings);
    for (const Drawing& drawing : drawings)
      if (!drawing.order) say(drawing.source(), draw_report(drawing.kind, drawing.file, drawing.stem));
  } catch (const RefusedInput& e) {
    throw UsageError(e.what(), e.remedy);
  }
  return kFinished;
}

}  // namespace halfstep
