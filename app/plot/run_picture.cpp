#include "app/plot/run_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "app/base/temporary_directory.hpp"
#include "app/output/dump.hpp"
#include "app/output/number_table.hpp"
#include "app/plot/exact_profile.hpp"
#include "app/plot/report_contents.hpp"
#include "app/plot/script.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

// Exit codes of run.py.
constexpr int kDrawn = 0, kRefused = 2;

/// Returns e.g. "fields_000004", "fields_000004_mach" or "fields_000004_mach_z=0.5".
std::string stem(std::string name, const std::vector<std::string>& fields, const FlowView& view = {}) {
  for (const std::string& field : fields) name += '_' + field;
  return name + view.name();
}

Json text_or_null(const std::optional<fs::path>& path) { return path ? Json(path->string()) : Json(); }

/// Returns the units of a Taylor-Green vortex at Re 1600 with a history; null for every other run.
Json taylor_green_units(const RunConfig& config) {
  if (config.case_name != "taylor_green") return {};
  const double viscosity = config.problem.terms.transport.reference.viscosity;
  const Mesh& mesh = config.problem.mesh;
  const double density = config.case_parameters.real("density"), speed = config.case_parameters.real("speed");
  const double edge = mesh.upper[0] - mesh.lower[0], length = edge / (2 * std::numbers::pi);
  if (std::abs(viscosity * 1600 - density * speed * length) > 1e-3 * density * speed * length) return {};
  return {{"volume", edge * (mesh.upper[1] - mesh.lower[1]) * (mesh.upper[2] - mesh.lower[2])},
          {"density", density},
          {"speed", speed},
          {"length", length},
          {"viscosity", viscosity}};
}

/// Returns the exact solution at the time of a dump, null where there is none.
Json exact_solution(const RunDirectory& run, const fs::path& dump) {
  if (run.series != "fields") return {};  // of some cells
  for (const RunDirectory::Dump& listed : run.dumps)
    if (run.config && listed.file.filename() == dump.filename())
      return exact_profile(*run.config, listed.time);
  return {};
}

/// Returns the cells of a run's probes or line of that name, as probes.py has them; null where the deck is
/// not known.
Json probed_cells(const RunDirectory& run, const std::string& name) {
  if (!run.config) return {};
  for (const OutputRequest& request : run.config->output_requests) {
    if (request.name != name || is_series(request.kind)) continue;
    if (request.kind == OutputKind::probes) return {{"points", request.points}};
    const Mesh& mesh = run.config->problem.mesh;
    Json places = Json::array();
    std::array<int, 3> cell{};
    for (int& n = cell[request.axis]; n < mesh.cells[request.axis]; ++n)
      places.push_back(mesh.center(cell[0], cell[1], cell[2])[request.axis]);
    return {{"axis", std::string(1, "xyz"[request.axis])}, {"places", places}};
  }
  return {};
}

/// Returns {"files", "names"}; the names are null where the first has none.
Json files_and_names(const std::vector<NamedFile>& named) {
  Json files = Json::array(), names = Json::array();
  for (const NamedFile& one : named) {
    files.push_back(one.file.string());
    names.push_back(one.name);
  }
  return {{"files", files}, {"names", named.front().name.empty() ? Json() : names}};
}

/// Returns the output of that name; nullptr where the deck is not known or has none.
const OutputRequest* output_of(const RunDirectory& run, const std::string& name) {
  if (!run.config) return nullptr;
  for (const OutputRequest& request : run.config->output_requests)
    if (request.name == name) return &request;
  return nullptr;
}

/// Returns what an output holds, for the title of its picture; "" of spectra and histograms.
std::string words_of(const OutputRequest& output, const Mesh& mesh) {
  const char axis = "xyz"[output.axis];
  switch (output.kind) {
    case OutputKind::probes:
      return fmt::format("probes '{}'", output.name);
    case OutputKind::line: {
      std::string through;
      for (int a = 0; a < 3; ++a)
        if (a != output.axis && mesh.active(a))
          through +=
              fmt::format("{}{} = {:.6g}", through.empty() ? "" : ", ", "xyz"[a], output.points.front()[a]);
      return fmt::format("line along {}{}{}", axis, through.empty() ? "" : " through ", through);
    }
    case OutputKind::slice:
      return fmt::format("slice at {} = {:.6g}", axis, output.position);
    case OutputKind::box:
      return output.every_cell > 1
                 ? fmt::format("part of the cells, one of {} along each axis", output.every_cell)
                 : "part of the cells";
    case OutputKind::profile:
      return fmt::format("averages over the planes across {}", axis);
    case OutputKind::flattened:
      return fmt::format("averages along {}", axis);
    case OutputKind::averages:
      return output.from > 0 ? fmt::format("averages over time since t = {:.6g}", output.from)
                             : "averages over time";
    case OutputKind::fields:
      return fmt::format("output '{}'", output.name);
    case OutputKind::spectrum:
    case OutputKind::histogram:
      return "";
  }
  return "";
}

/// Returns the title of a picture of an output, or without one of the whole flow, the time left out.
std::string title_of(const RunDirectory& run, const OutputRequest* output) {
  if (!output) return run.title();
  const std::string words = words_of(*output, run.config->problem.mesh);
  return words.empty() ? run.title() : run.title() + ", " + words;
}

/// Returns the title of a picture of several runs.
std::string title_of_all(const std::vector<NamedFile>& files) {
  const std::string first = files.front().run->title();
  const bool is_of_all = std::all_of(files.begin(), files.end(),
                                     [&](const NamedFile& one) { return one.run->title() == first; });
  return is_of_all ? first : "Several runs";
}

/// Returns the times at whose multiples the steps of a run end; none where the deck is not known.
Json due_times(const RunDirectory& run) {
  Json due = Json::array();
  if (!run.config) return due;
  const auto add = [&](double every) {
    if (every > 0) due.push_back(every);
  };
  add(run.config->limits.output_every);
  add(run.config->limits.end);
  for (const OutputRequest& request : run.config->output_requests) add(request.cadence.every);
  return due;
}

/// Orders a picture of a table at several times, or at that of the view.
PictureOrder over_times(const std::string& kind, const RunDirectory& run, const fs::path& table,
                        const RunView& what) {
  return {kind,
          {{"files", {table.string()}},
           {"title", run.title()},
           {"time", what.time ? Json(*what.time) : Json()},
           {"view", what.flow.arguments()}},
          table.stem()};
}

/// Orders a picture of several tables at one time.
PictureOrder at_one_time(const std::string& kind, const std::vector<NamedFile>& tables, const RunView& what) {
  Json arguments = files_and_names(tables);
  arguments.update({{"title", title_of_all(tables)},
                    {"time", what.time ? Json(*what.time) : Json()},
                    {"view", what.flow.arguments()}});
  return {kind, arguments, tables.front().file.stem()};
}

/// Returns the reason in "cannot use 'PATH': REASON".
std::string reason_in(const std::exception& error, const std::string& path) {
  const std::string what = error.what();
  return what.substr(what.find(": ", path.size()) + 2);
}

/// Returns the dumps and tables in `orders` that must not be opened with HDF5, each with the reason.
Json damaged_dumps(const std::vector<PictureOrder>& orders) {
  Json damaged = Json::object();
  const auto look_at = [&](const Json& file) {
    if (!file.is_string() || !fs::is_regular_file(file.get<std::string>())) return;
    const std::string path = file;
    try {
      expect_dump(path);
    } catch (const std::runtime_error& error) {
      damaged[path] = reason_in(error, path);
    }
  };
  const auto look_at_table = [&](const Json& file) {
    const std::string path = file;
    if (!is_number_table(path)) return;
    try {
      read_number_table(path);
    } catch (const std::runtime_error& error) {
      damaged[path] = reason_in(error, path);
    }
  };
  for (const PictureOrder& order : orders) {
    const bool is_of_dumps = order.kind == "movie" || order.kind == "together" || order.kind == "difference";
    if (order.kind == "flow") look_at(order.arguments.at("file"));
    if (order.kind == "probes") look_at_table(order.arguments.at("file"));
    if (order.kind == "spectrum")
      for (const Json& file : order.arguments.at("files")) look_at_table(file);
    if (order.kind == "events") look_at(order.arguments.at("dump"));
    if (is_of_dumps)
      for (const Json& file : order.arguments.at("files")) look_at(file);
  }
  return damaged;
}

/// Runs run.py on an order and returns its answer.
Json run(const Json& order) {
  const TemporaryDirectory scratch;
  const fs::path question = scratch / "order.json", answer = scratch / "answer.json";
  write_file(question, json_text(order));
  const ProcessResult result =
      run_script("run.py", {question.string(), answer.string()}, {"matplotlib", "h5py"});
  if (result.status != kDrawn && result.status != kRefused)
    throw std::runtime_error("cannot draw: " + last_line(result.output));
  std::ifstream stream(answer);
  const Json said = Json::parse(stream);
  if (result.status == kRefused)
    throw RefusedInput(said.at("refused").get<std::string>(), said.at("remedy").get<std::string>());
  return said;
}

Json json(const std::vector<PictureOrder>& orders) {
  Json list = Json::array();
  for (const PictureOrder& order : orders)
    list.push_back({{"kind", order.kind},
                    {"arguments", order.arguments},
                    {"stem", order.stem},
                    {"source", order.source},
                    {"one_of_several", order.one_of_several}});
  return list;
}

}  // namespace

PictureOrder dump_order(const RunDirectory& run, const fs::path& dump, const RunView& what) {
  const OutputRequest* const output = output_of(run, run.series);
  return {"flow",
          {{"file", dump.string()},
           {"fields", what.fields},
           {"exact", exact_solution(run, dump)},
           {"view", what.flow.arguments()},
           {"title", title_of(run, output)},
           {"of_output", output != nullptr}},
          stem(dump.stem().string(), what.fields, what.flow)};
}

PictureOrder movie_order(const RunDirectory& run, const RunView& what) {
  Json files = Json::array();
  for (const RunDirectory::Dump& dump : run.dumps) files.push_back(dump.file.string());
  return {"movie",
          {{"files", files},
           {"fields", what.fields},
           {"view", what.flow.arguments()},
           {"title", title_of(run, output_of(run, run.series))}},
          stem(run.series == "fields" ? "movie" : "movie_" + run.series, what.fields, what.flow)};
}

PictureOrder history_order(const RunDirectory& run, const fs::path& history, const RunView& what) {
  return {"history",
          {{"files", {history.string()}},
           {"columns", what.columns},
           {"title", run.title()},
           {"due", {due_times(run)}},
           {"view", what.flow.arguments()}},
          stem("history", what.columns)};
}

PictureOrder histogram_order(const RunDirectory& run, const fs::path& histogram, const RunView& what) {
  return over_times("histogram", run, histogram, what);
}

PictureOrder table_order(const RunDirectory& run, const fs::path& table, const RunView& what) {
  const std::string name = table.stem();
  const OutputRequest* const output = output_of(run, name);
  if (output && output->kind == OutputKind::histogram) return histogram_order(run, table, what);
  if (output && output->kind == OutputKind::spectrum) return over_times("spectrum", run, table, what);
  return {"probes",
          {{"file", table.string()},
           {"fields", what.fields},
           {"title", output ? title_of(run, output) : fmt::format("halfstep, {}", name)},
           {"cells", probed_cells(run, name)},
           {"view", what.flow.arguments()}},
          stem(name, what.fields)};
}

PictureOrder events_order(const RunDirectory& run, const fs::path& events, const RunView& what) {
  return {"events",
          {{"file", events.string()},
           {"history", text_or_null(run.file("history.csv"))},
           {"due", due_times(run)},
           {"dump", run.dumps.empty() ? Json() : Json(run.dumps.back().file.string())},
           {"title", run.title()},
           {"view", what.flow.frame()}},
          "events"};
}

std::vector<PictureOrder> dump_orders(const RunDirectory& run, const RunView& what) {
  std::vector<fs::path> dumps = what.dumps;
  if (dumps.empty() && !run.dumps.empty())
    dumps.push_back(run.dumps.back().file);
  else if (dumps.empty() && !run.gone.empty())
    dumps.push_back(run.gone.back());  // drawing it reports that it is missing
  std::vector<PictureOrder> orders;
  for (const fs::path& dump : dumps) orders.push_back(dump_order(run, dump, what));
  return orders;
}

std::vector<PictureOrder> run_orders(const RunDirectory& run, const RunView& what) {
  std::vector<PictureOrder> orders = dump_orders(run, what);
  RunView others = what;  // ranges and cuts are the flow's
  others.flow = {.title = what.flow.title, .size = what.flow.size};
  if (const auto history = run.file("history.csv")) {
    orders.push_back(history_order(run, *history, others));
    const Json units = run.config ? taylor_green_units(*run.config) : Json();
    if (!units.is_null())
      orders.push_back({"dissipation",
                        {{"file", history->string()},
                         {"title", run.title()},
                         {"units", units},
                         {"view", others.flow.frame()}},
                        "dissipation"});
  }
  if (const auto histogram = run.file("histogram.csv"))
    orders.push_back(histogram_order(run, *histogram, others));
  if (const auto events = run.file("events.jsonl")) orders.push_back(events_order(run, *events, others));
  for (PictureOrder& order : orders) order.one_of_several = true;
  return orders;
}

std::vector<PictureOrder> output_orders(const RunDirectory& run, const RunView& what) {
  std::vector<PictureOrder> orders;
  const RunView view{.flow = {.title = what.flow.title, .size = what.flow.size}};
  RunView of_tables = view;
  of_tables.time = what.time;
  if (!run.config) return orders;
  for (const OutputRequest& request : run.config->output_requests) {
    if (is_series(request.kind)) {
      const auto dumps = dump_orders(open_run_directory(run.path, request.name), view);
      orders.insert(orders.end(), dumps.begin(), dumps.end());
    } else if (const auto table = run.file(file_of_table(request))) {
      orders.push_back(table_order(run, *table, of_tables));
    }
  }
  for (PictureOrder& order : orders) order.one_of_several = true;
  return orders;
}

PictureOrder together_order(const std::vector<NamedFile>& dumps, const RunView& what) {
  Json arguments = files_and_names(dumps);
  arguments.update({{"fields", what.fields},
                    {"exact", exact_solution(*dumps.front().run, dumps.front().file)},
                    {"view", what.flow.arguments()}});
  return {"together", arguments, stem("fields", what.fields, what.flow)};
}

PictureOrder difference_order(const std::vector<NamedFile>& dumps, const RunView& what) {
  Json arguments = files_and_names(dumps);
  arguments.update({{"fields", what.fields}, {"view", what.flow.arguments()}});
  return {"difference", arguments, stem("difference", what.fields, what.flow)};
}

PictureOrder histories_order(const std::vector<NamedFile>& histories, const RunView& what) {
  Json arguments = files_and_names(histories), due = Json::array();
  for (const NamedFile& one : histories) due.push_back(due_times(*one.run));
  arguments.update({{"columns", what.columns},
                    {"title", title_of_all(histories)},
                    {"due", due},
                    {"view", what.flow.arguments()}});
  return {"history", arguments, stem("history", what.columns)};
}

PictureOrder histograms_order(const std::vector<NamedFile>& histograms, const RunView& what) {
  return at_one_time("histogram", histograms, what);
}

PictureOrder spectra_order(const std::vector<NamedFile>& spectra, const RunView& what) {
  return at_one_time("spectrum", spectra, what);
}

std::vector<Picture> draw_run(const std::vector<PictureOrder>& orders) {
  std::vector<Picture> pictures;
  const Json said = run({{"damaged", damaged_dumps(orders)}, {"pictures", json(orders)}});
  for (const Json& drawn : said.at("pictures")) {
    Picture picture;
    for (const Json& file : drawn.at("files")) picture.files.emplace_back(file.get<std::string>());
    picture.why_not = drawn.at("why_not");
    pictures.push_back(picture);
  }
  return pictures;
}

fs::path write_report(const RunDirectory& directory) {
  std::ifstream stream(directory.path / "deck.yaml");
  const std::string deck{std::istreambuf_iterator<char>(stream), {}};
  const std::vector<PictureOrder> orders = report_orders(directory), of_outputs = output_orders(directory);
  Json damaged = damaged_dumps(orders);
  damaged.update(damaged_dumps(of_outputs));
  const Json said = run({{"damaged", damaged},
                         {"pictures", json(orders)},
                         {"outputs", json(of_outputs)},
                         {"report",
                          {{"directory", directory.path.string()},
                           {"title", directory.title()},
                           {"case", directory.config ? directory.config->case_name : ""},
                           {"setup", report_setup(directory)},
                           {"deck", deck}}}});
  return said.at("files").at(0).get<std::string>();
}

}  // namespace halfstep
