// Attributes of the current CUDA device.
#pragma once

#include "cuda_check.hpp"

namespace halfstep {

inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  HALFSTEP_CUDA(cudaGetDevice(&device));
  HALFSTEP_CUDA(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

}  // namespace halfstep
