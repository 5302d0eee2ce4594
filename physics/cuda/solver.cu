// The CUDA backend: the solver on one device. Twin of host/solver.cpp.
#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <deque>
#include <stdexcept>

#include "physics/base/classify.hpp"
#include "physics/cuda/fourth_order_flux.hpp"
#include "physics/cuda/histogram.hpp"
#include "physics/cuda/rhs_terms.hpp"
#include "physics/cuda/rows_of_cells.hpp"
#include "physics/cuda/snapshot.hpp"
#include "physics/cuda/stage/launch.hpp"
#include "physics/diagnostics/sums.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/flux/dispatch.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/mesh/ghosts.hpp"
#include "physics/recovery/diagnose.hpp"
#include "physics/recovery/first_order_correction.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/solver/attempt_progress.hpp"
#include "physics/solver/inflow.hpp"
#include "physics/solver/solver.hpp"
#include "physics/solver/stage_arguments.hpp"
#include "physics/sources/half_source.hpp"
#include "physics/stage/check.hpp"
#include "physics/stage/first_order_faces.hpp"
#include "physics/stage/integrator.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/interruptible/device_tile_queue.hpp"
#include "runtime/interruptible/launcher.hpp"
#include "runtime/soft_error/device_channel.hpp"

namespace halfstep {

namespace {

using Reporter = soft_error::Reporter<>;

constexpr int kSmallBlock = 128;      // threads per block of the small kernels
constexpr int kSourceThreads = 1024;  // a source's threads per multiprocessor
constexpr int kRateBlocks = 16;       // max_cfl_rate's blocks per multiprocessor
constexpr int kMaxPhases = 5;
constexpr int kRecords = 1024;  // attempts that may be under way

/// The step control in device memory, with the times and sums of the attempt under way.
struct DeviceControl {
  StepControl step;
  double output_time[kMaxPhases];  // of the outputs of the attempt's phases
  StageResult result;
  StageResult before;  // `result` at the beginning of the phase, for an attempt in slices
};

/// An attempt's result for the host, in pinned memory.
struct AttemptRecord {
  StepPlan plan;
  double cfl_rate;
  std::int64_t repaired_faces;
  PartialTotals totals;
  bool accepted, raised;
  std::uint64_t epoch;  // stored last, when the rest is complete
};

template <class Real>
__device__ void add_rate(StageResult* result, Real rate) {
  atomicMax(&result->cfl_rate_bits,
            static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(rate))));
}

__device__ std::int64_t global_thread() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Finds the cell of this thread, x fastest; returns false beyond the last cell.
__device__ bool thread_cell(const Layout& l, int& i, int& j, int& k) {
  const std::int64_t n = global_thread();
  i = static_cast<int>(n % l.cells[0]);
  j = static_cast<int>(n / l.cells[0] % l.cells[1]);
  const std::int64_t plane = n / l.cells[0] / l.cells[1];
  k = static_cast<int>(plane);
  return plane < l.cells[2];
}

/// The defects that diagnosis counted, in pinned memory.
struct DefectsRecord {
  Defects defects;
  std::uint64_t epoch;  // stored last, when the rest is complete
};

/// Prepares the attempt that control.step plans.
__device__ void prepare_attempt(DeviceControl& control, const Phases& phases) {
  for (int phase = 1; phase <= phases.count(); ++phase)
    control.output_time[phase - 1] = output_time(phases, phase, control.step.state.time, control.step.plan);
  control.result = {};
}

__global__ void reset_to(DeviceControl* control, const __grid_constant__ StepControl step, Phases phases) {
  control->step = step;
  prepare_attempt(*control, phases);
}

/// Ends an attempt: accepts it and plans the next one, or cancels the attempts queued behind it; writes the
/// record for the host. `reporter`: of stage 0, so that only what happened before the attempt cancels it.
__global__ void end_attempt(DeviceControl* control, Phases phases, std::uint64_t epoch,
                            const PartialTotals* totals, double inflow_rate, Reporter reporter,
                            AttemptRecord* record) {
  if (reporter.cancelled()) return;
  StepControl& step = control->step;
  const StepPlan plan = step.plan;
  const double rate = __longlong_as_double(static_cast<long long>(control->result.cfl_rate_bits));
  const bool raised = reporter.raised(), accepted = finish_attempt(step, raised, rate, inflow_rate);
  if (!accepted || rests_after(plan, step.state, step.limits)) soft_error::detail::cancel_later(reporter);
  record->plan = plan;
  record->cfl_rate = accepted ? step.cfl_rate : rate;
  record->repaired_faces = static_cast<std::int64_t>(control->result.bad_faces);
  if (totals) record->totals = *totals;
  record->raised = raised;
  record->accepted = accepted;
  prepare_attempt(*control, phases);
  // Release at system scope: a host that reads this epoch reads the rest of the record as written here.
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(record->epoch)
      .store(epoch, cuda::memory_order_release);
}

template <class Real>
__global__ void fill_ghosts(const __grid_constant__ BoundaryConditions<Real> rules,
                            const __grid_constant__ GhostCells cells, Real* u, const double* time,
                            Reporter reporter) {
  const std::int64_t n = global_thread();
  if (n >= cells.count() || reporter.cancelled()) return;
  int i, j, k;
  cells.cell(rules.layout, n, i, j, k);
  fill_ghost(rules, u, i, j, k, *time);
}

/// Integrates half of the source in one launch.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock) half_source(const __grid_constant__ SourceArguments<Real> a) {
  SourceRecord record;
  NoSafePoints safe_points{global_thread()};
  if (safe_points.thread() < a.threads) integrate_cells(a, record, safe_points);
}

template <class Real>
__global__ void look_for_spikes(const __grid_constant__ StageArguments<Real> a,
                                const __grid_constant__ Detection detection, Reporter reporter) {
  int i, j, k;
  if (reporter.cancelled() || !thread_cell(a.layout, i, j, k)) return;
  if (is_spike(detection, a.layout, a.out, i, j, k, a.gas)) reporter.raise();
}

/// Checks a cell that was updated after the stage, as the stage does, and reduces its CFL rate.
template <class Real>
__device__ void look_at(const StageArguments<Real>& a, int i, int j, int k, StageResult* result,
                        const Reporter& reporter) {
  Real rate = 0;
  if (!is_admissible(a, i, j, k, rate)) reporter.raise();
  if (a.wants_rate) add_rate(result, rate);
}

/// Applies the fault to one cell of the stage's output, and checks that cell.
template <class Real>
__global__ void inject_fault(const __grid_constant__ StageArguments<Real> a,
                             const __grid_constant__ Fault fault, StageResult* result, Reporter reporter) {
  if (reporter.cancelled()) return;
  const int i = fault.cell[0], j = fault.cell[1], k = fault.cell[2];
  store(a.layout, a.out, i, j, k, corrupted(load(a.layout, a.out, i, j, k), fault, a.gas));
  look_at(a, i, j, k, result, reporter);
}

/// Raises what had been raised before the attempt was restored.
__global__ void raise_again(Reporter reporter) { reporter.raise(); }

/// Reduces the largest CFL rate of the state `u`, ghost cells included. Raises where a cell of the domain has
/// no positive finite pressure and rate.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    max_cfl_rate(const __grid_constant__ StageArguments<Real> a, const Real* u,
                 const __grid_constant__ RhsTerms terms, StageResult* result, Reporter reporter) {
  if (reporter.cancelled()) return;
  const Layout& l = a.layout;
  const int gx = l.ghosts[0], gy = l.ghosts[1], gz = l.ghosts[2];
  const std::int64_t wide_x = l.cells[0] + 2 * gx, wide_y = l.cells[1] + 2 * gy,
                     count = wide_x * wide_y * (l.cells[2] + 2 * gz);
  Real rate = 0;
  bool good = true;
  for (std::int64_t n = global_thread(); n < count; n += std::int64_t{gridDim.x} * blockDim.x) {
    const int i = static_cast<int>(n % wide_x) - gx, j = static_cast<int>(n / wide_x % wide_y) - gy,
              k = static_cast<int>(n / wide_x / wide_y) - gz;
    const Primitive<Real> q = to_primitive(load(l, u, i, j, k), a.gas);
    const Real own = cfl_rate(q, a.inverse_dx, a.gas, terms);
    good &= (positive_and_finite(q.pressure) & positive_and_finite(own)) | !l.holds(i, j, k);
    rate = larger(own, rate);
  }
  if (!good) reporter.raise();
  for (int lane = 16; lane > 0; lane /= 2) rate = larger(__shfl_xor_sync(~0u, rate, lane), rate);
  if (threadIdx.x % 32 == 0) add_rate(result, rate);
}

/// Counts the defects in the output of a stage and sets the bad cells in `flags`. Only integers are reduced,
/// so the result is reproducible. `mask`: the cells of the attempt's remedy.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    find_defects(const __grid_constant__ StageArguments<Real> a, const __grid_constant__ DiagnosisSetup e,
                 const __grid_constant__ BoundaryConditions<Real> rules, const std::uint8_t* mask,
                 std::uint8_t* flags, Defects* defects) {
  // Reduced by warp and block first: where every cell is bad, a quarter of a million atomics on one word take
  // longer than the step.
  __shared__ unsigned counts[kSoftErrorKinds];
  __shared__ unsigned long long key;
  if (threadIdx.x < kSoftErrorKinds) counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) key = kNoDefect;
  __syncthreads();
  int i, j, k, kind = -1;
  if (thread_cell(a.layout, i, j, k)) {
    kind = diagnose_cell(a, e, i, j, k, FirstOrderFaces<Real>{rules, mask}).kind;
    if (kind >= 0 && calls_for_remedy(kind)) flags[global_thread()] = 1;
  }
  __syncwarp();
  const unsigned alike = __match_any_sync(~0u, kind);
  if (kind >= 0 && threadIdx.x % 32 == __ffs(alike) - 1) {
    atomicAdd(&counts[kind], __popc(alike));
    atomicMin(&key, static_cast<unsigned long long>(defect_key(kind, global_thread())));
  }
  __syncthreads();
  if (key == kNoDefect) return;
  if (threadIdx.x < kSoftErrorKinds && counts[threadIdx.x] > 0)
    atomicAdd(&defects->counts[threadIdx.x], static_cast<unsigned long long>(counts[threadIdx.x]));
  if (threadIdx.x == 0) atomicMin(&defects->key, key);
}

/// The first-order faces of the one cell of a patch, for replay_cell().
struct PatchFaces {
  bool first_order[3][2];
  HALFSTEP_HD bool operator()(int, int, int, int axis, int side) const { return first_order[axis][side]; }
};

/// Copies the inputs of the reported cell's update to a mesh of that one cell, so that the redo may overwrite
/// the stage, and writes the defects for the host. `patch`: the stage's arguments with the patch's layout and
/// memory.
template <class Real>
__global__ void gather_reported(const __grid_constant__ StageArguments<Real> a,
                                const __grid_constant__ StageArguments<Real> patch, Real* const patch_in,
                                Real* const patch_start, PatchFaces* faces,
                                const __grid_constant__ BoundaryConditions<Real> rules,
                                const std::uint8_t* mask, Defects* defects, std::uint64_t epoch,
                                DefectsRecord* to_host) {
  int i, j, k;
  reported_cell(a.layout, defects->key, i, j, k);
  const Layout& p = patch.layout;
  const int wide_x = 1 + 2 * p.ghosts[0], wide_y = 1 + 2 * p.ghosts[1], wide_z = 1 + 2 * p.ghosts[2];
  for (int n = threadIdx.x; n < wide_x * wide_y * wide_z; n += blockDim.x) {
    const int x = n % wide_x - p.ghosts[0], y = n / wide_x % wide_y - p.ghosts[1],
              z = n / wide_x / wide_y - p.ghosts[2];
    const std::int64_t from = a.layout.index(i + x, j + y, k + z), to = p.index(x, y, z);
    for (int f = 0; f < p.fields; ++f) {
      const std::int64_t from_f = from + f * a.layout.field_stride, to_f = to + f * p.field_stride;
      patch_in[to_f] = a.in[from_f];
      patch_start[to_f] = a.start[from_f];
      patch.out[to_f] = a.out[from_f];
    }
  }
  if (threadIdx.x < 6) {
    const int axis = threadIdx.x / 2, side = threadIdx.x % 2;
    faces->first_order[axis][side] =
        p.ghosts[axis] > 0 && FirstOrderFaces<Real>{rules, mask}(i, j, k, axis, side);
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  to_host->defects = *defects;
  *defects = {{}, kNoDefect};  // for the next diagnosis
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(to_host->epoch)
      .store(epoch, cuda::memory_order_release);
}

template <class Real>
__global__ void diagnose_reported(const __grid_constant__ StageArguments<Real> patch,
                                  const __grid_constant__ DiagnosisSetup e, const PatchFaces* faces,
                                  CellDiagnosis<Real>* to_host) {
  *to_host = diagnose_in_full(patch, e, 0, 0, 0, *faces);
}

template <bool with_enstrophy, class Real>
__global__ void sum_rows(const __grid_constant__ Layout l, const Real* u, double gamma,
                         const __grid_constant__ InverseSpacing inverse, PartialTotals* rows,
                         Reporter reporter) {
  if (reporter.cancelled()) return;
  reduce_rows_of_cells<kSmallBlock>(l, rows, [&](PartialTotals& sum, int i, int j, int k) {
    add_cell(sum, l, u, i, j, k, gamma);
    if constexpr (with_enstrophy) sum.enstrophy += enstrophy_density(l, u, i, j, k, inverse.along);
  });
}

/// Applies the attempt's remedy to the stage's cells, then checks them: the stage's own raises were muted.
/// `dt`: the step's, in place of the arguments'.
template <class Real>
__global__ void correct_cells(const __grid_constant__ StageArguments<Real> stage, const double* dt,
                              const __grid_constant__ Scheme scheme,
                              const __grid_constant__ BoundaryConditions<Real> rules,
                              const std::uint8_t* mask, Remedy remedy, Floors floors, FloorSums* rows,
                              StageResult* result, Reporter reporter) {
  StageArguments<Real> a = stage;
  a.dt = static_cast<Real>(*dt);
  reduce_rows_of_cells<kSmallBlock>(a.layout, rows, [&](FloorSums& sum, int i, int j, int k) {
    correct_to_first_order(a, scheme, rules, mask, remedy, floors, i, j, k, sum);
    look_at(a, i, j, k, result, reporter);
  });
}

/// Reduces the rows' sums to one, in sums[0].
template <class Sum>
__global__ void __launch_bounds__(kRowLanes)
    sum_over_rows(const Sum* rows, std::int64_t count, Sum* sums /* kRowLanes */, Reporter reporter) {
  if (reporter.cancelled()) return;
  reduce_over_rows(rows, count, sums);
}

template <class Real>
class CudaSolver final : public Solver, public Instruments {
 public:
  explicit CudaSolver(const Problem& problem)
      : problem_(problem),
        layout_(problem.mesh, ghost_layers(problem.scheme.reconstruction), problem.fields()),
        rules_(layout_, problem.mesh, problem.boundary, problem.prescribed, problem.gamma,
               problem.terms.gravity),
        ghost_cells_(layout_),
        reads_wrap_(wraps(rules_) && !problem.terms.viscous() && !problem.has_fourth_order_flux() &&
                    !problem.detection.looks_for_spikes()),
        slice_{.milliseconds_per_launch = problem.slice_ms},
        rotation_{.phases = {problem.scheme.integrator, problem.source.active()}},
        snapshots_(layout_),
        patch_layout_({1, 1, 1}, {layout_.ghosts[0], layout_.ghosts[1], layout_.ghosts[2]},
                      problem.fields()) {
    HALFSTEP_CUDA(cudaGetDeviceProperties(&device_, 0));
    use_stage({});
    source_threads_ = std::min<std::int64_t>(problem.mesh.cell_count(),
                                             std::int64_t{device_.multiProcessorCount} * kSourceThreads);
    if (sliced()) queue_.emplace();
    if (problem.source.active() && sliced()) source_.emplace(source_threads_, kSmallBlock);
    try {
      for (int n = 0; n < rotation_.buffers(); ++n) buffers_.emplace_back(layout_.values());
      terms_ = DeviceBuffer<Real>(rhs_values(problem, layout_, 0));
      control_ = DeviceBuffer<DeviceControl>(1);
      rows_ = DeviceBuffer<PartialTotals>(row_count());
      sums_ = DeviceBuffer<PartialTotals>(kRowLanes);
      floored_rows_ = DeviceBuffer<FloorSums>(row_count());
      floored_sums_ = DeviceBuffer<FloorSums>(kRowLanes);
      flags_ = DeviceBuffer<std::uint8_t>(cells());
      mask_ = DeviceBuffer<std::uint8_t>(cells());
      defects_ = DeviceBuffer<Defects>(1);
      patch_ = DeviceBuffer<Real>(3 * patch_layout_.values());
      faces_ = DeviceBuffer<PatchFaces>(1);
    } catch (const CudaError& error) {
      if (error.code != cudaErrorMemoryAllocation) throw;
      throw std::runtime_error("not enough memory on " + std::string(device_.name) + ": the state needs " +
                               std::to_string(state_values() * sizeof(Real) >> 20) + " MiB of its " +
                               std::to_string(device_.totalGlobalMem >> 20) +
                               " MiB; use fewer cells or single precision");
    }
    const Defects none{{}, kNoDefect};
    HALFSTEP_CUDA(cudaMemcpy(defects_.get(), &none, sizeof none, cudaMemcpyHostToDevice));
  }

  void set_state(StateRows& state, double time) override {
    const std::int64_t length = ExtendedRows(layout_).length, stride = layout_.stride[1];
    const std::int64_t margin = layout_.index(-layout_.ghosts[0], -layout_.ghosts[1], -layout_.ghosts[2]);
    std::vector<Real> slab;
    inflow_rate_ = 0;
    for_slabs(layout_, state, [&](std::int64_t first, std::int64_t count, const RowPointers& values) {
      inflow_rate_ =
          std::max(inflow_rate_, inflow_rate(rules_, plain_arguments(rotation_, 1), first, count, values));
      slab.assign(static_cast<std::size_t>(count * stride), Real(1));
      for (int f = 0; f < layout_.fields; ++f) {
        for (std::int64_t n = 0; n < count; ++n)
          std::copy_n(values[f] + n * length, length, slab.begin() + n * stride + margin);
        put(buffers_[0].get() + f * layout_.field_stride + first * stride, slab.data(),
            slab.size() * sizeof(Real));
      }
    });
    for (std::size_t n = 1; n < buffers_.size(); ++n)
      HALFSTEP_CUDA(cudaMemcpyAsync(buffers_[n].get(), buffers_[0].get(), state_bytes(),
                                    cudaMemcpyDeviceToDevice, stream_));
    resume({}, {.time = time}, 1);
    DeviceControl* control = control_.get();
    HALFSTEP_CUDA(cudaMemcpyAsync(control->output_time, &time, sizeof time, cudaMemcpyHostToDevice, stream_));
    launch_fill_ghosts(start(), control->output_time, channel_.reporter(last_epoch_ + 1, 0));
    stream_.synchronize();
  }

  void get_state(Fields& interior) override { interior = widened(snapshot()->fields()); }

  double cfl_rate() override {
    clear_rate();
    expect_ghosts(start());
    launch_cfl_rate(start(), muted_reporter());
    return std::bit_cast<double>(fetched(&control_.get()->result.cfl_rate_bits));
  }

  Totals totals() override {
    launch_totals(start(), channel_.reporter(last_epoch_ + 1, 0));
    return to_totals(fetched(sums_.get()), problem_.mesh);
  }

  Histogram histogram(const HistogramRequest& request) override {
    return histograms_.make(request, {request.field, layout_, start(), problem_.gamma}, stream_);
  }

  std::unique_ptr<Snapshot> snapshot() override { return snapshots_.make(start(), stream_); }

  void resume(const StepLimits& limits, const StepState& state, double rate) override {
    abandon_queued_attempts();
    queued_ = rotation_;
    channel_.next_epoch(last_epoch_ + 1);  // queued attempts stay cancelled, new ones are not
    reset_to<<<1, 1, 0, stream_>>>(control_.get(), step_control(limits, state, rate), phases());
    HALFSTEP_CUDA_LAUNCHED("reset_to");
  }

  void launch(const Attempt& attempt) override {
    last_epoch_ = attempt.epoch;
    under_way_.push_back({attempt, {}});
    if (attempt.remedy != Remedy::none)
      HALFSTEP_CUDA(cudaMemcpyAsync(mask_.get(), flags_.get(), cells(), cudaMemcpyDeviceToDevice, stream_));
    if (sliced()) {
      begin_phase(1);
      if (to_restore_) restore(std::move(*std::exchange(to_restore_, std::nullopt)));
      return;
    }
    for (int phase = 1; phase <= phases().count(); ++phase) {
      launch_sweep(attempt, phase);
      finish_phase(attempt, phase);
      // Under a remedy, which is rare, a phase that raises must be the last one.
      if (attempt.remedy != Remedy::none && channel_.poll()) break;
    }
    launch_end(attempt);
  }

  bool advance() override {
    if (!sliced() || phase_ > phases().count()) return true;
    const Attempt& attempt = under_way_.front().attempt;
    const bool finished = phases().is_source(phase_) ? source_slice(attempt) : stage_slice(attempt);
    queue_->pause().withdraw();
    if (source_) source_->pause().withdraw();
    if (finished) {
      finish_phase(attempt, phase_);
      stream_.synchronize();  // its raises belong to this phase, also in a checkpoint taken now
      begin_phase(channel_.poll() ? phases().count() + 1 : phase_ + 1);
    }
    if (phase_ <= phases().count()) return false;
    launch_end(attempt);
    return true;
  }

  void pause() noexcept override {
    if (!sliced()) return;
    queue_->pause().request();
    if (source_) source_->pause().request();
  }

  AttemptProgress get_progress() override {
    const auto& [attempt, floored] = under_way_.front();
    const bool source = phases().is_source(phase_);
    const DeviceControl control = fetched(control_.get());
    AttemptProgress progress;
    progress.attempt = attempt;
    progress.phase = phase_;
    progress.done = source ? 0 : queue_->done();
    progress.tiling = tiling();
    progress.raised = bool(channel_.poll());
    progress.cfl_rate = std::bit_cast<double>(control.result.cfl_rate_bits);
    progress.repaired_faces = static_cast<std::int64_t>(control.result.bad_faces);
    progress.repaired_before = static_cast<std::int64_t>(control.before.bad_faces);
    progress.floored = floored;
    for_states_under_way(rotation_, progress, [&](std::vector<std::byte>& bytes, int buffer) {
      bytes.resize(state_bytes());
      expect_ghosts(buffers_[buffer].get());
      fetch(bytes.data(), buffers_[buffer].get(), state_bytes());
    });
    if (source) progress.records = bytes_of(source_->records());
    const auto fetch_flags = [&](std::vector<std::uint8_t>& to, const DeviceBuffer<std::uint8_t>& from) {
      to.resize(cells());
      fetch(to.data(), from.get(), cells());
    };
    if (attempt.number > 1) fetch_flags(progress.flags, flags_);
    if (attempt.remedy != Remedy::none) fetch_flags(progress.mask, mask_);
    return progress;
  }

  void set_progress(AttemptProgress progress) override { to_restore_ = std::move(progress); }

  AttemptResult await() override {
    while (!advance()) {
    }
    const auto [attempt, floored] = under_way_.front();
    under_way_.pop_front();
    AttemptRecord& told = *record(attempt.epoch);
    wait_for(told.epoch, attempt.epoch);
    attempt_ = attempt;
    verdict_ = {.plan = told.plan,
                .remedy = attempt.remedy,
                .accepted = told.accepted,
                .raised = told.raised,
                .phase = told.raised ? channel_.poll().stage : 0,
                .cfl_rate = told.cfl_rate,
                .repaired_faces = told.repaired_faces,
                .floored = floored,
                .totals = {}};
    if (attempt.wants_totals) verdict_.totals = to_totals(told.totals, problem_.mesh);
    if (verdict_.accepted) rotation_.accept();
    return verdict_;
  }

  int max_depth() const override { return sliced() ? 1 : kRecords; }

  Cure diagnose() override {
    abandon_queued_attempts();
    const int phase = failed_phase(verdict_, phases());
    const StageArguments<Real> args = arguments(rotation_, phase);
    const DiagnosisSetup setup = diagnosis_setup(problem_, verdict_, phases());
    // Flags of this step accumulate: a remedy after which other cells fail is widened, not moved.
    if (attempt_.number == 1) HALFSTEP_CUDA(cudaMemsetAsync(flags_.get(), 0, cells(), stream_));
    const std::uint8_t* mask = attempt_.remedy == Remedy::none ? nullptr : mask_.get();
    expect_ghosts(args.in);
    find_defects<<<cell_blocks(), kSmallBlock, 0, stream_>>>(args, setup, rules_, mask, flags_.get(),
                                                             defects_.get());
    HALFSTEP_CUDA_LAUNCHED("find_defects");

    // The reported cell is diagnosed in full concurrently with the redo, from a copy of its inputs.
    StageArguments<Real> patch = args;
    patch.layout = patch_layout_;
    Real* const in = patch_.get();
    Real* const start = in + patch_layout_.values();
    patch.in = in;
    patch.start = start;
    patch.out = start + patch_layout_.values();
    replayed_.hold_back(stream_);
    gather_reported<<<1, 352, 0, stream_>>>(args, patch, in, start, faces_.get(), rules_, mask,
                                            defects_.get(), attempt_.epoch, found_.device());
    HALFSTEP_CUDA_LAUNCHED("gather_reported");
    gathered_.record(stream_);
    gathered_.hold_back(replay_stream_);
    diagnose_reported<<<1, 1, 0, replay_stream_>>>(patch, setup, faces_.get(), examined_.device());
    HALFSTEP_CUDA_LAUNCHED("diagnose_reported");
    replayed_.record(replay_stream_);

    wait_for(found_.host()->epoch, attempt_.epoch);
    error_ = soft_error_of(found_.host()->defects, layout_, phases().stage(phase), setup);
    return error_.cure();
  }

  Diagnosis diagnosis() override {
    replay_stream_.synchronize();
    return make_diagnosis(error_, *examined_.host(), layout_);
  }

  Instruments& instruments() override { return *this; }
  void start_timer() override { began_.record(stream_); }
  double stop_timer() override {
    ended_.record(stream_);
    return ended_.seconds_since(began_);
  }
  void start_part_times() override { parts_.start(); }
  std::vector<PartTime> part_times() override { return parts_.stop(); }

  void use_stage(const StageVariant& variant) override {
    stage_ = variant;
    if (!variant.kernel) {
      stage_.kernel = reinterpret_cast<const void*>(
          with_stage(problem_.scheme, problem_.has_reactant,
                     [&]<class R, Variables v, class S, int fields, bool positive>() {
                       return stage_kernel<R, v, S, Real, RaiseOnce, fields,
                                           std::conditional_t<positive, PositivityLimiter, NoCorrection>>();
                     }));
      cudaFuncAttributes attributes{};
      HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, stage_.kernel));
      stage_.threads = kernel_configuration(problem_.scheme, attributes.ptxVersion).threads;
    }
    launch_configuration_ = launch_configuration<Real>(stage_, layout_, device_);
  }

  double stages_seconds() override {
    for (const auto& buffer : buffers_) expect_ghosts(buffer.get());  // kernels of studies may read ghosts
    start_timer();
    for (int stage = 1; stage <= stage_count(problem_.scheme.integrator); ++stage) {
      const int phase = phases().phase_of(stage);
      launch_stage(arguments(rotation_, phase), channel_.reporter(last_epoch_ + 1, phase));
    }
    return stop_timer();
  }

  std::string backend() const override { return "cuda"; }
  std::string device_name() const override { return device_.name; }
  int host_threads() const override { return 0; }
  std::int64_t device_bytes() const override {
    return static_cast<std::int64_t>(state_values() * sizeof(Real) +
                                     row_count() * (sizeof(PartialTotals) + sizeof(FloorSums)) +
                                     2 * cells()) +
           snapshots_.device_bytes() + histograms_.device_bytes();
  }
  std::int64_t host_bytes() const override {
    const ExtendedRows rows(layout_);
    return rows.in_slab(layout_.fields) * rows.length * layout_.fields *
           static_cast<std::int64_t>(sizeof(double));
  }

  KernelInfo kernel_info() const override {
    return halfstep::kernel_info(stage_.kernel, launch_configuration_, device_);
  }

 private:
  struct UnderWay {
    Attempt attempt;
    FloorSums floored;
  };

  static unsigned blocks_for(std::int64_t threads) {
    return static_cast<unsigned>((threads + kSmallBlock - 1) / kSmallBlock);
  }
  std::size_t cells() const { return static_cast<std::size_t>(problem_.mesh.cell_count()); }
  unsigned cell_blocks() const { return blocks_for(problem_.mesh.cell_count()); }
  std::int64_t row_count() const { return std::int64_t{layout_.cells[1]} * layout_.cells[2]; }
  Real* start() const { return buffers_[rotation_.start].get(); }

  AttemptRecord* record(std::uint64_t epoch) const { return records_.host()->data() + epoch % kRecords; }

  /// Waits until the device has stored `value` in pinned memory. Calls CUDA only after seconds, to find out
  /// whether the device has failed: throws CudaError, or std::logic_error if it ended without storing it.
  void wait_for(std::uint64_t& word, std::uint64_t value) const {
    using Clock = std::chrono::steady_clock;
    constexpr int looks_a_watch = 1 << 14;
    const std::atomic_ref<std::uint64_t> shown(word);
    auto patience = std::chrono::seconds(2);
    const auto began = Clock::now();
    for (int look = 1; shown.load(std::memory_order_acquire) != value; ++look) {
      if (look % looks_a_watch != 0 || Clock::now() - began < patience) continue;
      patience *= 2;
      const cudaError_t status = cudaStreamQuery(stream_);
      if (status == cudaErrorNotReady) continue;
      HALFSTEP_CUDA(status);
      if (shown.load(std::memory_order_acquire) != value)
        throw std::logic_error("the device has done its work and told nothing of it");
    }
  }

  /// Drops the queued attempts. Cancelled attempts still occupy the stream: switches to the second stream so
  /// that the redo does not wait for them. (All work that counts has ended: the host has its record.)
  void abandon_queued_attempts() {
    if (under_way_.empty()) return;
    under_way_.clear();
    std::swap(stream_, other_stream_);
  }

  /// Returns the number of values in the rotating buffers and in terms_.
  std::int64_t state_values() const {
    return rotation_.buffers() * layout_.values() + rhs_values(problem_, layout_, 0);
  }

  void clear_rate() {
    HALFSTEP_CUDA(cudaMemsetAsync(&control_.get()->result.cfl_rate_bits, 0,
                                  sizeof(StageResult::cfl_rate_bits), stream_));
  }

  const Phases& phases() const { return rotation_.phases; }
  bool sliced() const { return slice_.milliseconds_per_launch > 0; }
  std::size_t state_bytes() const { return static_cast<std::size_t>(layout_.values()) * sizeof(Real); }

  void launch_sweep(const Attempt& attempt, int phase) {
    if (!phases().is_source(phase)) {
      add_rhs_terms(attempt, phase);
      return launch_stage(arguments(queued_, phase), sweep_reporter(attempt, phase));
    }
    parts_.time("source", stream_, [&] {
      half_source<<<blocks_for(source_threads_), kSmallBlock, 0, stream_>>>(source_arguments(attempt, phase));
      HALFSTEP_CUDA_LAUNCHED("half_source");
    });
  }

  /// Queues the computation of the state that the stage of a phase starts from, if that is not U^n.
  void add_rhs_terms(const Attempt& attempt, int phase) {
    if (!problem_.starts_from_rhs_terms()) return;
    const StartOfStage start(problem_, attempt.remedy);
    const double* dt = &control_.get()->step.plan.dt;
    const Reporter reporter = channel_.reporter(attempt.epoch, phase);
    StageArguments<Real> args = plain_arguments(queued_, phase);
    if (start.has_terms) {
      const auto terms = rhs_arguments(problem_, args, terms_.get() + layout_.values(), terms_.get());
      parts_.time("terms", stream_, [&] {
        launch_rhs_terms(problem_.terms, terms, dt, reporter, device_.sharedMemPerBlockOptin, stream_);
      });
      args = on_top_of(terms_.get(), args);
    }
    if (start.is_corrected) {
      args.out = terms_.get();
      parts_.time("averages", stream_, [&] { launch_fourth_order_fluxes(args, dt, reporter, stream_); });
    }
    if (problem_.terms.has_gravity()) {
      args.out = terms_.get();
      const std::uint8_t* mask = attempt.remedy == Remedy::none ? nullptr : mask_.get();
      parts_.time("walls", stream_, [&] {
        launch_close_walls<Real>(args, {problem_.scheme, rules_, mask, start.is_corrected}, dt, reporter,
                                 stream_);
      });
    }
  }

  void launch_cfl_rate(const Real* u, const Reporter& reporter) {
    const auto blocks_at_once = static_cast<unsigned>(device_.multiProcessorCount * kRateBlocks);
    parts_.time("signal rate", stream_, [&] {
      max_cfl_rate<<<std::min(cell_blocks(), blocks_at_once), kSmallBlock, 0, stream_>>>(
          plain_arguments(rotation_, 1), u, problem_.terms, &control_.get()->result, reporter);
      HALFSTEP_CUDA_LAUNCHED("max_cfl_rate");
    });
  }

  SourceArguments<Real> source_arguments(const Attempt& attempt, int phase) {
    DeviceControl* control = control_.get();
    return {arguments(queued_, phase),
            problem_.source,
            &control->step.plan.dt,
            channel_.reporter(attempt.epoch, phase),
            &control->result.cfl_rate_bits,
            source_threads_,
            0};
  }

  bool source_slice(const Attempt& attempt) {
    bool done = false;
    parts_.time("source", stream_,
                [&] { done = source_->slice(source_arguments(attempt, phase_), slice_, stream_); });
    return done;
  }

  /// Returns the reporter of a stage's sweep, muted under a remedy: its failures are to be corrected.
  Reporter sweep_reporter(const Attempt& attempt, int phase) {
    return attempt.remedy == Remedy::none ? channel_.reporter(attempt.epoch, phase) : muted_reporter();
  }
  Reporter muted_reporter() {
    muted_.next_epoch(++muted_epoch_);
    return muted_.reporter(muted_epoch_, 1);
  }

  void launch_stage(const StageArguments<Real>& args, const Reporter& reporter) {
    launch_stage(args, reporter, {}, launch_configuration_.grid);
  }
  void launch_stage(const StageArguments<Real>& args, const Reporter& reporter,
                    const interruptible::TileQueueView& queue, dim3 grid) {
    DeviceControl* control = control_.get();
    const LaunchConfiguration& l = launch_configuration_;
    CudaStage<Real> stage{
        args, &control->step.plan.dt, reporter, &control->result, l.tiles_x, l.tiles(), l.march, queue, {}};
    if (reads_wrap_) std::copy_n(layout_.cells, 3, stage.period);
    void* parameters[] = {&stage};
    parts_.time(kStagePart, stream_, [&] {
      HALFSTEP_CUDA(cudaLaunchKernel(stage_.kernel, grid, l.block, parameters, l.shared_bytes, stream_));
    });
  }

  /// Queues the part of a phase that follows the sweep over the cells.
  void finish_phase(const Attempt& attempt, int phase) {
    const StageArguments<Real> args = arguments(queued_, phase);
    const Reporter reporter = channel_.reporter(attempt.epoch, phase);
    if (has_fault(problem_.fault, attempt, phases(), phase)) launch_inject_fault(args, reporter);
    if (attempt.remedy != Remedy::none && !phases().is_source(phase))
      correct_to_first_order(attempt, args, phase, reporter);
    if (!reads_wrap_) launch_fill_ghosts(args.out, &control_.get()->output_time[phase - 1], reporter);
    if (problem_.terms.viscous() && phase == phases().count()) launch_cfl_rate(args.out, reporter);
    if (!problem_.detection.looks_for_spikes()) return;
    parts_.time("spikes", stream_, [&] {
      look_for_spikes<<<cell_blocks(), kSmallBlock, 0, stream_>>>(args, problem_.detection, reporter);
      HALFSTEP_CUDA_LAUNCHED("look_for_spikes");
    });
  }

  void correct_to_first_order(const Attempt& attempt, const StageArguments<Real>& args, int phase,
                              const Reporter& reporter) {
    clear_rate();
    expect_ghosts(args.in);
    correct_cells<<<blocks_for(row_threads(row_count())), kSmallBlock, 0, stream_>>>(
        args, &control_.get()->step.plan.dt, problem_.scheme, rules_, mask_.get(), attempt.remedy,
        problem_.floors, floored_rows_.get(), &control_.get()->result, reporter);
    HALFSTEP_CUDA_LAUNCHED("correct_cells");
    sum_over_rows<<<1, kRowLanes, 0, stream_>>>(floored_rows_.get(), row_count(), floored_sums_.get(),
                                                reporter);
    HALFSTEP_CUDA_LAUNCHED("sum_over_rows");
    add_floored(under_way_.back().floored, fetched(floored_sums_.get()), problem_, phases().stage(phase));
  }

  void launch_end(const Attempt& attempt) {
    if (attempt.wants_totals)
      launch_totals(buffers_[queued_.output(phases().count())].get(),
                    channel_.reporter(attempt.epoch, phases().count()));
    parts_.time("settlement", stream_, [&] {
      end_attempt<<<1, 1, 0, stream_>>>(control_.get(), phases(), attempt.epoch,
                                        attempt.wants_totals ? sums_.get() : nullptr, inflow_rate_,
                                        channel_.reporter(attempt.epoch, 0), record(attempt.epoch));
      HALFSTEP_CUDA_LAUNCHED("end_attempt");
    });
    queued_.accept();
  }

  /// Begins a phase of an attempt in slices.
  void begin_phase(int phase) {
    phase_ = phase;
    has_terms_ = false;
    DeviceControl* control = control_.get();
    HALFSTEP_CUDA(cudaMemcpyAsync(&control->before, &control->result, sizeof(StageResult),
                                  cudaMemcpyDeviceToDevice, stream_));
    if (phases().is_source(phase))
      source_->reset();
    else
      queue_->start(launch_configuration_.pieces());
  }

  bool stage_slice(const Attempt& attempt) {
    // Done again when an attempt is restored in the middle of a stage.
    if (!std::exchange(has_terms_, true)) add_rhs_terms(attempt, phase_);
    const StageArguments<Real> args = arguments(queued_, phase_);
    const Reporter reporter = sweep_reporter(attempt, phase_);
    queue_->launch_slice(slice_, stream_, [&](const interruptible::TileQueueView& view, std::int64_t blocks) {
      launch_stage(args, reporter, view, dim3(static_cast<unsigned>(blocks)));
    });
    return queue_->wait(stream_) == queue_->tiles();
  }

  /// Returns the sizes of the pieces of the phase under way.
  std::array<std::int64_t, 3> tiling() const {
    if (phases().is_source(phase_)) return {source_threads_, 0, 0};
    return {launch_configuration_.tiles_x, launch_configuration_.tiles(), launch_configuration_.march};
  }

  /// Continues an attempt that was under way in another solver. A phase with other tiles is restarted from
  /// its input.
  void restore(const AttemptProgress& progress) {
    begin_phase(progress.phase);
    under_way_.front().floored = progress.floored;
    for_states_under_way(rotation_, progress, [&](const std::vector<std::byte>& bytes, int buffer) {
      expect_whole(bytes, state_bytes());
      put(buffers_[buffer].get(), bytes.data(), state_bytes());
    });
    if (!progress.flags.empty()) put(flags_.get(), progress.flags.data(), cells());
    if (!progress.mask.empty()) put(mask_.get(), progress.mask.data(), cells());
    const auto faces = [](std::int64_t n) { return static_cast<unsigned long long>(n); };
    const StageResult before{0, faces(progress.repaired_before)};
    StageResult result = before;
    if (progress.tiling == tiling()) {
      result = {std::bit_cast<unsigned long long>(progress.cfl_rate), faces(progress.repaired_faces)};
      if (phases().is_source(phase_))
        source_->set_records(records_in<SourceRecord>(progress.records));
      else
        queue_->start(launch_configuration_.pieces(), progress.done);
      if (progress.raised) {
        raise_again<<<1, 1, 0, stream_>>>(channel_.reporter(progress.attempt.epoch, phase_));
        HALFSTEP_CUDA_LAUNCHED("raise_again");
      }
    }
    put(&control_.get()->before, &before, sizeof before);
    put(&control_.get()->result, &result, sizeof result);
  }

  void launch_inject_fault(const StageArguments<Real>& args, const Reporter& reporter) {
    inject_fault<<<1, 1, 0, stream_>>>(args, *problem_.fault, &control_.get()->result, reporter);
    HALFSTEP_CUDA_LAUNCHED("inject_fault");
  }

  void launch_fill_ghosts(Real* u, const double* time, const Reporter& reporter) {
    parts_.time("ghosts", stream_, [&] {
      fill_ghosts<<<blocks_for(ghost_cells_.count()), kSmallBlock, 0, stream_>>>(rules_, ghost_cells_, u,
                                                                                 time, reporter);
      HALFSTEP_CUDA_LAUNCHED("fill_ghosts");
    });
  }

  /// Fills the ghost cells of the state `u` if the stages leave them stale. Interior cells are not changed.
  void expect_ghosts(const Real* u) { expect_ghosts(u, muted_reporter()); }
  void expect_ghosts(const Real* u, const Reporter& reporter) {
    if (reads_wrap_) launch_fill_ghosts(const_cast<Real*>(u), control_.get()->output_time, reporter);
  }

  /// Queues the summation of the state `u` to sums_[0].
  void launch_totals(const Real* u, const Reporter& reporter) {
    if (problem_.enstrophy) expect_ghosts(u, reporter);
    const auto sum = problem_.enstrophy ? sum_rows<true, Real> : sum_rows<false, Real>;
    sum<<<blocks_for(row_threads(row_count())), kSmallBlock, 0, stream_>>>(
        layout_, u, problem_.gamma, InverseSpacing(problem_.mesh), rows_.get(), reporter);
    HALFSTEP_CUDA_LAUNCHED("sum_rows");
    sum_over_rows<<<1, kRowLanes, 0, stream_>>>(rows_.get(), row_count(), sums_.get(), reporter);
    HALFSTEP_CUDA_LAUNCHED("sum_over_rows");
  }

  /// Returns the arguments of a phase. dt is that of the last awaited attempt, for diagnosis; kernels of new
  /// attempts read theirs from control_.
  StageArguments<Real> arguments(const Rotation& rotation, int phase) const {
    const StageArguments<Real> plain = plain_arguments(rotation, phase);
    return problem_.starts_from_rhs_terms() && !phases().is_source(phase) ? on_top_of(terms_.get(), plain)
                                                                          : plain;
  }

  /// Returns the stage's arguments without right-hand-side terms and fourth-order corrections.
  StageArguments<Real> plain_arguments(const Rotation& rotation, int phase) const {
    Real* buffers[4] = {};
    std::transform(buffers_.begin(), buffers_.end(), buffers,
                   [](const auto& buffer) { return buffer.get(); });
    return stage_arguments(problem_, layout_, rotation, buffers, verdict_.plan.dt, phase);
  }

  /// Copies from the device, and waits.
  void fetch(void* to, const void* from, std::size_t bytes) const {
    HALFSTEP_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
  }
  template <class T>
  T fetched(const T* from) const {
    T value;
    fetch(&value, from, sizeof value);
    return value;
  }
  void put(void* to, const void* from, std::size_t bytes) const {
    HALFSTEP_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_));
    stream_.synchronize();
  }

  Problem problem_;
  Layout layout_;
  BoundaryConditions<Real> rules_;
  GhostCells ghost_cells_;
  bool reads_wrap_;  ///< stages read no ghost cells; expect_ghosts() fills them on demand
  interruptible::Limits slice_;
  cudaDeviceProp device_{};
  StageVariant stage_;
  LaunchConfiguration launch_configuration_{};

  Stream stream_, other_stream_;
  std::vector<DeviceBuffer<Real>> buffers_;
  DeviceBuffer<Real> terms_;  // the state that a stage with terms or corrections starts from, then the motion
  SnapshotMaker<Real> snapshots_;
  HistogramMaker<Real> histograms_;
  DeviceBuffer<DeviceControl> control_;
  DeviceBuffer<PartialTotals> rows_, sums_;
  DeviceBuffer<FloorSums> floored_rows_, floored_sums_;
  DeviceBuffer<std::uint8_t> flags_, mask_;  // bad cells of this step; cells of the remedy
  DeviceBuffer<Defects> defects_;
  PinnedValue<DefectsRecord> found_;
  PinnedValue<CellDiagnosis<Real>> examined_;
  Layout patch_layout_;  // of one cell
  DeviceBuffer<Real> patch_;
  DeviceBuffer<PatchFaces> faces_;
  Stream replay_stream_;
  Event gathered_, replayed_;
  PinnedValue<std::array<AttemptRecord, kRecords>> records_;
  soft_error::DeviceChannel<> channel_, muted_;
  std::uint64_t last_epoch_ = 0, muted_epoch_ = 0;

  std::deque<UnderWay> under_way_;
  int phase_ = 1;                                        // of the attempt under way in slices
  bool has_terms_ = false;                               // add_rhs_terms() has run in that phase
  std::optional<interruptible::DeviceTileQueue> queue_;  // only with slices
  std::int64_t source_threads_;
  std::optional<interruptible::Launcher<integrate_cells<Real, interruptible::SafePoints>,
                                        SourceArguments<Real>, SourceRecord>>
      source_;
  std::optional<AttemptProgress> to_restore_;
  double inflow_rate_ = 0;
  Rotation rotation_;  // at U^n
  Rotation queued_;    // at the state that the attempt being queued starts from
  Attempt attempt_;    // the last one awaited
  AttemptResult verdict_;
  SoftError error_;
  Event began_, ended_;
  PartsByEvents parts_;
};

}  // namespace

std::unique_ptr<Solver> make_cuda_solver(const Problem& problem) {
  if (problem.scheme.precision == Precision::single_precision)
    return std::make_unique<CudaSolver<float>>(problem);
  return std::make_unique<CudaSolver<double>>(problem);
}

bool cuda_available(std::string* why) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count > 0) return true;
  if (why)
    *why = code == cudaSuccess ? "no CUDA device"
                               : std::string("no usable CUDA device: ") + cudaGetErrorString(code);
  cudaGetLastError();
  return false;
}

std::int64_t cuda_free_bytes() {
  std::size_t free = 0, total = 0;
  HALFSTEP_CUDA(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(free);
}

std::vector<std::string> cuda_devices() {
  std::vector<std::string> lines;
  int count = 0;
  if (!cuda_available() || cudaGetDeviceCount(&count) != cudaSuccess) return lines;
  for (int n = 0; n < count; ++n) {
    cudaDeviceProp device{};
    HALFSTEP_CUDA(cudaGetDeviceProperties(&device, n));
    lines.push_back(std::string(device.name) + ", sm_" + std::to_string(device.major) +
                    std::to_string(device.minor) + ", " + std::to_string(device.multiProcessorCount) +
                    " multiprocessors, " + std::to_string(device.totalGlobalMem >> 20) + " MiB");
  }
  return lines;
}

}  // namespace halfstep
