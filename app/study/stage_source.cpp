#include "app/study/stage_source.hpp"

#include <fmt/format.h>

#include "app/study/architecture.hpp"
#include "app/study/occupancy.hpp"
#include "physics/base/choice.hpp"
#include "physics/cuda/stage/tile.hpp"

namespace halfstep {
namespace {

std::string reconstruction_type(const Scheme& scheme) {
  switch (scheme.reconstruction) {
#define HALFSTEP_PLAIN(name, Type, order, summary) \
  case Reconstruction::name:                       \
    return #Type;
#define HALFSTEP_LIMITED(name, Type, order, summary) \
  case Reconstruction::name:                         \
    return fmt::format(#Type "<Limiter::{}>", name_of(kLimiters, scheme.limiter));
    HALFSTEP_RECONSTRUCTIONS(HALFSTEP_PLAIN, HALFSTEP_LIMITED)
#undef HALFSTEP_PLAIN
#undef HALFSTEP_LIMITED
  }
  return {};
}

}  // namespace

std::string riemann_type(const Scheme& scheme) {
  switch (scheme.riemann) {
#define HALFSTEP_TYPE(name, Type, summary) \
  case Riemann::name:                      \
    return #Type;
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_TYPE)
#undef HALFSTEP_TYPE
  }
  return {};
}

std::string real_type(const Scheme& scheme) {
  return scheme.precision == Precision::single_precision ? "float" : "double";
}

std::string attribute_of(const KernelConfiguration& c) {
  if (c.max_registers > 0) return fmt::format("__maxnreg__({})", c.max_registers);
  if (c.min_blocks > 0) return fmt::format("__launch_bounds__({}, {})", c.threads, c.min_blocks);
  return fmt::format("__launch_bounds__({})", c.threads);
}

namespace {

std::string literal(const KernelConfiguration& c) {
  return fmt::format("KernelConfiguration{{{}, {}, {}, {}, {}, {}, {}, {}}}", c.threads, c.max_registers,
                     c.min_blocks, c.unrolls_edges, c.unrolls_faces, c.reports_xy_late, c.reports_z_late,
                     c.keeps_in_domain);
}

}  // namespace

KernelConfiguration shipped_configuration(const Scheme& scheme, const std::string& architecture) {
  return kernel_configuration(scheme, std::stoi(architecture.substr(3)));  // after "sm_"
}

KernelConfiguration uncapped(KernelConfiguration configuration, int threads) {
  configuration.threads = threads;
  configuration.max_registers = configuration.min_blocks = 0;
  return configuration;
}

double stage_occupancy(const Scheme& scheme, const KernelConfiguration& configuration,
                       const KernelResources& kernel, const std::string& architecture) {
  const int ghosts = ghost_layers(scheme.reconstruction);
  const Layout layout({64, 64, 64}, {ghosts, ghosts, ghosts}, kFields);
  const std::size_t bytes = bytes_of_real(scheme.precision),
                    fixed = static_cast<std::size_t>(kernel.shared_bytes);
  const int rows = tile_rows(layout, configuration.threads, bytes, most_shared_bytes(architecture) - fixed);
  return occupancy(architecture, kTileWidth * rows, kernel.registers, fixed,
                   stage_shared_bytes(layout, rows, bytes));
}

std::string stage_preamble() {
  return "#include \"app/study/reporting_methods.cuh\"\n"
         "#include \"app/study/viscous_faces.cuh\"\n"
         "#include \"physics/cuda/stage/body.cuh\"\n"
         "using namespace halfstep;\n";
}

std::string stage_kernel_source(const std::string& name, const Scheme& scheme,
                                const KernelConfiguration& configuration, const StagePolicies& policies) {
  const std::string real = real_type(scheme);
  return fmt::format(
      "extern \"C\" __global__ void {} {}(const __grid_constant__ CudaStage<{}> stage) {{\n"
      "  advance_tile<{}, {}, Variables::{}, {}, {}, {}, false, {}>(stage);\n}}\n",
      attribute_of(configuration), name, real, literal(configuration), reconstruction_type(scheme),
      name_of(kVariables, scheme.variables), riemann_type(scheme), real, policies.reports,
      policies.correction);
}

}  // namespace halfstep
