// Limits of a multiprocessor by architecture, for computing occupancies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace halfstep {

/// From the CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Architecture {
  std::string name;  ///< "sm_90"
  int major, minor;
  int threads;         ///< per multiprocessor
  int blocks;          ///< per multiprocessor
  int shared_kib;      ///< per multiprocessor
  int reserved_bytes;  ///< shared memory per block that the system reserves
};

/// Returns the architecture of that name; for an unknown one the newest known one before it.
const Architecture& architecture_of(const std::string& name);

/// Returns the known names, oldest first.
std::vector<std::string> known_architectures();

/// Returns the largest shared memory of a block, in bytes.
std::size_t most_shared_bytes(const std::string& architecture);

}  // namespace halfstep
