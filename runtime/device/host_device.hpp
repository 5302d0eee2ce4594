// Marks functions that run on the host and on the device. Inlining is forced: a hot loop must become one
// body, for the compiler to vectorise on the host and to keep in registers on the device. A cold function is
// never inlined.
#pragma once

#if defined(__CUDACC__)
#define HALFSTEP_HD __host__ __device__ __forceinline__
#define HALFSTEP_HD_COLD __host__ __device__ __noinline__
#else
#define HALFSTEP_HD inline __attribute__((always_inline))
#define HALFSTEP_HD_COLD inline __attribute__((noinline))
#endif
