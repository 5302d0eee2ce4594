// A kernel reports the negative value it finds before a square root; the host polls without a
// synchronisation.
#include <cstdio>
#include <halfstep/soft_error/soft_error.hpp>

using namespace halfstep;

struct NoRoot {
  int block = -1, thread = -1;
  double value = 0;
};

__global__ void roots(soft_error::Reporter<NoRoot> reporter, int bad) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double value = i == bad ? -9.0 : 4.0;
  if (value < 0)
    soft_error::report_first_error(reporter, [&](NoRoot& p) {
      p = {int(blockIdx.x), int(threadIdx.x), value};
    });
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  soft_error::DeviceChannel<NoRoot> channel;
  for (const int bad : {-1, 654, 321}) {
    roots<<<4, 250>>>(channel.reporter(), bad);
    HALFSTEP_CUDA_LAUNCHED("roots");
    while (!channel.poll() && cudaStreamQuery(nullptr) == cudaErrorNotReady) {
    }
    if (const auto error = channel.take())  // begins the next epoch; nothing has to be cleared
      std::printf("no root in block %d, thread %d: %g\n", error->payload.block, error->payload.thread,
                  error->payload.value);
    else
      std::puts("no error");
  }
}
