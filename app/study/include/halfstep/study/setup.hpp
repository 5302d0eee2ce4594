// The data that a kernel is timed with. A file that wants times defines a function
//
//   auto halfstep_study_setup(int threads) {
//     const int n = 1 << 24;
//     double* x = halfstep::study::device_array<double>(n, [](std::size_t i) { return 1.0 * i; });
//     return halfstep::study::setup((n + threads - 1) / threads, 16.0 * n, x, n);
//   }
//
// which is called for each variant of the kernel; the variants with the same threads share what the first
// call puts into the arrays. What it returns is launched as kernel<<<grid, threads>>>(x, n, reporter), again
// and again.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "halfstep/study/runner.hpp"

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

/// Where device_array() makes arrays, or finds those that another variant's setup has made.
struct Arrays {
  SharedArrays* shared = nullptr;
  std::size_t next = 0;
};
inline Arrays& arrays() {
  static Arrays arrays;
  return arrays;
}

/// Returns the next array if it has been made, or nullptr.
inline void* next_array(std::size_t bytes) {
  Arrays& here = arrays();
  if (here.next == here.shared->all.size()) return nullptr;
  const SharedArrays::Array& array = here.shared->all[here.next++];
  if (array.bytes != bytes)
    throw std::runtime_error("halfstep_study_setup must make the same arrays whenever it is called");
  return array.memory.get();
}

}  // namespace detail

/// Returns an array in device memory whose element i is value(i). The study frees it. Throws
/// std::runtime_error.
template <class Element, class Value>
Element* device_array(std::size_t count, Value value) {
  const std::size_t bytes = count * sizeof(Element);
  if (void* const made = detail::next_array(bytes)) return static_cast<Element*>(made);
  std::vector<Element> host;
  host.reserve(count);
  for (std::size_t i = 0; i < count; ++i) host.push_back(value(i));
  void* memory = nullptr;
  detail::require(cudaMalloc(&memory, bytes));
  detail::arrays().shared->all.push_back({{memory, cudaFree}, bytes});
  ++detail::arrays().next;
  detail::require(cudaMemcpy(memory, host.data(), bytes, cudaMemcpyHostToDevice));
  return static_cast<Element*>(memory);
}

}  // namespace halfstep::study
