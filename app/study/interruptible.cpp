#include "app/study/interruptible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "app/base/quartiles.hpp"
#include "app/deck/deck.hpp"
#include "app/run/backend.hpp"
#include "physics/cases/initial_state.hpp"

namespace halfstep {
namespace {

constexpr int kRounds = 21, kSteps = 31;
/// As in the study `detection`: no field has zeros, for which division takes another path.
constexpr const char* kDeck =
    "case: {name: linear_wave, amplitude: 0.1, waves: [1, 1, 1], velocity: [0.1, 0.2, 0.3]}\n"
    "mesh: {cells: [64, 64, 64], boundary: {x: [periodic, periodic], y: [periodic, periodic], "
    "z: [periodic, periodic]}}\n"
    "scheme: {reconstruction: plm, variables: primitive, riemann: hllc}\n"
    "time: {end: 1}\n";
constexpr double kBearable = 1.05;  // ratio of times that counts as a small cost
constexpr const char* kClaims[] = {"Bozza 2012: a status record a thread is cheap",
                                   "Bozza 2012: safe points may be placed freely",
                                   "Bozza 2012: arguments go through a pointer"};

using Form = SafePointForm;
using Every = SafePointEvery;

std::string name_of(Every every) {
  return every == Every::tile ? "tile" : every == Every::pencil ? "pencil" : "cell";
}

std::string kernel_of(const SweepCost& cost) {
  switch (cost.form) {
    case Form::ordinary:
      return "ordinary, by " + name_of(cost.every) + "s";
    case Form::tile_queue:
      return "tiles from a queue";
    case Form::in_registers:
      return "record in registers";
    case Form::in_memory:
      break;
  }
  return "record in memory";
}

std::string safe_points_of(const SweepCost& cost) {
  return cost.form == Form::ordinary ? "none" : "one a " + name_of(cost.every);
}

std::string arguments_of(const SweepCost& cost) { return cost.by_pointer ? "pointer" : "value"; }

double median_of(const std::vector<double>& values) { return quartiles(values).median; }
std::string spread_of(const std::vector<double>& values) {
  const Quartiles q = quartiles(values);
  return fmt::format("{:.4g} to {:.4g}", q.low, q.high);
}
double percent(double ratio) { return 100 * (ratio - 1); }

/// Times of one scheme's sweeps.
class Sweeps {
 public:
  Sweeps(const std::vector<SweepCost>& all, const std::string& scheme) : scheme_(scheme) {
    for (const SweepCost& cost : all)
      if (cost.scheme == scheme) costs_.push_back(&cost);
  }

  const std::string& scheme() const { return scheme_; }
  const std::vector<const SweepCost*>& all() const { return costs_; }
  const SweepCost& operator()(Form form, Every every, bool by_pointer) const {
    for (const SweepCost* cost : costs_)
      if (cost->form == form && cost->every == every && cost->by_pointer == by_pointer) return *cost;
    throw std::logic_error("a kernel of the study is missing");
  }
  double ms(Form form, Every every, bool by_pointer) const {
    return median_of((*this)(form, every, by_pointer).milliseconds);
  }
  /// Returns the reference of all times, that of the ordinary kernel.
  double base() const { return ms(Form::ordinary, Every::tile, false); }
  /// Returns the reference for the cost of checks: the ordinary kernel with the same pieces and arguments.
  double without_checks(const SweepCost& cost) const {
    return ms(Form::ordinary, cost.form == Form::tile_queue ? cost.every : Every::tile, cost.by_pointer);
  }

 private:
  std::string scheme_;
  std::vector<const SweepCost*> costs_;
};

void add_rows(Table& table, const Sweeps& sweeps) {
  for (const SweepCost* cost : sweeps.all()) {
    const double ms = median_of(cost->milliseconds);
    // A thread or block that checks is resident for at_once / askers of the sweep.
    const double checks = double(cost->checks) * double(cost->askers) / double(cost->at_once);
    table.rows.push_back(
        {cost->scheme, kernel_of(*cost), safe_points_of(*cost), arguments_of(*cost),
         std::int64_t{cost->registers}, std::int64_t{cost->local_bytes}, 100 * cost->occupancy, ms,
         spread_of(cost->milliseconds), fmt::format("{:+.2f}", percent(ms / sweeps.base())),
         cost->checks > 0 ? fmt::format("{:.1f}", 1e6 * (ms - sweeps.without_checks(*cost)) / checks)
                          : std::string("-")});
  }
}

/// A figure per scheme, and the largest.
struct Figures {
  std::string text = {};
  double worst = 0;

  template <class Ratio>
  Figures(const std::vector<Sweeps>& schemes, Ratio ratio) {
    for (const Sweeps& sweeps : schemes) {
      const double here = ratio(sweeps);
      text += fmt::format("{}{} {:+.1f} %", text.empty() ? "" : ", ", sweeps.scheme(), percent(here));
      worst = std::max(worst, here);
    }
  }
  Standing standing() const { return worst <= kBearable ? Standing::holds : Standing::gone; }
};

/// Returns "plm 114 to 122 registers at 25 % occupancy, ...", relative to the ordinary kernel by tiles.
std::string registers_text(const std::vector<Sweeps>& schemes, Form form, Every every, bool by_pointer) {
  std::string text;
  for (const Sweeps& sweeps : schemes) {
    const SweepCost &from = sweeps(Form::ordinary, Every::tile, false), &to = sweeps(form, every, by_pointer);
    text += fmt::format("{}{} {} to {} registers at {}{:.3g} % occupancy", text.empty() ? "" : ", ",
                        sweeps.scheme(), from.registers, to.registers,
                        from.occupancy == to.occupancy ? "" : fmt::format("{:.3g} to ", 100 * from.occupancy),
                        100 * to.occupancy);
  }
  return text;
}

/// Returns the findings for kernels as in 2012: a record in memory, arguments by pointer.
std::vector<Finding> findings_of(const std::vector<Sweeps>& schemes) {
  const auto cost_of = [&](Form form, Every every, bool by_pointer) {
    return Figures(schemes, [=](const Sweeps& s) { return s.ms(form, every, by_pointer) / s.base(); });
  };
  const auto of_density = [&](Form form, bool by_pointer) {
    return Figures(schemes, [=](const Sweeps& s) {
      return s.ms(form, Every::cell, by_pointer) / s.ms(form, Every::tile, by_pointer);
    });
  };
  const auto of_pointer = [&](Form form) {
    return Figures(schemes, [=](const Sweeps& s) {
      return s.ms(form, Every::tile, true) / s.ms(form, Every::tile, false);
    });
  };
  const std::string bearable = fmt::format("up to {:.0f} % counts as nothing", percent(kBearable));
  const Figures status = cost_of(Form::in_memory, Every::pencil, true);
  const Figures density = of_density(Form::in_memory, true);
  const Figures pointer = of_pointer(Form::ordinary);
  return {
      {kClaims[0], "no figure", status.text, status.standing(),
       fmt::format("record in memory, arguments by pointer, a safe point a pencil, against the ordinary "
                   "kernel ({}); {}. Arguments by value: {}; the record in registers, too: {}. Tiles from "
                   "a queue need no record: {}.",
                   registers_text(schemes, Form::in_memory, Every::pencil, true), bearable,
                   cost_of(Form::in_memory, Every::pencil, false).text,
                   cost_of(Form::in_registers, Every::pencil, false).text,
                   cost_of(Form::tile_queue, Every::tile, false).text)},
      {kClaims[1], "no figure", density.text, density.standing(),
       fmt::format("one a cell against one a tile, in the same kernel ({}); {}. The record in registers and "
                   "arguments by value: {}. A queue's tiles would be a cell deep and begin anew each time: "
                   "{}.",
                   registers_text(schemes, Form::in_memory, Every::cell, true), bearable,
                   of_density(Form::in_registers, false).text, of_density(Form::tile_queue, false).text)},
      {kClaims[2], "no figure", pointer.text, pointer.standing(),
       fmt::format("against arguments by value, in the ordinary kernel ({}); {}. In the kernel of a queue: "
                   "{}; with a record in memory: {}.",
                   registers_text(schemes, Form::ordinary, Every::tile, true), bearable,
                   of_pointer(Form::tile_queue).text, of_pointer(Form::in_memory).text)}};
}

Table table_of_steps(const std::vector<StepCost>& steps) {
  Table table{.name = "steps",
              .title = "Whole steps of the solver, at once and in slices",
              .columns = {"cells", "a slice (ms)", "slices a step", "ms a step", "quartiles", "extra (%)"},
              .rows = {},
              .notes = {"plm in primitive variables, hllc, double, three stages a step; wall time from the "
                        "launch to the verdict, medians of steps in turn.",
                        "a slice: interruptible.launch_budget_ms; off: interruptible.enabled = false."}};
  double at_once = 0;
  for (const StepCost& cost : steps) {
    const double ms = median_of(cost.milliseconds);
    if (cost.slice_ms == 0) at_once = ms;
    table.rows.push_back({fmt::format("{}^3", cost.cells),
                          cost.slice_ms > 0 ? fmt::format("{:g}", cost.slice_ms) : std::string("off"),
                          cost.slices, ms, spread_of(cost.milliseconds),
                          fmt::format("{:+.2f}", percent(ms / at_once))});
  }
  return table;
}

/// Returns a failure for each way of slicing that changes the result.
std::vector<std::string> failures_of(const std::vector<StepCost>& steps) {
  std::vector<std::string> all;
  for (const StepCost& cost : steps)
    if (!cost.same)
      all.push_back(
          fmt::format("{}^3 cells: steps in slices of {:g} ms do not give the bits of steps made at once",
                      cost.cells, cost.slice_ms));
  return all;
}

}  // namespace

std::vector<StepCost> measure_steps(const std::string& backend, int cells,
                                    const std::vector<double>& slice_ms, int steps) {
  const RunConfig deck =
      parse_deck(kDeck, "the deck of the study", {fmt::format("mesh.cells=[{0},{0},{0}]", cells)});
  Problem problem = deck.problem;
  const int layers = ghost_layers(problem.scheme.reconstruction);
  const Fields extended = extended_initial_fields(*deck.flow_case, problem.mesh, {{problem.gamma}}, layers);
  const Fields interior = interior_of(extended, problem.mesh, layers);
  std::vector<std::unique_ptr<Solver>> solvers;
  std::vector<StepCost> costs;
  for (const double ms : slice_ms) {
    problem.slice_ms = ms;
    solvers.push_back(make_solver(problem, backend, 0));
    solvers.back()->set_state(interior, extended, 0);
    solvers.back()->resume(deck.limits, {}, solvers.back()->cfl_rate());
    costs.push_back({.cells = cells, .slice_ms = ms, .slices = 0});
  }
  constexpr int warm_up = 2;
  for (int step = 1; step <= warm_up + steps; ++step)
    for (std::size_t turn = 0; turn < solvers.size(); ++turn) {
      const std::size_t which = (static_cast<std::size_t>(step) + turn) % solvers.size();
      Solver& solver = *solvers[which];
      const auto began = std::chrono::steady_clock::now();
      solver.launch({.epoch = static_cast<std::uint64_t>(step), .step = step});
      int slices = 1;
      while (!solver.advance()) ++slices;
      const bool accepted = solver.await().accepted;
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
      if (!accepted) throw std::runtime_error("a step of the study was rejected");
      if (step <= warm_up) continue;
      costs[which].milliseconds.push_back(took.count());
      costs[which].slices += double(slices) / steps;
    }
  Fields first, other;
  solvers.front()->get_state(first);
  for (std::size_t n = 1; n < solvers.size(); ++n) {
    solvers[n]->get_state(other);
    costs[n].same = other.conserved == first.conserved;
  }
  return costs;
}

StudyReport interruptible_report(const std::vector<SweepCost>& sweeps, const std::vector<StepCost>& steps,
                                 double slice_us) {
  const std::vector<Sweeps> schemes = {{sweeps, "plm"}, {sweeps, "weno5z"}};
  StudyReport report{
      .table =
          {.title = "What a safe point costs a kernel that is not interrupted",
           .columns = {"scheme", "kernel", "safe points", "arguments", "registers", "local (B)",
                       "occupancy (%)", "ms", "quartiles", "extra (%)", "ns a check"},
           .rows = {},
           .notes =
               {fmt::format(
                    "A sweep along z of the face flux (double, primitive variables, hllc) over {} x {} "
                    "x {} cells. A pencil is {} cells along z, a tile {} pencils of each of 128 "
                    "threads; of a queue the tiles have that size or that of what its safe points "
                    "are one of.",
                    kSweptCells[0], kSweptCells[1], kSweptCells[2], kPencilCells, kTilePencils),
                "occupancy: theoretical; no kernel has its registers capped. ms: medians of launches in "
                "turn, by events.",
                "record in registers: what the library's launcher does, read at the start and written at "
                "the end. In memory and by pointer: what kernels did in 2012.",
                "extra: against the first row of the scheme. ns a check: what one adds to the life of the "
                "thread or block that asks, against the ordinary kernel of the same pieces and arguments.",
                fmt::format("A slice more, of three launches and a wait, takes {:.1f} us of wall time.",
                            slice_us)}},
      .more = {table_of_steps(steps)},
      .findings = findings_of(schemes)};
  for (const Sweeps& of_scheme : schemes) add_rows(report.table, of_scheme);
  for (const SweepCost& cost : sweeps)
    if (cost.different > 0)
      report.failures.push_back(fmt::format(
          "{}, {}, safe points {}, arguments by {}: {} values of the sweep are not those of the ordinary "
          "kernel",
          cost.scheme, kernel_of(cost), safe_points_of(cost), arguments_of(cost), cost.different));
  for (std::string& failure : failures_of(steps)) report.failures.push_back(std::move(failure));
  return report;
}

StudyReport interruptible_on_host(const std::vector<StepCost>& steps, const std::string& why_no_kernels) {
  StudyReport report{.table = table_of_steps(steps), .failures = failures_of(steps)};
  report.table.title += ", on the host";
  report.table.notes.push_back(fmt::format("Safe points in kernels: not measured, as {}.", why_no_kernels));
  for (const char* claim : kClaims)
    report.findings.push_back({.claim = claim, .there = "no figure", .here = "-", .why = why_no_kernels});
  return report;
}

StudyReport interruptible_cost(const StudyRequest& request) {
  std::string why;
  if (!cuda_available(&why))
    return interruptible_on_host(measure_steps("host", 64, {0, 50, 1}, request.rounds(kSteps)), why);
  const std::vector<SweepCost> sweeps = measure_safe_points(request.rounds(kRounds));
  std::vector<StepCost> steps;
  for (const int cells : {256, 64})
    for (StepCost& cost : measure_steps("cuda", cells, {0, 50, 1}, request.rounds(kSteps)))
      steps.push_back(std::move(cost));
  return interruptible_report(sweeps, steps, microseconds_of_slice());
}

}  // namespace halfstep
