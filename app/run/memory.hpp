// The memory that a run needs, and the check that it is available.
#pragma once

#include <cstdint>
#include <string>

#include "app/deck/config.hpp"
#include "runtime/exchange/decomposition.hpp"

namespace halfstep {

/// Memory of a run by purpose, in bytes.
struct MemoryNeed {
  std::int64_t cells = 0;              ///< of the mesh
  std::int64_t cells_with_ghosts = 0;  ///< including the ghost layers of the active axes
  int buffers = 0;                     ///< copies of the state, for the integrator's time levels
  std::int64_t state_bytes = 0;        ///< all buffers, in the backend's memory
  std::int64_t terms_bytes = 0;     ///< right-hand-side terms (viscous, gravity, fourth-order flux), backend
  std::int64_t averages_bytes = 0;  ///< additional fields of the fourth-order flux, on the host backend
  std::int64_t element_bytes = 0;   ///< geometry and faces of hexahedra
  std::int64_t sponge_bytes = 0;    ///< the cells in sponges, in the backend's memory
  std::int64_t solid_bytes = 0;     ///< the cells and faces of bodies and the mask, in the backend's memory
  std::int64_t copy_bytes = 0;      ///< one copy of the interior, backend; allocated with the first output
  std::int64_t host_bytes = 0;      ///< setting up and writing files, in main memory, on either backend
};
MemoryNeed memory_need(const Problem& problem);

/// Memory of the slices and boxes of a run, in bytes: of their states, numbers and files, a copy each.
struct OutputsMemory {
  std::int64_t main = 0;
  std::int64_t device = 0;  ///< with the CUDA backend
  std::int64_t sums = 0;    ///< of averages over time, in the backend's memory
  int past_states = 0;      ///< that they keep besides, with one rank: see Solver::time_averages()
};
OutputsMemory memory_of_outputs(const RunConfig& config);

/// Lower bound of the run's peak memory, in bytes.
struct RunMemory {
  std::int64_t main, device;
};
RunMemory memory_of_run(const RunConfig& config, bool cuda);
/// Returns the same for the largest block of a cut: on the device of a rank, and in main memory on the first
/// machine, where `ranks_there` ranks are.
RunMemory memory_of_block(const RunConfig& config, bool cuda, const exchange::Decomposition& cut,
                          int ranks_there);

/// Throws std::runtime_error, before anything is allocated, if the run does not fit into the available
/// memory. `ranks_there`: as in memory_of_block().
void expect_memory(const RunConfig& config, bool cuda, const exchange::Decomposition& cut, int ranks_there);

}  // namespace halfstep
