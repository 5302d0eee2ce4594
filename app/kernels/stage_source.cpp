#include "app/kernels/stage_source.hpp"

#include <fmt/format.h>

#include "app/kernels/architecture.hpp"
#include "app/kernels/occupancy.hpp"
#include "physics/base/choice.hpp"
#include "physics/cuda/kernel_configuration.hpp"

namespace halfstep {
namespace {

std::string reconstruction_type(const Scheme& scheme) {
  switch (scheme.reconstruction) {
    case Reconstruction::constant:
      return "Constant";
    case Reconstruction::plm:
      return fmt::format("Plm<Limiter::{}>", name_of(kLimiters, scheme.limiter));
    case Reconstruction::ppm:
      return "Ppm";
    case Reconstruction::weno5z:
      break;
  }
  return "Weno5z";
}

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

const char* real_type(const Scheme& scheme) {
  return scheme.precision == Precision::single_precision ? "float" : "double";
}

std::string attribute(const StageShape& shape) {
  if (shape.max_registers > 0) return fmt::format("__maxnreg__({})", shape.max_registers);
  if (shape.min_blocks > 0) return fmt::format("__launch_bounds__({}, {})", shape.threads, shape.min_blocks);
  return fmt::format("__launch_bounds__({})", shape.threads);
}

}  // namespace

StageShape shipped_shape(const Scheme& scheme) {
  const KernelConfiguration build = kernel_configuration(scheme);
  return {.threads = build.threads, .min_blocks = build.min_blocks, .max_registers = build.max_registers};
}

std::optional<double> stage_occupancy(const Scheme& scheme, const StageShape& shape,
                                      const KernelResources& kernel, const std::string& architecture) {
  const int ghosts = ghost_layers(scheme.reconstruction);
  const Layout layout({64, 64, 64}, {ghosts, ghosts, ghosts}, kFields);
  const std::size_t bytes = bytes_of_real(scheme.precision),
                    fixed = static_cast<std::size_t>(kernel.shared_bytes);
  const int rows = tile_rows(layout, shape.threads, bytes, most_shared_bytes(architecture) - fixed);
  return occupancy(architecture, kTileWidth * rows, kernel.registers, fixed,
                   stage_shared_bytes(layout, rows, bytes));
}

std::string stage_preamble() {
  return "#include \"app/kernels/reporting_methods.cuh\"\n"
         "#include \"physics/cuda/stage_body.cuh\"\n"
         "using namespace halfstep;\n";
}

std::string stage_kernel_source(const std::string& name, const Scheme& scheme, const StageShape& shape,
                                const std::string& reports) {
  return fmt::format(
      "extern \"C\" __global__ void {} {}(const __grid_constant__ CudaStage<{}> stage) {{\n"
      "  advance_tile<{}, Variables::{}, {}, {}, {}, kFields, {}>(stage);\n}}\n",
      attribute(shape), name, real_type(scheme), reconstruction_type(scheme),
      name_of(kVariables, scheme.variables), riemann_type(scheme), real_type(scheme), reports, shape.viscous);
}

}  // namespace halfstep
