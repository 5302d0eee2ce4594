// The data that a kernel is timed with. A file that wants times defines a function
//
//   auto halfstep_study_setup(int threads) {
//     const int n = 1 << 24;
//     double* x = halfstep::study::device_array<double>(n, [](std::size_t i) { return 1.0 * i; });
//     return halfstep::study::setup((n + threads - 1) / threads, 16.0 * n, x, n);
//   }
//
// which is called once for each variant of the kernel. What it returns is launched as kernel<<<grid,
// threads>>>(x, n, reporter), again and again.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace halfstep::study {

/// A launch of the kernel: grid, bytes that it moves to and from memory, all arguments but the reporter.
template <class... Arguments>
struct Setup {
  dim3 grid;
  double bytes_moved;
  std::tuple<Arguments...> arguments;
};

template <class... Arguments>
Setup<Arguments...> setup(dim3 grid, double bytes_moved, Arguments... arguments) {
  return {grid, bytes_moved, {arguments...}};
}

namespace detail {

inline void require(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(result));
}

struct FreeOnDevice {
  void operator()(void* memory) const { cudaFree(memory); }
};
using DeviceMemory = std::unique_ptr<void, FreeOnDevice>;

/// Returns the arrays that have been made and not yet been taken over.
inline std::vector<DeviceMemory>& device_arrays() {
  static std::vector<DeviceMemory> arrays;
  return arrays;
}

}  // namespace detail

/// Returns an array in device memory whose element i is value(i). The study frees it. Throws
/// std::runtime_error.
template <class Element, class Value>
Element* device_array(std::size_t count, Value value) {
  std::vector<Element> host;
  for (std::size_t i = 0; i < count; ++i) host.push_back(value(i));
  void* memory = nullptr;
  detail::require(cudaMalloc(&memory, count * sizeof(Element)));
  detail::device_arrays().emplace_back(memory);
  detail::require(cudaMemcpy(memory, host.data(), count * sizeof(Element), cudaMemcpyHostToDevice));
  return static_cast<Element*>(memory);
}

}  // namespace halfstep::study
