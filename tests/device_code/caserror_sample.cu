// A program with the structure of the blog's demonstration of NVIDIA's CASerror.h: two kernels, two payloads,
// a host that polls now and then. tests/registers/caserror.py counts the registers of its kernels.
#include <iostream>

#include "caserror_sample.h"

struct SpikeError {
  int code;
  int line;
  int file_number;
  int block;
  int thread;
  int element;
  float value;
};

__global__ void kernel_a(float* values, int elements, CASError::MappedErrorType<SpikeError> error) {
  for (int n = threadIdx.x + blockIdx.x * blockDim.x; n < elements; n += blockDim.x * gridDim.x) {
    int x = ((n + 187) * 187) % 7211;
    x = (x * 187) % 7211;
    x = (x * 187) % 7211;
    float value = 1.f / (x - 100 + 1e-6);
    if (value >= 10000) {
      report_first_error(error, [&](auto& payload) {
        payload = SpikeError{.code = 2,
                             .line = __LINE__,
                             .file_number = 0,
                             .block = static_cast<int>(blockIdx.x),
                             .thread = static_cast<int>(threadIdx.x),
                             .element = n,
                             .value = value};
      });
    }
    values[n] = value;
  }
}

__global__ void kernel_b(float* values, int elements, CASError::MappedErrorType<RootError> error) {
  for (int n = threadIdx.x + blockIdx.x * blockDim.x; n < elements; n += blockDim.x * gridDim.x) {
    float value = values[n];
    if (value < 0) {
      report_first_error(error, [&](auto& payload) {
        payload = RootError{.code = 3,
                            .line = __LINE__,
                            .block = static_cast<int>(blockIdx.x),
                            .thread = static_cast<int>(threadIdx.x),
                            .file = __FILE__,
                            .element = n};
      });
    } else {
      values[n] = sqrt(value);
    }
  }
}

int report(CASError::MappedErrorType<SpikeError>& error) {
  if (!error.checkErrorReported()) return 0;
  auto& seen = error.get();
  std::cerr << "ERROR " << seen.code << ", line " << seen.line << ", block " << seen.block << ", thread "
            << seen.thread << ", value " << seen.value << std::endl;
  return seen.code;
}

int main() {
  const int elements = 7000;
  auto spike = CASError::MappedErrorType<SpikeError>();
  auto root = CASError::MappedErrorType<RootError>();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* values;
  CASError::checkCuda(cudaMalloc((void**)&values, sizeof(float) * elements));

  kernel_a<<<100, 32, 0, stream>>>(values, elements, spike);
  report(spike);
  kernel_b<<<100, 32, 0, stream>>>(values, elements, root);
  report(root, stream);
  CASError::checkCuda(cudaStreamSynchronize(stream));
  const int first = report(spike);
  spike.clear(stream);
  const int second = report(root, stream);
  const int third = report(spike);

  cudaFree(values);
  cudaStreamDestroy(stream);
  return first == 2 && second == 3 && third == 0 && other_ways(root) ? 0 : 1;
}
