// The library in one include: the host classes and, in files compiled by nvcc, the device classes.
#pragma once

#include "host_launcher.hpp"
#include "tile_queue.hpp"

#if defined(__CUDACC__)
#include "device_tile_queue.hpp"
#include "launcher.hpp"
#endif
