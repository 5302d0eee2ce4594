#include "physics/ranks/ranked_solver.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "physics/ranks/agreed_rows.hpp"
#include "physics/ranks/calls.hpp"
#include "physics/ranks/ranked_averages.hpp"
#include "physics/ranks/sent_diagnosis.hpp"
#include "physics/ranks/sent_progress.hpp"
#include "physics/ranks/sent_rows.hpp"
#include "physics/ranks/step_cost.hpp"
#include "physics/solver/held_fields.hpp"
#include "physics/solver/over_ranks.hpp"
#include "runtime/checkpoint/background_writer.hpp"

namespace halfstep {

namespace {

/// The part of a list of cells that a rank has, in its own indices. Ghost cells belong to the rank of the
/// domain's cell beside them.
struct OwnCells {
  std::vector<std::array<int, 3>> cells;
  std::vector<std::size_t> places;  ///< of each in the list

  OwnCells(const std::vector<std::array<int, 3>>& list, const exchange::Decomposition& cut, int rank) {
    const exchange::Block block = cut.block(rank);
    for (std::size_t n = 0; n < list.size(); ++n) {
      const std::array<int, 3> cell = list[n];
      std::array<int, 3> inside = cell;
      for (int axis = 0; axis < 3; ++axis) inside[axis] = std::clamp(cell[axis], 0, cut.cells[axis] - 1);
      if (!block.holds(inside)) continue;
      cells.push_back(block.own(cell));
      places.push_back(n);
    }
  }
};

/// Makes the reader of those cells of a list that a rank has; none without cells.
Solver::CellReader make_reader(Solver& block, const OwnCells& own) {
  return own.cells.empty() ? Solver::CellReader{} : block.cell_reader(own.cells);
}

/// Returns what all ranks have, in bytes.
std::int64_t sum_of_bytes(const exchange::Ranks& ranks, std::int64_t own) {
  auto word = static_cast<std::uint64_t>(own);
  ranks.reduce({&word, 1}, exchange::Reduction::sum);
  return static_cast<std::int64_t>(word);
}

/// The solver of all ranks, as the first of them sees it.
class RankedSolver final : public Solver, public Instruments {
 public:
  RankedSolver(std::unique_ptr<Solver> block, const Problem& whole, const Split& split)
      : block_(std::move(block)),
        cost_(*block_),
        mesh_(whole.mesh),
        layers_(layers_of_blocks(whole)),
        layout_(whole.mesh, layers_, whole.fields(), whole.second_gamma.has_value()),
        is_sliced_(whole.slice_ms > 0),
        cut_(split.cut),
        ranks_(split.ranks.duplicate()),
        files_{split.ranks.duplicate(), split.cut} {}
  ~RankedSolver() override {
    try {
      tell({.of = Call::Of::end});
    } catch (const std::exception&) {  // the others end with the program
    }
  }

  void set_state(StateRows& state, double time) override {
    if (const std::unique_ptr<StateRows> own = state.of_block({ranks_, cut_}))
      make_state(state, *own, time);
    else
      send_state(state, time);
  }
  void get_state(Fields& interior) override { interior = widened(snapshot()->fields()); }
  double cfl_rate() override {
    tell({.of = Call::Of::cfl_rate});
    return block_->cfl_rate();
  }
  Totals totals() override {
    tell({.of = Call::Of::totals});
    return block_->totals();
  }
  Histogram histogram(const HistogramRequest& request) override {
    tell({.of = Call::Of::histogram, .request = request});
    return block_->histogram(request);
  }
  std::unique_ptr<Snapshot> snapshot() override {
    tell({.of = Call::Of::snapshot});
    return std::make_unique<RankedSnapshot>(block_->snapshot(), files_, snapshots_++);
  }
  CellReader cell_reader(const std::vector<std::array<int, 3>>& cells) override {
    tell({.of = Call::Of::make_reader, .count = std::ssize(cells)});
    auto list = cells;
    ranks_.broadcast(list.data(), list.size() * sizeof list[0]);
    CellReader own;
    std::vector<std::vector<std::size_t>> places;  // of each rank's cells in the list
    for (int rank = 0; rank < cut_.size(); ++rank) {
      OwnCells of_rank(cells, cut_, rank);
      if (rank == 0) own = make_reader(*block_, of_rank);
      places.push_back(std::move(of_rank.places));
    }
    return {[this, places = std::move(places), own = std::move(own), count = cells.size(),
             number = readers_++] { return read(places, count, own, number); }};
  }

  std::unique_ptr<TimeAverages> time_averages(const AveragesRequest& request) override {
    tell({.of = Call::Of::make_averages, .averages = request});
    return std::make_unique<RankedAverages>(block_->time_averages(request), cut_, ranks_, request.sums(),
                                            [this, number = averages_++](Call call) {
                                              call.count = number;
                                              tell(call);
                                            });
  }

  void resume(const StepLimits& limits, const StepState& state, double rate) override {
    tell({.of = Call::Of::resume, .limits = limits, .state = state, .number = rate});
    block_->resume(limits, state, rate);
  }
  void launch(const Attempt& attempt) override {
    tell({.of = Call::Of::launch, .attempt = attempt});
    const StepCost::Part part(cost_);
    block_->launch(attempt);
  }
  bool advance() override {
    if (is_sliced_) tell({.of = Call::Of::advance});
    const StepCost::Part part(cost_);
    return block_->advance();
  }
  /// Ends the slice of the first rank; the others' are no longer than their budget.
  void pause() noexcept override { block_->pause(); }
  /// Returns the progress at the beginning of the substep under way.
  AttemptProgress get_progress() override {
    tell({.of = Call::Of::get_progress});
    const AttemptProgress own = block_->get_progress();
    AttemptProgress all = ProgressHead{own.attempt, own.substep, 0, own.floored}.progress();
    add_progress(part_of(0), own, all);
    for (int rank = 1; rank < cut_.size(); ++rank)
      add_progress(part_of(rank), received_progress(ranks_, rank), all);
    return all;
  }
  void set_progress(AttemptProgress all) override {
    tell({.of = Call::Of::set_progress});
    for (int rank = 1; rank < cut_.size(); ++rank)
      send_progress(progress_of(part_of(rank), all, false), ranks_, rank);
    block_->set_progress(progress_of(part_of(0), all, true));
  }
  AttemptResult await() override {
    tell({.of = Call::Of::await});
    const StepCost::Part part(cost_);
    return block_->await();
  }
  int max_depth() const override { return block_->max_depth(); }

  Cure diagnose() override {
    tell({.of = Call::Of::diagnose});
    const StepCost::Part part(cost_);
    return block_->diagnose();
  }
  Diagnosis diagnosis() override {
    tell({.of = Call::Of::diagnosis});
    const Diagnosis own = block_->diagnosis();
    const int rank = cut_.rank_of(own.error.cell);
    Diagnosis found = rank == 0 ? own : received_diagnosis(ranks_, rank);
    found.error.rank = rank;
    return found;
  }

  Instruments& instruments() override { return *this; }
  void start_timer() override {
    tell({.of = Call::Of::start_timer});
    block_->instruments().start_timer();
  }
  double stop_timer() override {
    tell({.of = Call::Of::stop_timer});
    return ranks_.max(block_->instruments().stop_timer());
  }
  // Parts and kernels: the first rank's.
  void start_part_times() override { block_->instruments().start_part_times(); }
  std::vector<PartTime> part_times() override { return block_->instruments().part_times(); }
  void use_flux_kernel(const FluxKernel&) override {
    throw std::runtime_error("flux kernels cannot be replaced in a run of several ranks");
  }
  double flux_seconds() override {
    throw std::runtime_error("flux kernels cannot be timed by themselves in a run of several ranks");
  }
  KernelInfo kernel_info() const override { return block_->instruments().kernel_info(); }

  std::string backend() const override { return block_->backend(); }
  std::string device_name() const override {
    return block_->device_name() + ", " + std::to_string(cut_.size()) + " ranks, " +
           exchange::text_of_blocks(cut_) + ", messages by " + block_->messages();
  }
  std::string messages() const override { return block_->messages(); }
  exchange::Traffic traffic() const override { return block_->traffic(); }
  std::vector<exchange::RankReport> rank_reports() override {
    tell({.of = Call::Of::report});
    std::vector<exchange::RankReport> all{cost_.report(0)};
    for (int rank = 1; rank < cut_.size(); ++rank) all.push_back(received_report(ranks_, rank));
    return all;
  }
  int host_threads() const override { return block_->host_threads(); }
  std::int64_t device_bytes() const override { return bytes(false); }
  std::int64_t host_bytes() const override { return bytes(true); }

 private:
  void tell(Call call) const { ranks_.broadcast(&call, sizeof call); }
  PartOfProgress part_of(int rank) const { return {mesh_, cut_.block(rank), layers_, layout_.fields}; }

  /// Has every rank make the rows of its own block.
  void make_state(StateRows& state, StateRows& own, double time) {
    tell({.of = Call::Of::make_state, .number = time});
    AgreedRows rows(own, ranks_);
    block_->set_state(rows, time);
    state.add_found(own.found());
    for (int rank = 1; rank < cut_.size(); ++rank) add_found_of(rank, state, ranks_);
  }

  /// Sends the others the rows of their blocks, which this rank alone has.
  void send_state(StateRows& state, double time) {
    tell({.of = Call::Of::receive_state, .number = time});
    try {
      send_rows(state, layout_, layers_, mesh_, ranks_, cut_);
    } catch (const std::exception& error) {
      send_error(state, error.what());
    }
    RowsOfBlock own(state, layout_, cut_.block(0));
    AgreedRows rows(own, ranks_);
    block_->set_state(rows, time);
  }

  /// Has all ranks know that there is no state, and throws the error of its first bad cell, as one rank meets
  /// it: blocks were not made in the order of cells.
  [[noreturn]] void send_error(StateRows& state, const std::string& what) {
    try {
      expect_rows_of_all(ranks_, RowsError{0, false, what});
    } catch (const std::runtime_error&) {
      for_slabs(layout_, state, [](std::int64_t, std::int64_t, const RowPointers&) {});
      throw;
    }
    throw std::logic_error("an error was not told");
  }

  std::int64_t bytes(bool of_host) const {
    // After an error the others may wait for something else: then only the first rank's are known.
    if (std::current_exception()) return of_host ? block_->host_bytes() : block_->device_bytes();
    tell({.of = Call::Of::count_bytes, .count = of_host});
    return sum_of_bytes(ranks_, of_host ? block_->host_bytes() : block_->device_bytes());
  }

  /// Returns the values of a reader's `count` cells, in the order of their list. `places`: in it, by rank.
  std::unique_ptr<Snapshot> read(const std::vector<std::vector<std::size_t>>& places, std::size_t count,
                                 const CellReader& own, std::int64_t number) const {
    tell({.of = Call::Of::read_cells, .count = number});
    Fields all;
    all.scalars.resize(static_cast<std::size_t>(layout_.carried()));
    for (int f = 0; f < layout_.fields; ++f) all.field(f).resize(count);
    for (int rank = 0; rank < cut_.size(); ++rank) {
      const std::vector<std::size_t>& of_rank = places[static_cast<std::size_t>(rank)];
      if (of_rank.empty()) continue;
      Fields values;
      if (rank == 0) values = widened(own()->fields());
      values.scalars.resize(all.scalars.size());
      for (int f = 0; f < layout_.fields; ++f) {
        std::vector<double>& from = values.field(f);
        from.resize(of_rank.size());
        if (rank > 0) ranks_.receive(from.data(), from.size() * sizeof(double), rank);
        for (std::size_t n = 0; n < from.size(); ++n) all.field(f)[of_rank[n]] = from[n];
      }
    }
    return std::make_unique<HeldFields>(std::move(all));
  }

  std::unique_ptr<Solver> block_;
  StepCost cost_;
  Mesh mesh_;
  int layers_;
  Layout layout_;  // of the whole mesh
  bool is_sliced_;
  exchange::Decomposition cut_;
  exchange::Ranks ranks_;
  Split files_;  // its ranks tell each other what concerns snapshots
  std::int64_t readers_ = 0, averages_ = 0, snapshots_ = 0;  // made so far
};

/// A rank other than the first.
class ServingRank {
 public:
  ServingRank(Solver& block, const Split& split, const RankDuties& duties)
      : block_(block),
        cost_(block),
        duties_(duties),
        cut_(split.cut),
        rank_(split.rank()),
        ranks_(split.ranks.duplicate()),
        files_{split.ranks.duplicate(), split.cut},
        snapshots_server_(kUnserved) {}

  /// Serves one call; returns false at the end.
  bool serve() {
    Call call;
    ranks_.broadcast(&call, sizeof call);
    switch (call.of) {
      case Call::Of::make_state:
        make_state(call.number);
        break;
      case Call::Of::receive_state:
        receive_state(call.number);
        break;
      case Call::Of::snapshot:
        snapshots_server_.submit(
            [this, snapshot = std::shared_ptr<Snapshot>(block_.snapshot()), number = snapshots_++] {
              try {
                serve_snapshot(*snapshot, number, files_, duties_.carry_out);
              } catch (const std::exception& error) {
                duties_.fail(error);
              }
            });
        break;
      case Call::Of::cfl_rate:
        block_.cfl_rate();
        break;
      case Call::Of::totals:
        block_.totals();
        break;
      case Call::Of::histogram:
        block_.histogram(call.request);
        break;
      case Call::Of::make_reader:
        make_own_reader(call.count);
        break;
      case Call::Of::read_cells:
        read_cells(call.count);
        break;
      case Call::Of::make_averages:
        averages_.emplace_back(block_.time_averages(call.averages),
                               static_cast<std::size_t>(call.averages.sums() * cut_.block(rank_).count()));
        break;
      case Call::Of::take_in:
      case Call::Of::get_sums:
      case Call::Of::set_sums:
        averages_[static_cast<std::size_t>(call.count)].serve(call, ranks_);
        break;
      case Call::Of::resume:
        block_.resume(call.limits, call.state, call.number);
        break;
      case Call::Of::launch:
      case Call::Of::advance:
      case Call::Of::await:
      case Call::Of::diagnose:
        step(call);
        break;
      case Call::Of::get_progress:
        send_progress(block_.get_progress(), ranks_, 0);
        break;
      case Call::Of::set_progress:
        block_.set_progress(received_progress(ranks_, 0));
        break;
      case Call::Of::diagnosis:
        if (const Diagnosis own = block_.diagnosis(); cut_.rank_of(own.error.cell) == rank_)
          send_diagnosis(own, ranks_, 0);
        break;
      case Call::Of::start_timer:
        block_.instruments().start_timer();
        break;
      case Call::Of::stop_timer:
        ranks_.max(block_.instruments().stop_timer());
        break;
      case Call::Of::count_bytes:
        sum_of_bytes(ranks_, call.count ? block_.host_bytes() : block_.device_bytes());
        break;
      case Call::Of::report:
        send_report(cost_.report(rank_), ranks_, 0);
        break;
      case Call::Of::end:
        snapshots_server_.drain();
        return false;
    }
    return true;
  }

 private:
  static constexpr int kUnserved = 2;  // snapshots that the first rank may still want

  /// Serves a call whose cost is the steps'.
  void step(const Call& call) {
    const StepCost::Part part(cost_);
    if (call.of == Call::Of::launch)
      block_.launch(call.attempt);
    else if (call.of == Call::Of::advance)
      block_.advance();
    else if (call.of == Call::Of::await)
      block_.await();
    else
      block_.diagnose();
  }

  void make_state(double time) {
    const std::unique_ptr<StateRows> own = duties_.initial_state(time);
    if (set_state(*own, time)) send_found(*own, ranks_);
  }

  void receive_state(double time) {
    SentRows rows(ranks_);
    set_state(rows, time);
  }

  /// Returns false if there is no state; the first rank tells the user why.
  bool set_state(StateRows& own, double time) {
    AgreedRows rows(own, ranks_);
    try {
      block_.set_state(rows, time);
      return true;
    } catch (const StateNotMade&) {
      return false;
    }
  }

  void make_own_reader(std::int64_t count) {
    std::vector<std::array<int, 3>> list(static_cast<std::size_t>(count));
    ranks_.broadcast(list.data(), list.size() * sizeof list[0]);
    readers_.push_back(make_reader(block_, OwnCells(list, cut_, rank_)));
  }

  void read_cells(std::int64_t number) {
    const Solver::CellReader& read = readers_[static_cast<std::size_t>(number)];
    if (!read.begin) return;
    const Fields values = widened(read()->fields());
    for (int f = 0; f < values.count(); ++f)
      ranks_.send(values.field(f).data(), values.field(f).size() * sizeof(double), 0);
  }

  Solver& block_;
  StepCost cost_;
  const RankDuties& duties_;
  exchange::Decomposition cut_;
  int rank_;
  exchange::Ranks ranks_;
  Split files_;                              // its ranks tell each other what concerns snapshots
  std::vector<Solver::CellReader> readers_;  // by the number that the first rank gave them
  std::vector<ServedAverages> averages_;     // the same
  std::int64_t snapshots_ = 0;
  BackgroundWriter snapshots_server_;  // last: its jobs use the others
};

}  // namespace

std::unique_ptr<Solver> make_ranked_solver(std::unique_ptr<Solver> block, const Problem& whole,
                                           const Split& split) {
  return std::make_unique<RankedSolver>(std::move(block), whole, split);
}

void serve_first_rank(Solver& block, const Split& split, const RankDuties& duties) {
  ServingRank rank(block, split, duties);
  do duties.between();
  while (rank.serve());
}

}  // namespace halfstep
