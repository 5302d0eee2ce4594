// What occupancies are computed from: the limits of a multiprocessor, by architecture.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace halfstep {

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Architecture {
  std::string name;  ///< "sm_90"
  int major, minor;
  int threads;         ///< of a multiprocessor
  int shared_kib;      ///< of a multiprocessor
  int reserved_bytes;  ///< of a block's shared memory, for the system
};

/// That of the name; one that is not known counts as the newest known one before it.
const Architecture& architecture_of(const std::string& name);

/// The names of those that are known, oldest first.
std::vector<std::string> known_architectures();

/// Shared memory that a block may have at most.
std::size_t most_shared_bytes(const std::string& architecture);

}  // namespace halfstep
