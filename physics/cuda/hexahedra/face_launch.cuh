// The launch of face kernels. Include it only in files compiled by nvcc.
#pragma once

#include "physics/cuda/hexahedra/device_hexahedra.hpp"
#include "physics/cuda/hexahedra/face_configuration.hpp"
#include "physics/flux/dispatch.hpp"
#include "runtime/device/early_launch.hpp"

namespace halfstep {

template <class RiemannSolver, class Real>
inline constexpr int kFaceBlocks = face_blocks(RiemannOf<RiemannSolver>::value, sizeof(Real));

template <class Real>
void launch_on_faces(int faces, void (*kernel)(FacePass<Real>), const FacePass<Real>& pass,
                     cudaStream_t stream, int threads = kFaceThreads) {
  const int count = faces * pass.hexahedra.cube.face_points;
  if (count > 0)
    launch_early("face_fluxes", kernel, static_cast<unsigned>((count + threads - 1) / threads),
                 static_cast<unsigned>(threads), 0, stream, pass);
}

}  // namespace halfstep
