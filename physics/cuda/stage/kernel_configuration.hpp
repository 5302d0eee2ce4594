// How the program's stage kernels are compiled, from one table for each GPU architecture.
#pragma once

#include <cstddef>
#include <span>

#include "physics/flux/scheme.hpp"

namespace halfstep {

/// How a stage kernel is compiled. No choice changes a bit of a result. The registers of a thread are capped
/// either by number (`__maxnreg__`) or by a minimum of resident blocks (`__launch_bounds__`): the compiler
/// uses the same number of registers differently.
struct KernelConfiguration {
  int threads;         ///< per block
  int max_registers;   ///< per thread; 0: limited by min_blocks
  int min_blocks;      ///< resident blocks per multiprocessor; 0: limited by max_registers
  bool unrolls_edges;  ///< edge states along x and y are unrolled, not in a loop
  bool unrolls_faces;  ///< fluxes likewise
  /// A bad face along x or y is reported after, not before, its flux is computed.
  bool reports_xy_late;
  bool reports_z_late;  ///< likewise along z
  /// The flag whether a column's faces along z count is kept in a register, not in shared memory.
  bool keeps_in_domain;

  constexpr bool operator==(const KernelConfiguration&) const = default;
};

/// A row of a table: a stage kernel and its configuration.
struct ConfiguredKernel {
  Reconstruction reconstruction;
  Variables variables;
  Riemann riemann;
  std::size_t real_bytes;
  KernelConfiguration configuration;
};

#define HALFSTEP_KERNEL(reconstruction, variables, riemann, Real, ...) \
  {Reconstruction::reconstruction, Variables::variables, Riemann::riemann, sizeof(Real), {__VA_ARGS__}},
inline constexpr ConfiguredKernel kSm90[] = {
#include "physics/cuda/stage/kernel_configurations/sm_90.inc"
};
#undef HALFSTEP_KERNEL

/// The configurations for an architecture, such as 90 for sm_90.
struct ConfigurationTable {
  int architecture;
  std::span<const ConfiguredKernel> kernels;
};
/// One table for each architecture that was tuned for, oldest first.
inline constexpr ConfigurationTable kConfigurationTables[] = {{90, kSm90}};

/// Returns the configuration of a kernel that no table has. More warps pay until spills cost more than the
/// latency they hide; in double precision two blocks leave room for prefetching.
constexpr KernelConfiguration default_configuration(std::size_t real_bytes) {
  KernelConfiguration configuration{};
  configuration.threads = 256;
  if (real_bytes == 8) {
    configuration.max_registers = 128;
  } else {
    configuration.min_blocks = 3;  // 80 registers
    configuration.unrolls_edges = configuration.unrolls_faces = true;
  }
  return configuration;
}

/// Returns the table for an architecture: the newest that is not newer, or else the oldest.
constexpr const ConfigurationTable& configuration_table(int architecture) {
  const ConfigurationTable* best = &kConfigurationTables[0];
  for (const ConfigurationTable& table : kConfigurationTables)
    if (table.architecture <= architecture) best = &table;
  return *best;
}

constexpr KernelConfiguration kernel_configuration(Reconstruction reconstruction, Variables variables,
                                                   Riemann riemann, std::size_t real_bytes,
                                                   int architecture) {
  for (const ConfiguredKernel& k : configuration_table(architecture).kernels)
    if (k.reconstruction == reconstruction && k.variables == variables && k.riemann == riemann &&
        k.real_bytes == real_bytes)
      return k.configuration;
  return default_configuration(real_bytes);
}
/// Returns the configuration of the scheme's kernel. Without slopes both choices of variables are one kernel.
constexpr KernelConfiguration kernel_configuration(const Scheme& scheme, int architecture) {
  const bool has_slopes = facts_of(scheme.reconstruction).radius > 0;
  return kernel_configuration(scheme.reconstruction, has_slopes ? scheme.variables : Variables::primitive,
                              scheme.riemann, bytes_of_real(scheme.precision), architecture);
}

/// Whether every kernel is capped the same way on all architectures. A program for several of them has one
/// kernel with one attribute.
constexpr bool caps_are_alike() {
  for (const ConfigurationTable& table : kConfigurationTables)
    for (const ConfiguredKernel& k : table.kernels)
      for (const ConfigurationTable& other : kConfigurationTables)
        if ((kernel_configuration(k.reconstruction, k.variables, k.riemann, k.real_bytes, other.architecture)
                 .max_registers > 0) != (k.configuration.max_registers > 0))
          return false;
  return true;
}
static_assert(caps_are_alike(), "a kernel must be capped by number, or by blocks, in every table");

}  // namespace halfstep
