#include "app/bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/base/report.hpp"
#include "app/base/scheme_names.hpp"
#include "physics/base/choice.hpp"

namespace halfstep {
namespace {

constexpr double kGiga = 1e-9, kMilli = 1e3;

std::string mesh_text(const Mesh& mesh) {
  if (mesh.points) return fmt::format("{} elements of {} points", mesh.cells[1], mesh.cells[0]);
  return fmt::format("{} x {} x {} cells", mesh.cells[0], mesh.cells[1], mesh.cells[2]);
}

std::string percent(double share) { return fmt::format("{:5.1f} %", 100 * share); }

Table rates_table(const BenchReport& report) {
  const Measurement& first = report.rows.front();
  Table table{
      .title = fmt::format("{}: {}, {}, {}\n{}: {}", report.of, first.case_name, mesh_text(first.mesh),
                           name_of(kRiemanns, first.scheme.riemann), first.backend, first.device),
      .columns = {"scheme", "ms a step", "quartiles", "updates/s", "GB/s", "of copy", "GFLOP/s", "of FMA",
                  "B a cell"},
      .rows = {},
      .notes = {}};
  std::vector<int> steps;  // per repeat
  for (const Measurement& m : report.rows) {
    steps.push_back(m.steps);
    const MachineLimits& limits = report.limits_of(m);
    const Quartiles step = m.step();
    const bool counted = m.operations.has_value();
    table.rows.push_back({scheme_text(m.scheme), kMilli * step.median,
                          fmt::format("{:.4g} to {:.4g}", kMilli * step.low, kMilli * step.high),
                          fmt::format("{:.3e}", m.updates_per_second()), kGiga * m.bytes_per_second(),
                          percent(m.bytes_per_second() / limits.copy()),
                          counted ? fmt::format("{:.5g}", kGiga * m.flops_per_second()) : "-",
                          counted ? percent(m.flops_per_second() / limits.fma()) : "-", m.bytes_per_cell});
  }
  const auto [fewest, most] = std::minmax_element(steps.begin(), steps.end());
  table.notes.push_back(fmt::format(
      "Medians of {} repeats of {} steps. updates/s: cells through a whole step; GB/s: of the fewest bytes "
      "that stages can move; GFLOP/s: of {}.",
      first.seconds_per_step.size(),
      *fewest == *most ? fmt::format("{}", *most) : fmt::format("{} to {}", *fewest, *most),
      first.operations ? "the operations below"
                       : "the Euler equations alone, without sources, terms or limited fluxes"));
  for (const RowLimits& l : report.limits)
    table.notes.push_back(
        fmt::format("Limits measured beside them, {}: copy {:.5g} GB/s, FMA {:.5g} GFLOP/s.",
                    name_of(kPrecisions, l.precision), kGiga * l.limits.copy(), kGiga * l.limits.fma()));
  for (const std::string& warning : bench_warnings(report)) table.notes.push_back("Warning: " + warning);
  return table;
}

std::string kernel_text(const KernelInfo& kernel) {
  if (kernel.registers == 0) return "";
  return fmt::format("{} registers, {} B local, {} B shared, {} threads, occupancy {:.1f} %",
                     kernel.registers, kernel.local_bytes, kernel.shared_bytes, kernel.block_threads,
                     100 * kernel.occupancy);
}

Table parts_table(const BenchReport& report) {
  Table table{
      .title = "Where the time of a step goes, each part timed by itself in steps between the repeats",
      .columns = {"scheme", "part", "calls a step", "ms a step", "of the step", "kernel"},
      .rows = {},
      .notes = {"outside stages: what the median step takes beyond its stages; '-' where that is less than "
                "nothing, as they are timed in other steps."}};
  for (const Measurement& m : report.rows) {
    const double step = m.step().median;
    std::string scheme = scheme_text(m.scheme);  // only in the first row
    for (const PartTime& part : m.parts) {
      table.rows.push_back({scheme, part.name, part.calls, kMilli * part.seconds,
                            percent(part.seconds / step),
                            part.name == kStagePart ? kernel_text(m.kernel) : ""});
      scheme.clear();
    }
    const bool is_left = m.outside_stages() >= 0;
    table.rows.push_back({"", "outside stages", "",
                          is_left ? Cell(kMilli * step * m.outside_stages()) : Cell(std::monostate()),
                          is_left ? Cell(percent(m.outside_stages())) : Cell(std::monostate()), ""});
  }
  return table;
}

Table operations_table(const BenchReport& report) {
  Table table{
      .title = "Floating-point operations of a cell-update, counted in the program's own functions",
      .columns = {"scheme", "add", "multiply", "divide", "square root", "FLOP", "compare", "FLOP a byte"},
      .rows = {},
      .notes = {"FLOP: additions, multiplications, divisions and square roots, each one. Edge values "
                "once a cell and axis, Riemann problems once a face."}};
  for (const Measurement& m : report.rows)
    if (const auto& o = m.operations)
      table.rows.push_back({scheme_text(m.scheme), o->additions, o->multiplications, o->divisions,
                            o->square_roots, o->flops(), o->comparisons,
                            static_cast<double>(o->flops()) / m.bytes_per_update});
  return table;
}

Json scheme_json(const Scheme& scheme) {
  Json json;
  if (scheme.method == Method::flux_reconstruction) {
    json = {{"method", name_of(kMethods, scheme.method)}, {"degree", scheme.degree}};
    if (scheme.dealiasing != Dealiasing::none) json["dealiasing"] = name_of(kDealiasings, scheme.dealiasing);
  } else {
    json = {{"reconstruction", name_of(kReconstructions, scheme.reconstruction)}};
    if (facts_of(scheme.reconstruction).has_limiter) json["limiter"] = name_of(kLimiters, scheme.limiter);
    json["variables"] = name_of(kVariables, scheme.variables);
  }
  json["riemann"] = name_of(kRiemanns, scheme.riemann);
  if (scheme.averages != Averages::midpoint) json["averages"] = name_of(kAverages, scheme.averages);
  json.update({{"integrator", name_of(kIntegrators, scheme.integrator)},
               {"positivity", name_of(kPositivities, scheme.positivity)},
               {"precision", name_of(kPrecisions, scheme.precision)}});
  return json;
}

Json row_json(const Measurement& m, const MachineLimits& limits) {
  const auto& n = m.mesh.cells;
  const Quartiles step = m.step();
  Json json = {{"deck", m.row.deck},
               {"overrides", m.row.overrides},
               {"case", m.case_name},
               {"cells", {n[0], n[1], n[2]}},
               {"scheme", scheme_json(m.scheme)},
               {"backend", m.backend},
               {"device", m.device},
               {"threads", m.threads},
               {"steps", m.steps},
               {"seconds_per_step", m.seconds_per_step},
               {"quartiles", {step.low, step.median, step.high}},
               {"cell_updates_per_second", m.updates_per_second()},
               {"bytes_per_cell_update", m.bytes_per_update},
               {"bytes_per_second", m.bytes_per_second()},
               {"share_of_copy", m.bytes_per_second() / limits.copy()}};
  if (const auto& o = m.operations)
    json.update({{"operations",
                  {{"additions", o->additions},
                   {"multiplications", o->multiplications},
                   {"divisions", o->divisions},
                   {"square_roots", o->square_roots},
                   {"comparisons", o->comparisons}}},
                 {"flops_per_cell_update", o->flops()},
                 {"flops_per_second", m.flops_per_second()},
                 {"share_of_fma", m.flops_per_second() / limits.fma()}});
  json["bytes_per_cell"] = m.bytes_per_cell;
  if (m.kernel.registers > 0)
    json["stage_kernel"] = {{"registers", m.kernel.registers},
                            {"local_bytes", m.kernel.local_bytes},
                            {"shared_bytes", m.kernel.shared_bytes},
                            {"threads", m.kernel.block_threads},
                            {"occupancy", m.kernel.occupancy}};
  json["parts"] = Json::array();
  for (const PartTime& part : m.parts)
    json["parts"].push_back(
        {{"name", part.name}, {"calls_per_step", part.calls}, {"seconds_per_step", part.seconds}});
  json["outside_stages"] = m.outside_stages();
  return json;
}

}  // namespace

const MachineLimits& BenchReport::limits_of(const Measurement& row) const {
  for (const RowLimits& l : limits)
    if (l.precision == row.scheme.precision) return l.limits;
  throw std::logic_error("the limits of a row were not measured");
}

std::string scheme_text(const Scheme& scheme) {
  return fmt::format(
      "{}{} {}{} {}", reconstruction_name(scheme),
      scheme.method == Method::finite_volumes ? fmt::format(" {}", name_of(kVariables, scheme.variables))
                                              : "",
      scheme.averages == Averages::midpoint ? "" : fmt::format("{} ", name_of(kAverages, scheme.averages)),
      name_of(kIntegrators, scheme.integrator), name_of(kPrecisions, scheme.precision));
}

std::vector<std::string> bench_warnings(const BenchReport& report) {
  std::vector<std::string> all;
  for (const Measurement& m : report.rows) {
    const MachineLimits& limits = report.limits_of(m);
    const double copy = m.bytes_per_second() / limits.copy();
    if (copy > 1)
      all.push_back(
          fmt::format("{} moves {:.0f} % of what a copy does: the machine was busy while its limits were "
                      "measured, or the fields ({:.3g} MB) fit into a cache.",
                      scheme_text(m.scheme), 100 * copy,
                      1e-6 * m.bytes_per_cell * static_cast<double>(m.mesh.cell_count())));
    if (m.operations && m.flops_per_second() > limits.fma())
      all.push_back(fmt::format(
          "{} makes {:.0f} % of the operations that FMA loops do: the machine was busy while its limits "
          "were measured.",
          scheme_text(m.scheme), 100 * m.flops_per_second() / limits.fma()));
  }
  return all;
}

std::vector<Table> bench_tables(const BenchReport& report) {
  std::vector<Table> tables = {rates_table(report), parts_table(report)};
  Table operations = operations_table(report);
  if (!operations.rows.empty()) tables.push_back(std::move(operations));
  return tables;
}

Json bench_json(const BenchReport& report, const std::string& command) {
  const bool on_device = std::any_of(report.limits.begin(), report.limits.end(),
                                     [](const RowLimits& of) { return of.backend == "cuda"; });
  Json json = {{"bench", report.of}, {"provenance", provenance_json(provenance_of_runs(command, on_device))}};
  json["limits"] = Json::array();
  for (const RowLimits& l : report.limits)
    json["limits"].push_back({{"backend", l.backend},
                              {"device", l.device},
                              {"threads", l.threads},
                              {"precision", name_of(kPrecisions, l.precision)},
                              {"copy_bytes_per_second", l.limits.copy()},
                              {"fma_flops_per_second", l.limits.fma()},
                              {"copy_rates", l.limits.copy_rates},
                              {"fma_rates", l.limits.fma_rates}});
  json["warnings"] = bench_warnings(report);
  json["rows"] = Json::array();
  for (const Measurement& row : report.rows) json["rows"].push_back(row_json(row, report.limits_of(row)));
  return json;
}

}  // namespace halfstep
