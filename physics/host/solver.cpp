// The host backend: the solver over OpenMP threads. Twin of cuda/solver.cu.
#include "physics/solver/solver.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "physics/base/classify.hpp"
#include "physics/diagnostics/cell_bins.hpp"
#include "physics/diagnostics/sums.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/flux/dispatch.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/host/budget.hpp"
#include "physics/host/driving.hpp"
#include "physics/host/elements.hpp"
#include "physics/host/fourth_order_flux.hpp"
#include "physics/host/halo.hpp"
#include "physics/host/hexahedra.hpp"
#include "physics/host/loads.hpp"
#include "physics/host/rhs_terms.hpp"
#include "physics/host/solids.hpp"
#include "physics/host/stage.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/recovery/first_order_correction.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/rhs/fastest_cell_of_mesh.hpp"
#include "physics/solver/cell_list.hpp"
#include "physics/solver/held_fields.hpp"
#include "physics/solver/inflow.hpp"
#include "physics/solver/over_ranks.hpp"
#include "physics/solver/rhs_arguments.hpp"
#include "physics/solver/sponge_cells.hpp"
#include "physics/solver/stepping_solver.hpp"
#include "physics/stage/check.hpp"
#include "physics/stage/first_order_faces.hpp"
#include "physics/stage/integrator.hpp"
#include "physics/stage/last_start.hpp"
#include "runtime/device/histogram.hpp"
#include "runtime/device/pinned_team.hpp"
#include "runtime/device/processor.hpp"
#include "runtime/device/reduction.hpp"
#include "runtime/exchange/processors.hpp"
#include "runtime/interruptible/host_launcher.hpp"

namespace halfstep {

namespace {

using Reporter = soft_error::Reporter<>;

#pragma omp declare reduction(merge                                         \
                              : ExactTotals, ExactFloorSums, ExactConserved \
                              : merge(omp_out, omp_in)) initializer(omp_priv = {})

constexpr std::int64_t kSourceRun = 32;  // cells of a source's thread

struct FreeAligned {
  static constexpr std::align_val_t alignment{64};
  void operator()(void* memory) const { ::operator delete[](memory, alignment); }
};

struct HostTypes {
  template <class T>
  using Buffer = std::unique_ptr<T[], FreeAligned>;
  using Channel = soft_error::HostChannel<>;
  using TileQueue = interruptible::HostTileQueue;
  template <auto body, class Args, class Record>
  using Launcher = interruptible::HostLauncher<body, Args, Record>;
};

template <class Real>
class HostSolver final : public SteppingSolver<HostSolver<Real>, Real, HostTypes> {
  using Base = SteppingSolver<HostSolver, Real, HostTypes>;
  using Base::arguments, Base::plain_arguments, Base::muted_reporter, Base::sweep_reporter;
  using Base::axes_, Base::averages_bytes_, Base::inflow_rate_of;
  using Base::buffers_, Base::terms_, Base::flags_, Base::mask_, Base::levels_, Base::queued_;
  using Base::channel_, Base::under_way_, Base::attempt_, Base::result_, Base::plan_;
  using Base::layout_of_stages;
  using Base::problem_, Base::layout_, Base::rules_, Base::slice_, Base::inflow_rate_;
  using Base::queue_, Base::source_, Base::substep_;
  using Base::substeps, Base::cells, Base::flag_count, Base::row_count, Base::start, Base::behind_terms,
      Base::mask_of;

 public:
  HostSolver(const Problem& problem, int threads)
      : Base(problem),
        threads_(threads > 0 ? std::min(threads, most_threads(problem.mesh)) : useful_threads(problem)),
        driving_(problem.terms.driving, problem.mesh),
        tiling_(host_tiling<Real>(layout_, threads_)) {
    if (!problem.split) pin_team(threads_);  // ranks of a machine would get the same processors
    if (problem.scheme.method == Method::flux_reconstruction) {
      if (problem.has_hexahedra())
        elements_ = std::make_unique<HostHexahedra<Real>>(problem, layout_, rules_, [this] { end_halo(); });
      else
        elements_ = std::make_unique<HostElements<Real>>(problem.scheme, rules_);
      tiling_ = elements_->tiling();
    } else {
      stage_ = with_stage(problem.scheme, problem.needs_general_stage(),
                          []<class R, Variables v, class S, bool has_scalars, bool>() -> HostStage<Real> {
                            return &host_stage<R, v, S, Real, has_scalars>;
                          });
    }
    for (int n = 0; n < levels_.buffers(); ++n) buffers_.push_back(allocate<Real>(layout_.values(), Real(1)));
    // Whole vectors reach beyond the last row.
    terms_ = allocate<Real>(rhs_values(problem, layout_, kFlowFields) + host::kVector<Real>, Real(1));
    flags_ = allocate<std::uint8_t>(rules_.flags.count(), 0);
    mask_ = allocate<std::uint8_t>(rules_.flags.count(), 0);
    if (problem.split) {
      const Split& split = *problem.split;
      const bool by_rows = problem.mesh.rows != nullptr;
      halo_.emplace(split,
                    by_rows ? pieces_behind(split, false, layout_.cells[0])
                            : pieces_around(split, layers_of(problem), halo_reach(problem)),
                    layout_.fields);
      // An element has its flag at its first point.
      flag_halo_.emplace(split,
                         by_rows
                             ? pieces_behind(split, true, 1)
                             : pieces_around(split, flag_layers_of(problem), exchange::HaloReach::corners),
                         1);
    }
    if (problem.has_solids()) solids_.emplace(*problem.solids);
    if (problem.has_sponges()) sponge_ = sponge_cells(problem);
    queue_.emplace();
    if (problem.source.active()) source_.emplace(source_threads(), threads_);
  }

  void set_state(StateRows& state, double time) override {
    const std::int64_t length = ExtendedRows(layout_).length;
    const std::int64_t origin = layout_.index(-layout_.ghosts[0], -layout_.ghosts[1], -layout_.ghosts[2]);
    inflow_rate_ = 0;
    for_slabs(layout_, state, [&](std::int64_t first, std::int64_t count, const RowPointers& values) {
      inflow_rate_ = std::max(inflow_rate_, inflow_rate_of(first, count, values));
#pragma omp parallel for num_threads(threads_)
      for (std::int64_t n = 0; n < count; ++n)
        for (auto& buffer : buffers_)
          for (int f = 0; f < layout_.fields; ++f)
            std::copy_n(values[f] + n * length, length,
                        buffer.get() + f * layout_.field_stride + origin + (first + n) * layout_.stride[1]);
    });
    if (problem_.split) inflow_rate_ = problem_.split->ranks.max(inflow_rate_);
    if (solids_) solids_->begin(problem_, layout_, start());
    fill_solids(start(), true, time, muted_reporter());
    fill_ghosts(start(), time, muted_reporter());
  }

  void get_state(Fields& interior) override {
    interior.scalars.resize(layout_.carried());
    for (int f = 0; f < layout_.fields; ++f) interior.field(f).resize(cells());
    for_interior_rows([&](int j, int k) {
      const Real* from = start() + layout_.index(0, j, k);
      for (int f = 0; f < layout_.fields; ++f)
        std::copy_n(from + f * layout_.field_stride, layout_.cells[0],
                    interior.field(f).begin() + cell(0, j, k));
    });
  }

  double cfl_rate() override { return of_all_ranks(max_cfl_rate(start(), muted_reporter())); }

  Totals totals() override { return totals_of(start()); }

  Histogram histogram(const HistogramRequest& request) override {
    const CellField<Real> field{request.field, layout_, start(), problem_.gases(), mask()};
    const Bins bins = bins_for(request, [&] {
      return extrema_of_ranks(problem_,
                              reduced_over_cells<Extrema>([&](Extrema& extrema, int i, int j, int k) {
                                if (field.has(i, j, k)) add_value(extrema, field(i, j, k));
                              }));
    });
    Histogram histogram{bins.lower, bins.upper,
                        halfstep::histogram(problem_.mesh.cell_count(), bins.count + 2, threads_,
                                            BinsOfCells<Real>{field, bins})};
    add_counts_of_ranks(problem_, histogram.counts);
    return histogram;
  }

  /// Copies at once: an asynchronous copy would read the memory no faster.
  std::unique_ptr<Snapshot> snapshot() override {
    Fields copy;
    get_state(copy);
    return std::make_unique<HeldFields>(std::move(copy));
  }

  Solver::CellReader cell_reader(const std::vector<std::array<int, 3>>& list) override {
    return {[this, indices = indices_of(layout_, list)] {
      Fields values;
      values.scalars.resize(layout_.carried());
      for (int f = 0; f < layout_.fields; ++f) {
        values.field(f).reserve(indices.size());
        for (const std::int64_t index : indices)
          values.field(f).push_back(start()[index + f * layout_.field_stride]);
      }
      return std::make_unique<HeldFields>(std::move(values));
    }};
  }

  void resume(const StepLimits& limits, const StepState& state, double rate) override {
    under_way_.clear();
    control_ = step_control(limits, state, rate);
  }

  int max_depth() const override { return 1; }

  Cure diagnose() override {
    end_halo();
    const int substep = failed_substep(result_, substeps());
    const StageArguments<Real> args = arguments(levels_, attempt_.step, substep);
    const DiagnosisSetup setup =
        diagnosis_setup(problem_, result_, substeps(), {sponge_.data(), std::ssize(sponge_)}, mask());
    // Flags of this step accumulate: a remedy after which other cells fail is widened, not moved.
    if (attempt_.number == 1) std::fill_n(flags_.get(), flag_count(), std::uint8_t{0});
    const FirstOrderFaces<Real> first_order{rules_, mask_of(attempt_)};
    std::vector<Defects> rows(row_count(), Defects{{}, kNoDefect});
    for_interior_rows([&](int j, int k) {
      for (int i = 0; i < layout_.cells[0]; ++i) {
        const Defect<Real> f = elements_ ? elements_->diagnose(args, input_time(substep), setup, i, j, k,
                                                               mask_of(attempt_), attempt_.remedy)
                                         : diagnose_cell(args, setup, i, j, k, first_order);
        if (f.kind < 0) continue;
        if (calls_for_remedy(f.kind)) flag(i, j, k);
        Defects& r = rows[row(j, k)];
        r.counts[f.kind] += 1;
        r.key = std::min<unsigned long long>(r.key, defect_key(f.kind, setup.cells.number(i, j, k)));
      }
    });
    Defects all{{}, kNoDefect};
    for (const Defects& r : rows) {
      for (int kind = 0; kind < kSoftErrorKinds; ++kind) all.counts[kind] += r.counts[kind];
      all.key = std::min(all.key, r.key);
    }
    merge_over_ranks(problem_, all);
    const SoftError error = soft_error_of(all, substeps().stage(substep), setup);
    diagnosis_ = {error, {}};
    if (const auto [i, j, k] = own_cell(problem_, error.cell); layout_.holds(i, j, k))
      diagnosis_ = elements_ ? elements_->make_diagnosis(error, args, input_time(substep), setup, i, j, k,
                                                         mask_of(attempt_), attempt_.remedy)
                             : make_diagnosis(error, diagnose_in_full(args, setup, i, j, k, first_order),
                                              layout_of_stages());
    return error.cure();
  }

  Diagnosis diagnosis() override { return diagnosis_; }

  void start_timer() override { timer_ = omp_get_wtime(); }
  double stop_timer() override { return omp_get_wtime() - timer_; }
  void start_part_times() override { parts_.start(); }
  std::vector<PartTime> part_times() override { return parts_.stop(); }

  void use_flux_kernel(const FluxKernel&) override {
    throw std::runtime_error("the host has no other flux kernels");
  }
  double flux_seconds() override {
    start_timer();
    for (int stage = 1; stage <= stage_count(problem_.scheme.integrator); ++stage) {
      queue_->start(tiles());
      queue_->begin_slice({});
      run_stage(arguments(levels_, 1, substeps().substep_of(stage)), control_.state.time, true,
                muted_reporter());
    }
    return stop_timer();
  }

  std::string backend() const override { return "host"; }
  std::string device_name() const override {
    return processor_name() + ", " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }
  int host_threads() const override { return threads_; }
  std::string messages() const override { return problem_.split ? "MPI" : ""; }
  exchange::Traffic traffic() const override {
    if (!problem_.split) return {};
    return problem_.split->ranks.traffic() + halo_->traffic() + flag_halo_->traffic();
  }
  std::int64_t device_bytes() const override { return 0; }
  std::int64_t host_bytes() const override {
    return (levels_.buffers() * layout_.values() + rhs_values(problem_, layout_, kFlowFields)) *
               static_cast<std::int64_t>(sizeof(Real)) +
           2 * rules_.flags.count() + static_cast<std::int64_t>(sponge_.size() * sizeof(SpongeCell)) +
           (solids_ ? solids_->bytes() : 0) + (elements_ ? elements_->bytes() : 0) +
           static_cast<std::int64_t>(averages_bytes_);
  }
  KernelInfo kernel_info() const override { return {.name = "host stage"}; }

  // The verbs of a substep.

  /// Integrates half of the source for as long as a slice has time; returns true when it is done.
  bool integrate_source(const Substep<Real>& substep) {
    auto rate_bits = std::bit_cast<unsigned long long>(result().cfl_rate);
    bool done = false;
    parts_.time("source", [&] {
      done = source_->slice({substep.arguments, problem_.source, &plan_.dt, substep.reporter, &rate_bits,
                             source_threads(), kSourceRun, mask().inside},
                            slice_);
    });
    result().cfl_rate = std::bit_cast<double>(rate_bits);
    return done;
  }

  void add_terms(const RhsArguments<Real>& args, const Substep<Real>&) {
    parts_.time("terms", [&] { halfstep::add_rhs_terms(problem_.terms, args, threads_); });
  }
  void drive(const RhsArguments<Real>& args, const Substep<Real>& substep) {
    parts_.time("driving", [&] { driving_.add(args, input_time(substep.number), threads_); });
  }
  void add_fourth_order_flux(const StageArguments<Real>& args, const Substep<Real>&) {
    Real* const flow = behind_terms() + fields_before_corrections(problem_) * layout_.field_stride;
    parts_.time("fourth-order flux", [&] {
      add_fourth_order_fluxes(args, flow, threads_);
      if (uncorrected().of_cells) take_corrections_back(args, uncorrected(), threads_);
    });
  }
  UncorrectedFaces uncorrected() const { return solids_ ? solids_->uncorrected() : UncorrectedFaces{}; }
  void close_walls(const StageArguments<Real>& args, const ClosedWalls<Real>& walls, const Substep<Real>&) {
    parts_.time("walls", [&] { halfstep::close_walls(args, walls, threads_); });
  }

  /// Advances as many tiles as a slice has time for; returns true when the stage is done.
  bool sweep(const Substep<Real>& substep) {
    queue_->begin_slice(slice_);
    HostStageResult<Real> r;
    parts_.time(kStagePart, [&] {
      r = run_stage(substep.arguments, input_time(substep.number), substep.is_new, sweep_reporter(substep));
    });
    result().cfl_rate = std::max<double>(result().cfl_rate, r.cfl_rate);
    result().repaired_faces += r.bad_faces;
    return queue_->end_slice() == queue_->tiles();
  }

  // What averages over time need.

  HostTypes::Buffer<Real> copy_of(const Real* state) {
    HostTypes::Buffer<Real> copy = allocate<Real>(layout_.values(), Real(1));
    std::copy_n(state, layout_.values(), copy.get());
    return copy;
  }
  HostTypes::Buffer<double> zeros(std::size_t count) {
    return allocate<double>(static_cast<std::int64_t>(count), 0);
  }
  void take_in_cells(const AveragesArguments<Real>& args) {
    for_interior_rows([&](int j, int k) {
      for (int i = 0; i < layout_.cells[0]; ++i) take_in(args, i, j, k);
    });
  }

  /// Applies the fault to one cell of the stage's output, and checks that cell.
  void inject_fault(const Substep<Real>& substep) {
    const StageArguments<Real>& args = substep.arguments;
    const auto& [i, j, k] = problem_.fault->cell;
    store(layout_, args.out, i, j, k,
          corrupted(load(layout_, args.out, i, j, k), *problem_.fault, args.gas_in(args.out, i, j, k)));
    Real rate = 0;
    if (!check(args, i, j, k, rate)) substep.reporter.raise();
    result().cfl_rate = std::max<double>(result().cfl_rate, rate);
  }

  /// Applies the attempt's remedy to the stage's cells, then checks them: the stage's own raises were muted.
  void correct_to_first_order(const Substep<Real>& substep) {
    const StageArguments<Real>& args = substep.arguments;
    Real rate = 0;
    ExactFloorSums floored;
    if (elements_)
      elements_->correct(args, input_time(substep.number), mask_.get(), substep.attempt.remedy, threads_);
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(max : rate) reduction(merge : floored)
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j)
        for (int i = 0; i < layout_.cells[0]; ++i) {
          if (mask().has(layout_, i, j, k)) continue;
          if (!elements_)
            halfstep::correct_to_first_order(args, problem_.scheme, rules_, mask_.get(),
                                             substep.attempt.remedy, problem_.floors, i, j, k, floored);
          else if (substep.attempt.remedy == Remedy::floor)
            raise_to_floors(args, problem_.floors, i, j, k, floored);
          Real own = 0;
          if (!check(args, i, j, k, own)) substep.reporter.raise();
          rate = max(own, rate);
        }
    result().cfl_rate = rate;
    sum_over_ranks(problem_, floored);
    add_floored(result().floored, rounded(floored), problem_, substeps().stage(substep.number));
  }

  // The parts of the budget.
  void clear_budget(const Substep<Real>&) { budget_ = {}; }
  void add_up_heat(const Substep<Real>& substep) {
    parts_.time("budgets", [&] { halfstep::add_up_heat(substep.arguments, mask(), threads_, budget_); });
  }
  void add_up_sides(const BudgetArguments<Real>& args, const Substep<Real>& substep) {
    parts_.time("budgets", [&] {
      if (elements_)
        elements_->add_up_sides(args, input_time(substep.number), threads_, budget_);
      else
        halfstep::add_up_sides(args, mask(), InflowOfCell{}, threads_, budget_);
    });
  }
  void add_up_bodies(const BudgetArguments<Real>& args, const Substep<Real>&) {
    parts_.time("budgets", [&] {
      for (const std::vector<SolidFace>& faces : problem_.solids->cells().faces)
        add_up_body(args, faces, threads_, budget_);
    });
  }
  void add_up_forces(const BudgetArguments<Real>& args, const Substep<Real>& substep) {
    parts_.time("budgets", [&] {
      halfstep::add_up_forces(args, driving_, input_time(substep.number), mask(), threads_, budget_);
    });
  }
  void finish_budget(const Substep<Real>&) {
    ExactBudget all = budget_;
    sum_over_ranks(problem_, all);
    result().budget = over(problem_.mesh, rounded<Budget>(all));
  }
  const ExactBudget& budget_so_far() const { return budget_; }
  void set_budget(const ExactBudget& budget) { budget_ = budget; }

  /// Relaxes the cells in sponges, and checks them. The rate of what the stage left there counts, too.
  void relax_sponges(const Substep<Real>& substep) {
    if (substep.reporter.cancelled()) return;
    const StageArguments<Real>& args = substep.arguments;
    Real rate = 0;
    ExactConserved change{};
    parts_.time("sponges", [&] {
#pragma omp parallel for num_threads(threads_) reduction(max : rate) reduction(merge : change)
      for (std::int64_t n = 0; n < std::ssize(sponge_); ++n) {
        const SpongeCell& own = sponge_[n];
        add(change, relax(args, own, plan_.dt, problem_.detection.cfl_limit));
        Real rate_of_cell = 0;
        if (!check_cell(args, own.i, own.j, own.k, rate_of_cell)) substep.reporter.raise();
        rate = max(rate_of_cell, rate);
      }
    });
    result().cfl_rate = std::max<double>(result().cfl_rate, rate);
    sum_over_ranks(problem_, change);
    result().sponged = over(problem_.mesh, rounded<Conserved<double>>(change));
  }

  /// Fills the cells in bodies. The stage has looked at them, too: where that may have mattered, looks again
  /// at the others alone.
  void fill_solids(const Substep<Real>& substep) {
    if (substep.reporter.cancelled()) return;
    const StageArguments<Real>& args = substep.arguments;
    const double time = output_time(substeps(), substep.number, control_.state.time, plan_);
    parts_.time("solids", [&] {
      const bool looks = !substep.has_remedy() && !substep.is_source();
      const bool limits = looks && args.wants_rate && solids_->rate(args, threads_) >= result().cfl_rate;
      fill_solids(args.out, problem_.terms.has_forces(), time, substep.reporter);
      if (limits || (looks && substep.reporter.raised())) look_at_gas(substep);
    });
  }

  void fill_ghosts(const Substep<Real>& substep) {
    const double time = output_time(substeps(), substep.number, control_.state.time, plan_);
    parts_.time("ghosts", [&] { fill_ghosts(substep.arguments.out, time, substep.reporter); });
  }

  void find_cfl_rate(const Substep<Real>& substep) {
    parts_.time("CFL rate",
                [&] { result().cfl_rate = max_cfl_rate(substep.arguments.out, substep.reporter); });
  }

  void make_last_start(const Substep<Real>& substep) {
    const Real* const before = buffers_[queued_.stages_start()].get();
    Real* const to = buffers_[queued_.last_start()].get();
    const Real dither = substep.dither(RoundedSum::last_start);
    parts_.time("last start", [&] {
      for_interior_rows([&](int j, int k) {
        for (int i = 0; i < layout_.cells[0]; ++i)
          put_last_start(layout_, mask().has(layout_, i, j, k), before, substep.arguments.out, dither, to, i,
                         j, k);
      });
    });
  }

  void check_spikes(const Substep<Real>& substep) {
    const StageArguments<Real>& args = substep.arguments;
    parts_.time("spikes", [&] {
      for_interior_rows([&](int j, int k) {
        for (int i = 0; i < layout_.cells[0]; ++i)
          if (!mask().has(layout_, i, j, k) &&
              is_spike(problem_.detection.spikes, layout_, args.out, i, j, k, args.gases())) {
            substep.reporter.raise();
            return;
          }
      });
    });
  }

  // The verbs around the substeps.

  void begin_attempt(const Attempt& attempt) {
    plan_ = control_.plan;
    result().plan = plan_;
    if (attempt.remedy != Remedy::none) {
      std::copy_n(flags_.get(), flag_count(), mask_.get());
      if (flag_halo_)
        flag_halo_->fill([&](int, int j, int k) { return mask_.get() + rules_.flags.index(0, j, k); });
    }
    channel_.next_epoch(attempt.epoch);
  }

  /// Whether the substep has raised, on any rank: then all of them leave the attempt here.
  bool has_raised(const Substep<Real>& substep) const {
    const bool here = bool(channel_.poll()), anywhere = on_any_rank(problem_, here);
    if (anywhere && !here) substep.reporter.raise();
    return anywhere;
  }

  void end_attempt(const Attempt& attempt) {
    AttemptResult& r = result();
    const soft_error::Raise raise = channel_.poll();
    r.raised = bool(raise);
    r.substep = raise.stage;
    if (problem_.split) agree(r);
    r.accepted = finish_attempt(control_, r.raised, r.cfl_rate, inflow_rate_);
    if (!r.accepted) return;
    r.cfl_rate = control_.cfl_rate;
    if (attempt.wants_totals) r.totals = totals_of(buffers_[queued_.output(substeps().count())].get());
  }

  AttemptResult wait(const Attempt&, const AttemptResult& result) const { return result; }

  // The progress of a substep.

  std::int64_t tiles() const { return tiling_.count(); }
  std::array<std::int64_t, 3> tiling() const {
    if (substeps().is_source(substep_)) return {source_threads(), kSourceRun, 0};
    return {tiling_.x, std::int64_t{tiling_.x} * tiling_.y, tiling_.march};
  }

  void keep_sums() { repaired_before_ = result().repaired_faces; }
  void get_sums(AttemptProgress& progress) {
    progress.cfl_rate = result().cfl_rate;
    progress.repaired_faces = result().repaired_faces;
    progress.repaired_before = repaired_before_;
  }
  void set_sums(const AttemptProgress& progress) {
    result().cfl_rate = progress.cfl_rate;
    result().repaired_faces = progress.repaired_faces;
    repaired_before_ = progress.repaired_before;
  }
  void raise_again(const Reporter& reporter) { reporter.raise(); }

  void ensure_ghosts(const Real*) {}
  void fetch(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }
  void put(void* to, const void* from, std::size_t bytes) const { std::memcpy(to, from, bytes); }

 private:
  /// Returns the default number of threads: all of the machine's, or this rank's share of them, but none with
  /// so few cells that it would mostly wait at barriers.
  static int useful_threads(const Problem& problem) {
    constexpr std::int64_t cells_a_thread = 4096;
    const int threads = omp_get_max_threads();
    const int share =
        problem.split ? std::min(threads, exchange::processors_of(problem.split->ranks)) : threads;
    return static_cast<int>(
        std::clamp<std::int64_t>(problem.mesh.cell_count() / cells_a_thread, 1, std::max(share, 1)));
  }

  /// Returns the largest number of threads. More only wait for each other, and thousands cannot be started.
  static int most_threads(const Mesh& mesh) {
    return static_cast<int>(
        std::clamp<std::int64_t>(mesh.cell_count(), 1, std::max(16, 4 * omp_get_num_procs())));
  }

  /// Allocates aligned memory, first touched by the threads that will use it. Throws std::runtime_error where
  /// there is too little.
  template <class T>
  HostTypes::Buffer<T> allocate(std::int64_t count, T value) {
    T* p = static_cast<T*>(::operator new[](sizeof(T) * count, FreeAligned::alignment, std::nothrow));
    if (!p)
      throw std::runtime_error("not enough memory for " + std::to_string(host_bytes() >> 20) +
                               " MiB of state: use fewer cells or single precision");
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t n = 0; n < count; ++n) p[n] = value;
    return HostTypes::Buffer<T>(p);
  }

  HostStageResult<Real> run_stage(const StageArguments<Real>& args, double time, bool is_new,
                                  const Reporter& reporter) {
    return elements_ ? elements_->sweep(args, time, is_new, reporter, *queue_, threads_)
                     : stage_(args, reporter, tiling_, *queue_, threads_);
  }

  /// Flags a cell for the remedies, or the element that has the point.
  void flag(int i, int j, int k) {
    const auto at = elements_ ? elements_->flagged_at(i, j, k) : std::array{i, j, k};
    std::uint8_t& own = flags_[rules_.flags.index(at[0], at[1], at[2])];
#pragma omp atomic write
    own = 1;  // points of one element share it
  }

  AttemptResult& result() { return under_way_.back().result; }
  std::int64_t source_threads() const { return (problem_.mesh.cell_count() + kSourceRun - 1) / kSourceRun; }

  /// Returns the time of a substep's input.
  double input_time(int substep) const {
    return substep == 1 ? control_.state.time
                        : output_time(substeps(), substep - 1, control_.state.time, plan_);
  }
  /// Checks a cell of a stage's output.
  bool check(const StageArguments<Real>& args, int i, int j, int k, Real& rate) const {
    return elements_ ? elements_->check(args, i, j, k, rate) : check_cell(args, i, j, k, rate);
  }

  std::int64_t row(int j, int k) const { return std::int64_t{k} * layout_.cells[1] + j; }
  std::int64_t cell(int i, int j, int k) const { return row(j, k) * layout_.cells[0] + i; }

  template <class F>
  void for_rows(int j0, int j1, int k0, int k1, F f) {
#pragma omp parallel for collapse(2) num_threads(threads_)
    for (int k = k0; k < k1; ++k)
      for (int j = j0; j < j1; ++j) f(j, k);
  }
  template <class F>
  void for_interior_rows(F f) {
    for_rows(0, layout_.cells[1], 0, layout_.cells[2], f);
  }

  /// Returns the sum over the cells; add(sum, i, j, k) adds a cell.
  template <class Sum, class AddCell>
  Sum reduced_over_cells(AddCell add) {
    std::vector<Sum> rows(row_count());
    for_interior_rows([&](int j, int k) {
      rows[row(j, k)] = reduced_row<Sum>(layout_.cells[0], [&](Sum& sum, int i) { add(sum, i, j, k); });
    });
    return reduced_over_rows(rows);
  }

  Totals totals_of(const Real* u) {
    const InverseSpacing inverse(problem_.mesh);
    const FastestCellOfMesh<Real> of_cells(problem_.mesh, layout_, problem_.gases(), problem_.terms, axes_);
    const StageArguments<Real> args = plain_arguments(levels_, 1, 1);
    const auto fastest = [&](const Real* state, int i, int j, int k) {
      if (!elements_) return of_cells(state, i, j, k);
      const Primitive<Real> q = to_primitive(load(layout_, state, i, j, k), args.gas);
      return of_cells.key(double(elements_->cfl_rate(args, q, i, j, k, problem_.terms)), i, j, k);
    };
    ExactTotals totals;
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(merge : totals)
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j)
        add_row(totals, layout_, u, j, k, problem_.gases(), problem_.enstrophy ? &inverse : nullptr, axes_,
                mask(), fastest);
    sum_over_ranks(problem_, totals.sums);
    max_over_ranks(problem_, totals.extrema);
    Totals all = to_totals(rounded<PartialTotals>(totals), problem_.mesh);
    if (solids_) all.loads = loads_of(u);
    if (elements_) {
      StageArguments<Real> of_state = args;
      of_state.in = u;
      for (ExactLoads& sums : elements_->loads(of_state, threads_)) {
        sum_over_ranks(problem_, sums);
        all.loads.push_back(rounded<BodyLoads>(sums));
      }
    }
    return all;
  }

  /// Returns the loads of the gas in the state `u` on each body.
  std::vector<BodyLoads> loads_of(const Real* u) {
    StageArguments<Real> args = plain_arguments(levels_, 1, 1);
    args.in = u;
    args.positive = false;  // its limit is one of a step
    const RhsArguments<Real> rhs = rhs_arguments<Real>(problem_, args, nullptr, nullptr);
    std::vector<BodyLoads> loads;
    for (const std::vector<SolidFace>& faces : problem_.solids->cells().faces) {
      ExactLoads sums = sum_of_loads(std::ssize(faces), threads_, [&](std::int64_t n) {
        return load_on_face(rhs, problem_.scheme, faces[static_cast<std::size_t>(n)]);
      });
      sum_over_ranks(problem_, sums);
      loads.push_back(rounded<BodyLoads>(sums));
    }
    return loads;
  }

  /// Makes the rate and the count of repaired faces those of all ranks.
  void agree(AttemptResult& r) const {
    const exchange::Ranks& ranks = problem_.split->ranks;
    r.cfl_rate = ranks.max(r.cfl_rate);
    auto faces = static_cast<std::uint64_t>(r.repaired_faces);
    ranks.reduce({&faces, 1}, exchange::Reduction::sum);
    r.repaired_faces = static_cast<std::int64_t>(faces);
  }
  double of_all_ranks(double rate) const { return problem_.split ? problem_.split->ranks.max(rate) : rate; }

  SolidMask mask() const { return solids_ ? solids_->mask() : SolidMask{}; }

  /// Fills the ghost cells of bodies, after those of the domain that their probes lie among.
  void fill_solids(Real* u, bool with_core, double time, const Reporter& reporter) {
    if (!solids_) return;
    if (solids_->reach_beyond_sides()) fill_ghosts(u, time, reporter);
    solids_->fill(rules_, with_core, u, threads_);
  }

  /// Checks a stage's output in the gas alone and finds its CFL rate there. Takes back the stage's raise
  /// where all is well.
  void look_at_gas(const Substep<Real>& substep) {
    const StageArguments<Real>& args = substep.arguments;
    Real rate = 0, bad = 0;
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(max : rate, bad)
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j)
        for (int i = 0; i < layout_.cells[0]; ++i) {
          if (mask().has(layout_, i, j, k)) continue;
          Real own = 0;
          if (!check_cell(args, i, j, k, own)) bad = 1;
          rate = max(own, rate);
        }
    if (args.wants_rate) result().cfl_rate = rate;
    if (bad == 0) substep.reporter.withdraw();
  }

  auto rows_of(Real* u) const {
    return [this, u](int f, int j, int k) { return u + f * layout_.field_stride + layout_.index(0, j, k); };
  }
  /// Ends the exchange that fill_ghosts() left under way.
  void end_halo() {
    if (near_under_way_) halo_->end(rows_of(std::exchange(near_under_way_, nullptr)));
  }

  /// Leaves near rows of a part of a mesh under way: the next sweep needs them last.
  void fill_ghosts(Real* u, double time, const Reporter& reporter) {
    if (halo_ && problem_.mesh.rows) {
      end_halo();
      halo_->begin(rows_of(u));
      near_under_way_ = u;
    } else if (halo_) {
      halo_->fill(rows_of(u));
    }
    const int gy = layout_.ghosts[1], gz = layout_.ghosts[2];
    for_rows(-gy, layout_.cells[1] + gy, -gz, layout_.cells[2] + gz, [&](int j, int k) {
      if (!fill_ghost_row(rules_, u, j, k, time)) reporter.raise();
    });
  }

  /// Returns the largest CFL rate of the state `u`, ghost cells beyond one side included: the formulas of a
  /// side need not mean anything at edges and corners. Raises where a cell of the domain has no positive
  /// finite pressure and rate.
  double max_cfl_rate(const Real* u, const Reporter& reporter) {
    const StageArguments<Real> args = plain_arguments(levels_, 1, 1);
    const Layout stages = layout_of_stages();
    const int gx = stages.ghosts[0], gy = stages.ghosts[1], gz = stages.ghosts[2];
    Real rate = 0;
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(max : rate)
    for (int k = -gz; k < layout_.cells[2] + gz; ++k)
      for (int j = -gy; j < layout_.cells[1] + gy; ++j)
        for (int i = -gx; i < layout_.cells[0] + gx; ++i) {
          if (axes_beyond(layout_, i, j, k) > 1 || is_solid(mask(), rules_, i, j, k)) continue;
          const IdealGas<Real> gas = args.gas_in(u, i, j, k);
          const Primitive<Real> q = to_primitive(load(layout_, u, i, j, k), gas);
          const Real own =
              elements_ ? elements_->cfl_rate(args, q, i, j, k, problem_.terms)
                        : halfstep::cfl_rate(q, args.inverse_widths(i, j, k).along, gas, problem_.terms);
          if (!(positive_and_finite(q.pressure) & positive_and_finite(own)) && layout_.holds(i, j, k))
            reporter.raise();
          rate = max(own, rate);
        }
    return rate;
  }

  int threads_;
  HostDriving driving_;
  std::optional<HostHalo<Real>> halo_;  // with several ranks
  Real* near_under_way_ = nullptr;      // the state whose near rows it exchanges
  std::optional<HostHalo<std::uint8_t>> flag_halo_;
  std::vector<SpongeCell> sponge_;
  std::optional<HostSolids<Real>> solids_;
  HostStage<Real> stage_ = nullptr;
  std::unique_ptr<ElementMethod<Real>> elements_;  // of flux reconstruction, in place of stage_
  HostTiling tiling_;
  StepControl control_;
  ExactBudget budget_{};              // of the attempt under way, on this rank
  std::int64_t repaired_before_ = 0;  // faces, in the previous substeps
  Diagnosis diagnosis_;
  double timer_ = 0;
  PartsByClock parts_;
};

}  // namespace

std::unique_ptr<Solver> make_host_solver(const Problem& problem, int threads) {
  if (problem.scheme.precision == Precision::single_precision)
    return std::make_unique<HostSolver<float>>(problem, threads);
  return std::make_unique<HostSolver<double>>(problem, threads);
}

}  // namespace halfstep
