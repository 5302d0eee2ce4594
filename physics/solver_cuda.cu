// The CUDA backend: the solver on one device. Twin of solver_host.cpp.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <stdexcept>

#include "physics/dispatch.hpp"
#include "physics/examine.hpp"
#include "physics/ghosts.hpp"
#include "physics/remedy.hpp"
#include "physics/solver.hpp"
#include "physics/stage_arguments.hpp"
#include "physics/stage_launch.hpp"
#include "physics/stage_silent.hpp"
#include "physics/totals.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/soft_error/device_channel.hpp"

namespace halfstep {

namespace {

using Reporter = soft_error::Reporter<>;

constexpr int kSmallBlock = 128;  // threads of the small kernels
constexpr int kMaxStages = 3;
constexpr int kRecords = 1024;  // attempts that may be under way

/// In device memory: what steps are planned from, and what the stages of the attempt under way read and add
/// up.
struct DeviceControl {
  StepControl step;
  double output_time[kMaxStages];  // of the states the attempt's stages put out
  StageResult result;
};

/// What the host is told of an attempt, in pinned memory.
struct AttemptRecord {
  StepPlan plan;
  double signal_rate;
  std::int64_t repaired_faces;
  PartialTotals totals;
  bool accepted, raised;
  std::uint64_t epoch;  // stored last: the rest is whole
};

template <class Real>
__device__ void add_rate(StageResult* result, Real rate) {
  atomicMax(&result->signal_rate_bits,
            static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(rate))));
}

__device__ std::int64_t global_thread() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Cell of the n-th thread, x fastest; false beyond the last.
__device__ bool thread_cell(const Layout& l, int& i, int& j, int& k) {
  const std::int64_t n = global_thread();
  i = static_cast<int>(n % l.cells[0]);
  j = static_cast<int>(n / l.cells[0] % l.cells[1]);
  const std::int64_t plane = n / l.cells[0] / l.cells[1];
  k = static_cast<int>(plane);
  return plane < l.cells[2];
}

/// What diagnosis counted, in pinned memory.
struct FindingsRecord {
  Findings findings;
  std::uint64_t epoch;  // stored last: the rest is whole
};

/// Gets the attempt ready that control.step plans.
__device__ void prepare_attempt(DeviceControl& control, Integrator integrator) {
  for (int stage = 1; stage <= stage_count(integrator); ++stage)
    control.output_time[stage - 1] =
        output_time(integrator, stage, control.step.state.time, control.step.plan);
  control.result = {};
}

__global__ void take_up(DeviceControl* control, const __grid_constant__ StepControl step,
                        Integrator integrator) {
  control->step = step;
  prepare_attempt(*control, integrator);
}

/// Ends an attempt: accepts it and plans the next, or stops what is queued behind; tells the host.
/// `reporter`: of stage 0, so that only what happened before the attempt cancels it.
__global__ void settle_attempt(DeviceControl* control, Integrator integrator, std::uint64_t epoch,
                               const PartialTotals* totals, Reporter reporter, AttemptRecord* record) {
  if (reporter.cancelled()) return;
  StepControl& step = control->step;
  const StepPlan plan = step.plan;
  const double rate = __longlong_as_double(static_cast<long long>(control->result.signal_rate_bits));
  const bool raised = reporter.raised(), accepted = settle(step, raised, rate);
  if (!accepted || rests_after(plan, step.state, step.limits)) reporter.cancel_later();
  record->plan = plan;
  record->signal_rate = rate;
  record->repaired_faces = static_cast<std::int64_t>(control->result.bad_faces);
  if (totals) record->totals = *totals;
  record->raised = raised;
  record->accepted = accepted;
  prepare_attempt(*control, integrator);
  // Release at system scope: a host that reads the epoch reads the rest of the record as it is here.
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(record->epoch)
      .store(epoch, cuda::memory_order_release);
}

template <class Real>
__global__ void fill_ghosts(const __grid_constant__ GhostRules<Real> rules,
                            const __grid_constant__ GhostCells cells, Real* u, const double* time,
                            Reporter reporter) {
  const std::int64_t n = global_thread();
  if (n >= cells.count() || reporter.cancelled()) return;
  int i, j, k;
  cells.cell(rules.layout, n, i, j, k);
  Conserved<Real> c;
  if (ghost_state(rules, u, i, j, k, *time, c)) store(rules.layout, u, i, j, k, c);
}

template <class Real>
__global__ void look_for_spikes(const __grid_constant__ StageArguments<Real> a,
                                const __grid_constant__ Detection detection, Reporter reporter) {
  int i, j, k;
  if (reporter.cancelled() || !thread_cell(a.layout, i, j, k)) return;
  if (is_spike(detection, a.layout, a.out, i, j, k, a.gas)) reporter.raise();
}

/// What the stage does with a cell it has updated, for those that are updated again.
template <class Real>
__device__ void look_at(const StageArguments<Real>& a, const Conserved<Real>& c, StageResult* result,
                        const Reporter& reporter) {
  Real rate = 0;
  if (!inspect(a, c, rate)) reporter.raise();
  if (a.wants_rate) add_rate(result, rate);
}

/// As if the stage had computed one cell wrongly.
template <class Real>
__global__ void strike(const __grid_constant__ StageArguments<Real> a, const __grid_constant__ Fault fault,
                       StageResult* result, Reporter reporter) {
  if (reporter.cancelled()) return;
  const int i = fault.cell[0], j = fault.cell[1], k = fault.cell[2];
  const Conserved<Real> c = corrupted(load(a.layout, a.out, i, j, k), fault, a.gas);
  store(a.layout, a.out, i, j, k, c);
  look_at(a, c, result, reporter);
}

template <class Real>
__global__ void max_signal_rate(const __grid_constant__ StageArguments<Real> a, StageResult* result) {
  int i, j, k;
  if (!thread_cell(a.layout, i, j, k)) return;
  const Real rate = signal_rate(to_primitive(load(a.layout, a.start, i, j, k), a.gas), a.inverse_dx, a.gas);
  add_rate(result, rate);
}

/// Everything wrong with the output of a stage: integers only, so the same in every run. `mask`: of the
/// attempt's remedy; bad cells are set in `flags`.
template <class Real>
__global__ void __launch_bounds__(kSmallBlock)
    examine(const __grid_constant__ StageArguments<Real> a, const __grid_constant__ Examination e,
            const __grid_constant__ GhostRules<Real> rules, const std::uint8_t* mask, std::uint8_t* flags,
            Findings* findings) {
  // Added up by warp and block first: where every cell is bad, a quarter of a million atomics on one word
  // take longer than the step.
  __shared__ unsigned counts[kSoftErrorKinds];
  __shared__ unsigned long long key;
  if (threadIdx.x < kSoftErrorKinds) counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) key = kNoFinding;
  __syncthreads();
  int i, j, k, kind = -1;
  if (thread_cell(a.layout, i, j, k)) {
    kind = examine_cell(a, e, i, j, k, FirstOrderFaces<Real>{rules, mask}).kind;
    if (kind >= 0) flags[global_thread()] = 1;
  }
  __syncwarp();
  const unsigned alike = __match_any_sync(~0u, kind);
  if (kind >= 0 && threadIdx.x % 32 == __ffs(alike) - 1) {
    atomicAdd(&counts[kind], __popc(alike));
    atomicMin(&key, static_cast<unsigned long long>(finding_key(kind, global_thread())));
  }
  __syncthreads();
  if (key == kNoFinding) return;
  if (threadIdx.x < kSoftErrorKinds && counts[threadIdx.x] > 0)
    atomicAdd(&findings->counts[threadIdx.x], static_cast<unsigned long long>(counts[threadIdx.x]));
  if (threadIdx.x == 0) atomicMin(&findings->key, key);
}

/// Which faces of the one cell of a patch were first order.
struct PatchFaces {
  bool first_order[3][2];
  HALFSTEP_HD bool operator()(int, int, int, int axis, int side) const { return first_order[axis][side]; }
};

/// Copies what the update of the reported cell was computed from, as if the mesh had that cell alone, so that
/// the redo may overwrite the stage; `patch`: the stage's arguments with the patch's layout and memory. Tells
/// the host what was found.
template <class Real>
__global__ void gather_reported(const __grid_constant__ StageArguments<Real> a,
                                const __grid_constant__ StageArguments<Real> patch, Real* const patch_in,
                                Real* const patch_start, PatchFaces* faces,
                                const __grid_constant__ GhostRules<Real> rules, const std::uint8_t* mask,
                                Findings* findings, std::uint64_t epoch, FindingsRecord* to_host) {
  int i, j, k;
  reported_cell(a.layout, findings->key, i, j, k);
  const Layout& p = patch.layout;
  const int wide_x = 1 + 2 * p.ghosts[0], wide_y = 1 + 2 * p.ghosts[1], wide_z = 1 + 2 * p.ghosts[2];
  for (int n = threadIdx.x; n < wide_x * wide_y * wide_z; n += blockDim.x) {
    const int x = n % wide_x - p.ghosts[0], y = n / wide_x % wide_y - p.ghosts[1],
              z = n / wide_x / wide_y - p.ghosts[2];
    store(p, patch_in, x, y, z, load(a.layout, a.in, i + x, j + y, k + z));
    store(p, patch_start, x, y, z, load(a.layout, a.start, i + x, j + y, k + z));
    store(p, patch.out, x, y, z, load(a.layout, a.out, i + x, j + y, k + z));
  }
  if (threadIdx.x < 6) {
    const int axis = threadIdx.x / 2, side = threadIdx.x % 2;
    faces->first_order[axis][side] =
        p.ghosts[axis] > 0 && FirstOrderFaces<Real>{rules, mask}(i, j, k, axis, side);
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
  to_host->findings = *findings;
  *findings = {{}, kNoFinding};  // for the next time
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(to_host->epoch)
      .store(epoch, cuda::memory_order_release);
}

template <class Real>
__global__ void examine_reported(const __grid_constant__ StageArguments<Real> patch,
                                 const __grid_constant__ Examination e, const PatchFaces* faces,
                                 CellExamination<Real>* to_host) {
  *to_host = examine_in_full(patch, e, 0, 0, 0, *faces);
}

/// Sums over rows of cells, a warp a row; see totals.hpp for the order. Returns the row's sum in lane 0.
template <class Sum, class AddCell>
__device__ void sum_row(const Layout& l, Sum* rows, AddCell add_cell_to) {
  const std::int64_t row = global_thread() / kCellLanes, count = std::int64_t{l.cells[1]} * l.cells[2];
  const int lane = threadIdx.x % kCellLanes;
  __shared__ Sum lanes[kSmallBlock];
  Sum& mine = lanes[threadIdx.x];
  mine = Sum{};
  if (row < count) {
    const int j = static_cast<int>(row % l.cells[1]), k = static_cast<int>(row / l.cells[1]);
    for (int i = lane; i < l.cells[0]; i += kCellLanes) add_cell_to(mine, i, j, k);
  }
  for (int half = kCellLanes / 2; half > 0; half /= 2) {
    __syncwarp();
    if (lane < half) merge(mine, lanes[threadIdx.x + half]);
  }
  if (lane == 0 && row < count) rows[row] = mine;
}

template <class Real>
__global__ void sum_rows(const __grid_constant__ Layout l, const Real* u, double gamma, PartialTotals* rows,
                         Reporter reporter) {
  if (reporter.cancelled()) return;
  sum_row(l, rows,
          [&](PartialTotals& sum, int i, int j, int k) { add_cell(sum, load(l, u, i, j, k), gamma); });
}

/// The stage under a remedy had its own raises muted: here its cells are mended, and looked at afterwards.
template <class Real>
__global__ void mend(const __grid_constant__ StageArguments<Real> a, const __grid_constant__ Scheme scheme,
                     const __grid_constant__ GhostRules<Real> rules, const std::uint8_t* mask, Remedy remedy,
                     Floors floors, FloorSums* rows, StageResult* result, Reporter reporter) {
  sum_row(a.layout, rows, [&](FloorSums& sum, int i, int j, int k) {
    const Conserved<Real> c = remedied(a, scheme, rules, mask, remedy, floors, i, j, k, sum);
    store(a.layout, a.out, i, j, k, c);
    look_at(a, c, result, reporter);
  });
}

/// Of rows to one: sums[0].
template <class Sum>
__global__ void __launch_bounds__(kRowLanes)
    sum_over_rows(const Sum* rows, std::int64_t count, Sum* sums /* kRowLanes */, Reporter reporter) {
  if (reporter.cancelled()) return;
  Sum mine;
  for (std::int64_t r = threadIdx.x; r < count; r += kRowLanes) merge(mine, rows[r]);
  sums[threadIdx.x] = mine;
  for (int half = kRowLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) merge(sums[threadIdx.x], sums[threadIdx.x + half]);
  }
}

template <class Real>
class CudaSolver final : public Solver {
 public:
  explicit CudaSolver(const Problem& problem)
      : problem_(problem),
        layout_(problem.mesh, ghost_layers(problem.scheme.reconstruction)),
        rules_(layout_, problem.mesh, problem.boundary, problem.prescribed, problem.gamma),
        ghost_cells_(layout_),
        stages_(stage_count(problem.scheme.integrator)),
        patch_layout_({1, 1, 1}, {layout_.ghosts[0], layout_.ghosts[1], layout_.ghosts[2]}) {
    HALFSTEP_CUDA(cudaGetDeviceProperties(&device_, 0));
    stage_ = problem.reports
                 ? with_scheme(problem.scheme,
                               [&]<class R, Variables v, class S>() { return stage_kernel<R, v, S, Real>(); })
                 : silent_stage_kernel<Real>(problem.scheme);
    if (!stage_) throw std::runtime_error("there is no stage kernel without reports for this scheme");
    stage_launch_ = stage_launch<Real>(stage_, layout_, device_);
    try {
      for (auto& buffer : buffers_) buffer = DeviceBuffer<Real>(layout_.values());
      control_ = DeviceBuffer<DeviceControl>(1);
      rows_ = DeviceBuffer<PartialTotals>(row_count());
      sums_ = DeviceBuffer<PartialTotals>(kRowLanes);
      floored_rows_ = DeviceBuffer<FloorSums>(row_count());
      floored_sums_ = DeviceBuffer<FloorSums>(kRowLanes);
      flags_ = DeviceBuffer<std::uint8_t>(cells());
      mask_ = DeviceBuffer<std::uint8_t>(cells());
      findings_ = DeviceBuffer<Findings>(1);
      patch_ = DeviceBuffer<Real>(3 * patch_layout_.values());
      faces_ = DeviceBuffer<PatchFaces>(1);
    } catch (const CudaError& error) {
      if (error.code != cudaErrorMemoryAllocation) throw;
      throw std::runtime_error("not enough memory on " + std::string(device_.name) + ": the state needs " +
                               std::to_string(3 * layout_.values() * sizeof(Real) >> 20) + " MiB of its " +
                               std::to_string(device_.totalGlobalMem >> 20) +
                               " MiB; use fewer cells or single precision");
    }
    const Findings none{{}, kNoFinding};
    HALFSTEP_CUDA(cudaMemcpy(findings_.get(), &none, sizeof none, cudaMemcpyHostToDevice));
  }

  void set_state(const Fields& interior, const Fields& extended, double time) override {
    const int gx = layout_.ghosts[0], gy = layout_.ghosts[1], gz = layout_.ghosts[2];
    const std::int64_t wide_x = layout_.cells[0] + 2 * gx, wide_y = layout_.cells[1] + 2 * gy;
    std::vector<Real> field(layout_.field_stride, Real(1));
    for (int f = 0; f < kFields; ++f) {
      for_rows(gy, gz, [&](int j, int k) {
        const auto from = extended.conserved[f].begin() + ((k + gz) * wide_y + (j + gy)) * wide_x;
        std::copy_n(from, wide_x, field.begin() + layout_.index(-gx, j, k));
      });
      for_rows(0, 0, [&](int j, int k) {
        std::copy_n(interior.conserved[f].begin() + row(j, k), layout_.cells[0],
                    field.begin() + layout_.index(0, j, k));
      });
      for (auto& buffer : buffers_)
        HALFSTEP_CUDA(cudaMemcpyAsync(buffer.get() + f * layout_.field_stride, field.data(),
                                      field.size() * sizeof(Real), cudaMemcpyHostToDevice, stream_));
      stream_.synchronize();
    }
    resume({}, {.time = time}, 1);
    DeviceControl* control = control_.get();
    HALFSTEP_CUDA(cudaMemcpyAsync(control->output_time, &time, sizeof time, cudaMemcpyHostToDevice, stream_));
    launch_fill_ghosts(start(), control->output_time, channel_.reporter(last_epoch_ + 1, 0));
    stream_.synchronize();
  }

  void get_state(Fields& interior) override {
    std::vector<Real> field(layout_.field_stride);
    for (int f = 0; f < kFields; ++f) {
      interior.conserved[f].resize(problem_.mesh.cell_count());
      HALFSTEP_CUDA(cudaMemcpyAsync(field.data(), start() + f * layout_.field_stride,
                                    field.size() * sizeof(Real), cudaMemcpyDeviceToHost, stream_));
      stream_.synchronize();
      for_rows(0, 0, [&](int j, int k) {
        std::copy_n(field.begin() + layout_.index(0, j, k), layout_.cells[0],
                    interior.conserved[f].begin() + row(j, k));
      });
    }
  }

  double signal_rate() override {
    clear_rate();
    max_signal_rate<<<cell_blocks(), kSmallBlock, 0, stream_>>>(arguments(rotation_, 1),
                                                                &control_.get()->result);
    HALFSTEP_CUDA_LAUNCHED("max_signal_rate");
    double rate = 0;
    HALFSTEP_CUDA(cudaMemcpyAsync(&rate, &control_.get()->result.signal_rate_bits, sizeof rate,
                                  cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return rate;
  }

  Totals totals() override {
    launch_totals(start(), channel_.reporter(last_epoch_ + 1, 0));
    PartialTotals sum;
    HALFSTEP_CUDA(cudaMemcpyAsync(&sum, sums_.get(), sizeof sum, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return to_totals(sum, problem_.mesh);
  }

  void resume(const StepLimits& limits, const StepState& state, double rate) override {
    leave_void_behind();
    queued_ = rotation_;
    channel_.next_epoch(last_epoch_ + 1);  // what is still queued stays cancelled, what comes is not
    take_up<<<1, 1, 0, stream_>>>(control_.get(), step_control(limits, state, rate),
                                  problem_.scheme.integrator);
    HALFSTEP_CUDA_LAUNCHED("take_up");
  }

  void launch(const Attempt& attempt) override {
    last_epoch_ = attempt.epoch;
    under_way_.push_back({attempt, {}});
    if (attempt.remedy == Remedy::none) {
      for (int stage = 1; stage <= stages_; ++stage) launch_stage(attempt, stage);
    } else {
      launch_remedied(attempt);
    }
    const Integrator integrator = problem_.scheme.integrator;
    if (attempt.wants_totals)
      launch_totals(buffers_[queued_.output(stages_)].get(), channel_.reporter(attempt.epoch, stages_));
    settle_attempt<<<1, 1, 0, stream_>>>(control_.get(), integrator, attempt.epoch,
                                         attempt.wants_totals ? sums_.get() : nullptr,
                                         channel_.reporter(attempt.epoch, 0), record(attempt.epoch));
    HALFSTEP_CUDA_LAUNCHED("settle_attempt");
    queued_.accept(stages_);
  }

  Verdict await() override {
    const auto [attempt, floored] = under_way_.front();
    under_way_.pop_front();
    AttemptRecord& told = *record(attempt.epoch);
    wait_for(told.epoch, attempt.epoch);
    attempt_ = attempt;
    verdict_ = {.plan = told.plan,
                .remedy = attempt.remedy,
                .accepted = told.accepted,
                .raised = told.raised,
                .stage = told.raised ? channel_.poll().stage : 0,
                .signal_rate = told.signal_rate,
                .repaired_faces = told.repaired_faces,
                .floored = floored,
                .totals = {}};
    if (attempt.wants_totals) verdict_.totals = to_totals(told.totals, problem_.mesh);
    if (verdict_.accepted) rotation_.accept(stages_);
    return verdict_;
  }

  int max_depth() const override { return kRecords; }

  Cure diagnose() override {
    leave_void_behind();
    const int stage = failed_stage(verdict_, problem_.scheme.integrator);
    const StageArguments<Real> args = arguments(rotation_, stage);
    const Examination examination = examination_of(problem_, verdict_);
    // Flags of this step are kept: a remedy that moves the trouble elsewhere is widened, not shifted.
    if (attempt_.number == 1) HALFSTEP_CUDA(cudaMemsetAsync(flags_.get(), 0, cells(), stream_));
    const std::uint8_t* mask = attempt_.remedy == Remedy::none ? nullptr : mask_.get();
    examine<<<cell_blocks(), kSmallBlock, 0, stream_>>>(args, examination, rules_, mask, flags_.get(),
                                                        findings_.get());
    HALFSTEP_CUDA_LAUNCHED("examine");

    // The reported cell is looked at in full beside the redo, from a copy of what went into it.
    StageArguments<Real> patch = args;
    patch.layout = patch_layout_;
    Real* const in = patch_.get();
    Real* const start = in + patch_layout_.values();
    patch.in = in;
    patch.start = start;
    patch.out = start + patch_layout_.values();
    replayed_.hold_back(stream_);
    gather_reported<<<1, 352, 0, stream_>>>(args, patch, in, start, faces_.get(), rules_, mask,
                                            findings_.get(), attempt_.epoch, found_.device());
    HALFSTEP_CUDA_LAUNCHED("gather_reported");
    gathered_.record(stream_);
    gathered_.hold_back(beside_);
    examine_reported<<<1, 1, 0, beside_>>>(patch, examination, faces_.get(), examined_.device());
    HALFSTEP_CUDA_LAUNCHED("examine_reported");
    replayed_.record(beside_);

    wait_for(found_.host()->epoch, attempt_.epoch);
    error_ = soft_error_of(found_.host()->findings, layout_, stage, examination);
    return error_.cure();
  }

  Diagnosis diagnosis() override {
    beside_.synchronize();
    return conclude(error_, *examined_.host(), layout_);
  }

  void start_timer() override { began_.record(stream_); }
  double stop_timer() override {
    ended_.record(stream_);
    return ended_.seconds_since(began_);
  }

  double stages_seconds() override {
    start_timer();
    for (int stage = 1; stage <= stages_; ++stage)
      launch_update(arguments(rotation_, stage), channel_.reporter(last_epoch_ + 1, stage));
    return stop_timer();
  }

  std::string backend() const override { return "cuda"; }
  std::string device_name() const override { return device_.name; }
  std::int64_t device_bytes() const override {
    return static_cast<std::int64_t>(3 * layout_.values() * sizeof(Real) +
                                     row_count() * (sizeof(PartialTotals) + sizeof(FloorSums)) + 2 * cells());
  }
  std::int64_t host_bytes() const override {
    return layout_.field_stride * static_cast<std::int64_t>(sizeof(Real));
  }

  KernelInfo kernel_info() const override { return halfstep::kernel_info(stage_, stage_launch_, device_); }

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
  std::int64_t row(int j, int k) const { return (std::int64_t{k} * layout_.cells[1] + j) * layout_.cells[0]; }
  Real* start() const { return buffers_[rotation_.start].get(); }

  template <class F>
  void for_rows(int ghosts_y, int ghosts_z, F f) {
    for (int k = -ghosts_z; k < layout_.cells[2] + ghosts_z; ++k)
      for (int j = -ghosts_y; j < layout_.cells[1] + ghosts_y; ++j) f(j, k);
  }

  AttemptRecord* record(std::uint64_t epoch) const { return records_.host()->data() + epoch % kRecords; }

  /// Until the device has stored `value` in pinned memory. Makes no call, unless the device stays silent for
  /// so long that it may have failed.
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

  /// Attempts behind one that was rejected or landed do nothing, but their kernels are still to be launched
  /// by the device: what comes now goes past them in the other stream. (Whatever counts has ended: the host
  /// was told.)
  void leave_void_behind() {
    if (under_way_.empty()) return;
    under_way_.clear();
    std::swap(stream_, other_stream_);
  }

  void clear_rate() {
    HALFSTEP_CUDA(cudaMemsetAsync(&control_.get()->result.signal_rate_bits, 0,
                                  sizeof(StageResult::signal_rate_bits), stream_));
  }

  void launch_stage(const Attempt& attempt, int stage) {
    const StageArguments<Real> args = arguments(queued_, stage);
    const Reporter reporter = channel_.reporter(attempt.epoch, stage);
    launch_update(args, reporter);
    if (strikes(problem_.fault, attempt, stage)) launch_strike(args, reporter);
    finish_stage(args, stage, reporter);
  }

  /// A rare attempt, launched stage by stage: a stage that raises must be the last one.
  void launch_remedied(const Attempt& attempt) {
    HALFSTEP_CUDA(cudaMemcpyAsync(mask_.get(), flags_.get(), cells(), cudaMemcpyDeviceToDevice, stream_));
    for (int stage = 1; stage <= stages_ && !channel_.poll(); ++stage) {
      const StageArguments<Real> args = arguments(queued_, stage);
      const Reporter reporter = channel_.reporter(attempt.epoch, stage);
      muted_.next_epoch(++muted_epoch_);
      launch_update(args, muted_.reporter(muted_epoch_, 1));
      clear_rate();
      mend<<<blocks_for(row_count() * kCellLanes), kSmallBlock, 0, stream_>>>(
          args, problem_.scheme, rules_, mask_.get(), attempt.remedy, problem_.floors, floored_rows_.get(),
          &control_.get()->result, reporter);
      HALFSTEP_CUDA_LAUNCHED("mend");
      sum_over_rows<<<1, kRowLanes, 0, stream_>>>(floored_rows_.get(), row_count(), floored_sums_.get(),
                                                  reporter);
      HALFSTEP_CUDA_LAUNCHED("sum_over_rows");
      finish_stage(args, stage, reporter);
      FloorSums added;
      HALFSTEP_CUDA(
          cudaMemcpyAsync(&added, floored_sums_.get(), sizeof added, cudaMemcpyDeviceToHost, stream_));
      stream_.synchronize();
      add_floored(under_way_.back().floored, added, problem_, stage);
    }
  }

  void launch_update(const StageArguments<Real>& args, const Reporter& reporter) {
    DeviceControl* control = control_.get();
    const StageLaunch& l = stage_launch_;
    stage_<<<l.grid, l.block, l.shared_bytes, stream_>>>(
        {args, &control->step.plan.dt, reporter, &control->result, l.tiles_x, l.march});
    HALFSTEP_CUDA_LAUNCHED("stage");
  }

  void launch_strike(const StageArguments<Real>& args, const Reporter& reporter) {
    strike<<<1, 1, 0, stream_>>>(args, *problem_.fault, &control_.get()->result, reporter);
    HALFSTEP_CUDA_LAUNCHED("strike");
  }

  void finish_stage(const StageArguments<Real>& args, int stage, const Reporter& reporter) {
    launch_fill_ghosts(args.out, &control_.get()->output_time[stage - 1], reporter);
    if (!problem_.detection.looks_for_spikes()) return;
    look_for_spikes<<<cell_blocks(), kSmallBlock, 0, stream_>>>(args, problem_.detection, reporter);
    HALFSTEP_CUDA_LAUNCHED("look_for_spikes");
  }

  void launch_fill_ghosts(Real* u, const double* time, const Reporter& reporter) {
    fill_ghosts<<<blocks_for(ghost_cells_.count()), kSmallBlock, 0, stream_>>>(rules_, ghost_cells_, u, time,
                                                                               reporter);
    HALFSTEP_CUDA_LAUNCHED("fill_ghosts");
  }

  /// Sums of the state `u`, to sums_[0].
  void launch_totals(const Real* u, const Reporter& reporter) {
    sum_rows<<<blocks_for(row_count() * kCellLanes), kSmallBlock, 0, stream_>>>(layout_, u, problem_.gamma,
                                                                                rows_.get(), reporter);
    HALFSTEP_CUDA_LAUNCHED("sum_rows");
    sum_over_rows<<<1, kRowLanes, 0, stream_>>>(rows_.get(), row_count(), sums_.get(), reporter);
    HALFSTEP_CUDA_LAUNCHED("sum_over_rows");
  }

  /// dt is that of the last awaited attempt, for looking at it again; kernels of new ones read control_.
  StageArguments<Real> arguments(const Rotation& rotation, int stage) const {
    Real* const buffers[3] = {buffers_[0].get(), buffers_[1].get(), buffers_[2].get()};
    return stage_arguments(problem_, layout_, rotation, buffers, verdict_.plan.dt, stage);
  }

  Problem problem_;
  Layout layout_;
  GhostRules<Real> rules_;
  GhostCells ghost_cells_;
  int stages_;
  cudaDeviceProp device_{};
  StageKernel<Real> stage_ = nullptr;
  StageLaunch stage_launch_{};

  Stream stream_, other_stream_;
  DeviceBuffer<Real> buffers_[3];
  DeviceBuffer<DeviceControl> control_;
  DeviceBuffer<PartialTotals> rows_, sums_;
  DeviceBuffer<FloorSums> floored_rows_, floored_sums_;
  DeviceBuffer<std::uint8_t> flags_, mask_;  // cells found bad in this step; those a remedy is about
  DeviceBuffer<Findings> findings_;
  PinnedValue<FindingsRecord> found_;
  PinnedValue<CellExamination<Real>> examined_;
  Layout patch_layout_;  // of one cell
  DeviceBuffer<Real> patch_;
  DeviceBuffer<PatchFaces> faces_;
  Stream beside_;
  Event gathered_, replayed_;
  PinnedValue<std::array<AttemptRecord, kRecords>> records_;
  soft_error::DeviceChannel<> channel_, muted_;
  std::uint64_t last_epoch_ = 0, muted_epoch_ = 0;

  std::deque<UnderWay> under_way_;
  Rotation rotation_;  // of U^n
  Rotation queued_;    // of the state the last launched attempt starts from
  Attempt attempt_;    // the last one awaited
  Verdict verdict_;
  SoftError error_;
  Event began_, ended_;
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
