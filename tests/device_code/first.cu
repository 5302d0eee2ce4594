// A program of two translation units with every call of the libraries that a kernel can make.
#include "kernels.hpp"

using namespace halfstep::soft_error;
using namespace halfstep::interruptible;

__global__ void every_call(Reporter<> bare, Reporter<Payload> reporter, LiveReporter<Payload> live) {
  const int thread = threadIdx.x;
  if (bare.cancelled() || reporter.cancelled()) return;
  if (bare.raised()) halfstep::soft_error::detail::cancel_later(bare);
  if (thread == 1) bare.raise();
  if (thread == 2) raise(bare, 3);
  if (thread == 3) raise(reporter, 3);
  report_first_error(reporter, [&](Payload& p) { p.thread = thread; });
  report_first_error(live.now(), 4, [=](Payload& p) { p.thread = thread; });
  report_first_error(
      live.now(), [=](Payload& p) { p.thread = thread; }, 4);
  report_first_error(reporter, 5, [&](Payload& p) { p.where = here(); });
  warn(bare, 1);
  warn(reporter, 1);
  warn(reporter, 1, [&](Payload& p) { p.value = 0.5 * thread; });
}

__global__ void take_tiles(TileQueueView queue, int* tiles) {
  if (queue.active() && threadIdx.x == 0 && queue.take() >= 0) atomicAdd(tiles, 1);
}

__global__ void int_kernel(IntArgs* pargs, IntStatus* pstatus) {
  _IKGPU_PROLOG(pargs, pstatus)
  _IKGPU_RESUMEFROM(1, pstatus)
  _IKGPU_INTERRUPT(1, pstatus, pargs)
  _IKGPU_END(pstatus)
}

int main() {
  CountLauncher launcher(100);
  DeviceTileQueue queue;
  queue.start(1);
  queue.launch_slice({}, nullptr,
                     [](TileQueueView view, std::int64_t) { take_tiles<<<1, 1>>>(view, nullptr); });
  SySal::GPU::InterruptibleKernels::IntKernel<IntArgs, IntStatus, int_kernel> old;
  return launcher.run(5, {}) == count_in_second_unit(launcher) && old.Launch(dim3(1), dim3(1)) == 1
             ? use_of_channels()
             : 1;
}
