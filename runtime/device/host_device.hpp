// One spelling for functions that run on the host and on the device.
#pragma once

#if defined(__CUDACC__)
#define HALFSTEP_HD __host__ __device__ inline
#else
#define HALFSTEP_HD inline
#endif
