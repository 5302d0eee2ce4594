// The CUDA backend: the solver on one device. Twin of solver_host.cpp.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "physics/dispatch.hpp"
#include "physics/examine.hpp"
#include "physics/ghosts.hpp"
#include "physics/solver.hpp"
#include "physics/stage_arguments.hpp"
#include "physics/stage_cuda.hpp"
#include "physics/totals.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/soft_error/device_channel.hpp"

namespace halfstep {

namespace {

constexpr int kSmallBlock = 128;  // threads of the small kernels

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

template <class Real>
__global__ void fill_ghosts(const __grid_constant__ GhostRules<Real> rules,
                            const __grid_constant__ GhostCells cells, Real* u, double time,
                            soft_error::Reporter reporter) {
  const std::int64_t n = global_thread();
  if (n >= cells.count() || reporter.cancelled()) return;
  int i, j, k;
  cells.cell(rules.layout, n, i, j, k);
  Conserved<Real> c;
  if (!ghost_state(rules, u, i, j, k, time, c)) return;
  Real* to = u + rules.layout.index(i, j, k);
  const std::int64_t f = rules.layout.field_stride;
  to[0] = c.density;
  to[f] = c.mu;
  to[2 * f] = c.mv;
  to[3 * f] = c.mw;
  to[4 * f] = c.energy;
}

template <class Real>
__global__ void look_for_spikes(const __grid_constant__ StageArguments<Real> a,
                                const __grid_constant__ Detection detection, soft_error::Reporter reporter) {
  int i, j, k;
  if (reporter.cancelled() || !thread_cell(a.layout, i, j, k)) return;
  if (is_spike(detection, a.layout, a.out, i, j, k, a.gas)) reporter.raise();
}

template <class Real>
__global__ void max_signal_rate(const __grid_constant__ StageArguments<Real> a, StageResult* result) {
  int i, j, k;
  if (!thread_cell(a.layout, i, j, k)) return;
  const Real rate = signal_rate(to_primitive(load(a.layout, a.start, i, j, k), a.gas), a.inverse_dx, a.gas);
  atomicMax(&result->signal_rate_bits,
            static_cast<unsigned long long>(__double_as_longlong(static_cast<double>(rate))));
}

/// Everything wrong with the output of a stage: integers only, so the same in every run.
template <class Real>
__global__ void examine(const __grid_constant__ StageArguments<Real> a, const __grid_constant__ Examination e,
                        Findings* findings) {
  int i, j, k;
  if (!thread_cell(a.layout, i, j, k)) return;
  const Finding<Real> f = examine_cell(a, e, i, j, k);
  if (f.kind < 0) return;
  atomicAdd(&findings->counts[f.kind], 1ull);
  atomicMin(&findings->key, static_cast<unsigned long long>(finding_key(f.kind, global_thread())));
}

template <class Real>
__global__ void examine_one(const __grid_constant__ StageArguments<Real> a,
                            const __grid_constant__ Examination e, int i, int j, int k,
                            CellRecord<Real>* record, Finding<Real>* finding) {
  *finding = examine_cell(a, e, i, j, k);
  *record = replay_cell(a, e.scheme, i, j, k);
}

/// Each warp sums one row; see totals.hpp for the order.
template <class Real>
__global__ void sum_rows(Layout l, const Real* u, double gamma, PartialTotals* rows) {
  const std::int64_t row = global_thread() / kCellLanes, count = std::int64_t{l.cells[1]} * l.cells[2];
  const int lane = threadIdx.x % kCellLanes;
  __shared__ PartialTotals lanes[kSmallBlock];
  PartialTotals& mine = lanes[threadIdx.x];
  mine = PartialTotals{};
  if (row < count) {
    const int j = static_cast<int>(row % l.cells[1]), k = static_cast<int>(row / l.cells[1]);
    for (int i = lane; i < l.cells[0]; i += kCellLanes) add_cell(mine, load(l, u, i, j, k), gamma);
  }
  for (int half = kCellLanes / 2; half > 0; half /= 2) {
    __syncwarp();
    if (lane < half) merge(mine, lanes[threadIdx.x + half]);
  }
  if (lane == 0 && row < count) rows[row] = mine;
}

__global__ void __launch_bounds__(kRowLanes)
    sum_totals(PartialTotals* rows, std::int64_t count, PartialTotals* lanes) {
  PartialTotals mine;
  for (std::int64_t r = threadIdx.x; r < count; r += kRowLanes) merge(mine, rows[r]);
  lanes[threadIdx.x] = mine;
  for (int half = kRowLanes / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) merge(lanes[threadIdx.x], lanes[threadIdx.x + half]);
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
        stages_(stage_count(problem.scheme.integrator)) {
    HALFSTEP_CUDA(cudaGetDeviceProperties(&device_, 0));
    stage_ = with_scheme(problem.scheme,
                         [&]<class R, Variables v, class S>() { return stage_kernel<R, v, S, Real>(); });
    choose_launch();
    try {
      for (auto& buffer : buffers_) buffer = DeviceBuffer<Real>(layout_.values());
      result_on_device_ = DeviceBuffer<StageResult>(1);
      rows_ = DeviceBuffer<PartialTotals>(row_count());
      lanes_ = DeviceBuffer<PartialTotals>(kRowLanes);
    } catch (const CudaError& error) {
      if (error.code != cudaErrorMemoryAllocation) throw;
      throw std::runtime_error("not enough memory on " + std::string(device_.name) + ": the state needs " +
                               std::to_string(3 * layout_.values() * sizeof(Real) >> 20) + " MiB of its " +
                               std::to_string(device_.totalGlobalMem >> 20) +
                               " MiB; use fewer cells or single precision");
    }
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
    channel_.next_epoch(1);
    launch_fill_ghosts(start(), time, channel_.reporter(1, 0));
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
    clear_result();
    max_signal_rate<<<cell_blocks(), kSmallBlock, 0, stream_>>>(arguments(1), result_on_device_.get());
    HALFSTEP_CUDA_LAUNCHED("max_signal_rate");
    fetch_result();
    stream_.synchronize();
    return as_double(result_.host()->signal_rate_bits);
  }

  Totals totals() override {
    const std::int64_t threads = row_count() * kCellLanes;
    sum_rows<<<blocks_for(threads), kSmallBlock, 0, stream_>>>(layout_, start(), problem_.gamma, rows_.get());
    HALFSTEP_CUDA_LAUNCHED("sum_rows");
    sum_totals<<<1, kRowLanes, 0, stream_>>>(rows_.get(), row_count(), lanes_.get());
    HALFSTEP_CUDA_LAUNCHED("sum_totals");
    PartialTotals sum;
    HALFSTEP_CUDA(cudaMemcpyAsync(&sum, lanes_.get(), sizeof sum, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return to_totals(sum, problem_.mesh);
  }

  void launch(const Attempt& attempt) override {
    attempt_ = attempt;
    channel_.next_epoch(attempt.epoch);
    clear_result();
    for (int stage = 1; stage <= stages_; ++stage) {
      const StageArguments<Real> args = arguments(stage);
      const soft_error::Reporter reporter = channel_.reporter(attempt.epoch, stage);
      stage_<<<grid_, block_, shared_bytes_, stream_>>>(
          {args, reporter, result_on_device_.get(), tiles_x_, march_});
      HALFSTEP_CUDA_LAUNCHED("stage");
      launch_fill_ghosts(args.out, output_time(problem_.scheme.integrator, stage, attempt), reporter);
      if (problem_.detection.looks_for_spikes()) {
        look_for_spikes<<<cell_blocks(), kSmallBlock, 0, stream_>>>(args, problem_.detection, reporter);
        HALFSTEP_CUDA_LAUNCHED("look_for_spikes");
      }
    }
    fetch_result();
  }

  Verdict await() override {
    stream_.synchronize();
    const soft_error::Tag tag = channel_.poll();
    verdict_ = {tag != 0, soft_error::stage_of(tag), as_double(result_.host()->signal_rate_bits),
                static_cast<std::int64_t>(result_.host()->bad_faces)};
    return verdict_;
  }

  void accept() override { rotation_.accept(stages_); }

  SoftError diagnose() override {
    const int stage = failed_stage(verdict_, problem_.scheme.integrator);
    DeviceBuffer<Findings> on_device(1);
    Findings all{{}, kNoFinding};
    HALFSTEP_CUDA(cudaMemcpyAsync(on_device.get(), &all, sizeof all, cudaMemcpyHostToDevice, stream_));
    examine<<<cell_blocks(), kSmallBlock, 0, stream_>>>(arguments(stage), examination_of(problem_, verdict_),
                                                        on_device.get());
    HALFSTEP_CUDA_LAUNCHED("examine");
    HALFSTEP_CUDA(cudaMemcpyAsync(&all, on_device.get(), sizeof all, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    if (all.key == kNoFinding) return vanished_error(stage, examination_of(problem_, verdict_));
    SoftError error = to_soft_error(all, layout_, stage, 0);
    error.value = double(examine_again(error).finding.value);
    return error;
  }

  Replay replay(const SoftError& error) override {
    Replay replay = to_replay(examine_again(error).record, layout_);
    replay.reproduced &= !error.vanished();
    return replay;
  }

  void start_timer() override { began_.record(stream_); }
  double stop_timer() override {
    ended_.record(stream_);
    return ended_.seconds_since(began_);
  }

  std::string backend() const override { return "cuda"; }
  std::string device_name() const override { return device_.name; }
  std::int64_t device_bytes() const override {
    return static_cast<std::int64_t>(3 * layout_.values() * sizeof(Real) +
                                     row_count() * sizeof(PartialTotals));
  }
  std::int64_t host_bytes() const override {
    return layout_.field_stride * static_cast<std::int64_t>(sizeof(Real));
  }

  KernelInfo kernel_info() const override {
    cudaFuncAttributes attributes{};
    HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, stage_));
    KernelInfo info;
    info.name = "stage";
    info.registers = attributes.numRegs;
    info.local_bytes = static_cast<int>(attributes.localSizeBytes);
    info.shared_bytes = static_cast<int>(shared_bytes_);
    info.block_threads = kStageThreads;
    info.occupancy = double(blocks_per_multiprocessor_ * kStageThreads) / device_.maxThreadsPerMultiProcessor;
    return info;
  }

 private:
  struct CellExamination {
    CellRecord<Real> record;
    Finding<Real> finding;
  };

  /// Tiles of 32 x 8 columns, or one long row where there is no y; marched pieces that fill the device
  /// evenly.
  void choose_launch() {
    const TileShape tile =
        problem_.mesh.swept(1) ? TileShape{32, kStageThreads / 32} : TileShape{kStageThreads, 1};
    shared_bytes_ = stage_shared_bytes<Real>(layout_, tile);
    HALFSTEP_CUDA(cudaFuncSetAttribute(stage_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shared_bytes_)));
    HALFSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_multiprocessor_, stage_,
                                                                kStageThreads, shared_bytes_));
    const auto pieces_of = [](int n, int size) { return (n + size - 1) / size; };
    const int nz = layout_.cells[2];
    block_ = dim3(tile.cells_x, tile.cells_y);
    tiles_x_ = pieces_of(layout_.cells[0], tile.cells_x);
    const std::int64_t tiles = std::int64_t{tiles_x_} * pieces_of(layout_.cells[1], tile.cells_y);
    // A piece costs its planes and about two more to start; the last wave of blocks costs as much as a full
    // one.
    const double slots = double(blocks_per_multiprocessor_) * device_.multiProcessorCount;
    double best = 0;
    constexpr int most_pieces = 65535;  // the device's limit on gridDim.y
    for (int pieces = 1; pieces <= std::clamp(nz / 4, 1, most_pieces); ++pieces) {
      const int march = pieces_of(nz, pieces);
      const double waves = std::ceil(double(tiles) * pieces_of(nz, march) / slots);
      const double cost = waves * (march + 2);
      if (pieces > 1 && cost >= best) continue;
      best = cost;
      march_ = march;
    }
    grid_ = dim3(static_cast<unsigned>(tiles), pieces_of(nz, march_));
  }

  static unsigned blocks_for(std::int64_t threads) {
    return static_cast<unsigned>((threads + kSmallBlock - 1) / kSmallBlock);
  }
  unsigned cell_blocks() const { return blocks_for(problem_.mesh.cell_count()); }
  std::int64_t row_count() const { return std::int64_t{layout_.cells[1]} * layout_.cells[2]; }
  std::int64_t row(int j, int k) const { return (std::int64_t{k} * layout_.cells[1] + j) * layout_.cells[0]; }
  static double as_double(unsigned long long bits) {
    double value;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  Real* start() const { return buffers_[rotation_.start].get(); }

  template <class F>
  void for_rows(int ghosts_y, int ghosts_z, F f) {
    for (int k = -ghosts_z; k < layout_.cells[2] + ghosts_z; ++k)
      for (int j = -ghosts_y; j < layout_.cells[1] + ghosts_y; ++j) f(j, k);
  }

  void clear_result() {
    HALFSTEP_CUDA(cudaMemsetAsync(result_on_device_.get(), 0, sizeof(StageResult), stream_));
  }
  void fetch_result() {
    HALFSTEP_CUDA(cudaMemcpyAsync(result_.host(), result_on_device_.get(), sizeof(StageResult),
                                  cudaMemcpyDeviceToHost, stream_));
  }

  void launch_fill_ghosts(Real* u, double time, const soft_error::Reporter& reporter) {
    fill_ghosts<<<blocks_for(ghost_cells_.count()), kSmallBlock, 0, stream_>>>(rules_, ghost_cells_, u, time,
                                                                               reporter);
    HALFSTEP_CUDA_LAUNCHED("fill_ghosts");
  }

  StageArguments<Real> arguments(int stage) const {
    Real* const buffers[3] = {buffers_[0].get(), buffers_[1].get(), buffers_[2].get()};
    return stage_arguments(problem_, layout_, rotation_, buffers, attempt_.dt, stage);
  }

  CellExamination examine_again(const SoftError& error) {
    DeviceBuffer<CellExamination> on_device(1);
    examine_one<<<1, 1, 0, stream_>>>(arguments(error.stage), examination_of(problem_, verdict_),
                                      error.cell[0], error.cell[1], error.cell[2], &on_device.get()->record,
                                      &on_device.get()->finding);
    HALFSTEP_CUDA_LAUNCHED("examine_one");
    CellExamination result;
    HALFSTEP_CUDA(cudaMemcpyAsync(&result, on_device.get(), sizeof result, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return result;
  }

  Problem problem_;
  Layout layout_;
  GhostRules<Real> rules_;
  GhostCells ghost_cells_;
  int stages_;
  cudaDeviceProp device_{};
  StageKernel<Real> stage_ = nullptr;
  dim3 grid_, block_;
  int tiles_x_ = 1;
  int march_ = 1;
  int blocks_per_multiprocessor_ = 0;
  std::size_t shared_bytes_ = 0;

  Stream stream_;
  DeviceBuffer<Real> buffers_[3];
  DeviceBuffer<StageResult> result_on_device_;
  DeviceBuffer<PartialTotals> rows_, lanes_;
  PinnedValue<StageResult> result_;
  Rotation rotation_;
  soft_error::DeviceChannel channel_;
  Attempt attempt_;
  Verdict verdict_;
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
