// The kernels of flux reconstruction in hexahedra of a degree, for files that instantiate them.
#pragma once

#include "physics/cuda/hexahedra/hexahedra.hpp"
#include "physics/cuda/hexahedra/passes_body.cuh"
#include "physics/cuda/step_kernels.cuh"

namespace halfstep {

template <int degree, class Real>
__global__ void __launch_bounds__(HexahedraBlock::kThreads)
    extrapolate_to_faces(const __grid_constant__ FacePass<Real> pass) {
  wait_for_earlier_kernels();
  if (!pass.stage.reporter.cancelled()) extrapolate_to_face<degree>(pass, static_cast<int>(global_thread()));
}

template <int degree, bool on_sides, class Real>
__global__ void __launch_bounds__(HexahedraBlock::kThreads)
    viscous_outflows(const __grid_constant__ FacePass<Real> pass) {
  wait_for_earlier_kernels();
  if (!pass.stage.reporter.cancelled()) find_viscous_outflows_of_block<degree, on_sides>(pass);
}

template <int degree, bool is_viscous, class Real>
__global__ void __launch_bounds__(HexahedraBlock::kThreads, sizeof(Real) == 4 ? 4
                                                            : is_viscous      ? 2
                                                                              : 3)
    stage_of_hexahedra(const __grid_constant__ CudaStage<Real> stage,
                       const __grid_constant__ DeviceHexahedra<Real> hexahedra) {
  advance_hexahedra<degree, is_viscous>(stage, hexahedra);
}

template <int degree, class Real>
HexahedraStageKernel<Real> HexahedraKernels<degree, Real>::stage(bool is_viscous) {
  return is_viscous ? &stage_of_hexahedra<degree, true, Real> : &stage_of_hexahedra<degree, false, Real>;
}

template <int degree, class Real>
void HexahedraKernels<degree, Real>::extrapolate(const FacePass<Real>& pass, cudaStream_t stream) {
  constexpr int threads = HexahedraBlock::kThreads;
  launch_early("extrapolate_to_faces", extrapolate_to_faces<degree, Real>,
               static_cast<unsigned>((pass.hexahedra.ends.points + threads - 1) / threads), threads, 0,
               stream, pass);
}

template <int degree, class Real>
void HexahedraKernels<degree, Real>::find_viscous_outflows(const FacePass<Real>& pass, cudaStream_t stream) {
  const DeviceHexahedra<Real>& h = pass.hexahedra;
  const auto kernel =
      h.outer_faces > 0 ? viscous_outflows<degree, true, Real> : viscous_outflows<degree, false, Real>;
  const std::size_t shared = kValuesOfViscousPass * HexahedraBlock::pitch(h.cube.points) * sizeof(Real);
  static_assert(kValuesOfViscousPass * HexahedraBlock::kThreads * sizeof(Real) +
                    sizeof(OperatorTable<Real>) <=
                48 << 10);
  launch_early("viscous_outflows", kernel,
               static_cast<unsigned>(HexahedraBlock::blocks(h.elements(), h.cube.points)),
               HexahedraBlock::kThreads, shared, stream, pass);
}

}  // namespace halfstep
