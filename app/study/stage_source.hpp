// Source text of the program's stage kernels in another configuration or with other policies.
#pragma once

#include <string>

#include "app/study/compiler.hpp"
#include "physics/cuda/stage/kernel_configuration.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

/// The policies of a stage kernel, by the names of their types.
struct StagePolicies {
  std::string reports = "RaiseOnce";  ///< physics/cuda/stage/reports.cuh, reporting_methods.cuh
  std::string correction =
      "NoCorrection";  ///< physics/cuda/stage/corrections.cuh, app/study/viscous_faces.cuh
};

/// Returns the configuration of the program's own kernel on an architecture.
KernelConfiguration shipped_configuration(const Scheme& scheme, const std::string& architecture);
/// Returns it with other threads per block, and no cap of its registers.
KernelConfiguration uncapped(KernelConfiguration configuration, int threads);

// Parts of a kernel's source: the types of the Riemann solver and of values, and what bounds its registers.
std::string riemann_type(const Scheme& scheme);
std::string real_type(const Scheme& scheme);
std::string attribute_of(const KernelConfiguration& configuration);

/// Returns the text that precedes stage_kernel_source() texts in a file.
std::string stage_preamble();
/// Returns the source of a kernel called `name` in the cubin.
std::string stage_kernel_source(const std::string& name, const Scheme& scheme,
                                const KernelConfiguration& configuration, const StagePolicies& policies = {});

/// Returns the theoretical occupancy in three dimensions, 0 to 1; 0 if a block does not fit.
double stage_occupancy(const Scheme& scheme, const KernelConfiguration& configuration,
                       const KernelResources& kernel, const std::string& architecture);

}  // namespace halfstep
