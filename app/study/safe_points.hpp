// Measurement of the cost of safe points in a flux sweep on a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/device/device_function.hpp"

namespace halfstep {

enum class SafePointForm {
  ordinary,      ///< not interruptible
  tile_queue,    ///< blocks take tiles from a queue, with a safe point before each
  in_registers,  ///< a status record per thread, in registers during the kernel
  in_memory      ///< a status record per thread, in global memory
};

/// Distance of safe points. For a queue also the size of its tiles, which restart from their beginning; for
/// an ordinary kernel the work of a thread.
enum class SafePointEvery { tile, pencil, cell };

/// A kernel of the study and its cost.
struct SweepCost {
  std::string scheme = {};
  SafePointForm form = SafePointForm::ordinary;
  SafePointEvery every = SafePointEvery::tile;
  bool by_pointer = false;   ///< arguments by a pointer to global memory; false: by value
  std::int64_t checks = 0;   ///< made by each asker: a thread, or a block of a queue
  std::int64_t askers = 1;   ///< in the sweep
  std::int64_t at_once = 1;  ///< askers resident at a time
  int registers = 0;
  int local_bytes = 0;   ///< bytes per thread
  double occupancy = 0;  ///< theoretical, 0 to 1
  std::vector<double> milliseconds = {};
  std::int64_t different =
      0;  ///< values that differ from the ordinary kernel's, in a whole and an interrupted sweep
};

/// Cells of the sweep along x, y and z; cells of a pencil along z; pencils of a tile's thread along y.
inline constexpr int kSweptCells[3] = {512, 256, 256}, kPencilCells = 16, kTilePencils = 4;

/// Times a sweep along z of the production face flux (double, primitive variables, HLLC), plm and weno5z, for
/// a wave oblique to all axes, with all kernels alternating in so many rounds. Arguments are by value and by
/// pointer; for queues and ordinary kernels by pointer only with tiles. Throws std::runtime_error without a
/// CUDA device.
inline constinit DeviceFunction<std::vector<SweepCost>(int rounds)> measure_safe_points;

/// Returns the wall time in microseconds of one additional launch of a tile queue, including the wait for it.
inline constinit DeviceFunction<double()> microseconds_of_slice;

}  // namespace halfstep
