// The host backend: the solver over OpenMP threads. Twin of cuda/solver.cu.
#include "physics/solver/solver.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>
#include <utility>

#include "physics/base/classify.hpp"
#include "physics/diagnostics/cell_bins.hpp"
#include "physics/diagnostics/sums.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/flux/dispatch.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/host/fourth_order_flux.hpp"
#include "physics/host/rhs_terms.hpp"
#include "physics/host/stage.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/recovery/first_order_correction.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/solver/attempt_progress.hpp"
#include "physics/solver/inflow.hpp"
#include "physics/solver/stage_arguments.hpp"
#include "physics/sources/half_source.hpp"
#include "physics/stage/check.hpp"
#include "physics/stage/first_order_faces.hpp"
#include "physics/stage/integrator.hpp"
#include "runtime/device/histogram.hpp"
#include "runtime/device/pinned_team.hpp"
#include "runtime/interruptible/host_launcher.hpp"

namespace halfstep {

namespace {

using Reporter = soft_error::Reporter<>;

constexpr std::int64_t kSourceRun = 32;  // cells of a source's thread

/// Copies at once: an asynchronous copy would read the memory no faster.
struct HostSnapshot final : Snapshot {
  Fields copy;
  FieldsView fields() override { return view_of(copy); }
};

template <class Real>
class HostSolver final : public Solver, public Instruments {
 public:
  HostSolver(const Problem& problem, int threads)
      : problem_(problem),
        layout_(problem.mesh, ghost_layers(problem.scheme.reconstruction), problem.fields()),
        rules_(layout_, problem.mesh, problem.boundary, problem.prescribed, problem.gamma,
               problem.terms.gravity),
        threads_(threads > 0 ? std::min(threads, most_threads(problem.mesh)) : useful_threads(problem.mesh)),
        rotation_{.phases = {problem.scheme.integrator, problem.source.active()}},
        tiling_(host_tiling<Real>(layout_, threads_)),
        slice_{.milliseconds_per_launch = problem.slice_ms},
        flags_(problem.mesh.cell_count()) {
    pin_team(threads_);
    stage_ = with_stage(problem.scheme, problem.has_reactant,
                        []<class R, Variables v, class S, int fields, bool>() -> HostStage<Real> {
                          return &host_stage<R, v, S, Real, fields>;
                        });
    for (int n = 0; n < rotation_.buffers(); ++n) buffers_.push_back(allocate(layout_.values()));
    terms_ = allocate(rhs_values(problem, layout_, kFlowFields));
    if (problem.source.active()) source_.emplace(source_threads(), threads_);
  }

  void set_state(StateRows& state, double time) override {
    const std::int64_t length = ExtendedRows(layout_).length;
    const std::int64_t origin = layout_.index(-layout_.ghosts[0], -layout_.ghosts[1], -layout_.ghosts[2]);
    inflow_rate_ = 0;
    for_slabs(layout_, state, [&](std::int64_t first, std::int64_t count, const RowPointers& values) {
      inflow_rate_ = std::max(inflow_rate_, inflow_rate(rules_, plain_arguments(1), first, count, values));
#pragma omp parallel for num_threads(threads_)
      for (std::int64_t n = 0; n < count; ++n)
        for (auto& buffer : buffers_)
          for (int f = 0; f < layout_.fields; ++f)
            std::copy_n(values[f] + n * length, length,
                        buffer.get() + f * layout_.field_stride + origin + (first + n) * layout_.stride[1]);
    });
    fill_ghosts(buffers_[rotation_.start].get(), time);
  }

  void get_state(Fields& interior) override {
    for (int f = 0; f < layout_.fields; ++f) interior.field(f).resize(problem_.mesh.cell_count());
    for_interior_rows([&](int j, int k) {
      for (int f = 0; f < layout_.fields; ++f)
        std::copy_n(start(f, j, k), layout_.cells[0], interior.field(f).begin() + row(j, k));
    });
  }

  double cfl_rate() override { return max_cfl_rate(buffers_[rotation_.start].get(), muted_reporter()); }

  Totals totals() override {
    const Real* u = buffers_[rotation_.start].get();
    const InverseSpacing inverse(problem_.mesh);
    std::vector<PartialTotals> rows(static_cast<std::size_t>(layout_.cells[1]) * layout_.cells[2]);
    for_interior_rows([&](int j, int k) {
      rows[static_cast<std::size_t>(k) * layout_.cells[1] + j] =
          reduced_row<PartialTotals>(layout_.cells[0], [&](PartialTotals& sum, int i) {
            add_cell(sum, layout_, u, i, j, k, problem_.gamma);
            if (problem_.enstrophy) sum.enstrophy += enstrophy_density(layout_, u, i, j, k, inverse.along);
          });
    });
    return to_totals(reduced_over_rows(rows), problem_.mesh);
  }

  Histogram histogram(const HistogramRequest& request) override {
    const CellField<Real> field{request.field, layout_, buffers_[rotation_.start].get(), problem_.gamma};
    const Bins bins = bins_for(request, [&] {
      std::vector<Extrema> rows(static_cast<std::size_t>(layout_.cells[1]) * layout_.cells[2]);
      for_interior_rows([&](int j, int k) {
        rows[static_cast<std::size_t>(k) * layout_.cells[1] + j] = reduced_row<Extrema>(
            layout_.cells[0], [&](Extrema& extrema, int i) { add_value(extrema, field(i, j, k)); });
      });
      return reduced_over_rows(rows);
    });
    return {bins.lower, bins.upper,
            halfstep::histogram(problem_.mesh.cell_count(), bins.count + 2, threads_,
                                BinsOfCells<Real>{field, bins})};
  }

  std::unique_ptr<Snapshot> snapshot() override {
    auto snapshot = std::make_unique<HostSnapshot>();
    get_state(snapshot->copy);
    return snapshot;
  }

  void resume(const StepLimits& limits, const StepState& state, double rate) override {
    control_ = step_control(limits, state, rate);
  }

  void launch(const Attempt& attempt) override {
    attempt_ = attempt;
    plan_ = control_.plan;
    if (attempt.remedy != Remedy::none) mask_ = flags_;
    verdict_ = AttemptResult{};
    verdict_.plan = plan_;
    verdict_.remedy = attempt.remedy;
    channel_.next_epoch(attempt.epoch);
    begin_phase(1);
    if (to_restore_) restore(std::move(*std::exchange(to_restore_, std::nullopt)));
  }

  bool advance() override {
    while (phase_ <= phases().count()) {
      const StageArguments<Real> args = arguments(phase_);
      const Reporter reporter = channel_.reporter(attempt_.epoch, phase_);
      if (phases().is_source(phase_) ? sweep_source(args, reporter) : sweep_stage(args, reporter)) {
        finish_phase(args, reporter);
        begin_phase(channel_.poll() ? phases().count() + 1 : phase_ + 1);
      }
      if (sliced()) break;
    }
    queue_.pause().withdraw();
    if (source_) source_->pause().withdraw();
    return phase_ > phases().count();
  }

  void pause() noexcept override {
    if (!sliced()) return;
    queue_.pause().request();
    if (source_) source_->pause().request();
  }

  AttemptProgress get_progress() override {
    AttemptProgress progress;
    progress.attempt = attempt_;
    progress.phase = phase_;
    progress.done = phases().is_source(phase_) ? 0 : queue_.done();
    progress.tiling = tiling();
    progress.raised = bool(channel_.poll());
    progress.cfl_rate = verdict_.cfl_rate;
    progress.repaired_faces = verdict_.repaired_faces;
    progress.repaired_before = repaired_before_;
    progress.floored = verdict_.floored;
    for_states_under_way(rotation_, progress, [&](std::vector<std::byte>& bytes, int buffer) {
      const auto* from = reinterpret_cast<const std::byte*>(buffers_[buffer].get());
      bytes.assign(from, from + state_bytes());
    });
    if (phases().is_source(phase_)) progress.records = bytes_of(source_->records());
    if (attempt_.number > 1) progress.flags = flags_;
    if (attempt_.remedy != Remedy::none) progress.mask = mask_;
    return progress;
  }

  void set_progress(AttemptProgress progress) override { to_restore_ = std::move(progress); }

  AttemptResult await() override {
    while (!advance()) {
    }
    const soft_error::Raise raise = channel_.poll();
    verdict_.raised = bool(raise);
    verdict_.phase = raise.stage;
    verdict_.accepted = finish_attempt(control_, verdict_.raised, verdict_.cfl_rate, inflow_rate_);
    if (verdict_.accepted) {
      verdict_.cfl_rate = control_.cfl_rate;
      rotation_.accept();
      if (attempt_.wants_totals) verdict_.totals = totals();
    }
    return verdict_;
  }

  int max_depth() const override { return 1; }

  Cure diagnose() override {
    const int phase = failed_phase(verdict_, phases());
    const StageArguments<Real> args = arguments(phase);
    const DiagnosisSetup setup = diagnosis_setup(problem_, verdict_, phases());
    // Flags of this step accumulate: a remedy after which other cells fail is widened, not moved.
    if (attempt_.number == 1) std::fill(flags_.begin(), flags_.end(), std::uint8_t{0});
    const FirstOrderFaces<Real> first_order{rules_, mask()};
    std::vector<Defects> rows(static_cast<std::size_t>(layout_.cells[1]) * layout_.cells[2],
                              Defects{{}, kNoDefect});
    for_interior_rows([&](int j, int k) {
      for (int i = 0; i < layout_.cells[0]; ++i) {
        const Defect<Real> f = diagnose_cell(args, setup, i, j, k, first_order);
        if (f.kind < 0) continue;
        if (calls_for_remedy(f.kind)) flags_[row(j, k) + i] = 1;
        Defects& r = rows[static_cast<std::size_t>(k) * layout_.cells[1] + j];
        r.counts[f.kind] += 1;
        r.key = std::min<unsigned long long>(r.key, defect_key(f.kind, row(j, k) + i));
      }
    });
    Defects all{{}, kNoDefect};
    for (const Defects& r : rows) {
      for (int kind = 0; kind < kSoftErrorKinds; ++kind) all.counts[kind] += r.counts[kind];
      all.key = std::min(all.key, r.key);
    }
    const SoftError error = soft_error_of(all, layout_, phases().stage(phase), setup);
    const auto& [i, j, k] = error.cell;
    diagnosis_ = make_diagnosis(error, diagnose_in_full(args, setup, i, j, k, first_order), layout_);
    return error.cure();
  }

  Diagnosis diagnosis() override { return diagnosis_; }

  Instruments& instruments() override { return *this; }
  void start_timer() override { timer_ = omp_get_wtime(); }
  double stop_timer() override { return omp_get_wtime() - timer_; }
  void start_part_times() override { parts_.start(); }
  std::vector<PartTime> part_times() override { return parts_.stop(); }

  void use_stage(const StageVariant&) override {
    throw std::runtime_error("the host has no other stage kernels");
  }
  double stages_seconds() override {
    start_timer();
    for (int stage = 1; stage <= stage_count(problem_.scheme.integrator); ++stage) {
      queue_.start(tiling_.count());
      queue_.begin_slice({});
      stage_(arguments(phases().phase_of(stage)), muted_reporter(), tiling_, queue_, threads_);
    }
    return stop_timer();
  }

  std::string backend() const override { return "host"; }
  std::string device_name() const override {
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string line, name = "CPU";
    while (std::getline(cpuinfo, line))
      if (line.starts_with("model name")) {
        name = line.substr(line.find(':') + 2);
        break;
      }
    return name + ", " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }
  int host_threads() const override { return threads_; }
  std::int64_t device_bytes() const override { return 0; }
  std::int64_t host_bytes() const override {
    return (rotation_.buffers() * layout_.values() + rhs_values(problem_, layout_, kFlowFields)) *
               static_cast<std::int64_t>(sizeof(Real)) +
           2 * static_cast<std::int64_t>(flags_.size());
  }
  KernelInfo kernel_info() const override { return {.name = "host stage"}; }

 private:
  using Buffer = std::unique_ptr<Real[], void (*)(Real*)>;

  /// Returns the default number of threads: all of the machine's, but none with so few cells that it would
  /// mostly wait at barriers.
  static int useful_threads(const Mesh& mesh) {
    constexpr std::int64_t cells_a_thread = 4096;
    return static_cast<int>(
        std::clamp<std::int64_t>(mesh.cell_count() / cells_a_thread, 1, omp_get_max_threads()));
  }

  /// Returns the largest number of threads. More only wait for each other, and thousands cannot be started.
  static int most_threads(const Mesh& mesh) {
    return static_cast<int>(
        std::clamp<std::int64_t>(mesh.cell_count(), 1, std::max(16, 4 * omp_get_num_procs())));
  }

  /// Allocates aligned memory, first touched by the threads that will use it. Throws std::runtime_error where
  /// there is too little.
  Buffer allocate(std::int64_t values) {
    constexpr std::align_val_t line{64};
    Real* p = static_cast<Real*>(::operator new[](sizeof(Real) * values, line, std::nothrow));
    if (!p)
      throw std::runtime_error("not enough memory for " + std::to_string(host_bytes() >> 20) +
                               " MiB of state: use fewer cells or single precision");
    const std::int64_t planes = values / layout_.stride[2];
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t n = 0; n < planes; ++n)
      std::fill_n(p + n * layout_.stride[2], layout_.stride[2], Real(1));
    return Buffer(p, [](Real* q) { ::operator delete[](q, std::align_val_t{64}); });
  }

  std::int64_t row(int j, int k) const { return (std::int64_t{k} * layout_.cells[1] + j) * layout_.cells[0]; }
  Real* start(int field, int j, int k) {
    return buffers_[rotation_.start].get() + field * layout_.field_stride + layout_.index(0, j, k);
  }

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

  void fill_ghosts(Real* u, double time) {
    const int gy = layout_.ghosts[1], gz = layout_.ghosts[2];
    for_rows(-gy, layout_.cells[1] + gy, -gz, layout_.cells[2] + gz,
             [&](int j, int k) { fill_ghost_row(rules_, u, j, k, time); });
  }

  const Phases& phases() const { return rotation_.phases; }
  bool sliced() const { return slice_.milliseconds_per_launch > 0; }
  Real* behind_terms() const { return terms_.get() + layout_.values(); }
  std::size_t state_bytes() const { return static_cast<std::size_t>(layout_.values()) * sizeof(Real); }

  void begin_phase(int phase) {
    phase_ = phase;
    repaired_before_ = verdict_.repaired_faces;
    has_terms_ = false;
    if (phases().is_source(phase))
      source_->reset();
    else
      queue_.start(tiling_.count());
  }

  /// Continues an attempt that was under way in another solver. A phase with other tiles is restarted from
  /// its input.
  void restore(AttemptProgress progress) {
    begin_phase(progress.phase);
    verdict_.floored = progress.floored;
    verdict_.repaired_faces = repaired_before_ = progress.repaired_before;
    for_states_under_way(rotation_, progress, [&](std::vector<std::byte>& bytes, int buffer) {
      expect_whole(bytes, state_bytes());
      std::memcpy(buffers_[buffer].get(), bytes.data(), state_bytes());
    });
    if (!progress.flags.empty()) flags_ = std::move(progress.flags);
    if (!progress.mask.empty()) mask_ = std::move(progress.mask);
    if (progress.tiling != tiling()) return;
    if (phases().is_source(phase_))
      source_->set_records(records_in<SourceRecord>(progress.records));
    else
      queue_.start(tiling_.count(), progress.done);
    verdict_.repaired_faces = progress.repaired_faces;
    verdict_.cfl_rate = progress.cfl_rate;
    if (progress.raised) channel_.reporter(attempt_.epoch, phase_).raise();
  }

  std::int64_t source_threads() const { return (problem_.mesh.cell_count() + kSourceRun - 1) / kSourceRun; }

  std::array<std::int64_t, 3> tiling() const {
    if (phases().is_source(phase_)) return {source_threads(), kSourceRun, 0};
    return {tiling_.x, std::int64_t{tiling_.x} * tiling_.y, tiling_.march};
  }

  /// Advances as many tiles as a slice has time for; returns true when the stage is done.
  bool sweep_stage(const StageArguments<Real>& args, const Reporter& reporter) {
    // Done again when an attempt is restored in the middle of a stage.
    if (!std::exchange(has_terms_, true)) add_rhs_terms();
    queue_.begin_slice(slice_);
    HostStageResult<Real> r;
    parts_.time(kStagePart, [&] {
      r = stage_(args, attempt_.remedy == Remedy::none ? reporter : muted_reporter(), tiling_, queue_,
                 threads_);
    });
    verdict_.cfl_rate = std::max<double>(verdict_.cfl_rate, r.cfl_rate);
    verdict_.repaired_faces += r.bad_faces;
    return queue_.end_slice() == queue_.tiles();
  }

  /// Computes the state that the stage of this phase starts from, if that is not U^n.
  void add_rhs_terms() {
    if (!problem_.starts_from_rhs_terms()) return;
    const StartOfStage start(problem_, attempt_.remedy);
    StageArguments<Real> args = plain_arguments(phase_);
    if (start.has_terms) {
      const auto terms = rhs_arguments(problem_, args, behind_terms(), terms_.get());
      parts_.time("terms", [&] { halfstep::add_rhs_terms(problem_.terms, terms, threads_); });
      args = on_top_of(terms_.get(), args);
    }
    if (start.is_corrected) {
      args.out = terms_.get();
      parts_.time("averages", [&] { add_fourth_order_fluxes(args, behind_terms(), threads_); });
    }
    if (problem_.terms.has_gravity()) {
      args.out = terms_.get();
      parts_.time("walls", [&] {
        close_walls(args, {problem_.scheme, rules_, mask(), start.is_corrected}, threads_);
      });
    }
  }

  /// Integrates half of the source for as long as a slice has time; returns true when it is done.
  bool sweep_source(const StageArguments<Real>& args, const Reporter& reporter) {
    auto rate_bits = std::bit_cast<unsigned long long>(verdict_.cfl_rate);
    bool done = false;
    parts_.time("source", [&] {
      done = source_->slice(
          {args, problem_.source, &plan_.dt, reporter, &rate_bits, source_threads(), kSourceRun}, slice_);
    });
    verdict_.cfl_rate = std::bit_cast<double>(rate_bits);
    return done;
  }

  void finish_phase(const StageArguments<Real>& args, const Reporter& reporter) {
    if (has_fault(problem_.fault, attempt_, phases(), phase_)) inject_fault(args, reporter);
    if (attempt_.remedy != Remedy::none && !phases().is_source(phase_)) remedy(args, reporter);
    parts_.time("ghosts",
                [&] { fill_ghosts(args.out, output_time(phases(), phase_, control_.state.time, plan_)); });
    if (problem_.terms.viscous() && phase_ == phases().count())
      parts_.time("signal rate", [&] { verdict_.cfl_rate = max_cfl_rate(args.out, reporter); });
    if (problem_.detection.looks_for_spikes())
      parts_.time("spikes", [&] { look_for_spikes(args, reporter); });
  }

  /// Returns the largest CFL rate of the state `u`, ghost cells included. Raises where a cell of the domain
  /// has no positive finite pressure and rate.
  double max_cfl_rate(const Real* u, const Reporter& reporter) {
    const StageArguments<Real> args = plain_arguments(1);
    const int gx = layout_.ghosts[0], gy = layout_.ghosts[1], gz = layout_.ghosts[2];
    Real rate = 0;
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(max : rate)
    for (int k = -gz; k < layout_.cells[2] + gz; ++k)
      for (int j = -gy; j < layout_.cells[1] + gy; ++j)
        for (int i = -gx; i < layout_.cells[0] + gx; ++i) {
          const Primitive<Real> q = to_primitive(load(layout_, u, i, j, k), args.gas);
          const Real own = halfstep::cfl_rate(q, args.inverse_dx, args.gas, problem_.terms);
          if (!(positive_and_finite(q.pressure) & positive_and_finite(own)) && layout_.holds(i, j, k))
            reporter.raise();
          rate = larger(own, rate);
        }
    return rate;
  }

  /// Returns the cells that were flagged when the attempt began; nullptr without a remedy.
  const std::uint8_t* mask() const { return attempt_.remedy == Remedy::none ? nullptr : mask_.data(); }

  /// Applies the attempt's remedy to the stage's cells, then checks them: the stage's own raises were muted.
  void remedy(const StageArguments<Real>& args, const Reporter& reporter) {
    Real rate = 0;
    std::vector<FloorSums> rows(static_cast<std::size_t>(layout_.cells[1]) * layout_.cells[2]);
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(max : rate)
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j)
        rows[static_cast<std::size_t>(k) * layout_.cells[1] + j] =
            reduced_row<FloorSums>(layout_.cells[0], [&](FloorSums& sum, int i) {
              correct_to_first_order(args, problem_.scheme, rules_, mask(), attempt_.remedy, problem_.floors,
                                     i, j, k, sum);
              Real own = 0;
              if (!is_admissible(args, i, j, k, own)) reporter.raise();
              rate = larger(own, rate);
            });
    verdict_.cfl_rate = rate;
    add_floored(verdict_.floored, reduced_over_rows(rows), problem_, phases().stage(phase_));
  }

  /// Returns a reporter whose raises are ignored, for a stage whose failures are to be corrected.
  Reporter muted_reporter() {
    muted_.next_epoch(++muted_epoch_);
    return muted_.reporter(muted_epoch_, 1);
  }

  /// Applies the fault to one cell of the stage's output, and checks that cell.
  void inject_fault(const StageArguments<Real>& args, const Reporter& reporter) {
    const auto& [i, j, k] = problem_.fault->cell;
    const Conserved<Real> c = corrupted(load(layout_, args.out, i, j, k), *problem_.fault, args.gas);
    store(layout_, args.out, i, j, k, c);
    Real rate = 0;
    if (!is_admissible(args, i, j, k, rate)) reporter.raise();
    verdict_.cfl_rate = std::max<double>(verdict_.cfl_rate, rate);
  }

  void look_for_spikes(const StageArguments<Real>& args, const Reporter& reporter) {
    for_interior_rows([&](int j, int k) {
      for (int i = 0; i < layout_.cells[0]; ++i)
        if (is_spike(problem_.detection, layout_, args.out, i, j, k, args.gas)) {
          reporter.raise();
          return;
        }
    });
  }

  StageArguments<Real> arguments(int phase) const {
    const StageArguments<Real> plain = plain_arguments(phase);
    return problem_.starts_from_rhs_terms() && !phases().is_source(phase) ? on_top_of(terms_.get(), plain)
                                                                          : plain;
  }

  /// Returns the stage's arguments without right-hand-side terms and fourth-order corrections.
  StageArguments<Real> plain_arguments(int phase) const {
    Real* buffers[4] = {};
    std::transform(buffers_.begin(), buffers_.end(), buffers, [](const Buffer& b) { return b.get(); });
    return stage_arguments(problem_, layout_, rotation_, buffers, plan_.dt, phase);
  }

  Problem problem_;
  Layout layout_;
  BoundaryConditions<Real> rules_;
  int threads_;
  HostStage<Real> stage_;
  std::vector<Buffer> buffers_;
  Buffer terms_{nullptr, [](Real*) {
                }};  // the state that a stage with terms or corrections starts from, then their work memory
  bool has_terms_ = false;  // add_rhs_terms() has run in this phase
  Rotation rotation_;
  HostTiling tiling_;
  interruptible::HostTileQueue queue_;
  interruptible::Limits slice_;
  std::optional<interruptible::HostLauncher<integrate_cells<Real, interruptible::SafePoints>,
                                            SourceArguments<Real>, SourceRecord>>
      source_;
  soft_error::HostChannel<> channel_, muted_;
  std::uint64_t muted_epoch_ = 0;
  double inflow_rate_ = 0;
  StepControl control_;
  Attempt attempt_;  // under way, in phase_; or the last one
  StepPlan plan_;    // the attempt's
  int phase_ = 1;
  AttemptResult verdict_;
  std::int64_t repaired_before_ = 0;  // faces, in the previous phases
  std::optional<AttemptProgress> to_restore_;
  Diagnosis diagnosis_;
  std::vector<std::uint8_t> flags_, mask_;  // bad cells of this step; cells of the remedy
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
