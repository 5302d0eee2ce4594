#include "app/output/checkpoint_soundness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "app/deck/deck.hpp"
#include "app/output/mesh_faces.hpp"
#include "physics/base/choice.hpp"
#include "physics/diagnostics/mixture_of_cell.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/eos.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/solver/attempt_progress.hpp"
#include "physics/sources/half_source.hpp"

namespace halfstep {

namespace {

/// More attempts than any run makes, far below what a soft error's word can count.
constexpr std::int64_t kMostAttempts = std::int64_t{1} << 47;
constexpr int kMostHalvings = std::numeric_limits<double>::digits - std::numeric_limits<double>::min_exponent;

void expect(bool good, const std::string& reason) {
  if (!good) throw std::runtime_error(reason);
}

void expect_count(const char* what, std::int64_t value, std::int64_t least = 0) {
  expect(value >= least && value <= kMostAttempts, fmt::format("its {} is {}", what, value));
}

void expect_at_least(const char* what, double value, double least) {
  expect(std::isfinite(value) && value >= least, fmt::format("its {} is {:g}", what, value));
}

RunConfig deck_of(const RunCheckpoint& checkpoint) {
  try {
    return parse_deck(checkpoint.deck, "its deck");
  } catch (const DeckError& error) {
    const Diagnostic& first = error.diagnostics.front();
    throw std::runtime_error(fmt::format("{}: {}", first.where, first.message));
  }
}

void expect_controller(const RunCheckpoint& checkpoint, const StepLimits& limits) {
  const StepState& state = checkpoint.state;
  expect_at_least("time", state.time, 0);
  expect(state.time <= limits.end,
         fmt::format("its time is {:g}, and its deck ends at {:g}", state.time, limits.end));
  expect_count("step", state.step);
  expect_count("next output", state.next_output);
  expect(state.level >= 0 && state.level <= kMostHalvings && state.halvings <= kMostHalvings,
         fmt::format("its dt was halved {} and {} times", state.level, state.halvings));
  expect_at_least("last dt", checkpoint.last_dt, 0);
  expect_at_least("CFL rate", checkpoint.cfl_rate, std::numeric_limits<double>::denorm_min());
  expect_count("next dump", checkpoint.next_dump);
  for (const std::int64_t next : checkpoint.next_of_outputs) expect_count("next dump of an output", next);
  for (const auto& [what, step] :
       {std::pair{"dump", checkpoint.dumped_step}, std::pair{"histogram", checkpoint.histogram_step}})
    expect(step >= -1 && step <= state.step, fmt::format("its last {} is of step {}", what, step));
  expect(checkpoint.epoch <= static_cast<std::uint64_t>(kMostAttempts),
         fmt::format("its epoch is {}", checkpoint.epoch));
}

void expect_finite(const char* what, const std::vector<double>& values) {
  for (const double value : values) expect(std::isfinite(value), fmt::format("{} are not finite", what));
}

template <class Sums>
void expect_sums(const char* what, const Sums& sums) {
  const auto& momentum = sums.momentum;
  expect_finite(what, {sums.mass, sums.energy, momentum[0], momentum[1], momentum[2]});
}

void expect_totals(const Totals& t) {
  const char* what = "its totals of the beginning";
  expect_finite(what, {t.mass, t.momentum[0], t.momentum[1], t.momentum[2], t.energy, t.kinetic_energy,
                       t.min_density, t.min_pressure, t.max_mach, t.enstrophy});
  expect_finite(what, {t.scalar_mass.begin(), t.scalar_mass.end()});
}

void expect_counters(const RunCounters& counters) {
  expect_count("number of attempts", counters.attempts);
  expect_count("number of rejections", counters.rejections);
  expect_count("number of repaired faces", counters.repaired_faces);
  expect_count("number of steps with scaled elements", counters.scaled_steps);
  expect_count("number of first-order steps", counters.first_order_steps);
  expect_count("number of floored cells", counters.floored.cells);
  expect_count("number of injected faults", counters.injected_faults);
  expect_sums("the sums of its floors", counters.floored);
  expect_sums("the sums of its sponges", counters.sponged);
  const Conserved<double> budget = sum_of(counters.budget);
  expect_finite("the sums of its budget", {budget.density, budget.mu, budget.mv, budget.mw, budget.energy});
  expect_at_least("wall time", counters.wall_seconds, 0);
  expect_at_least("time of rejected attempts", counters.redo_seconds, 0);
}

void expect_deck(const RunCheckpoint& checkpoint, const Problem& problem) {
  expect(same_mesh(checkpoint.mesh, problem.mesh), "its fields are not on the mesh of its deck");
  expect(checkpoint.gamma == problem.gamma, "its gamma is not that of its deck");
  expect(checkpoint.precision == name_of(kPrecisions, problem.scheme.precision),
         "its precision is not that of its deck");
  expect(checkpoint.scalars == problem.scalars, "its scalars are not those of its deck");
}

void expect_states(const Fields& fields, const Gases<double>& gases) {
  for (std::size_t cell = 0; cell < fields.conserved[0].size(); ++cell) {
    const auto value = [&](int f) { return fields.conserved[f][cell]; };
    const Conserved<double> u{value(0), value(1), value(2), value(3), value(4)};
    const IdealGas<double> gas = gas_in(gases, fields, cell);
    bool sound = u.density > 0 && to_primitive(u, gas).pressure > 0;
    for (int f = 0; f < fields.count(); ++f) sound = sound && std::isfinite(fields.field(f)[cell]);
    expect(sound, fmt::format("the state of cell {} is none of a gas: density {:g}, pressure {:g}", cell,
                              u.density, to_primitive(u, gas).pressure));
  }
}

constexpr std::int64_t kMostCellsOfThread = std::int64_t{1} << 20;

/// Checks the source term's per-thread records: one per thread, each between two of the thread's own cells.
void expect_records(const AttemptProgress& p, std::int64_t cells) {
  const auto& [threads, run, unused] = p.tiling;
  expect(threads >= 1 && threads <= cells && run >= 0 && run <= kMostCellsOfThread && unused == 0,
         "its source has other threads than cells allow");
  expect(p.records.size() == static_cast<std::size_t>(threads) * sizeof(SourceRecord),
         "its source has another number of threads than records");
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::byte* bytes = p.records.data() + thread * static_cast<std::int64_t>(sizeof(SourceRecord));
    SourceRecord record;
    std::memcpy(static_cast<void*>(&record), bytes, sizeof record);
    const auto begun = *reinterpret_cast<const unsigned char*>(&record.begun);
    const std::int64_t own = run > 0 ? std::clamp<std::int64_t>(cells - thread * run, 0, run)
                                     : (cells - thread + threads - 1) / threads;
    expect(begun <= 1 && (record.resume_at == SourceRecord::kStart || record.finished()),
           "a thread of its source is at no safe point");
    expect(
        record.cells >= 0 && record.cells <= own && (p.raised || !record.finished() || record.cells == own),
        fmt::format("a thread of its source has done {} of {} cells", record.cells, own));
    expect(record.cell.steps >= 0 && record.rate >= 0,
           "a thread of its source has counted less than nothing");
  }
}

void expect_flags(const std::vector<std::uint8_t>& flags, bool wanted, std::int64_t cells) {
  expect(flags.size() == (wanted ? static_cast<std::size_t>(cells) : 0),
         fmt::format("it has flags of {} cells, and its mesh {}", flags.size(), cells));
  expect(std::all_of(flags.begin(), flags.end(), [](std::uint8_t flag) { return flag <= 1; }),
         "its flags are not 0 and 1");
}

void expect_step(const RunCheckpoint& checkpoint, const Problem& problem) {
  const StepUnderWay& step = *checkpoint.step;
  const AttemptProgress& p = step.progress;
  const std::int64_t cells = problem.mesh.cell_count();
  expect(problem.slice_ms > 0, "it holds a step under way, and its deck makes steps in one go");
  expect(checkpoint.epoch > 0, "it holds a step under way of no epoch");
  expect_at_least("dt of the step's first attempt", step.first_dt,
                  0);  // 0: the attempt under way is the first
  expect_at_least("CFL rate of the step under way", p.cfl_rate, 0);
  expect_count("number of faces repaired before", p.repaired_before);
  expect_count("number of faces repaired in the step", p.repaired_faces, p.repaired_before);
  expect_count("number of cells floored in the step", p.floored.cells);
  expect_sums("the floors of its step", p.floored);

  const TimeLevels levels{.substeps = {problem.scheme.integrator, problem.source.active()}};
  const Substeps& substeps = levels.substeps;
  expect(p.substep >= 1 && p.substep <= substeps.count(),
         fmt::format("its step is in substep {} of {}", p.substep, substeps.count()));
  if (p.tiling == decltype(p.tiling){}) {  // of several ranks: no part of the substep is done
    expect(!p.has_begun() && !p.raised, "a part of its substep is done, and it has no tiles");
  } else if (substeps.is_source(p.substep)) {
    expect(p.done == 0, "its source counts tiles");
    expect_records(p, cells);
  } else {
    const auto& [across, tiles, march] = p.tiling;
    expect(across >= 1 && tiles >= across && tiles <= cells && march >= 1,
           "its stage is cut into tiles that its mesh cannot have");
    const std::int64_t all = tiles * ((problem.mesh.cells[2] - 1) / march + 1);
    expect(p.done >= 0 && p.done < all, fmt::format("{} of {} tiles of its stage are done", p.done, all));
    expect(p.records.empty(), "it has records of a source in a stage");
  }

  const Layout layout = layout_of(problem);
  const bool single = problem.scheme.precision == Precision::single_precision;
  const std::size_t bytes =
      static_cast<std::size_t>(layout.values()) * (single ? sizeof(float) : sizeof(double));
  AttemptProgress wanted = p;
  for (auto* state : {&wanted.start, &wanted.last_start, &wanted.in, &wanted.out}) state->clear();
  for_states_under_way(levels, wanted, [&](std::vector<std::byte>& state, int) { state.resize(bytes); });
  expect(p.start.size() == wanted.start.size() && p.last_start.size() == wanted.last_start.size() &&
             p.in.size() == wanted.in.size() && p.out.size() == wanted.out.size(),
         "the states of its step under way do not fit its mesh");
  expect_flags(p.flags, p.attempt.number > 1, cells);
}

/// Whether every interior cell of a state under way is one of a gas.
template <class Real>
bool is_of_gas(const std::vector<std::byte>& bytes, const Layout& layout, const Gases<double>& of) {
  std::vector<Real> state(static_cast<std::size_t>(layout.values()));
  std::memcpy(state.data(), bytes.data(), bytes.size());
  const auto gases = in_precision<Real>(of);
  for (int k = 0; k < layout.cells[2]; ++k)
    for (int j = 0; j < layout.cells[1]; ++j)
      for (int i = 0; i < layout.cells[0]; ++i)
        if (!is_admissible(load(layout, state.data(), i, j, k), gas_in(gases, layout, state.data(), i, j, k)))
          return false;
  return true;
}

}  // namespace

void distrust_last_output(RunCheckpoint& checkpoint) {
  if (!checkpoint.step) return;
  const Problem problem = deck_of(checkpoint).problem;
  AttemptProgress& p = checkpoint.step->progress;
  const Substeps substeps{problem.scheme.integrator, problem.source.active()};
  if (p.substep != substeps.count() || p.out.empty()) return;
  const Layout layout = layout_of(problem);
  const bool sound = problem.scheme.precision == Precision::single_precision
                         ? is_of_gas<float>(p.out, layout, problem.gases())
                         : is_of_gas<double>(p.out, layout, problem.gases());
  if (sound) return;
  p.begin_again();
}

void expect_sound(const RunCheckpoint& checkpoint) {
  const RunConfig config = deck_of(checkpoint);
  expect_deck(checkpoint, config.problem);
  const auto& outputs = config.output_requests;
  const bool has_series = std::any_of(outputs.begin(), outputs.end(),
                                      [](const OutputRequest& output) { return is_series(output.kind); });
  const std::size_t known = checkpoint.next_of_outputs.size();
  expect(known == outputs.size() || (known == 0 && !has_series),
         fmt::format("it knows the next dump of {} of the {} outputs of its deck", known, outputs.size()));
  expect_controller(checkpoint, config.limits);
  expect_counters(checkpoint.counters);
  if (checkpoint.initial_totals) expect_totals(*checkpoint.initial_totals);
  for (const auto& [name, numbers] : checkpoint.averages) expect_finite("its averages", numbers);
  expect_states(checkpoint.fields, config.problem.gases());
  if (checkpoint.step) expect_step(checkpoint, config.problem);
}

}  // namespace halfstep
