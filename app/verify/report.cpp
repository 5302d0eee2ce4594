#include "app/verify/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "physics/accuracy/norms.hpp"

namespace halfstep {
namespace {

std::string mesh_text(const std::array<int, 3>& cells) {
  std::string text = fmt::format("{}", cells[0]);
  for (int a = 1; a < 3; ++a)
    if (cells[1] > 1 || cells[2] > 1)
      if (a == 1 || cells[2] > 1) text += fmt::format("x{}", cells[a]);
  return text;
}

std::string bar_text(const Bar& bar) {
  if (std::isinf(bar.low)) return fmt::format("<= {:.4g}", bar.high);
  if (std::isinf(bar.high)) return fmt::format(">= {:.4g}", bar.low);
  return fmt::format("{:.4g} to {:.4g}", bar.low, bar.high);
}

Json numbers(const std::vector<double>& values) {
  Json all = Json::array();
  for (const double value : values) all.push_back(json_number(value));
  return all;
}

Json run_json(const RunFigures& run) {
  Json json = {{"scheme", run.scheme}, {"cells", run.cells}};
  if (run.error)
    json.update({{"l1", json_number(run.error->l1)},
                 {"l2", json_number(run.error->l2)},
                 {"linf", json_number(run.error->linf)}});
  json.update({{"steps", run.steps},
               {"rejections", run.rejections},
               {"repaired_faces", run.repaired_faces},
               {"seconds", run.seconds}});
  return json;
}

Json curve_json(const Curve& curve) {
  return {{"across", curve.across},         {"up", curve.up},        {"logarithmic", curve.logarithmic},
          {"x", numbers(curve.x)},          {"y", numbers(curve.y)}, {"line_x", numbers(curve.line_x)},
          {"line_y", numbers(curve.line_y)}};
}

}  // namespace

Table verify_table(const std::vector<CheckOutcome>& outcomes) {
  Table table{.title = "Flows against what is known of them",
              .columns = {"check", "scheme", "cells", "L1", "L2", "Linf", "order", "judged", "value", "bar",
                          "from", "verdict"},
              .rows = {},
              .notes = {}};
  const auto note_of = [&](const std::string& source) {
    auto at = std::find(table.notes.begin(), table.notes.end(), source);
    if (at == table.notes.end()) at = table.notes.insert(at, source);
    return at - table.notes.begin() + 1;
  };
  for (const CheckOutcome& outcome : outcomes) {
    const RunFigures& last = outcome.runs.back();
    const auto norm = [&](double Norms::*which) {
      return last.error ? fmt::format("{:.2e}", (*last.error).*which) : std::string();
    };
    std::vector<Cell> row = {outcome.name,
                             last.scheme,
                             mesh_text(last.cells),
                             norm(&Norms::l1),
                             norm(&Norms::l2),
                             norm(&Norms::linf),
                             outcome.order ? fmt::format("{:.2f}", *outcome.order) : std::string()};
    const std::size_t run_columns = row.size();
    const auto add = [&](const std::vector<Cell>& judged) {
      row.resize(run_columns, std::string());
      row.insert(row.end(), judged.begin(), judged.end());
      table.rows.push_back(row);
      row.assign({outcome.name});  // later rows of the check leave the run's columns empty
    };
    if (!outcome.gave_up.empty())
      add({std::string("the run"), outcome.gave_up, std::string("at its end"), std::string(),
           std::string("FAIL")});
    for (const JudgedValue& judged : outcome.judged)
      add({judged.what, fmt::format("{:.4g}", judged.value), bar_text(judged.bar),
           fmt::format("[{}]", note_of(judged.source)), std::string(judged.passed ? "PASS" : "FAIL")});
  }
  for (std::size_t n = 0; n < table.notes.size(); ++n)
    table.notes[n] = fmt::format("[{}] {}", n + 1, table.notes[n]);
  table.notes.push_back(
      "L1, L2, Linf: of density against the exact solution, of the last of a check's runs, unless the check "
      "says "
      "otherwise; order: of L1, observed between its last two meshes.");
  return table;
}

Json verify_json(const std::vector<CheckOutcome>& outcomes, Extent extent, const std::string& backend,
                 const Provenance& made) {
  Json json = {
      {"verify", extent == Extent::quick ? "quick" : "full"},
      {"provenance", provenance_json(made)},
      {"backend", backend},
      {"passed", std::all_of(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.passed(); })},
      {"checks", Json::array()}};
  for (const CheckOutcome& outcome : outcomes) {
    Json check = {{"name", outcome.name},         {"group", outcome.group},     {"deck", outcome.deck},
                  {"error_of", outcome.error_of}, {"passed", outcome.passed()}, {"gave_up", outcome.gave_up},
                  {"runs", Json::array()},        {"judged", Json::array()}};
    if (outcome.order) check["order"] = json_number(*outcome.order);
    for (const RunFigures& run : outcome.runs) check["runs"].push_back(run_json(run));
    for (const JudgedValue& judged : outcome.judged) {
      Json entry = {{"what", judged.what}, {"value", json_number(judged.value)}};
      if (std::isfinite(judged.bar.low)) entry["at_least"] = judged.bar.low;
      if (std::isfinite(judged.bar.high)) entry["at_most"] = judged.bar.high;
      entry["passed"] = judged.passed;
      entry["source"] = judged.source;
      check["judged"].push_back(std::move(entry));
    }
    if (outcome.curve) check["curve"] = curve_json(*outcome.curve);
    json["checks"].push_back(std::move(check));
  }
  return json;
}

}  // namespace halfstep
