// A program in the style of those of 2012: eight kernels over blocks of events, written with the macros, and
// the class that launches them one after the other. Threads beyond the events leave by return, loops continue
// behind a safe point, and results come back through pointers and through the arguments.
#include <doctest/doctest.h>
#include <gpu_interruptible_kernels.h>

#include <algorithm>
#include <vector>

#include "runtime/device/memory.hpp"

using namespace SySal::GPU::InterruptibleKernels;

namespace {

struct Event {
  int time, charge, next;  // next: the next event of its chain, -1 at the end
};

struct BlockArgs : public Args {
  Event* events;
  int count, block, window;
  int* out;
};

struct BlockStatus : public Status {
  int i, end, j, sum;
};

struct ChainArgs : public BlockArgs {
  int min_length;
  int* lengths;
};

struct ChainStatus : public BlockStatus {
  Event* event;
  int length, found;
};

struct ShiftArgs : public BlockArgs {
  int shifts;
  int* best;  // (score << 8) + shift
};

struct ShiftStatus : public BlockStatus {
  int shift, score;
};

__host__ __device__ int mixed(int sum, int with) { return (sum * 31 + with) & 0xffffff; }

__device__ int this_thread() { return threadIdx.x + blockIdx.x * blockDim.x; }

__global__ void clear_Ikernel(BlockArgs* __restrict__ pargs, BlockStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  _IKGPU_RESUMEFROM(1, pstatus);
  for (pstatus->i = 0; pstatus->i < pargs->block; pstatus->i++)
    if (idx * pargs->block + pstatus->i < pargs->count) {
      _IKGPU_INTERRUPT(1, pstatus, pargs);
      pargs->out[idx * pargs->block + pstatus->i] = 0;
    }
  _IKGPU_END(pstatus);
}

__global__ void smooth_Ikernel(BlockArgs* __restrict__ pargs, BlockStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  int window = pargs->window;
  _IKGPU_RESUMEFROM(1, pstatus);
  if (idx * pargs->block >= pargs->count) return;
  pstatus->end = min(pargs->count, (idx + 1) * pargs->block);
  for (pstatus->i = idx * pargs->block; pstatus->i < pstatus->end; pstatus->i++) {
    _IKGPU_INTERRUPT(1, pstatus, pargs);
    if (pargs->events[pstatus->i].charge < 0) continue;
    int sum = 0;
    for (int j = max(0, pstatus->i - window); j <= min(pargs->count - 1, pstatus->i + window); j++)
      sum += pargs->events[j].charge;
    pargs->out[pstatus->i] = sum;
  }
  _IKGPU_END(pstatus);
}

__global__ void fold_Ikernel(BlockArgs* __restrict__ pargs, BlockStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  _IKGPU_RESUMEFROM(1, pstatus);
  _IKGPU_RESUMEFROM(2, pstatus);
  if (idx * pargs->block >= pargs->count) _IKGPU_END(pstatus);
  pstatus->end = min(pargs->count, (idx + 1) * pargs->block);
  for (pstatus->i = idx * pargs->block; pstatus->i < pstatus->end; pstatus->i++) {
    _IKGPU_INTERRUPT(1, pstatus, pargs);
    pstatus->sum = pstatus->i;
    for (pstatus->j = pargs->events[pstatus->i].time % 7; pstatus->j >= 0; pstatus->j--) {
      _IKGPU_INTERRUPT(2, pstatus, pargs);
      pstatus->sum = mixed(pstatus->sum, pstatus->j);
    }
    pargs->out[pstatus->i] = pstatus->sum;
  }
  _IKGPU_END(pstatus);
}

__global__ void sort_out_Ikernel(BlockArgs* __restrict__ pargs, BlockStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  _IKGPU_RESUMEFROM(1, pstatus);
  _IKGPU_RESUMEFROM(2, pstatus);
  if (idx * pargs->block >= pargs->count) return;
  pstatus->end = min(pargs->count, (idx + 1) * pargs->block);
  for (pstatus->i = idx * pargs->block; pstatus->i < pstatus->end; pstatus->i++) {
    switch (pargs->events[pstatus->i].time % 3) {
      case 0:
        _IKGPU_INTERRUPT(1, pstatus, pargs);
        pargs->out[pstatus->i] = 1;
        break;
      case 1:
        pargs->out[pstatus->i] = 2;
        break;
      case 2:
        _IKGPU_INTERRUPT(2, pstatus, pargs);
        pargs->out[pstatus->i] = 3;
        break;
    }
  }
  _IKGPU_END(pstatus);
}

__global__ void measure_chain_Ikernel(ChainArgs* __restrict__ pargs, ChainStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  _IKGPU_RESUMEFROM(1, pstatus);
  _IKGPU_RESUMEFROM(2, pstatus);
  pstatus->end = min(pargs->count, (idx + 1) * pargs->block);
  for (pstatus->i = idx * pargs->block; pstatus->i < pstatus->end; pstatus->i++) {
    _IKGPU_INTERRUPT(1, pstatus, pargs);
    pstatus->length = 1;
    pstatus->event = pargs->events + pstatus->i;
    while (pstatus->event->next >= 0) {
      _IKGPU_INTERRUPT(2, pstatus, pargs);
      pstatus->event = pargs->events + pstatus->event->next;
      pstatus->length++;
    }
    pargs->lengths[pstatus->i] = pstatus->length;
  }
  _IKGPU_END(pstatus);
}

__global__ void select_chain_Ikernel(ChainArgs* pargs, ChainStatus* pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  _IKGPU_RESUMEFROM(1, pstatus);
  if (idx * pargs->block >= pargs->count) return;
  pstatus->end = min(pargs->count, (idx + 1) * pargs->block);
  pargs->out[idx] = pstatus->found = 0;
  for (pstatus->i = idx * pargs->block; pstatus->i < pstatus->end; pstatus->i++) {
    _IKGPU_INTERRUPT(1, pstatus, pargs);
    if (pargs->lengths[pstatus->i] < pargs->min_length) continue;
    pstatus->found++;
    if (pstatus->found >= 2) {
      pargs->out[idx] = pstatus->found;
      _IKGPU_END(pstatus);
    }
  }
  pargs->out[idx] = pstatus->found;
  _IKGPU_END(pstatus);
}

__global__ void try_shift_Ikernel(ShiftArgs* __restrict__ pargs, ShiftStatus* __restrict__ pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  _IKGPU_RESUMEFROM(1, pstatus);
  for (pstatus->shift = idx; pstatus->shift < pargs->shifts; pstatus->shift += gridDim.x * blockDim.x) {
    pstatus->score = 0;
    for (pstatus->i = 0; pstatus->i + pstatus->shift < pargs->count; pstatus->i++) {
      _IKGPU_INTERRUPT(1, pstatus, pargs);
      const Event& later = pargs->events[pstatus->i + pstatus->shift];
      pstatus->score += pargs->events[pstatus->i].charge == later.charge;
    }
    atomicMax(pargs->best, (pstatus->score << 8) + pstatus->shift);
  }
  _IKGPU_END(pstatus);
}

__global__ void last_time_Ikernel(ShiftArgs* pargs, ShiftStatus* pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int idx = this_thread();
  _IKGPU_RESUMEFROM(1, pstatus);
  if (idx > 0) return;
  pstatus->sum = 0;
  pstatus->i = pargs->count;
  do {
    pstatus->i--;
    pstatus->sum = max(pstatus->sum, pargs->events[pstatus->i].time);
    _IKGPU_INTERRUPT(1, pstatus, pargs);
  } while (pstatus->i > 0);
  pargs->window = pstatus->sum;  // in the arguments, which are copied back
  _IKGPU_END(pstatus);
}

/// Computes the results of the kernels with plain loops.
struct Expected {
  std::vector<int> smooth, folded, sorted, lengths, selected;
  int best = 0, last_time = 0;
};

constexpr int kCount = 1000, kBlock = 7, kWindow = 3, kShifts = 40, kMinLength = 3;
const dim3 kBlocks(3), kThreads(64);  // 192 threads for 143 blocks of events

std::vector<Event> make_events() {
  std::vector<Event> events(kCount);
  unsigned random = 5;
  const auto draw = [&](unsigned below) {
    return static_cast<int>((random = random * 1664525u + 1013904223u) / 65536u % below);
  };
  for (int i = 0; i < kCount; ++i) {
    const int next = i + 1 + draw(20);
    events[i] = {draw(1000), draw(12) - 2, next < kCount && draw(3) > 0 ? next : -1};
  }
  return events;
}

Expected expected_of(const std::vector<Event>& events) {
  Expected e;
  e.smooth.assign(kCount, 0);
  e.selected.assign((kCount + kBlock - 1) / kBlock, 0);
  for (int i = 0; i < kCount; ++i) {
    if (events[i].charge >= 0)
      for (int j = std::max(0, i - kWindow); j <= std::min(kCount - 1, i + kWindow); ++j)
        e.smooth[i] += events[j].charge;
    int sum = i;
    for (int j = events[i].time % 7; j >= 0; --j) sum = mixed(sum, j);
    e.folded.push_back(sum);
    e.sorted.push_back(events[i].time % 3 + 1);
    int length = 1;
    for (int at = i; events[at].next >= 0; at = events[at].next) ++length;
    e.lengths.push_back(length);
    int& found = e.selected[i / kBlock];
    found = std::min(2, found + (length >= kMinLength));
    e.last_time = std::max(e.last_time, events[i].time);
  }
  for (int shift = 0; shift < kShifts; ++shift) {
    int score = 0;
    for (int i = 0; i + shift < kCount; ++i) score += events[i].charge == events[i + shift].charge;
    e.best = std::max(e.best, (score << 8) + shift);
  }
  return e;
}

/// The program: its memory and a launcher for each kernel.
class Program {
 public:
  explicit Program(const std::vector<Event>& events)
      : events_(kCount), out_(kCount), lengths_(kCount), best_(1) {
    HALFSTEP_CUDA(cudaMemcpy(events_.get(), events.data(), kCount * sizeof(Event), cudaMemcpyHostToDevice));
    HALFSTEP_CUDA(cudaMemset(best_.get(), 0, sizeof(int)));
  }

  /// Runs a kernel, with at most `checkpoints` safe points per thread and launch.
  template <class TArgs, class TStatus, void kernel(TArgs*, TStatus*)>
  TArgs run(int checkpoints) {
    IntKernel<TArgs, TStatus, kernel> launcher;
    TArgs& args = launcher.Arguments;
    args.events = events_.get();
    args.count = kCount;
    args.block = kBlock;
    args.window = kWindow;
    args.out = out_.get();
    if constexpr (requires { args.lengths; }) {
      args.min_length = kMinLength;
      args.lengths = lengths_.get();
    }
    if constexpr (requires { args.best; }) {
      args.shifts = kShifts;
      args.best = best_.get();
    }
    launches_ += launcher.Launch(kBlocks, kThreads, checkpoints, 100'000);
    return args;
  }

  std::vector<int> out(std::size_t count = kCount) const { return read(out_, count); }
  std::vector<int> lengths() const { return read(lengths_, kCount); }
  int best() const { return read(best_, 1)[0]; }
  int launches() const { return launches_; }

 private:
  static std::vector<int> read(const halfstep::DeviceBuffer<int>& memory, std::size_t count) {
    std::vector<int> values(count);
    HALFSTEP_CUDA(cudaMemcpy(values.data(), memory.get(), count * sizeof(int), cudaMemcpyDeviceToHost));
    return values;
  }

  halfstep::DeviceBuffer<Event> events_;
  halfstep::DeviceBuffer<int> out_, lengths_, best_;
  int launches_ = 0;
};

}  // namespace

TEST_CASE("a program of eight kernels in the shape of 2012 ends, and finds what plain loops find") {
  const std::vector<Event> events = make_events();
  const Expected expected = expected_of(events);
  for (const int checkpoints : {1, 2, 5, 33, 100'000}) {
    CAPTURE(checkpoints);
    Program program(events);
    program.run<BlockArgs, BlockStatus, clear_Ikernel>(checkpoints);
    CHECK(program.out() == std::vector<int>(kCount));
    program.run<BlockArgs, BlockStatus, smooth_Ikernel>(checkpoints);
    CHECK(program.out() == expected.smooth);
    program.run<BlockArgs, BlockStatus, fold_Ikernel>(checkpoints);
    CHECK(program.out() == expected.folded);
    program.run<BlockArgs, BlockStatus, sort_out_Ikernel>(checkpoints);
    CHECK(program.out() == expected.sorted);
    program.run<ChainArgs, ChainStatus, measure_chain_Ikernel>(checkpoints);
    CHECK(program.lengths() == expected.lengths);
    program.run<ChainArgs, ChainStatus, select_chain_Ikernel>(checkpoints);
    CHECK(program.out(expected.selected.size()) == expected.selected);
    program.run<ShiftArgs, ShiftStatus, try_shift_Ikernel>(checkpoints);
    CHECK(program.best() == expected.best);
    CHECK(program.run<ShiftArgs, ShiftStatus, last_time_Ikernel>(checkpoints).window == expected.last_time);
    if (checkpoints == 100'000) CHECK(program.launches() == 8);
  }
}
