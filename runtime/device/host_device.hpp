// Marks functions that run on the host and on the device. Inlining is forced: a hot loop must become one
// body, for the compiler to vectorise on the host and to keep in registers on the device.
#pragma once

#if defined(__CUDACC__)
#define HALFSTEP_HD __host__ __device__ __forceinline__
#else
#define HALFSTEP_HD inline __attribute__((always_inline))
#endif
