// The part of a solver that both backends share: the attempts under way, their substeps and slices, and their
// progress.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "physics/mesh/ghosts.hpp"
#include "physics/solver/attempt_progress.hpp"
#include "physics/solver/inflow.hpp"
#include "physics/solver/over_ranks.hpp"
#include "physics/solver/rhs_arguments.hpp"
#include "physics/solver/step.hpp"
#include "physics/sources/half_source.hpp"
#include "runtime/interruptible/limits.hpp"

namespace halfstep {

/// A solver whose verbs `Backend` supplies, the class that derives from this one: those of queue_substep(),
/// and those that this class calls by self(). `Types`: the backend's memory, channel, queue of tiles and
/// launcher of resumable threads.
template <class Backend, class Real, class Types>
class SteppingSolver : public Solver, public Instruments {
 public:
  void launch(const Attempt& attempt) final {
    if (under_way_.empty()) queued_ = levels_;
    under_way_.push_back({attempt, {}});
    under_way_.back().result.remedy = attempt.remedy;
    if (to_restore_ && !to_restore_->flags.empty())
      self().put(flags_.get(), rules_.flags.in_memory(to_restore_->flags).data(), flag_count());
    self().begin_attempt(attempt);
    begin_substep(1);
    if (!sliced())
      advance();
    else if (to_restore_)
      restore(std::move(*std::exchange(to_restore_, std::nullopt)));
  }

  bool advance() final {
    while (!all_queued()) {
      const Substep<Real> substep = substep_under_way();
      const bool done = queue_substep(self(), problem_, substep);
      is_new_ = false;
      if (sliced()) set_pause(false);
      if (done) begin_substep(self().has_raised(substep) ? substeps().count() + 1 : substep_ + 1);
      if (all_queued()) {
        self().end_attempt(substep.attempt);
        queued_.accept();
      }
      if (sliced()) break;
    }
    return all_queued();
  }

  AttemptResult await() final {
    while (!advance()) {
    }
    const UnderWay oldest = under_way_.front();
    under_way_.pop_front();
    result_ = self().wait(oldest.attempt, oldest.result);
    attempt_ = oldest.attempt;
    plan_ = result_.plan;
    if (result_.accepted) levels_.accept();
    return result_;
  }

  /// Keeps more states where there is one rank, so that sums are read and written once for several steps. The
  /// halo of several ranks knows the buffers from the beginning.
  std::unique_ptr<TimeAverages> time_averages(const AveragesRequest& request) final {
    const bool keeps_more = keeps_past_states() && !problem_.split;
    for (; keeps_more && levels_.states < WeightedStates::kMost; ++levels_.states)
      buffers_.push_back(self().copy_of(start()));
    queued_ = levels_;
    return std::make_unique<Averages>(*this, request);
  }

  void pause() noexcept final {
    if (sliced()) set_pause(true);
  }

  AttemptProgress get_progress() final {
    const auto& [attempt, result] = under_way_.front();
    const bool source = substeps().is_source(substep_);
    AttemptProgress progress;
    progress.attempt = attempt;
    progress.substep = substep_;
    progress.floored = result.floored;
    self().get_sums(progress);
    if (problem_.budgets && substep_ > 1) {
      ExactBudget budget = self().budget_so_far();
      sum_over_ranks(problem_, budget);
      progress.budget.assign(words(budget), words(budget) + kWords<ExactBudget>);
    }
    progress.done = source ? 0 : queue_->done();
    progress.tiling = self().tiling();
    progress.raised = bool(channel_.poll());
    if (source) progress.records = bytes_of(source_->records());
    if (problem_.split) progress.begin_again();  // where all ranks go on: the rest need not leave the device
    for_states_under_way(levels_, progress, [&](std::vector<std::byte>& bytes, int buffer) {
      bytes.resize(state_bytes());
      self().ensure_ghosts(buffers_[buffer].get());
      self().fetch(bytes.data(), buffers_[buffer].get(), state_bytes());
    });
    if (attempt.number > 1) {
      std::vector<std::uint8_t> flags(flag_count());
      self().fetch(flags.data(), flags_.get(), flag_count());
      progress.flags = rules_.flags.of_cells(flags);
    }
    return progress;
  }

  void set_progress(AttemptProgress progress) final { to_restore_ = std::move(progress); }

  Instruments& instruments() final { return *this; }

  /// Whether a sweep is done, with slices on all ranks: what follows it exchanges messages.
  bool all_done(bool here) const { return sliced() ? on_all_ranks(problem_, here) : here; }

  /// Queues the computation of the state that a stage starts from, if that is not U^n.
  void add_rhs_terms(const Substep<Real>& substep) {
    if (!problem_.starts_from_rhs_terms()) return;
    const StartOfStage start(problem_, substep.attempt.remedy);
    Real* const terms = terms_.get();
    StageArguments<Real> args = plain_arguments(queued_, substep.attempt.step, substep.number);
    if (start.has_terms) {
      RhsArguments<Real> rhs = rhs_arguments(problem_, args, behind_terms(), terms);
      const RhsTerms& own = problem_.terms;
      rhs.stage.start_dither = substep.dither(RoundedSum::terms);
      if (own.viscous() || !own.driving.active()) self().add_terms(rhs, substep);
      rhs.stage.start_dither = substep.dither(RoundedSum::driving);
      if (own.driving.active()) self().drive(rhs, substep);
      args = on_top_of(terms, args);
    }
    args.out = terms;
    args.start_dither = substep.dither(RoundedSum::corrections);
    if (start.is_corrected) self().add_fourth_order_flux(args, substep);
    args.start_dither = substep.dither(RoundedSum::walls);
    if (problem_.terms.has_gravity())
      self().close_walls(
          args, {problem_.scheme, rules_, mask_of(substep.attempt), start.is_corrected, self().uncorrected()},
          substep);
  }

  /// Adds what has come into the domain in the substep to the budget of the attempt.
  void add_up_budget(const Substep<Real>& substep) {
    if (substep.number == 1) self().clear_budget(substep);
    if (substep.is_source()) {
      self().add_up_heat(substep);
    } else {
      const BudgetArguments<Real> args =
          budget_arguments(problem_, rules_, plain_arguments(queued_, substep.attempt.step, substep.number),
                           substep.substeps.stage(substep.number), substep.attempt, mask_of(substep.attempt),
                           self().uncorrected(), problem_.starts_from_rhs_terms() ? behind_terms() : nullptr);
      if (has_open_sides_) self().add_up_sides(args, substep);
      if (problem_.has_solids()) self().add_up_bodies(args, substep);
      if (problem_.terms.has_forces()) self().add_up_forces(args, substep);
    }
    if (substep.is_last()) self().finish_budget(substep);
  }

 protected:
  /// Whether the states of past steps are whole: a step puts ballast into bodies of the one that it starts
  /// from.
  bool keeps_past_states() const { return !problem_.has_solids(); }

  class Averages final : public TimeAverages {
   public:
    Averages(SteppingSolver& solver, const AveragesRequest& request)
        : solver_(solver), request_(request), sums_(solver.self().zeros(count())) {
      solver_.averages_bytes_ += bytes();
    }
    ~Averages() override { solver_.averages_bytes_ -= bytes(); }

    int states() const override { return solver_.keeps_past_states() ? solver_.levels_.states : 1; }
    void take_in(const WeightedStates& states) override {
      const Mesh& mesh = solver_.problem_.mesh;
      AveragesArguments<Real> args{request_,
                                   states,
                                   {},
                                   solver_.layout_,
                                   solver_.problem_.gases(),
                                   {mesh.spacing(0), mesh.spacing(1), mesh.spacing(2)},
                                   solver_.axes_,
                                   sums_.get()};
      for (int s = 0; s < states.count; ++s) {
        args.states[s] = solver_.buffers_[solver_.levels_.past(states.age[s])].get();
        if (request_.has_gradients()) solver_.self().ensure_ghosts(args.states[s]);
      }
      solver_.self().take_in_cells(args);
    }
    std::vector<double> sums() override {
      std::vector<double> all(count());
      solver_.self().fetch(all.data(), sums_.get(), bytes());
      return all;
    }
    void set_sums(const std::vector<double>& sums) override {
      solver_.self().put(sums_.get(), sums.data(), bytes());
    }

   private:
    std::size_t count() const { return static_cast<std::size_t>(request_.sums()) * solver_.cells(); }
    std::size_t bytes() const { return count() * sizeof(double); }

    SteppingSolver& solver_;
    AveragesRequest request_;
    typename Types::template Buffer<double> sums_;
  };

  /// An attempt that has not been awaited, with as much as the host knows of its result.
  struct UnderWay {
    Attempt attempt;
    AttemptResult result;
  };

  explicit SteppingSolver(const Problem& problem)
      : problem_(problem),
        layout_(layout_of(problem)),
        rules_(layout_, problem.mesh, problem.boundary, problem.dirichlet, problem.gases(),
               problem.terms.gravity),
        axis_tables_(problem.mesh),
        axes_(axis_tables_.views()),
        slice_{.milliseconds_per_launch = problem.slice_ms},
        levels_{.substeps = {problem.scheme.integrator, problem.source.active()}} {
    rules_.axes = axes_;
    rules_.flags =
        FlagLayout(layout_, problem.boundary, flag_layers_of(problem), problem.mesh.rows_near_and_far());
    has_open_sides_ = finds_open_sides();
  }

  const Substeps& substeps() const { return levels_.substeps; }
  bool sliced() const { return slice_.milliseconds_per_launch > 0; }
  std::size_t cells() const { return static_cast<std::size_t>(problem_.mesh.cell_count()); }
  std::size_t flag_count() const { return static_cast<std::size_t>(rules_.flags.count()); }
  std::int64_t row_count() const { return std::int64_t{layout_.cells[1]} * layout_.cells[2]; }
  std::size_t state_bytes() const { return static_cast<std::size_t>(layout_.values()) * sizeof(Real); }
  Real* start() const { return buffers_[levels_.start].get(); }
  Real* behind_terms() const { return terms_.get() + layout_.values(); }

  /// Returns the layout with the layers alone that stages read: bodies may look into more.
  Layout layout_of_stages() const {
    return {problem_.mesh, stage_layers(problem_), layout_.fields, layout_.two_gases};
  }

  /// Returns the cells that were flagged when the attempt began; nullptr without a remedy.
  const std::uint8_t* mask_of(const Attempt& attempt) const {
    return attempt.remedy == Remedy::none ? nullptr : mask_.get();
  }

  /// Returns the arguments of a substep of a step, with the length of plan_.
  StageArguments<Real> arguments(const TimeLevels& levels, std::int64_t step, int substep) const {
    const StageArguments<Real> plain = plain_arguments(levels, step, substep);
    return problem_.starts_from_rhs_terms() && !substeps().is_source(substep) ? on_top_of(terms_.get(), plain)
                                                                              : plain;
  }

  /// Those of TimeLevels, at most.
  static constexpr int kMostBuffers = WeightedStates::kMost + 3;

  /// Returns the stage's arguments without right-hand-side terms and fourth-order corrections.
  StageArguments<Real> plain_arguments(const TimeLevels& levels, std::int64_t step, int substep) const {
    Real* buffers[kMostBuffers] = {};
    std::transform(buffers_.begin(), buffers_.end(), buffers,
                   [](const auto& buffer) { return buffer.get(); });
    return stage_arguments(problem_, layout_, levels, buffers, plan_.dt, step, substep, axes_);
  }

  /// Returns inflow_rate() of some rows of an initial state, which is found on the host.
  double inflow_rate_of(std::int64_t first, std::int64_t count, const RowPointers& values) const {
    BoundaryConditions<Real> rules = rules_;
    StageArguments<Real> args = plain_arguments(levels_, 1, 1);
    rules.axes = args.axes = axis_tables_.views();
    return inflow_rate(rules, args, first, count, values);
  }

  /// Returns the reporter of a stage's sweep, muted under a remedy: its failures are to be corrected.
  soft_error::Reporter<> sweep_reporter(const Substep<Real>& substep) {
    return substep.has_remedy() ? muted_reporter() : substep.reporter;
  }
  /// Goes through the substeps up to `last` of the rejected attempt again, without its reports. Its buffers
  /// then are as that substep left them: a rank learns of another's soft error at the end of the attempt
  /// alone, and has gone on until then.
  void repeat_substeps(int last) {
    queued_ = levels_;
    for (substep_ = 1; substep_ <= last; ++substep_)
      queue_substep(self(), problem_,
                    Substep<Real>{attempt_, substeps(), substep_, true, substep_ < last,
                                  arguments(queued_, attempt_.step, substep_), muted_reporter()});
  }

  /// Returns a reporter whose raises are ignored.
  soft_error::Reporter<> muted_reporter() {
    muted_.next_epoch(++muted_epoch_);
    return muted_.reporter(muted_epoch_, 1);
  }

  Problem problem_;
  Layout layout_;
  BoundaryConditions<Real> rules_;
  AxisTables<Real> axis_tables_;
  AxisTableViews<Real> axes_;  // where kernels read them
  interruptible::Limits slice_;
  double inflow_rate_ = 0;
  std::size_t averages_bytes_ = 0;

  // The states. `terms_`: the state that a stage with terms or corrections starts from, then work memory.
  std::vector<typename Types::template Buffer<Real>> buffers_;
  typename Types::template Buffer<Real> terms_;
  typename Types::template Buffer<std::uint8_t> flags_, mask_;  // bad cells of this step; cells of the remedy
  TimeLevels levels_;                                           // at U^n
  TimeLevels queued_;  // at the state that the attempt being queued starts from
  bool has_open_sides_ = false;

  // The attempts. `plan_`: of the last one awaited; on the host, of the one under way. Kernels of a device
  // read theirs from the device.
  typename Types::Channel channel_, muted_;
  std::deque<UnderWay> under_way_;
  Attempt attempt_;       // the last one awaited
  AttemptResult result_;  // and its result
  StepPlan plan_;

  // The substep that is being queued. A device has queues only with slices.
  int substep_ = 1;
  std::optional<typename Types::TileQueue> queue_;
  std::optional<typename Types::template Launcher<integrate_cells<Real, interruptible::SafePoints>,
                                                  SourceArguments<Real>, SourceRecord>>
      source_;

 private:
  Backend& self() { return static_cast<Backend&>(*this); }

  /// Whether there are sides through which more may come in than goes out through the opposite one.
  bool finds_open_sides() const {
    if (!problem_.has_hexahedra()) return OpenSides(rules_).count > 0;
    const std::vector<Neighbour>& beyond = problem_.hexahedra->beyond;
    return std::any_of(beyond.begin(), beyond.end(), [](const Neighbour& face) { return face.side >= 0; });
  }

  bool all_queued() const { return substep_ > substeps().count(); }

  Substep<Real> substep_under_way() const {
    const Attempt& attempt = under_way_.back().attempt;
    const soft_error::Reporter<> reporter = channel_.reporter(attempt.epoch, substep_);
    const bool is_followed = substep_ < substeps().count();
    return {attempt, substeps(), substep_, is_new_, is_followed, arguments(queued_, attempt.step, substep_),
            reporter};
  }

  void begin_substep(int substep) {
    substep_ = substep;
    is_new_ = true;
    if (!queue_) return;
    self().keep_sums();
    if (substeps().is_source(substep))
      source_->reset();
    else
      queue_->start(self().tiles());
  }

  void set_pause(bool wanted) noexcept {
    const auto set = [&](auto& of) { wanted ? of.pause().request() : of.pause().withdraw(); };
    set(*queue_);
    if (source_) set(*source_);
  }

  /// Continues an attempt that was under way in another solver. A substep with other tiles is restarted from
  /// its input.
  void restore(AttemptProgress progress) {
    begin_substep(progress.substep);
    under_way_.back().result.floored = progress.floored;
    for_states_under_way(levels_, progress, [&](const std::vector<std::byte>& bytes, int buffer) {
      expect_whole(bytes, state_bytes());
      self().put(buffers_[buffer].get(), bytes.data(), state_bytes());
    });
    if (progress.tiling != self().tiling()) {
      progress.begin_again();
    } else {
      if (substeps().is_source(substep_))
        source_->set_records(records_in<SourceRecord>(progress.records));
      else
        queue_->start(self().tiles(), progress.done);
      if (progress.raised) self().raise_again(substep_under_way().reporter);
    }
    // The first slice here looks at all faces of hexahedra again.
    if (problem_.has_hexahedra()) progress.repaired_faces = progress.repaired_before;
    self().set_sums(progress);
    ExactBudget budget{};
    if (progress.budget.size() <= std::size_t{kWords<ExactBudget>})
      std::copy(progress.budget.begin(), progress.budget.end(), words(budget));
    if (problem_.budgets) self().set_budget(budget);
  }

  bool is_new_ = true;  // the substep: no slice of it has run in this solver
  std::optional<AttemptProgress> to_restore_;
  std::uint64_t muted_epoch_ = 0;
};

}  // namespace halfstep
