// The study `tune`: the fastest configuration of each stage kernel on this device.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "physics/cuda/stage/kernel_configuration.hpp"

namespace halfstep {

/// Compiles every stage kernel (except with a reactant or plm's rarer limiters) with other blocks and
/// register caps, then the fastest of these with each switch of KernelConfiguration turned, and times them.
/// Takes what is faster than the program's own kernel, with the same bits and with reports that cost at most
/// 1 %. The report's file is a table for physics/cuda/stage/kernel_configurations. Throws std::runtime_error
/// without a CUDA device or nvcc.
StudyReport tune(const StudyRequest& request);

/// Returns the blocks and caps to try, with the switches of `shipped`. Each cap is set by number and by a
/// minimum of resident blocks.
std::vector<KernelConfiguration> blocks_and_caps(const KernelConfiguration& shipped);
/// Returns the configurations that differ from `configuration` in one switch.
std::vector<KernelConfiguration> switches_turned(const KernelConfiguration& configuration);
/// Returns the text of a table of physics/cuda/stage/kernel_configurations.
std::string configuration_table_text(const std::string& architecture,
                                     std::span<const ConfiguredKernel> kernels);

}  // namespace halfstep
