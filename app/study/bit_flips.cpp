#include "app/study/bit_flips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/deck/deck.hpp"
#include "app/run/backend.hpp"
#include "physics/cases/initial_state.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {

namespace {

constexpr const char* kDeck = R"(title: A vortex with a flipped bit
case: {name: isentropic_vortex, velocity: [1, 0.5, 0.25]}
mesh:
  cells: [32, 32, 1]
  lower: [-5, -5, 0]
  upper: [5, 5, 1]
  boundary: {x: [periodic, periodic], y: [periodic, periodic]}
time: {end: 0.5, max_steps: 1000}
soft_error: {redo: same_dt, spike: {field: density}}
inject: {step: 5, stage: 3, cell: [20, 17, 0], kind: bit_flip, bit: 0}
)";

/// Observer that keeps the first soft error.
struct Watch : QuietObserver {
  std::int64_t step = 0;  // accepted
  std::optional<SoftError> first;
  std::int64_t first_step = 0;  // step of the first error

  void accepted(const StepPlan&, const AttemptResult&) { step += 1; }
  void rejected(const StepPlan&, const Diagnosis& diagnosis, const StepPlan*) {
    if (first) return;
    first = diagnosis.error;
    first_step = step + 1;
  }
};

struct Outcome {
  Watch watch;
  Fields fields;
  bool finished;
};

Outcome outcome_of(const RunConfig& config, const Fields& initial, const std::string& backend) {
  const Problem& problem = config.problem;
  const auto solver = make_solver(problem, backend, 1);
  solver->set_state(interior_of(initial, problem.mesh, ghost_layers(problem.scheme.reconstruction)), initial,
                    0);
  Outcome outcome;
  StepState state;
  double rate = solver->cfl_rate();
  std::uint64_t epoch = 0;
  drive<Attempt>(*solver, outcome.watch, config.limits, 1, state, rate, epoch);
  outcome.finished = state.time >= config.limits.end;
  solver->get_state(outcome.fields);
  return outcome;
}

double relative_l1(const std::vector<double>& a, const std::vector<double>& reference) {
  double difference = 0, size = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    difference += std::abs(a[c] - reference[c]);
    size += std::abs(reference[c]);
  }
  return difference / size;
}

std::string noticed_as(const BitFlip& flip) {
  return flip.kind ? std::string(name_of(*flip.kind)) : "not noticed";
}

std::string when(const BitFlip& flip) {
  std::string text;
  if (flip.kind)
    text = flip.at_once            ? "in that stage"
           : flip.steps_later == 0 ? "in a later stage"
                                   : fmt::format("{} steps later", flip.steps_later);
  if (!flip.finished) text += text.empty() ? "gave up" : ", gave up";
  return text;
}

void add_rows(Table& table, const BitFlipOptions& options) {
  const std::vector<BitFlip> flips = measure_bit_flips(options);
  const int bits = static_cast<int>(flips.size()) / kFields;
  for (int field = 0; field < kFields; ++field) {
    const BitFlip* const of_field = &flips[static_cast<std::size_t>(field) * bits];
    // Group bits with the same outcome, from the highest down.
    for (int top = bits - 1, bottom; top >= 0; top = bottom - 1) {
      const BitFlip& flip = of_field[top];
      double least = flip.error, largest = flip.error;
      for (bottom = top; bottom > 0; --bottom) {
        const BitFlip& next = of_field[bottom - 1];
        if (noticed_as(next) != noticed_as(flip) || when(next) != when(flip)) break;
        least = std::min(least, next.error);
        largest = std::max(largest, next.error);
      }
      table.rows.push_back({options.single_precision ? "single" : "double", std::int64_t{options.stage},
                            options.spike_factor > 0 ? fmt::format("{}", options.spike_factor) : "off",
                            std::string(kFieldNames[field]), std::int64_t{top}, std::int64_t{bottom},
                            noticed_as(flip), least, largest, when(flip)});
    }
  }
}

}  // namespace

std::vector<BitFlip> measure_bit_flips(const BitFlipOptions& options) {
  RunConfig config =
      parse_deck(kDeck, "the deck of the study",
                 {options.single_precision ? "scheme.precision=single" : "scheme.precision=double",
                  fmt::format("inject.stage={}", options.stage),
                  fmt::format("soft_error.spike.factor={}", options.spike_factor)});
  const Problem& problem = config.problem;
  const Fields initial = extended_initial_fields(*config.flow_case, problem.mesh, {{problem.gamma}},
                                                 ghost_layers(problem.scheme.reconstruction));
  Fault fault = config.problem.fault.value();
  config.problem.fault.reset();
  const Fields reference = outcome_of(config, initial, options.backend).fields;
  std::vector<BitFlip> flips;
  for (fault.field = 0; fault.field < kFields; ++fault.field)
    for (fault.bit = 0; fault.bit < (options.single_precision ? 32 : 64); ++fault.bit) {
      config.problem.fault = fault;
      const Outcome outcome = outcome_of(config, initial, options.backend);
      BitFlip flip;
      flip.field = fault.field;
      flip.bit = fault.bit;
      flip.finished = outcome.finished;
      if (const auto& error = outcome.watch.first) {
        flip.kind = error->kind;
        flip.steps_later = outcome.watch.first_step - fault.step;
        flip.at_once = flip.steps_later == 0 && error->stage == fault.stage;
      }
      for (const int f : {0, kFields - 1})
        flip.error = std::max(flip.error, relative_l1(outcome.fields.conserved[f], reference.conserved[f]));
      flips.push_back(flip);
    }
  return flips;
}

StudyReport bit_flips() {
  Table table{
      .title = "A bit flipped in one cell of a smooth flow: which are noticed, and what the others leave",
      .columns = {"precision", "stage", "spike", "field", "from bit", "to bit", "noticed as", "least error",
                  "largest", "when"},
      .rows = {},
      .notes = {"The 5th of 20 steps is struck, in one of its three stages. The highest bit is the sign.",
                "A flip that is noticed in its own step is redone with the same dt and leaves nothing.",
                "spike: soft_error.spike.factor on the density.",
                "error: at the end, of density and energy the larger sum |U - U0| / sum U0, U0 the run "
                "without the flip."}};
  for (const BitFlipOptions& options : {BitFlipOptions{.single_precision = false, .stage = 3},
                                        {.single_precision = false, .stage = 3, .spike_factor = 1.5},
                                        {.single_precision = false, .stage = 1},
                                        {.single_precision = true, .stage = 3}})
    add_rows(table, options);
  return {.table = std::move(table)};
}

}  // namespace halfstep
