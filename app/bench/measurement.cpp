#include "app/bench/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "app/run/ranks.hpp"
#include "physics/cases/initial_state.hpp"
#include "physics/stage/integrator.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {
namespace {

constexpr int kWarmUpSteps = 5;
constexpr int kPartSteps = 3;           // steps in which parts are timed, in each repeat
constexpr double kRepeatSeconds = 0.5;  // wall time of the steps timed together

/// Returns the least traffic of a cell update: each stage reads its input and writes its result, and reads
/// what it starts from if its coefficient is not zero.
double fewest_bytes_per_update(const Problem& problem) {
  const Scheme& scheme = problem.scheme;
  const double state = static_cast<double>(problem.fields() * bytes_of_real(scheme.precision));
  double bytes = 0;
  for (int stage = 1; stage <= stage_count(scheme.integrator); ++stage)
    bytes += state * (stage_weights(scheme.integrator, stage).alpha > 0 ? 3 : 2);
  if (has_middle(scheme.integrator)) bytes += 3 * state;
  return bytes;
}

std::optional<Operations> operations_per_update(const Problem& problem) {
  if (problem.scheme.method != Method::finite_volumes || problem.source.active() ||
      problem.starts_from_rhs_terms() || !problem.scalars.empty() ||
      problem.scheme.positivity != Positivity::none)
    return std::nullopt;
  return operations(problem.scheme).step(problem.scheme.integrator, problem.mesh.dimensions());
}

/// Returns the medians for one step of parts timed several times in kPartSteps steps.
std::vector<PartTime> medians_of_a_step(const std::vector<std::vector<PartTime>>& repeats) {
  std::vector<PartTime> medians = repeats.front();
  for (PartTime& median : medians) {
    std::vector<double> seconds;
    for (const std::vector<PartTime>& repeat : repeats)
      for (const PartTime& part : repeat)
        if (part.name == median.name) seconds.push_back(part.seconds / kPartSteps);
    median.seconds = quartiles(seconds).median;
    median.calls /= kPartSteps;
  }
  return medians;
}

/// Observer that throws std::runtime_error for a step that is rejected or does not advance the time.
struct Observer : QuietObserver {
  explicit Observer(const StepState& state) : state(state) {}
  const StepState& state;

  void rejected(const StepPlan&, const Diagnosis& diagnosis, const StepPlan*) const {
    throw std::runtime_error(fmt::format(
        "a soft error ({}) in step {}: a benchmark needs steps that succeed; choose a smaller time.cfl or "
        "time.dt",
        name_of(diagnosis.error.kind), state.step + 1));
  }
  void stood_still(const StepPlan& plan) const {
    throw std::runtime_error(
        fmt::format("dt = {:.3g} is too short for the time to advance: choose a larger "
                    "time.cfl or time.dt",
                    plan.dt));
  }
};

/// The steps of a deck, without end time and output times.
class Steps {
 public:
  Steps(const RunConfig& config, Solver& solver)
      : solver_(solver),
        limits_(config.limits),
        depth_(std::min(config.depth, solver.max_depth())),
        rate_(solver.cfl_rate()) {
    limits_.end = std::numeric_limits<double>::max();
    limits_.output_every = 0;
  }

  /// Makes `steps` steps; returns their seconds.
  double advance(int steps) {
    Observer observer(state_);
    limits_.max_steps = state_.step + steps;
    solver_.instruments().start_timer();
    drive<Attempt>(solver_, observer, limits_, depth_, state_, rate_, epoch_);
    return solver_.instruments().stop_timer();
  }

 private:
  Solver& solver_;
  StepLimits limits_;
  int depth_;
  StepState state_;
  double rate_;
  std::uint64_t epoch_ = 0;
};

}  // namespace

double Measurement::updates_per_second() const {
  return static_cast<double>(mesh.cell_count()) / step().median;
}
double Measurement::flops_per_second() const {
  return static_cast<double>(operations->flops()) * updates_per_second();
}
double Measurement::outside_stages() const {
  double stages = 0;
  for (const PartTime& part : parts)
    if (part.name == kStagePart) stages += part.seconds;
  return 1 - stages / step().median;
}

Measurement measure(const BenchRow& row, const BenchSettings& settings) {
  const RunConfig config = config_of(row);
  const Problem& problem = config.problem;
  const std::unique_ptr<Solver> solver = make_solver(config, {settings.backend, settings.threads});
  InitialState initial(*config.flow_case, config.scalars, problem.mesh, problem.gases());
  solver->set_state(initial, 0);
  Measurement m{.row = row,
                .case_name = config.case_name,
                .mesh = problem.mesh,
                .scheme = problem.scheme,
                .backend = solver->backend(),
                .device = solver->device_name(),
                .threads = solver->host_threads(),
                .steps = settings.steps,
                .bytes_per_update = fewest_bytes_per_update(problem),
                .operations = operations_per_update(problem),
                .kernel = solver->instruments().kernel_info()};
  Steps steps(config, *solver);
  steps.advance(kWarmUpSteps);
  // A second warm-up: the first steps of a process take longer than later ones.
  const double warm = steps.advance(kWarmUpSteps) / kWarmUpSteps;
  if (m.steps == 0) m.steps = static_cast<int>(std::clamp(kRepeatSeconds / warm, 1.0, 1e6));
  std::vector<std::vector<PartTime>> parts;  // by repeat
  for (int repeat = 0; repeat < settings.repeats; ++repeat) {
    m.seconds_per_step.push_back(steps.advance(m.steps) / m.steps);
    solver->instruments().start_part_times();
    steps.advance(kPartSteps);
    parts.push_back(solver->instruments().part_times());
  }
  m.parts = medians_of_a_step(parts);
  const std::int64_t bytes = solver->device_bytes() > 0 ? solver->device_bytes() : solver->host_bytes();
  m.bytes_per_cell = static_cast<double>(bytes) / static_cast<double>(problem.mesh.cell_count());
  return m;
}

}  // namespace halfstep
