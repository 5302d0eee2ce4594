// What a run takes of memory, and whether that is there.
#pragma once

#include <cstdint>
#include <string>

#include "app/deck/config.hpp"

namespace halfstep {

/// What a run keeps in memory.
struct MemoryNeed {
  std::int64_t cells = 0;              ///< of the mesh
  std::int64_t cells_with_ghosts = 0;  ///< with the ghost layers of the swept axes
  int buffers = 0;                     ///< states that rotate
  std::int64_t state_bytes = 0;        ///< of all of them, in the memory of the backend
  std::int64_t terms_bytes = 0;        ///< of viscous terms, gravity and averages, there too
  std::int64_t averages_bytes = 0;     ///< what averages of fourth order take besides on the host
  std::int64_t copy_bytes = 0;         ///< of the interior alone, there too, as soon as something is written
  std::int64_t host_bytes = 0;         ///< for setting up and for files, in main memory, on either backend
};
MemoryNeed memory_need(const Problem& problem);

/// "1.5 GiB".
std::string readable_bytes(std::int64_t count);

/// The most a run holds at once, at least.
struct RunMemory {
  std::int64_t main, device;
};
RunMemory memory_of_run(const RunConfig& config, bool cuda);

/// Throws std::runtime_error, before anything is allocated, where the run will not fit what is there.
void expect_memory(const RunConfig& config, bool cuda);

}  // namespace halfstep
