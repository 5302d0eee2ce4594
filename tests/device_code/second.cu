// The second translation unit: the host's calls.
#include "kernels.hpp"

using namespace halfstep::soft_error;
using namespace halfstep::interruptible;

int use_of_channels() {
  DeviceChannel<> bare;
  Channel<Payload> channel;
  channel = Channel<Payload>(keep_samples);
  every_call<<<1, 32>>>(bare.reporter(), channel.reporter(2, 3), channel.live_reporter());
  HALFSTEP_CUDA_LAUNCHED("every_call");
  channel.next_epoch(cudaStream_t{});
  if (channel.take(cudaStream_t{})) return 1;
  HALFSTEP_CUDA(cudaDeviceSynchronize());
  return 2 * channel.samples().size() == channel.counts().total() && bare.poll() && channel.take() ? 0 : 1;
}

Outcome count_in_second_unit(CountLauncher& launcher) {
  launcher.reset();
  launcher.set_records(launcher.records());
  DeviceTileQueue queue;
  SySal::GPU::InterruptibleKernels::IntKernel<IntArgs, IntStatus, int_kernel> old;
  if (queue.done() != queue.wait(nullptr) || old.Progress().done > 0) return Outcome::paused;
  return launcher.run(5, {.interrupts_per_launch = 1});
}
