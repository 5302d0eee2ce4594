// A kernel written for the interface of 2012: two nested loops, two safe points.
#include <cstdio>

#include "gpu_interruptible_kernels.h"  // or IntKernel.h

using namespace SySal::GPU::InterruptibleKernels;

struct SumArgs : public Args {
  int rows, columns;
  unsigned long long* total;
};

struct SumStatus : public Status {
  int i, j;
  unsigned long long sum;
};

__global__ void sum(SumArgs* pargs, SumStatus* pstatus) {
  _IKGPU_PROLOG(pargs, pstatus);
  int factor = threadIdx.x + 1;
  _IKGPU_RESUMEFROM(1, pstatus);
  _IKGPU_RESUMEFROM(2, pstatus);
  pstatus->sum = 0;
  for (pstatus->i = 0; pstatus->i < pargs->rows; pstatus->i++) {
    _IKGPU_INTERRUPT(1, pstatus, pargs);
    for (pstatus->j = 0; pstatus->j < pargs->columns; pstatus->j++) {
      _IKGPU_INTERRUPT(2, pstatus, pargs);
      pstatus->sum += factor;
    }
  }
  atomicAdd(pargs->total, pstatus->sum);
  _IKGPU_END(pstatus);
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  IntKernel<SumArgs, SumStatus, sum> launcher;
  if (cudaMallocManaged(&launcher.Arguments.total, sizeof(unsigned long long)) != cudaSuccess) return 1;
  launcher.Arguments.rows = 6;
  launcher.Arguments.columns = 7;
  for (const int checkpoints : {1, 10, 1000}) {
    *launcher.Arguments.total = 0;
    const int launches = launcher.Launch(dim3(4), dim3(100), checkpoints);
    std::printf("%llu in %d launches\n", *launcher.Arguments.total, launches);
  }
  return cudaFree(launcher.Arguments.total) != cudaSuccess;
}
