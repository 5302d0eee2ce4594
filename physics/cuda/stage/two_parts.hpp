// A sweep in two parts along z, the first planes and the others, so that other work can run beside each.
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/cuda/stage/launch.hpp"

namespace halfstep {

/// Cuts a sweep in two. Returns the pieces of the first part, or 0 where all blocks run at once anyway. Two
/// parts of a sweep whose tiles have one piece each cost about two planes more than that.
inline int cut_in_two(LaunchConfiguration& launch, const Layout& layout, const cudaDeviceProp& device) {
  constexpr double share = 0.6875;  // what is left is just long enough for the other work
  constexpr int least_planes = 32;
  const double slots = double(launch.blocks_per_multiprocessor) * device.multiProcessorCount;
  if (launch.grid.y > 1)
    return double(launch.pieces()) > slots ? std::max(1, static_cast<int>(share * launch.grid.y)) : 0;
  if (2 * launch.tiles() <= slots || layout.cells[2] < least_planes) return 0;
  launch.march = static_cast<int>(std::ceil(share * layout.cells[2]));
  launch.grid.y = 2;
  return 1;
}

}  // namespace halfstep
