#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/base/quartiles.hpp"
#include "app/study/flux_sweep.hpp"
#include "app/study/safe_points.hpp"
#include "physics/sources/half_source.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/interruptible/device_tile_queue.hpp"
#include "runtime/interruptible/launcher.hpp"

namespace halfstep {
namespace {

using namespace interruptible;

constexpr int kBlock = 128;
constexpr double kFarAway = 1e6;  // a budget in ms, so that deadlines are checked

__device__ std::int64_t global_thread() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

/// Kernel arguments by value and by pointer, for kernels written once for both.
template <class T>
struct ByValue {
  T value;
  __device__ const T& operator*() const { return value; }
};
template <class T>
struct ByPointer {
  const T* pointer;
  __device__ const T& operator*() const { return *pointer; }
};

template <class Reconstruction, class Passed /* of a Sweep */>
__global__ void ordinary(const __grid_constant__ Passed passed) {
  NoSafePoints safe_points{global_thread()};
  Sweeper my;
  sweep_pencils<Reconstruction, SafePointEvery::tile>(*passed, my, safe_points);
}

struct Queued {
  Sweep sweep;
  TileQueueView queue;
};

template <class Reconstruction, class Passed /* of a Queued */>
__global__ void tile_queue(const __grid_constant__ Passed passed) {
  const Queued& a = *passed;
  __shared__ std::int64_t tile;
  if (threadIdx.x == 0) tile = a.queue.take();
  __syncthreads();
  if (tile < 0) return;
  NoSafePoints safe_points{tile * blockDim.x + threadIdx.x};
  Sweeper my;
  sweep_pencils<Reconstruction, SafePointEvery::tile>(a.sweep, my, safe_points);
}

struct Resumed {
  Sweep sweep;
  PauseView pause;
  std::uint32_t last_safe_point;
};

/// resumable_kernel without the copy of the record; by pointer it takes arguments as in 2012.
template <class Reconstruction, SafePointEvery every, class Passed /* of a Resumed */>
__global__ void in_memory(const __grid_constant__ Passed passed, Sweeper* records) {
  const Resumed& a = *passed;
  const std::int64_t thread = global_thread();
  Sweeper& my = records[thread];
  bool finished = false;
  if (!my.finished() && a.pause.may_start()) {
    SafePoints safe_points(a.pause, a.last_safe_point, thread);
    sweep_pencils<Reconstruction, every>(a.sweep, my, safe_points);
    finished = my.finished();
  }
  const int newly = __syncthreads_count(finished);
  if (threadIdx.x == 0 && newly > 0) a.pause.add_done(newly);
}

template <class Reconstruction, SafePointEvery every>
constexpr auto* in_registers =
    interruptible::detail::resumable_kernel<sweep_pencils<Reconstruction, every, SafePoints>, Sweep, Sweeper>;

__global__ void fill(const __grid_constant__ Layout l, IdealGas<double> gas, double* u) {
  const std::int64_t n = global_thread();
  const int i = static_cast<int>(n % l.cells[0]), j = static_cast<int>(n / l.cells[0] % l.cells[1]);
  const int k = static_cast<int>(n / l.cells[0] / l.cells[1]) - l.ghosts[2];
  if (k < l.cells[2] + l.ghosts[2]) store(l, u, i, j, k, swept_state(l, i, j, k, gas));
}

__global__ void count_different(const unsigned long long* a, const unsigned long long* b, std::int64_t count,
                                unsigned long long* different) {
  const std::int64_t n = global_thread();
  if (n < count && a[n] != b[n]) atomicAdd(different, 1ull);
}

/// The extent of a launch: the end of its threads or tiles, counted from the sweep's first, and the safe
/// point at which a thread leaves.
struct Slice {
  std::int64_t end;
  std::uint32_t last_safe_point;
};

struct Variant {
  SweepCost cost;
  std::function<void(const Slice&)> launch = {};
};

/// The sweep's memory, and the launching and timing of its kernels.
class Bench {
 public:
  /// `layers`: ghost layers along z.
  explicit Bench(int layers)
      : layout_({kSweptCells[0], kSweptCells[1], kSweptCells[2]}, {0, 0, layers}),
        u_(layout_.values()),
        out_(layout_.values()),
        expected_(layout_.values()),
        records_(sweep(SafePointEvery::tile).threads()) {
    int device = 0;
    HALFSTEP_CUDA(cudaGetDevice(&device));
    HALFSTEP_CUDA(cudaGetDeviceProperties(&device_, device));
    fill<<<blocks(std::int64_t{layout_.cells[0]} * layout_.cells[1] * (layout_.cells[2] + 2 * layers)),
           kBlock, 0, stream_>>>(layout_, {}, u_.get());
    HALFSTEP_CUDA_LAUNCHED("fill");
  }

  template <class Reconstruction>
  std::vector<SweepCost> measure(const std::string& scheme, int rounds) {
    using enum SafePointEvery;
    variants_.clear();
    for (const SafePointEvery every : {tile, pencil, cell}) add_ordinary<Reconstruction, ByValue>(every);
    add_ordinary<Reconstruction, ByPointer>(tile);
    for (const SafePointEvery every : {tile, pencil, cell}) add_queue<Reconstruction, ByValue>(every);
    add_queue<Reconstruction, ByPointer>(tile);
    add_records<Reconstruction, tile>();
    add_records<Reconstruction, pencil>();
    add_records<Reconstruction, cell>();

    compare();
    for (int round = -2; round < rounds; ++round)  // rounds below 0 warm up
      for (std::size_t turn = 0; turn < variants_.size(); ++turn) {
        // In alternating order, so that no kernel always follows the same one.
        Variant& variant = variants_[round % 2 == 0 ? turn : variants_.size() - 1 - turn];
        begin();
        run(variant, whole(variant));
        if (round >= 0) variant.cost.milliseconds.push_back(1e3 * ended_.seconds_since(began_));
      }
    std::vector<SweepCost> costs;
    for (const Variant& variant : variants_) {
      costs.push_back(variant.cost);
      costs.back().scheme = scheme;
    }
    return costs;
  }

 private:
  static unsigned blocks(std::int64_t threads) {
    return static_cast<unsigned>((threads + kBlock - 1) / kBlock);
  }

  Sweep sweep(SafePointEvery pieces) const {
    return {layout_,
            u_.get(),
            out_.get(),
            {},
            pieces == SafePointEvery::cell ? 1 : kPencilCells,
            pieces == SafePointEvery::tile ? kTilePencils : 1};
  }

  /// Times a kernel between two events; everything else is queued before the first.
  template <class... Parameters, class... Arguments>
  void time(void (*kernel)(Parameters...), std::int64_t blocks, const Arguments&... arguments) {
    began_.record(stream_);
    kernel<<<static_cast<unsigned>(blocks), kBlock, 0, stream_>>>(arguments...);
    HALFSTEP_CUDA_LAUNCHED("a kernel of the study");
    ended_.record(stream_);
  }

  /// Returns the arguments as the kernel takes them. Memory behind a pointer lasts until the next call.
  template <class Passed, class T>
  Passed passed(const T& value) {
    if constexpr (std::is_same_v<Passed, ByValue<T>>) {
      return {value};
    } else {
      static_assert(sizeof(T) <= kMostBytes);
      HALFSTEP_CUDA(cudaMemcpyAsync(arguments_.get(), &value, sizeof value, cudaMemcpyHostToDevice, stream_));
      return {reinterpret_cast<const T*>(arguments_.get())};
    }
  }

  /// Adds a variant. `threads`: of the sweep; `askers` and `checks` of `cost` are set.
  template <class Kernel, class Launch>
  void add(SweepCost cost, std::int64_t threads, Kernel* kernel, Launch launch) {
    cudaFuncAttributes attributes;
    HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    int blocks = 0;  // resident per multiprocessor
    HALFSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kBlock, 0));
    cost.registers = attributes.numRegs;
    cost.local_bytes = static_cast<int>(attributes.localSizeBytes);
    cost.occupancy = double(blocks * kBlock) / device_.maxThreadsPerMultiProcessor;
    const std::int64_t resident = std::int64_t{blocks} * kBlock * device_.multiProcessorCount;
    cost.at_once = std::min(resident, threads) * cost.askers / threads;
    variants_.push_back({std::move(cost), std::move(launch)});
  }

  template <class Reconstruction, template <class> class Passing>
  void add_ordinary(SafePointEvery pieces) {
    constexpr auto* kernel = ordinary<Reconstruction, Passing<Sweep>>;
    const Sweep sweep = this->sweep(pieces);
    add({.form = SafePointForm::ordinary,
         .every = pieces,
         .by_pointer = std::is_same_v<Passing<Sweep>, ByPointer<Sweep>>,
         .askers = sweep.threads()},
        sweep.threads(), kernel,
        [=, this](const Slice&) { time(kernel, sweep.threads() / kBlock, passed<Passing<Sweep>>(sweep)); });
  }

  template <class Reconstruction, template <class> class Passing>
  void add_queue(SafePointEvery pieces) {
    constexpr auto* kernel = tile_queue<Reconstruction, Passing<Queued>>;
    const Sweep sweep = this->sweep(pieces);
    add({.form = SafePointForm::tile_queue,
         .every = pieces,
         .by_pointer = std::is_same_v<Passing<Queued>, ByPointer<Queued>>,
         .checks = 1,
         .askers = sweep.threads() / kBlock},
        sweep.threads(), kernel, [=, this](const Slice& slice) {
          time(kernel, slice.end - pause_.done(),
               passed<Passing<Queued>>(Queued{sweep, {pause_.view(), slice.end}}));
        });
  }

  template <class Reconstruction, SafePointEvery every>
  void add_records() {
    const Sweep sweep = this->sweep(SafePointEvery::tile);
    const std::int64_t threads = sweep.threads();
    const int points = every == SafePointEvery::tile     ? 0
                       : every == SafePointEvery::pencil ? kTilePencils
                                                         : kTilePencils * kPencilCells;
    const auto cost = [&](SafePointForm form, bool by_pointer) -> SweepCost {
      return {.form = form,
              .every = every,
              .by_pointer = by_pointer,
              .checks = 1 + points,  // one at the start
              .askers = threads};
    };
    constexpr auto* copied = in_registers<Reconstruction, every>;
    add(cost(SafePointForm::in_registers, false), threads, copied, [=, this](const Slice& slice) {
      time(copied, threads / kBlock, sweep, records_.get(), threads, pause_.view(), slice.last_safe_point);
    });
    add_in_memory<ByValue>(cost(SafePointForm::in_memory, false), sweep,
                           in_memory<Reconstruction, every, ByValue<Resumed>>);
    add_in_memory<ByPointer>(cost(SafePointForm::in_memory, true), sweep,
                             in_memory<Reconstruction, every, ByPointer<Resumed>>);
  }

  template <template <class> class Passing>
  void add_in_memory(const SweepCost& cost, const Sweep& sweep, void (*kernel)(Passing<Resumed>, Sweeper*)) {
    const std::int64_t threads = sweep.threads();
    add(cost, threads, kernel, [=, this](const Slice& slice) {
      time(kernel, threads / kBlock,
           passed<Passing<Resumed>>(Resumed{sweep, pause_.view(), slice.last_safe_point}), records_.get());
    });
  }

  static Slice whole(const Variant& variant) {
    return {variant.cost.askers, interruptible::detail::last_safe_point({})};
  }

  /// Starts a sweep from the beginning.
  void begin() {
    pause_.restart();
    HALFSTEP_CUDA(cudaMemsetAsync(records_.get(), 0, records_.count() * sizeof(Sweeper), stream_));
  }

  void run(const Variant& variant, const Slice& slice) {
    pause_.begin_slice(stream_, kFarAway, slice.end);
    variant.launch(slice);
    pause_.end_slice(stream_);
    stream_.synchronize();
  }

  /// Compares each kernel's values, of a whole and an interrupted sweep, with the first kernel's.
  void compare() {
    for (Variant& variant : variants_) {
      clear_out();
      begin();
      run(variant, whole(variant));
      if (&variant == &variants_.front())
        HALFSTEP_CUDA(cudaMemcpyAsync(expected_.get(), out_.get(), out_.count() * sizeof(double),
                                      cudaMemcpyDeviceToDevice, stream_));
      variant.cost.different = different();
      if (variant.cost.form == SafePointForm::ordinary) continue;
      clear_out();
      begin();
      const bool queue = variant.cost.form == SafePointForm::tile_queue;
      for (std::int64_t done; (done = pause_.done()) < variant.cost.askers;)
        run(variant,
            {queue ? std::min(done + variant.cost.askers / 3 + 1, variant.cost.askers) : variant.cost.askers,
             3});
      variant.cost.different += different();
    }
  }

  /// Fills the output with a value that no kernel writes.
  void clear_out() {
    HALFSTEP_CUDA(cudaMemsetAsync(out_.get(), 0xff, out_.count() * sizeof(double), stream_));
  }

  std::int64_t different() {
    const auto bits = [](const DeviceBuffer<double>& buffer) {
      return reinterpret_cast<const unsigned long long*>(buffer.get());
    };
    unsigned long long found = 0;
    HALFSTEP_CUDA(cudaMemsetAsync(different_.get(), 0, sizeof found, stream_));
    const std::int64_t count = layout_.values();
    count_different<<<blocks(count), kBlock, 0, stream_>>>(bits(out_), bits(expected_), count,
                                                           different_.get());
    HALFSTEP_CUDA_LAUNCHED("count_different");
    HALFSTEP_CUDA(cudaMemcpyAsync(&found, different_.get(), sizeof found, cudaMemcpyDeviceToHost, stream_));
    stream_.synchronize();
    return static_cast<std::int64_t>(found);
  }

  static constexpr std::size_t kMostBytes = 512;  // size limit of a kernel's arguments

  Layout layout_;
  cudaDeviceProp device_{};
  Stream stream_;
  Event began_, ended_;
  DevicePause pause_;
  DeviceBuffer<double> u_, out_, expected_;
  DeviceBuffer<Sweeper> records_;
  DeviceBuffer<unsigned char> arguments_{kMostBytes};
  DeviceBuffer<unsigned long long> different_{1};
  std::vector<Variant> variants_;
};

__global__ void empty_tile(TileQueueView queue) {
  if (threadIdx.x == 0) queue.take();
}

std::vector<SweepCost> safe_points_on_device(int rounds) {
  using Plm = halfstep::Plm<Limiter::van_leer>;
  Bench bench(Weno5z::radius + 1);
  std::vector<SweepCost> all = bench.measure<Plm>("plm", rounds);
  for (SweepCost& cost : bench.measure<Weno5z>("weno5z", rounds)) all.push_back(std::move(cost));
  return all;
}

double slice_on_device() {
  constexpr int launches = 500;
  const Stream stream;
  DeviceTileQueue queue;
  queue.start(launches);
  std::vector<double> all;
  while (queue.done() < launches) {
    const auto began = std::chrono::steady_clock::now();
    queue.launch_slice({.interrupts_per_launch = 1, .milliseconds_per_launch = kFarAway}, stream,
                       [&](const TileQueueView& view, std::int64_t blocks) {
                         empty_tile<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(view);
                       });
    queue.wait(stream);
    all.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count());
  }
  return quartiles(all).median;
}

const RegisterDeviceFunction sweeps(measure_safe_points, safe_points_on_device);
const RegisterDeviceFunction slices(microseconds_of_slice, slice_on_device);

}  // namespace
}  // namespace halfstep
