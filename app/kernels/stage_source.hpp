// The stage kernels of the program as source text, with another block shape, register cap or way of
// reporting.
#pragma once

#include <optional>
#include <string>

#include "app/kernels/compiler.hpp"
#include "physics/scheme.hpp"

namespace halfstep {

/// How a stage kernel is to be; at most one of min_blocks and max_registers.
struct StageShape {
  int threads = 256;      ///< of a block
  int min_blocks = 0;     ///< blocks a multiprocessor must be able to hold; 0 = as it comes
  int max_registers = 0;  ///< 0 = as they come
  bool viscous = false;   ///< with the viscous terms fused
};

/// That of the program's own kernel.
StageShape shipped_shape(const Scheme& scheme);

/// As people and files call a kernel: "weno5z characteristic hllc double".
std::string kernel_name(const Scheme& scheme);
/// The same without the precision.
std::string scheme_name(const Scheme& scheme);
/// What these begin with: "weno5z"; plm with its limiter if that is not van Leer's, "plm minmod".
std::string reconstruction_name(const Scheme& scheme);

/// What a file of stage_kernel_source() texts begins with.
std::string stage_preamble();
/// A kernel that is called `name` in the cubin; `reports`: the policy (physics/stage_reports.cuh,
/// app/study/reporting_methods.cuh).
std::string stage_kernel_source(const std::string& name, const Scheme& scheme, const StageShape& shape,
                                const std::string& reports);

/// The theoretical occupancy, 0 to 1, in three dimensions; 0 where a block does not fit; nothing in a build
/// without CUDA.
std::optional<double> stage_occupancy(const Scheme& scheme, const StageShape& shape,
                                      const KernelResources& kernel, const std::string& architecture);

}  // namespace halfstep
