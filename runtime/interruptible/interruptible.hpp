// The library in one include: the host's forms, and in files compiled by nvcc those of a device.
#pragma once

#include "host_launcher.hpp"
#include "tile_queue.hpp"

#if defined(__CUDACC__)
#include "device_tile_queue.hpp"
#include "launcher.hpp"
#endif
