// Device code for a GPU on which a warp that waits for one of its own threads deadlocks: it must not compile.
#define __CUDA_ARCH__ 600
#include "runtime/soft_error/reporter.hpp"
