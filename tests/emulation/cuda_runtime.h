// The part of the CUDA device API that the kernels use, for one block of threads on the CPU: enough to
// run the kernel body without a GPU and compare it with the host to the bit. Threads are fibers that take
// turns at barriers, in either order, so some missing barriers go unnoticed here; on a device racecheck looks
// for those.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <vector>

#define __device__
#define __global__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __shared__
#define __align__(bytes) __attribute__((aligned(bytes)))

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

inline dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulation {

/// The threads of a block. Each runs until its next barrier, in order, repeatedly.
class Block {
 public:
  static inline bool backwards = false;  ///< runs the last thread first

  static void run(dim3 shape, const std::function<void()>& kernel) {
    Block block(shape, kernel);
    running_ = &block;
    for (bool any = true; any;) {
      any = false;
      for (std::size_t turn = 0; turn < block.threads_.size(); ++turn) {
        block.current_ = backwards ? block.threads_.size() - 1 - turn : turn;
        Thread& thread = block.threads_[block.current_];
        if (thread.done) continue;
        threadIdx = {unsigned(block.current_) % shape.x, unsigned(block.current_) / shape.x, 0};
        swapcontext(&block.scheduler_, &thread.context);
        any |= !thread.done;
      }
    }
    running_ = nullptr;
  }

  static void barrier() { running_->yield(); }

  /// Returns the value of the thread `lane ^ mask` of the warp; all threads of the block call it together.
  template <class T>
  static T exchange(T value, int mask) {
    static std::vector<T> values;
    const std::size_t own = running_->current_;
    if (values.size() <= own) values.resize(running_->threads_.size());
    values[own] = value;
    barrier();
    const T other = values[own ^ mask];
    barrier();
    return other;
  }

 private:
  using Stack = std::array<char, 64 << 10>;
  struct Thread {
    ucontext_t context;
    bool done = false;
  };

  Block(dim3 shape, const std::function<void()>& kernel)
      : threads_(std::size_t{shape.x} * shape.y), kernel_(kernel) {
    blockDim = shape;
    while (stacks_.size() < threads_.size()) stacks_.push_back(std::make_unique<Stack>());
    for (std::size_t n = 0; n < threads_.size(); ++n) prepare(threads_[n].context, *stacks_[n]);
  }

  [[gnu::noinline]] static void prepare(ucontext_t& context, Stack& stack) {
    getcontext(&context);
    context.uc_stack.ss_sp = stack.data();
    context.uc_stack.ss_size = stack.size();
    makecontext(&context, &Block::enter, 0);
  }

  static void enter() {
    running_->kernel_();
    running_->threads_[running_->current_].done = true;
    running_->yield();
  }

  void yield() { swapcontext(&threads_[current_].context, &scheduler_); }

  std::vector<Thread> threads_;
  const std::function<void()>& kernel_;
  ucontext_t scheduler_;
  std::size_t current_ = 0;
  static inline Block* running_ = nullptr;
  static inline std::vector<std::unique_ptr<Stack>> stacks_;  // reused by one block after another
};

template <class T, class F>
T replace(T* at, F f) {
  const T before = *at;
  *at = f(before);
  return before;
}

}  // namespace emulation

inline void __syncthreads() { emulation::Block::barrier(); }
inline void __syncwarp() { emulation::Block::barrier(); }
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
  return emulation::Block::exchange(value, mask);
}
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T atomicAdd(T* at, T value) {
  return emulation::replace(at, [=](T before) { return before + value; });
}
template <class T>
T atomicMax(T* at, T value) {
  return emulation::replace(at, [=](T before) { return std::max(before, value); });
}
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline void __threadfence() {}
using std::max;
using std::min;
