// The launch of face kernels. Include it only in files compiled by nvcc.
#pragma once

#include <type_traits>

#include "physics/base/arithmetic.hpp"
#include "physics/cuda/hexahedra/device_hexahedra.hpp"
#include "physics/flux/dispatch.hpp"
#include "runtime/device/early_launch.hpp"

namespace halfstep {

inline constexpr int kFaceThreads = 128;
/// Blocks per multiprocessor that registers are to leave room for: as many as let no solver spill.
template <class RiemannSolver, class Real>
inline constexpr int kFaceBlocks =
    !wide<Real>                                                                  ? 8
    : std::is_same_v<RiemannSolver, Roe> || std::is_same_v<RiemannSolver, Lhllc> ? 4
                                                                                 : 5;
template <class Real>
inline constexpr int kFaceBlocks<Rusanov, Real> = wide<Real> ? 6 : 8;

template <class Real>
void launch_on_faces(int faces, void (*kernel)(FacePass<Real>), const FacePass<Real>& pass,
                     cudaStream_t stream) {
  const int count = faces * pass.hexahedra.cube.face_points;
  if (count > 0)
    launch_early("face_fluxes", kernel, static_cast<unsigned>((count + kFaceThreads - 1) / kFaceThreads),
                 kFaceThreads, 0, stream, pass);
}

}  // namespace halfstep
