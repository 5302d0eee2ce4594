// What safe points cost a flux sweep: the measurement, on a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace halfstep {

enum class SafePointForm {
  ordinary,      ///< a kernel that cannot be interrupted
  tile_queue,    ///< blocks take tiles from a queue: a safe point before each
  in_registers,  ///< a status record a thread, in registers from the kernel's start to its end
  in_memory      ///< a status record a thread, left where it is in global memory
};

/// How far apart safe points are; of a queue also how large its tiles are, which are begun anew, and of an
/// ordinary kernel how much a thread does.
enum class SafePointEvery { tile, pencil, cell };

/// A kernel of the study and what it took.
struct SweepCost {
  std::string scheme = {};
  SafePointForm form = SafePointForm::ordinary;
  SafePointEvery every = SafePointEvery::tile;
  bool by_pointer = false;   ///< its arguments: by a pointer to global memory; false: by value
  std::int64_t checks = 0;   ///< that one who asks makes: a thread, or a block of a queue
  std::int64_t askers = 1;   ///< in the sweep
  std::int64_t at_once = 1;  ///< of them on the device at a time
  int registers = 0;
  int local_bytes = 0;   ///< a thread
  double occupancy = 0;  ///< theoretical, 0 to 1
  std::vector<double> milliseconds = {};
  std::int64_t different = 0;  ///< values unlike the ordinary kernel's, of a whole and an interrupted sweep
};

/// Cells of the sweep along x, y and z, of a pencil along z, and pencils of a tile's thread along y.
inline constexpr int kSweptCells[3] = {512, 256, 256}, kPencilCells = 16, kTilePencils = 4;

/// One sweep along z of the production face flux (double, primitive variables, HLLC), plm and weno5z, of a
/// wave oblique to all axes, by all kernels in turn. Arguments go by value and by pointer, to the ordinary
/// kernels and to those of a queue by pointer for tiles alone. Throws std::runtime_error without a CUDA
/// device.
std::vector<SweepCost> measure_safe_points();

/// Microseconds of wall time that a launch more of a queue of tiles takes, the wait for it included.
double microseconds_of_slice();

}  // namespace halfstep
