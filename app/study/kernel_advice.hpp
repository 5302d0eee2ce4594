// What the figures of a user's kernel advise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/study/compiler.hpp"
#include "app/study/kernel_timing.hpp"
#include "app/study/register_peak.hpp"

namespace halfstep {

/// A kernel with a way of reporting, compiled for an architecture with a cap of its registers, and launched
/// in blocks of `block` threads.
struct KernelRow {
  std::string method, architecture;
  int block = 0;
  int cap = 0;  ///< of registers; 0: none
  KernelResources resources;
  double occupancy = 0;                 ///< theoretical, 0 to 1; 0: cannot be launched
  std::optional<KernelTime> time = {};  ///< ratio: to `none` without a cap, in the same blocks
  std::optional<double> achieved = {};  ///< occupancy, 0 to 1

  int spill_bytes() const { return resources.spill_stores + resources.spill_loads; }
};

/// Where the registers of a kernel without a cap peak.
struct KernelPeak {
  std::string method, architecture;
  int live = 0;     ///< registers
  SourceLine line;  ///< with its path from the user's file
};

/// Returns a sentence for each architecture.
std::vector<std::string> peak_advice(const std::vector<KernelPeak>& peaks);

/// Returns a sentence for each thing that the rows advise, for each architecture and block. `rows` have all
/// methods without a cap.
std::vector<std::string> kernel_advice(const std::vector<KernelRow>& rows);

}  // namespace halfstep
