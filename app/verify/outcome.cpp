#include "app/verify/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/scheme_names.hpp"
#include "app/verify/measured.hpp"
#include "physics/accuracy/norms.hpp"
#include "physics/base/choice.hpp"

namespace halfstep {
namespace {

std::optional<Norms> density_error(const DeckRun& run) {
  if (!run.has_exact()) return std::nullopt;
  return exact_error(run.fields, *run.config.flow_case, run.mesh(), run.gas(), run.time).front().second;
}

RunFigures figures(const DeckRun& run) {
  const Scheme& scheme = run.config.problem.scheme;
  const bool is_single = scheme.precision == Precision::single_precision;
  return {.scheme = fmt::format("{} {}{}", scheme_name(scheme), name_of(kIntegrators, scheme.integrator),
                                is_single ? " single" : ""),
          .cells = run.mesh().cells,
          .error = {},
          .steps = run.steps,
          .rejections = run.rejections,
          .repaired_faces = run.repaired_faces,
          .seconds = run.seconds};
}

}  // namespace

bool CheckOutcome::passed() const {
  return gave_up.empty() && std::all_of(judged.begin(), judged.end(), [](const auto& j) { return j.passed; });
}

CheckOutcome outcome_of(const Check& check, const std::string& group, const Machine& machine) {
  CheckOutcome outcome{.group = group, .name = check.name, .deck = check.deck, .error_of = check.error_of};
  Results results;
  for (const Overrides& own : check.runs.empty() ? std::vector<Overrides>{{}} : check.runs) {
    Overrides all = check.overrides;
    all.insert(all.end(), own.begin(), own.end());
    const DeckRun& run = results.runs.emplace_back(run_deck(check.deck, all, machine, check.probe));
    RunFigures& made = outcome.runs.emplace_back(figures(run));
    if (!run.gave_up.empty()) {
      outcome.gave_up = fmt::format("{} in step {}", run.gave_up, run.steps + 1);
      return outcome;
    }
    made.error = check.error ? check.error(run) : density_error(run);
    if (made.error) results.errors.push_back(*made.error);
  }
  const std::size_t count = results.errors.size();
  if (count >= 2 && refinement(results.runs[count - 2], results.runs[count - 1]) > 1)
    outcome.order = last_order(results);
  for (const Judged& judged : check.judged) {
    const double value = judged.value(results);
    outcome.judged.push_back({judged.what, value, judged.bar, judged.bar.holds(value), judged.source});
  }
  if (check.curve) outcome.curve = check.curve(results.last());
  return outcome;
}

}  // namespace halfstep
