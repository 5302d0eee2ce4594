// `halfstep check`: is the deck valid, what does it mean, how much memory does it need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "physics/solver.hpp"

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
  std::int64_t host_bytes = 0;         ///< for setting up and for dumps, in main memory, on either backend
};
MemoryNeed memory_need(const Problem& problem);

/// Prints the resolved deck, with the memory as comments, so that what it prints is a deck. Throws DeckError.
int check(const std::string& deck, const std::vector<std::string>& overrides);

}  // namespace halfstep
