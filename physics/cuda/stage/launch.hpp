// The launch configuration of a stage kernel: tiles, marched pieces, shared memory and occupancy.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "physics/cuda/stage/stage.hpp"
#include "physics/solver/solver.hpp"
#include "runtime/device/cuda_check.hpp"
#include "runtime/device/early_launch.hpp"

namespace halfstep {

struct LaunchConfiguration {
  dim3 grid, block;
  std::size_t shared_bytes;  ///< per block
  int tiles_x;               ///< tiles in a row
  int march;                 ///< planes that a block advances
  int tiles() const { return static_cast<int>(grid.x); }
  std::int64_t pieces() const { return std::int64_t{grid.x} * grid.y; }
  int blocks_per_multiprocessor;
  bool early;  ///< the kernel can be launched early
};

/// Lets the kernel have the launch's shared memory, and finds how many blocks a multiprocessor has then.
inline void settle_launch(LaunchConfiguration& launch, const void* kernel) {
  cudaFuncAttributes attributes{};
  HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  // Never lowered: another solver may launch the kernel with a larger layout.
  if (static_cast<int>(launch.shared_bytes) > attributes.maxDynamicSharedSizeBytes)
    HALFSTEP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(launch.shared_bytes)));
  const int threads = static_cast<int>(launch.block.x * launch.block.y);
  HALFSTEP_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&launch.blocks_per_multiprocessor, kernel,
                                                              threads, launch.shared_bytes));
  if (launch.blocks_per_multiprocessor == 0)
    throw std::runtime_error("a block of " + std::to_string(threads) +
                             " threads of a kernel does not fit a multiprocessor");
  launch.early = waits_for_earlier_kernels(kernel);
}

/// Returns a launch configuration whose marched pieces fill the device evenly. `ends`: planes at both ends of
/// z that are to be advanced by themselves, in the first piece and in the last; then there are three pieces
/// at least, if the mesh has planes enough. Throws std::runtime_error where a block does not fit a
/// multiprocessor or has too few threads, or a plane has too many cells.
template <class Real>
LaunchConfiguration launch_configuration(const FluxKernel& variant, const Layout& layout,
                                         const cudaDeviceProp& device, int ends = 0) {
  const void* kernel = variant.kernel;
  cudaFuncAttributes attributes{};
  HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  const int threads = variant.threads > 0 ? variant.threads : attributes.maxThreadsPerBlock;
  const int rows =
      tile_rows(layout, threads, sizeof(Real), device.sharedMemPerBlockOptin - attributes.sharedSizeBytes);
  if (layout.ghosts[1] > 0 && rows < kLeastRows)
    throw std::runtime_error("a stage kernel needs blocks of " + std::to_string(kTileWidth * kLeastRows) +
                             " threads at least, not " + std::to_string(kTileWidth * rows));
  if ((layout.ghosts[2] + 1) * layout.stride[2] > std::numeric_limits<unsigned>::max())
    throw std::runtime_error("a plane of " + std::to_string(layout.cells[0]) + " x " +
                             std::to_string(layout.cells[1]) +
                             " cells is more than a stage kernel can index; use fewer cells along x or y");
  LaunchConfiguration launch{};
  launch.shared_bytes = stage_shared_bytes(layout, rows, sizeof(Real));
  launch.block = dim3(kTileWidth, rows);
  settle_launch(launch, kernel);
  const auto pieces_of = [](int n, int size) { return (n + size - 1) / size; };
  const int nz = layout.cells[2];
  launch.tiles_x = pieces_of(layout.cells[0], kTileWidth);
  const std::int64_t tiles = std::int64_t{launch.tiles_x} * pieces_of(layout.cells[1], rows);
  // A piece costs as much as its planes and about two more to start; the last wave of blocks costs as much as
  // a full one.
  const double slots = double(launch.blocks_per_multiprocessor) * device.multiProcessorCount;
  double best = 0;
  constexpr int most_pieces = 65535;  // the device's limit on gridDim.y
  const auto has_ends = [&](int march) {
    return pieces_of(nz, march) >= 3 && march >= ends && (nz - 1) % march + 1 >= ends;
  };
  for (int pieces = 1; pieces <= std::clamp(nz / 4, 1, most_pieces); ++pieces) {
    const int march = pieces_of(nz, pieces);
    if (pieces > 1 && ends > 0 && !has_ends(march)) continue;
    const double waves = std::ceil(double(tiles) * pieces_of(nz, march) / slots);
    const double cost = waves * (march + 2);
    const bool begins = pieces == 1 || (ends > 0 && !has_ends(launch.march));
    if (!begins && cost >= best) continue;
    best = cost;
    launch.march = march;
  }
  launch.grid = dim3(static_cast<unsigned>(tiles), pieces_of(nz, launch.march));
  return launch;
}

inline KernelInfo kernel_info(const void* kernel, const LaunchConfiguration& launch,
                              const cudaDeviceProp& device) {
  const int threads = static_cast<int>(launch.block.x * launch.block.y);
  cudaFuncAttributes attributes{};
  HALFSTEP_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  KernelInfo info;
  info.name = "stage";
  info.registers = attributes.numRegs;
  info.local_bytes = static_cast<int>(attributes.localSizeBytes);
  info.shared_bytes = static_cast<int>(attributes.sharedSizeBytes + launch.shared_bytes);
  info.block_threads = threads;
  info.occupancy = double(launch.blocks_per_multiprocessor * threads) / device.maxThreadsPerMultiProcessor;
  return info;
}

}  // namespace halfstep
