// What a kernel says to be measured by `halfstep study kernel`: how it reports an error, and the data to time
// it with. docs/measure_your_kernel.md explains it.
//
//   #include "halfstep/study.hpp"
//
//   __global__ void root(double* x, int n, halfstep::study::Reporter reporter) {
//     const int i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i >= n) return;
//     halfstep::study::report_error(reporter, x[i] < 0, x[i]);
//     x[i] = sqrt(x[i]);
//   }
#pragma once

#include <type_traits>

#if !defined(HALFSTEP_STUDY_METHOD)
#define HALFSTEP_STUDY_METHOD "halfstep/study/none.hpp"  // the study defines another for each way to report
#endif
#include HALFSTEP_STUDY_METHOD

#include "halfstep/study/setup.hpp"

namespace halfstep::study {

/// Reports an error where `condition` holds, in the way that the study compiles this file for. The payload
/// says what is wrong: any trivially copyable value, at most kMostPayloadBytes long. Its member function
/// `__device__ void print() const`, if it has one, is what the way `printf` calls.
template <class Payload>
__device__ __forceinline__ void report_error(const Reporter& reporter, bool condition,
                                             const Payload& payload) {
  static_assert(std::is_trivially_copyable_v<Payload>,
                "the payload of report_error must be trivially copyable: the host reads a copy of its bytes");
  static_assert(sizeof(Payload) <= kMostPayloadBytes, "the payload of report_error is too long");
  detail::report(reporter, condition, payload);
}

}  // namespace halfstep::study
