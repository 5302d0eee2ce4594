// The interface of C. Bozza's GPU interruptible kernels (2012): a program written for it compiles against
// this header unchanged, as C++20. New code should use interruptible.hpp, whose kernels also keep to a time
// budget, pause on request, run on the host, and can be saved.
//
//   using namespace SySal::GPU::InterruptibleKernels;
//   struct MyArgs : Args { int rows, columns; };
//   struct MyStatus : Status { int i, j; };
//
//   __global__ void kernel(MyArgs* pargs, MyStatus* pstatus) {
//     _IKGPU_PROLOG(pargs, pstatus);                        // from here on the status of this thread
//     int forgotten = pargs->rows * pargs->columns;         // set again in every launch
//     _IKGPU_RESUMEFROM(1, pstatus);                        // one for each safe point
//     _IKGPU_RESUMEFROM(2, pstatus);
//     for (pstatus->i = 0; pstatus->i < pargs->rows; pstatus->i++) {
//       _IKGPU_INTERRUPT(1, pstatus, pargs);
//       for (pstatus->j = 0; pstatus->j < pargs->columns; pstatus->j++) {
//         _IKGPU_INTERRUPT(2, pstatus, pargs);
//         /* ... */
//       }
//     }
//     _IKGPU_END(pstatus);                                  // at every exit
//   }
//
//   IntKernel<MyArgs, MyStatus, kernel> launcher;
//   launcher.Arguments.rows = launcher.Arguments.columns = 100;
//   int launches = launcher.Launch(dim3(16), dim3(128), 1000);
//
// The header assumes that arguments derive from Args and statuses from Status, that programs do not touch the
// members of either, that statuses are plain data and may start as zeros, and that the number of a safe point
// is a literal above 0.
//
// Differences from the original:
//
// - Progress() can be called from another thread while Launch() runs.
// - Statuses start as zeros, not as uninitialised memory.
// - Launch() throws text (a char*), as in the original; also after a failed launch, and its memory is freed.
// - A safe point without its _IKGPU_RESUMEFROM does not compile. In the original the thread started over.
//
// As in the original, Launch() is done when no thread was interrupted in a launch. A thread that leaves by a
// plain `return` is run again, from where it last began, for as long as others are interrupted.
#pragma once

#include <atomic>
#include <cstdio>
#include <type_traits>

#include "../device_pause.hpp"
#include "../resumable.hpp"

namespace SySal::GPU::InterruptibleKernels {

/// The base of arguments: one object, shared by all threads.
struct Args {
  halfstep::interruptible::PauseView Pause;
  int Limiter = 0;   ///< the safe point at which a thread is interrupted, counted from one
  int Continue = 0;  ///< 1: a thread was interrupted in this launch
};

/// The base of the status that survives between two launches: one object per thread.
struct Status {
  int Interrupt;  ///< the number of a safe point, 0 at the start, -1 at the end
};

namespace detail {

__device__ inline std::int64_t thread_number() {
  const auto number = [](uint3 at, dim3 of) { return at.x + of.x * (at.y + std::int64_t{of.y} * at.z); };
  return number(threadIdx, blockDim) + number(blockIdx, gridDim) * (blockDim.x * blockDim.y * blockDim.z);
}

[[noreturn]] inline void fail(const char* why) {
  static thread_local char text[512];
  std::snprintf(text, sizeof text, "%s", why);
  throw static_cast<char*>(text);
}

}  // namespace detail

/// Launches `kernel` until none of its threads is interrupted, on the device that is current at construction.
template <class TArgs, class TStatus, void kernel(TArgs*, TStatus*)>
class IntKernel {
  static_assert(std::is_base_of_v<Args, TArgs> && std::is_base_of_v<Status, TStatus>);

 public:
  TArgs Arguments{};

  /// Runs the kernel to its end. In each launch a thread is interrupted at the `interrupt_checkpoints`-th
  /// safe point it meets. Returns the number of launches. Throws text (char*) if more than `max_launches` are
  /// needed (-1 = no limit), or if a launch fails.
  int Launch(dim3 blocks, dim3 threads, int interrupt_checkpoints = 10, int max_launches = -1) {
    using namespace halfstep;
    const std::int64_t total =
        std::int64_t{blocks.x} * blocks.y * blocks.z * threads.x * threads.y * threads.z;
    total_ = total;
    try {
      pause_.restart();
      DeviceBuffer<TArgs> arguments(1);
      DeviceBuffer<TStatus> statuses(static_cast<std::size_t>(total));
      HALFSTEP_CUDA(cudaMemset(statuses.get(), 0, statuses.count() * sizeof(TStatus)));
      Arguments.Pause = pause_.view();
      Arguments.Limiter = std::max(interrupt_checkpoints, 1);
      HALFSTEP_CUDA(cudaMemcpy(arguments.get(), &Arguments, sizeof(TArgs), cudaMemcpyHostToDevice));
      int launches = 0;
      do {
        if (launches == max_launches) detail::fail("Maximum number of launches exceeded.");
        HALFSTEP_CUDA(cudaMemset(&arguments.get()->Continue, 0, sizeof(int)));
        pause_.begin_slice(nullptr, 0);
        kernel<<<blocks, threads>>>(arguments.get(), statuses.get());
        HALFSTEP_CUDA_LAUNCHED("an interruptible kernel");
        pause_.end_slice(nullptr);
        // Waits for the kernel. All arguments are copied back, as they may hold results.
        HALFSTEP_CUDA(cudaMemcpy(&Arguments, arguments.get(), sizeof(TArgs), cudaMemcpyDeviceToHost));
        ++launches;
      } while (Arguments.Continue);
      pause_.set_done(total);
      return launches;
    } catch (const CudaError& error) {
      detail::fail(error.what());
    }
  }

  /// Returns how many threads of how many have ended, in how many launches of the latest Launch(); may be
  /// called while it runs. Threads that leave by a plain `return` count once all others have ended.
  halfstep::interruptible::Progress Progress() const { return {pause_.done(), total_, pause_.launches()}; }

 private:
  halfstep::interruptible::DevicePause pause_;
  std::atomic<std::int64_t> total_{0};
};

}  // namespace SySal::GPU::InterruptibleKernels

/// The first statement of the kernel.
#define _IKGPU_PROLOG(pargs, pstatus)                                                \
  pstatus += ::SySal::GPU::InterruptibleKernels::detail::thread_number();            \
  if (pstatus->Interrupt == ::halfstep::interruptible::Resumable::kFinished) return; \
  const ::halfstep::interruptible::PauseView ikgpu_pause = pargs->Pause;             \
  ::halfstep::interruptible::SafePoints ikgpu_safe_points(                           \
      ikgpu_pause, static_cast<std::uint32_t>(pargs->Limiter),                       \
      ::SySal::GPU::InterruptibleKernels::detail::thread_number());

/// Declares a safe point; one for each safe point of the kernel, before its work begins.
#define _IKGPU_RESUMEFROM(at, pstatus)                   \
  enum { ikgpu_resumefrom_##at = at };                   \
  {                                                      \
    if (pstatus->Interrupt == at) goto ikgpu_point_##at; \
  }

/// A safe point numbered `at`: a label and no `case`, so it may stand in a switch of the program's own.
#define _IKGPU_INTERRUPT(at, pstatus, pargs)      \
  {                                               \
    if (ikgpu_safe_points.due()) {                \
      pstatus->Interrupt = ikgpu_resumefrom_##at; \
      pargs->Continue = 1;                        \
      return;                                     \
    }                                             \
  }                                               \
  ikgpu_point_##at:;

/// Ends the thread. Use it at every exit of the kernel that is not a safe point.
#define _IKGPU_END(pstatus)                                               \
  {                                                                       \
    pstatus->Interrupt = ::halfstep::interruptible::Resumable::kFinished; \
    ikgpu_pause.add_done(1);                                              \
    return;                                                               \
  }
