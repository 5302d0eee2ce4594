// The main function of a test that runs only on a device; without one it says so and is skipped.
#pragma once

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdio>

namespace halfstep {

/// Runs the tests, or prints `untested` as the name of what is skipped and returns 77 if there is no device.
inline int run_on_device(int argc, char** argv, const char* untested) {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return doctest::Context(argc, argv).run();
  std::printf("skipped: %s on a device: %s\n", untested,
              status != cudaSuccess ? cudaGetErrorString(status) : "there is none");
  return 77;
}

}  // namespace halfstep
