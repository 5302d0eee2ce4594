#include "app/commands/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "app/commands/commands.hpp"
#include "app/deck/deck.hpp"
#include "app/output/json.hpp"
#include "app/run/backend.hpp"
#include "halfstep_version.hpp"
#include "physics/initial.hpp"
#include "runtime/stepping/driver.hpp"

namespace halfstep {

namespace {

constexpr int kWarmUpSteps = 5;

/// The fewest bytes a stage can move for a cell: the input and the result once, and U^n where the stage keeps
/// some of it.
double bytes_per_cell_step(const Problem& problem) {
  const Scheme& scheme = problem.scheme;
  const double state = problem.fields() * (scheme.precision == Precision::double_precision ? 8 : 4);
  double bytes = 0;
  for (int stage = 1; stage <= stage_count(scheme.integrator); ++stage)
    bytes += state * (stage_weights(scheme.integrator, stage).keep > 0 ? 3 : 2);
  return bytes;
}

/// Steps that succeed, and nothing but steps.
struct Observer : QuietObserver {
  explicit Observer(const StepState& state) : state(state) {}
  const StepState& state;

  void rejected(const StepPlan&, const Diagnosis& diagnosis, const StepPlan*) const {
    throw std::runtime_error(fmt::format(
        "a soft error ({}) in step {}: a benchmark needs steps that succeed; choose a smaller time.cfl or "
        "time.dt",
        name_of(diagnosis.error.kind), state.step + 1));
  }
};

}  // namespace

int bench(const BenchOptions& options) {
  const RunConfig config = load_deck(options.deck, options.overrides);
  const Problem& problem = config.problem;
  const Scheme& scheme = problem.scheme;
  const int layers = ghost_layers(scheme.reconstruction), stages = stage_count(scheme.integrator);
  const std::unique_ptr<Solver> solver = make_solver(problem, options.backend, options.threads);
  {
    const Fields extended = extended_initial_fields(*config.flow_case, problem.mesh, {problem.gamma}, layers,
                                                    problem.has_reactant);
    solver->set_state(interior_of(extended, problem.mesh, layers), extended, 0);
  }

  // Steps of the deck's own length for as long as the benchmark lasts: no end, no outputs to land on.
  StepLimits limits = config.limits;
  limits.end = std::numeric_limits<double>::max();
  limits.output_every = 0;
  StepState state;
  std::uint64_t epoch = 0;
  double rate = solver->signal_rate();
  Observer observer(state);
  const auto advance = [&](int steps) {
    limits.max_steps = state.step + steps;
    drive<Attempt>(*solver, observer, limits, std::min(config.depth, solver->max_depth()), state, rate,
                   epoch);
  };
  advance(kWarmUpSteps);

  std::vector<double> seconds;  // a step
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    solver->start_timer();
    advance(options.steps);
    seconds.push_back(solver->stop_timer() / options.steps);
  }
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  const double cells = static_cast<double>(problem.mesh.cell_count());
  const double updates = cells / median;
  const double bandwidth = cells * bytes_per_cell_step(problem) / median;
  const KernelInfo kernel = solver->kernel_info();
  const auto& n = problem.mesh.cells;

  fmt::print("{} cells {} x {} x {}, {} {} {} {}, {}, {} on {}\n", config.case_name, n[0], n[1], n[2],
             name_of(kReconstructions, scheme.reconstruction), name_of(kVariables, scheme.variables),
             name_of(kRiemanns, scheme.riemann), name_of(kIntegrators, scheme.integrator),
             name_of(kPrecisions, scheme.precision), solver->backend(), solver->device_name());
  fmt::print("  step            {:.4f} ms  (median of {} x {} steps; {:.4f} to {:.4f})\n", 1e3 * median,
             options.repeats, options.steps, 1e3 * seconds.front(), 1e3 * seconds.back());
  fmt::print("  cell-updates/s  {:.4g}  ({:.4g} cell-stages/s)\n", updates, updates * stages);
  fmt::print("  effective GB/s  {:.4g}  ({:.0f} bytes a cell-step, each array once)\n", 1e-9 * bandwidth,
             bytes_per_cell_step(problem));
  fmt::print("  memory          {:.4g} bytes a cell\n",
             (solver->device_bytes() > 0 ? solver->device_bytes() : solver->host_bytes()) / cells);
  if (kernel.registers > 0)
    fmt::print(
        "  stage kernel    {}{} registers, {} bytes local, {} bytes shared, {} threads, occupancy {:.1f} %\n",
        kernel.own ? "" : "tuned: ", kernel.registers, kernel.local_bytes, kernel.shared_bytes,
        kernel.block_threads, 100 * kernel.occupancy);

  if (!options.json.empty()) {
    const Json figures = {{"deck", options.deck},
                          {"git", HALFSTEP_GIT},
                          {"backend", solver->backend()},
                          {"device", solver->device_name()},
                          {"cells", {n[0], n[1], n[2]}},
                          {"reconstruction", name_of(kReconstructions, scheme.reconstruction)},
                          {"variables", name_of(kVariables, scheme.variables)},
                          {"riemann", name_of(kRiemanns, scheme.riemann)},
                          {"integrator", name_of(kIntegrators, scheme.integrator)},
                          {"precision", name_of(kPrecisions, scheme.precision)},
                          {"steps", options.steps},
                          {"seconds_per_step", seconds},
                          {"median_seconds_per_step", median},
                          {"cell_updates_per_second", updates},
                          {"cell_stages_per_second", updates * stages},
                          {"effective_bytes_per_second", bandwidth},
                          {"tuned", !kernel.own},
                          {"registers", kernel.registers},
                          {"local_bytes", kernel.local_bytes},
                          {"shared_bytes", kernel.shared_bytes},
                          {"occupancy", kernel.occupancy}};
    std::ofstream file(options.json);
    file << figures.dump(2) << '\n';
    file.close();
    if (!file) throw std::runtime_error("cannot write " + options.json);
  }
  return kFinished;
}

}  // namespace halfstep
