#include "app/output/summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "app/base/readable_bytes.hpp"
#include "app/output/rank_table.hpp"
#include "physics/diagnostics/totals.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace {

Json object(const Totals& t) {
  return {{"mass", json_number(t.mass)},
          {"momentum", json_vector(t.momentum)},
          {"energy", json_number(t.energy)},
          {"kinetic_energy", json_number(t.kinetic_energy)},
          {"min_density", json_number(t.min_density)},
          {"min_pressure", json_number(t.min_pressure)},
          {"max_mach", json_number(t.max_mach)}};
}

/// Returns the change relative to the start, or absolute if that is 0.
double change(double start, double end) { return start == 0 ? end : (end - start) / std::abs(start); }

std::string describe(const Drift& drift) {
  double momentum = 0;
  for (const double component : drift.momentum)
    if (!(std::abs(component) <= std::abs(momentum))) momentum = component;
  return fmt::format("mass {:.1e}, momentum {:.1e}, energy {:.1e}, relative", drift.mass, momentum,
                     drift.energy);
}

std::string remedies(const Summary& s) {
  std::string text;
  if (s.scaled_steps > 0)
    text = fmt::format("scaled elements in {} step{}", s.scaled_steps, s.scaled_steps == 1 ? "" : "s");
  if (s.first_order_steps > 0)
    text += fmt::format("{}first-order fluxes in {} step{}", text.empty() ? "" : "; ", s.first_order_steps,
                        s.first_order_steps == 1 ? "" : "s");
  if (s.floored.cells > 0)
    text += fmt::format("{}floors in {} cell{}: mass {:+.2e}, energy {:+.2e}", text.empty() ? "" : "; ",
                        s.floored.cells, s.floored.cells == 1 ? "" : "s", s.floored.mass, s.floored.energy);
  const double* momentum = s.floored.momentum;
  if (s.floored.cells > 0 && (momentum[0] != 0 || momentum[1] != 0 || momentum[2] != 0))
    text += fmt::format(", momentum ({:+.2e}, {:+.2e}, {:+.2e})", momentum[0], momentum[1], momentum[2]);
  return text.empty() ? "none" : text;
}

}  // namespace

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::stopped_at_max_steps:
      return "stopped_at_max_steps";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::exhausted:
      return "exhausted";
    case RunStatus::failed:
      return "failed";
  }
  return "?";
}

Json summary_json(const Summary& s) {
  Json json = {{"status", name_of(s.status)}};
  if (!s.reason.empty()) json["reason"] = s.reason;
  json.update({{"title", s.title},
               {"case", s.case_name},
               {"steps", s.steps},
               {"attempts", s.attempts},
               {"rejections", s.rejections},
               {"repaired_faces", s.repaired_faces},
               {"scaled_steps", s.scaled_steps},
               {"first_order_steps", s.first_order_steps},
               {"floored_cells", s.floored.cells},
               {"floor_mass", json_number(s.floored.mass)},
               {"floor_energy", json_number(s.floored.energy)},
               {"floor_momentum_x", json_number(s.floored.momentum[0])},
               {"floor_momentum_y", json_number(s.floored.momentum[1])},
               {"floor_momentum_z", json_number(s.floored.momentum[2])},
               {"injected_faults", s.injected_faults},
               {"redo_cost_percent", json_number(s.redo_cost_percent)},
               {"time", json_number(s.time)},
               {"end_time", json_number(s.end_time)},
               {"wall_seconds", json_number(s.wall_seconds)},
               {"cell_updates_per_second", json_number(s.cell_updates_per_second)},
               {"device_bytes", s.device_bytes},
               {"host_bytes", s.host_bytes},
               {"backend", s.backend},
               {"precision", s.precision},
               {"device", s.device},
               {"git", s.git},
               {"command", s.command},
               {"host", s.host},
               {"date", s.date}});
  if (s.totals) {
    const auto& [start, end] = *s.totals;
    json["totals"] = {{"start", object(start)}, {"end", object(end)}};
    if (s.explained) {
      const Drift drift = drift_of(start, end, *s.explained);
      json["totals"]["drift"] = {{"mass", json_number(drift.mass)},
                                 {"momentum", json_vector(drift.momentum)},
                                 {"energy", json_number(drift.energy)}};
    } else {
      json["totals"]["change"] = {{"mass", json_number(change(start.mass, end.mass))},
                                  {"energy", json_number(change(start.energy, end.energy))}};
    }
  }
  if (s.explained) json["budget"] = budget_json(s.ways, s.explained->budget);
  if (s.sponged)
    json["sponges"] = {{"mass", json_number(s.sponged->mass)},
                       {"momentum", json_vector(std::to_array(s.sponged->momentum))},
                       {"energy", json_number(s.sponged->energy)}};
  if (!s.ranks.empty()) json["ranks"] = rank_list(s.ranks);
  if (!s.verdict.empty()) {
    Json& verdict = json["verdict"] = Json::object();
    for (const auto& [field, norms] : s.verdict)
      verdict[field] = {
          {"l1", json_number(norms.l1)}, {"l2", json_number(norms.l2)}, {"linf", json_number(norms.linf)}};
  }
  return json;
}

void write_summary(const std::filesystem::path& directory, const Summary& summary) {
  write_file(directory / "summary.json", json_text(summary_json(summary), 2) + "\n");
}

std::string summary_table(const Summary& s) {
  std::string table;
  const auto row = [&](std::string_view name, const std::string& text) {
    table += fmt::format("  {:<16} {}\n", name, text);
  };
  row("status",
      s.reason.empty() ? std::string(name_of(s.status)) : fmt::format("{}: {}", name_of(s.status), s.reason));
  row("time", fmt::format("{:.6g} of {:.6g}", s.time, s.end_time));
  row("steps", fmt::format("{} in {} attempts, {} rejected", s.steps, s.attempts, s.rejections));
  row("redo cost", fmt::format("{:.3g} % of the wall time", s.redo_cost_percent));
  row("repaired faces", fmt::format("{}", s.repaired_faces));
  row("remedies", remedies(s));
  if (s.injected_faults > 0) row("injected faults", fmt::format("{}", s.injected_faults));
  row("wall time", fmt::format("{:.4g} s", s.wall_seconds));
  row("cell updates/s", fmt::format("{:.4g}", s.cell_updates_per_second));
  row("backend", fmt::format("{}, {} precision ({})", s.backend, s.precision, s.device));
  row("memory", fmt::format("{} on the device, {} on the host", readable_bytes(s.device_bytes),
                            readable_bytes(s.host_bytes)));
  if (s.totals) {
    const auto& [start, end] = *s.totals;
    if (s.explained)
      row("drift", describe(drift_of(start, end, *s.explained)));
    else
      row("change", fmt::format("mass {:.2e}, energy {:.2e}, relative", change(start.mass, end.mass),
                                change(start.energy, end.energy)));
  }
  if (s.sponged)
    row("sponges", fmt::format("mass {:+.2e}, energy {:+.2e}, added", s.sponged->mass, s.sponged->energy));
  if (!s.no_verdict.empty()) row("error", "no exact solution: " + s.no_verdict);
  if (!s.verdict.empty()) {
    table += fmt::format("  {:<16} {:>12} {:>12} {:>12}\n", "error", "l1", "l2", "linf");
    for (const auto& [field, norms] : s.verdict)
      table +=
          fmt::format("    {:<14} {:>12.4e} {:>12.4e} {:>12.4e}\n", field, norms.l1, norms.l2, norms.linf);
  }
  return table + rank_table(s.ranks);
}

}  // namespace halfstep
