// The kernels of flux reconstruction in hexahedra of a degree, for files that instantiate them.
#pragma once

#include <algorithm>

#include "physics/cuda/hexahedra/face_launch.cuh"
#include "physics/cuda/hexahedra/hexahedra.hpp"
#include "physics/cuda/hexahedra/passes_body.cuh"
#include "physics/cuda/step_kernels.cuh"

namespace halfstep {

/// Blocks per multiprocessor that registers are to leave room for.
template <class C, class Real, bool on_sides>
inline constexpr int kViscousBlocks =
    (wide<Real> ? (on_sides ? 512 : 768) : (on_sides ? 1024 : 1280)) / ViscousBlock<C>::kThreads;
template <Dealiasing dealiasing, class Real>
inline constexpr int kHexahedraBlocks = dealiasing != Dealiasing::none ? 3
                                        : wide<Real>                   ? 4
                                                                       : 6;

template <class C, class Real>
__global__ void __launch_bounds__(HexahedraBlock<C>::kThreads)
    extrapolate_to_faces(const __grid_constant__ FacePass<Real> pass) {
  wait_for_earlier_kernels();
  if (!pass.stage.reporter.was_cancelled()) extrapolate_to_faces_of_block<C>(pass);
}

template <class C, bool on_sides, class Real>
__global__ void __launch_bounds__(ViscousBlock<C>::kThreads, kViscousBlocks<C, Real, on_sides>)
    viscous_fluxes(const __grid_constant__ FacePass<Real> pass) {
  wait_for_earlier_kernels();
  if (!pass.stage.reporter.was_cancelled()) find_viscous_fluxes_of_block<C, on_sides>(pass);
}

template <class RiemannSolver, class C, class Real>
inline constexpr int kInviscidFaceBlocks = inviscid_face_blocks(RiemannOf<RiemannSolver>::value, sizeof(Real),
                                                                C::degree);

/// The face kernel of inviscid flows.
template <class RiemannSolver, class C, class Real>
__global__ void __launch_bounds__(kFaceThreads, (kInviscidFaceBlocks<RiemannSolver, C, Real>))
    inviscid_face_fluxes(const __grid_constant__ FacePass<Real> pass) {
  find_inviscid_face_flux<RiemannSolver, C>(pass);
}

template <class C, bool is_viscous, class Real>
__global__ void __launch_bounds__(IntegratedFaceBlock<C>::kThreads)
    integrated_face_fluxes(const __grid_constant__ FacePass<Real> pass) {
  integrate_face_fluxes_of_block<C, is_viscous>(pass);
}

template <class C, bool is_viscous, Dealiasing dealiasing, class Real>
__global__ void __launch_bounds__(HexahedraBlock<C>::kThreads, kHexahedraBlocks<dealiasing, Real>)
    stage_of_hexahedra(const __grid_constant__ CudaStage<Real> stage,
                       const __grid_constant__ DeviceHexahedra<Real> hexahedra) {
  advance_hexahedra<C, is_viscous, dealiasing>(stage, hexahedra);
}

template <int degree, int dimensions, class Real>
HexahedraStageKernel<Real> HexahedraKernels<degree, dimensions, Real>::stage(bool is_viscous,
                                                                             bool is_straight,
                                                                             Dealiasing dealiasing) {
  using C = Cube<degree, dimensions>;
  if (dealiasing == Dealiasing::split_form)
    return is_viscous ? &stage_of_hexahedra<C, true, Dealiasing::split_form, Real>
                      : &stage_of_hexahedra<C, false, Dealiasing::split_form, Real>;
  if (dealiasing == Dealiasing::over_integration)
    return is_viscous ? &stage_of_hexahedra<C, true, Dealiasing::over_integration, Real>
                      : &stage_of_hexahedra<C, false, Dealiasing::over_integration, Real>;
  if (is_viscous && is_straight)
    return &stage_of_hexahedra<Cube<degree, dimensions, true>, true, Dealiasing::none, Real>;
  return is_viscous ? &stage_of_hexahedra<C, true, Dealiasing::none, Real>
                    : &stage_of_hexahedra<C, false, Dealiasing::none, Real>;
}

template <int degree, int dimensions, class Real>
LaunchConfiguration HexahedraKernels<degree, dimensions, Real>::launch_of_stage(int elements,
                                                                                Dealiasing dealiasing) {
  using Block = HexahedraBlock<Cube<degree, dimensions>>;
  LaunchConfiguration launch{};
  launch.grid = dim3(Block::blocks(elements));
  launch.block = dim3(Block::kThreads);
  launch.shared_bytes =
      sizeof(Real) * (dealiasing == Dealiasing::none         ? Block::kValuesOfStage
                      : dealiasing == Dealiasing::split_form ? Block::kValuesOfSplitStage
                                                             : Block::kValuesOfOverIntegratedStage);
  launch.tiles_x = static_cast<int>(launch.grid.x);
  launch.march = 1;
  return launch;
}

template <int degree, int dimensions, class Real>
void HexahedraKernels<degree, dimensions, Real>::extrapolate(const FacePass<Real>& pass,
                                                             cudaStream_t stream) {
  using C = Cube<degree, dimensions>;
  using Block = HexahedraBlock<C>;
  launch_early("extrapolate_to_faces", extrapolate_to_faces<C, Real>, Block::blocks(pass.hexahedra.with_near),
               Block::kThreads, Block::kValuesOfEnds * sizeof(Real), stream, pass);
}

template <int degree, int dimensions, class Real>
void HexahedraKernels<degree, dimensions, Real>::find_viscous_fluxes(const FacePass<Real>& pass,
                                                                     cudaStream_t stream) {
  const DeviceHexahedra<Real>& h = pass.hexahedra;
  const auto launch = [&]<class C>(C) {
    using Block = ViscousBlock<C>;
    const auto kernel = h.outer_faces > 0 ? viscous_fluxes<C, true, Real> : viscous_fluxes<C, false, Real>;
    constexpr std::size_t shared = Block::kValuesOfViscousPass * sizeof(Real);
    HALFSTEP_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
    launch_early("viscous_fluxes", kernel, Block::blocks(h.with_near), Block::kThreads, shared, stream, pass);
  };
  if (h.flow.mesh.is_straight)
    launch(Cube<degree, dimensions, true>{});
  else
    launch(Cube<degree, dimensions>{});
}

template <int degree, int dimensions, class Real>
void HexahedraKernels<degree, dimensions, Real>::integrate_face_fluxes(const FacePass<Real>& pass,
                                                                       cudaStream_t stream) {
  using C = Cube<degree, dimensions>;
  using Block = IntegratedFaceBlock<C>;
  if (pass.hexahedra.inner_faces == 0) return;
  launch_early("integrated_face_fluxes",
               pass.hexahedra.flow.is_viscous ? integrated_face_fluxes<C, true, Real>
                                              : integrated_face_fluxes<C, false, Real>,
               Block::blocks(pass.hexahedra.inner_faces), Block::kThreads, Block::kValues * sizeof(Real),
               stream, pass);
}

template <int degree, int dimensions, class Real>
void HexahedraKernels<degree, dimensions, Real>::find_inviscid_face_fluxes(const FacePass<Real>& pass,
                                                                           cudaStream_t stream) {
  switch (pass.hexahedra.flow.riemann) {
#define HALFSTEP_CASE(name, Type, summary)             \
  case Riemann::name:                                  \
    return launch_on_faces(pass.hexahedra.inner_faces, \
                           inviscid_face_fluxes<Type, Cube<degree, dimensions>, Real>, pass, stream);
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
  }
}

}  // namespace halfstep
