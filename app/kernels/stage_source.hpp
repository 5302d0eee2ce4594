// Source text of the program's stage kernels with another block size, register cap or reporting policy.
#pragma once

#include <optional>
#include <string>

#include "app/kernels/compiler.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

/// Configuration of a stage kernel; at most one of min_blocks and max_registers is set.
struct StageShape {
  int threads = 256;      ///< per block
  int min_blocks = 0;     ///< least resident blocks per multiprocessor; 0 = no bound
  int max_registers = 0;  ///< 0 = no cap
  bool viscous = false;   ///< with the viscous terms fused
};

/// Returns the configuration of the program's own kernel.
StageShape shipped_shape(const Scheme& scheme);

/// Returns the text that precedes stage_kernel_source() texts in a file.
std::string stage_preamble();
/// Returns the source of a kernel called `name` in the cubin. `reports`: the reporting policy
/// (physics/cuda/stage_reports.cuh, app/kernels/reporting_methods.cuh).
std::string stage_kernel_source(const std::string& name, const Scheme& scheme, const StageShape& shape,
                                const std::string& reports);

/// Returns the theoretical occupancy in three dimensions, 0 to 1; 0 if a block does not fit; nothing in a
/// build without CUDA.
std::optional<double> stage_occupancy(const Scheme& scheme, const StageShape& shape,
                                      const KernelResources& kernel, const std::string& architecture);

}  // namespace halfstep
