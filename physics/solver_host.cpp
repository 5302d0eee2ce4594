// The host backend: the solver over OpenMP threads. Twin of solver_cuda.cu.
#include <omp.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <stdexcept>

#include "physics/dispatch.hpp"
#include "physics/examine.hpp"
#include "physics/ghosts.hpp"
#include "physics/remedy.hpp"
#include "physics/solver.hpp"
#include "physics/stage_arguments.hpp"
#include "physics/stage_host.hpp"
#include "physics/totals.hpp"

namespace halfstep {

namespace {

using Reporter = soft_error::Reporter<>;

template <class Real>
class HostSolver final : public Solver {
 public:
  HostSolver(const Problem& problem, int threads)
      : problem_(problem),
        layout_(problem.mesh, ghost_layers(problem.scheme.reconstruction)),
        rules_(layout_, problem.mesh, problem.boundary, problem.prescribed, problem.gamma),
        ghost_cells_(layout_),
        threads_(threads > 0 ? threads : useful_threads(problem.mesh)),
        stages_(stage_count(problem.scheme.integrator)),
        flags_(problem.mesh.cell_count()) {
    stage_ = with_scheme(problem.scheme, []<class R, Variables v, class S>() -> HostStage<Real> {
      return &host_stage<R, v, S, Real>;
    });
    for (auto& buffer : buffers_) buffer = allocate();
  }

  void set_state(const Fields& interior, const Fields& extended, double time) override {
    const int gx = layout_.ghosts[0], gy = layout_.ghosts[1], gz = layout_.ghosts[2];
    for (auto& buffer : buffers_)
      for_rows(-gy, layout_.cells[1] + gy, -gz, layout_.cells[2] + gz, [&](int j, int k) {
        const std::int64_t wide_x = layout_.cells[0] + 2 * gx, wide_y = layout_.cells[1] + 2 * gy;
        const std::int64_t from = ((k + gz) * wide_y + (j + gy)) * wide_x;
        for (int f = 0; f < kFields; ++f)
          std::copy_n(extended.conserved[f].begin() + from, wide_x,
                      buffer.get() + f * layout_.field_stride + layout_.index(-gx, j, k));
      });
    for_interior_rows([&](int j, int k) {
      for (int f = 0; f < kFields; ++f)
        std::copy_n(interior.conserved[f].begin() + row(j, k), layout_.cells[0], start(f, j, k));
    });
    fill_ghosts(buffers_[rotation_.start].get(), time);
  }

  void get_state(Fields& interior) override {
    for (auto& field : interior.conserved) field.resize(problem_.mesh.cell_count());
    for_interior_rows([&](int j, int k) {
      for (int f = 0; f < kFields; ++f)
        std::copy_n(start(f, j, k), layout_.cells[0], interior.conserved[f].begin() + row(j, k));
    });
  }

  double signal_rate() override {
    const StageArguments<Real> args = arguments(1);
    Real rate = 0;
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(max : rate)
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j)
        for (int i = 0; i < layout_.cells[0]; ++i)
          rate = larger(halfstep::signal_rate(to_primitive(load(layout_, args.start, i, j, k), args.gas),
                                              args.inverse_dx, args.gas),
                        rate);
    return rate;
  }

  Totals totals() override {
    const Real* u = buffers_[rotation_.start].get();
    std::vector<PartialTotals> rows(static_cast<std::size_t>(layout_.cells[1]) * layout_.cells[2]);
    for_interior_rows([&](int j, int k) {
      PartialTotals lanes[kCellLanes];
      for (int i = 0; i < layout_.cells[0]; ++i)
        add_cell(lanes[i % kCellLanes], load(layout_, u, i, j, k), problem_.gamma);
      merge_lanes(lanes, kCellLanes);
      rows[static_cast<std::size_t>(k) * layout_.cells[1] + j] = lanes[0];
    });
    return to_totals(sum_of(rows), problem_.mesh);
  }

  void resume(const StepLimits& limits, const StepState& state, double rate) override {
    control_ = step_control(limits, state, rate);
  }

  void launch(const Attempt& attempt) override {
    attempt_ = attempt;
    plan_ = control_.plan;
    if (attempt.remedy != Remedy::none) mask_ = flags_;
    verdict_ = Verdict{};
    verdict_.plan = plan_;
    verdict_.remedy = attempt.remedy;
    channel_.next_epoch(attempt.epoch);
    const double time = control_.state.time;
    for (int stage = 1; stage <= stages_ && !channel_.poll(); ++stage) {
      const StageArguments<Real> args = arguments(stage);
      const Reporter reporter = channel_.reporter(attempt.epoch, stage);
      const HostStageResult<Real> r =
          stage_(args, attempt.remedy == Remedy::none ? reporter : muted_reporter(), threads_);
      verdict_.signal_rate = r.signal_rate;
      verdict_.repaired_faces += r.bad_faces;
      if (strikes(problem_.fault, attempt, stage)) strike(args, reporter);
      if (attempt.remedy != Remedy::none) remedy(args, stage, reporter);
      fill_ghosts(args.out, output_time(problem_.scheme.integrator, stage, time, plan_));
      if (problem_.detection.looks_for_spikes()) look_for_spikes(args, reporter);
    }
  }

  Verdict await() override {
    const soft_error::Raise raise = channel_.poll();
    verdict_.raised = bool(raise);
    verdict_.stage = raise.stage;
    verdict_.accepted = settle(control_, verdict_.raised, verdict_.signal_rate);
    if (verdict_.accepted) {
      rotation_.accept(stages_);
      if (attempt_.wants_totals) verdict_.totals = totals();
    }
    return verdict_;
  }

  int max_depth() const override { return 1; }

  Cure diagnose() override {
    const int stage = failed_stage(verdict_, problem_.scheme.integrator);
    const StageArguments<Real> args = arguments(stage);
    const Examination examination = examination_of(problem_, verdict_);
    // Flags of this step are kept: a remedy that moves the trouble elsewhere is widened, not shifted.
    if (attempt_.number == 1) std::fill(flags_.begin(), flags_.end(), std::uint8_t{0});
    const FirstOrderFaces<Real> first_order{rules_, mask()};
    std::vector<Findings> rows(static_cast<std::size_t>(layout_.cells[1]) * layout_.cells[2],
                               Findings{{}, kNoFinding});
    for_interior_rows([&](int j, int k) {
      for (int i = 0; i < layout_.cells[0]; ++i) {
        const Finding<Real> f = examine_cell(args, examination, i, j, k, first_order);
        if (f.kind < 0) continue;
        flags_[row(j, k) + i] = 1;
        Findings& r = rows[static_cast<std::size_t>(k) * layout_.cells[1] + j];
        r.counts[f.kind] += 1;
        r.key = std::min<unsigned long long>(r.key, finding_key(f.kind, row(j, k) + i));
      }
    });
    Findings all{{}, kNoFinding};
    for (const Findings& r : rows) {
      for (int kind = 0; kind < kSoftErrorKinds; ++kind) all.counts[kind] += r.counts[kind];
      all.key = std::min(all.key, r.key);
    }
    const SoftError error = soft_error_of(all, layout_, stage, examination);
    const auto& [i, j, k] = error.cell;
    diagnosis_ = conclude(error, examine_in_full(args, examination, i, j, k, first_order), layout_);
    return error.cure();
  }

  Diagnosis diagnosis() override { return diagnosis_; }

  void start_timer() override { timer_ = omp_get_wtime(); }
  double stop_timer() override { return omp_get_wtime() - timer_; }

  double stages_seconds() override {
    start_timer();
    for (int stage = 1; stage <= stages_; ++stage) stage_(arguments(stage), muted_reporter(), threads_);
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
  std::int64_t device_bytes() const override { return 0; }
  std::int64_t host_bytes() const override {
    return 3 * layout_.values() * static_cast<std::int64_t>(sizeof(Real)) +
           2 * static_cast<std::int64_t>(flags_.size());
  }
  KernelInfo kernel_info() const override { return {.name = "host stage"}; }

 private:
  using Buffer = std::unique_ptr<Real[], void (*)(Real*)>;

  /// All threads of the machine, but none that would wait at barriers more than it works.
  static int useful_threads(const Mesh& mesh) {
    constexpr std::int64_t cells_a_thread = 4096;
    return static_cast<int>(
        std::clamp<std::int64_t>(mesh.cell_count() / cells_a_thread, 1, omp_get_max_threads()));
  }

  /// Aligned, and first touched by the threads that will use it.
  Buffer allocate() {
    constexpr std::align_val_t line{64};
    Real* p = static_cast<Real*>(::operator new[](sizeof(Real) * layout_.values(), line, std::nothrow));
    if (!p)
      throw std::runtime_error("not enough memory for " + std::to_string(host_bytes() >> 20) +
                               " MiB of state: use fewer cells or single precision");
    const std::int64_t planes = layout_.values() / layout_.stride[2];
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

  template <class Sum>
  static void merge_lanes(Sum* lanes, int count) {
    for (int half = count / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) merge(lanes[l], lanes[l + half]);
  }
  /// In the order of totals.hpp.
  template <class Sum>
  static Sum sum_of(const std::vector<Sum>& rows) {
    std::vector<Sum> lanes(kRowLanes);
    for (std::size_t r = 0; r < rows.size(); ++r) merge(lanes[r % kRowLanes], rows[r]);
    merge_lanes(lanes.data(), kRowLanes);
    return lanes[0];
  }

  void fill_ghosts(Real* u, double time) {
    const std::int64_t count = ghost_cells_.count();
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t n = 0; n < count; ++n) {
      int i, j, k;
      ghost_cells_.cell(layout_, n, i, j, k);
      Conserved<Real> c;
      if (!ghost_state(rules_, u, i, j, k, time, c)) continue;
      store(layout_, u, i, j, k, c);
    }
  }

  /// Of remedies: the cells that were flagged when the attempt began; nullptr without one.
  const std::uint8_t* mask() const { return attempt_.remedy == Remedy::none ? nullptr : mask_.data(); }

  /// The stage under a remedy had its own raises muted: here its cells are mended, and looked at afterwards.
  void remedy(const StageArguments<Real>& args, int stage, const Reporter& reporter) {
    Real rate = 0;
    std::vector<FloorSums> rows(static_cast<std::size_t>(layout_.cells[1]) * layout_.cells[2]);
#pragma omp parallel for collapse(2) num_threads(threads_) reduction(max : rate)
    for (int k = 0; k < layout_.cells[2]; ++k)
      for (int j = 0; j < layout_.cells[1]; ++j) {
        FloorSums lanes[kCellLanes];
        for (int i = 0; i < layout_.cells[0]; ++i) {
          const Conserved<Real> c = remedied(args, problem_.scheme, rules_, mask(), attempt_.remedy,
                                             problem_.floors, i, j, k, lanes[i % kCellLanes]);
          store(layout_, args.out, i, j, k, c);
          Real own = 0;
          if (!inspect(args, c, own)) reporter.raise();
          rate = larger(own, rate);
        }
        merge_lanes(lanes, kCellLanes);
        rows[static_cast<std::size_t>(k) * layout_.cells[1] + j] = lanes[0];
      }
    verdict_.signal_rate = rate;
    add_floored(verdict_.floored, sum_of(rows), problem_, stage);
  }

  /// For a stage whose failures are to be mended, not reported.
  Reporter muted_reporter() {
    muted_.next_epoch(++muted_epoch_);
    return muted_.reporter(muted_epoch_, 1);
  }

  /// As if the stage had computed one cell wrongly.
  void strike(const StageArguments<Real>& args, const Reporter& reporter) {
    const auto& [i, j, k] = problem_.fault->cell;
    const Conserved<Real> c = corrupted(load(layout_, args.out, i, j, k), *problem_.fault, args.gas);
    store(layout_, args.out, i, j, k, c);
    Real rate = 0;
    if (!inspect(args, c, rate)) reporter.raise();
    verdict_.signal_rate = std::max<double>(verdict_.signal_rate, rate);
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

  StageArguments<Real> arguments(int stage) const {
    Real* const buffers[3] = {buffers_[0].get(), buffers_[1].get(), buffers_[2].get()};
    return stage_arguments(problem_, layout_, rotation_, buffers, plan_.dt, stage);
  }

  Problem problem_;
  Layout layout_;
  GhostRules<Real> rules_;
  GhostCells ghost_cells_;
  int threads_;
  int stages_;
  HostStage<Real> stage_;
  Buffer buffers_[3] = {{nullptr, nullptr}, {nullptr, nullptr}, {nullptr, nullptr}};
  Rotation rotation_;
  soft_error::HostChannel<> channel_, muted_;
  std::uint64_t muted_epoch_ = 0;
  StepControl control_;
  Attempt attempt_;
  StepPlan plan_;  // of the attempt
  Verdict verdict_;
  Diagnosis diagnosis_;
  std::vector<std::uint8_t> flags_, mask_;  // cells found bad in this step; those a remedy is about
  double timer_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_host_solver(const Problem& problem, int threads) {
  if (!problem.reports) throw std::runtime_error("there is no host stage without reports");
  if (problem.scheme.precision == Precision::single_precision)
    return std::make_unique<HostSolver<float>>(problem, threads);
  return std::make_unique<HostSolver<double>>(problem, threads);
}

}  // namespace halfstep
