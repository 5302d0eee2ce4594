// The main function of a test that runs on a device alone: where there is none it says so, and is skipped.
#pragma once

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <cstdio>

namespace halfstep {

/// `untested`: what is not tested then, for people.
inline int run_on_device(int argc, char** argv, const char* untested) {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return doctest::Context(argc, argv).run();
  std::printf("skipped: %s on a device: %s\n", untested,
              status != cudaSuccess ? cudaGetErrorString(status) : "there is none");
  return 77;
}

}  // namespace halfstep
