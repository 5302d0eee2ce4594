// One stage on host threads: tiles of 64 x 8 cells march along z. Every inner loop runs over a fixed number
// of neighbouring cells in x, so that it vectorises without a remainder and a cell's bits do not depend on
// its tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "physics/face_flux.hpp"
#include "physics/stage.hpp"
#include "runtime/soft_error/channel.hpp"

namespace halfstep {

template <class Real>
struct HostStageResult {
  Real signal_rate = 0;
  std::int64_t bad_faces = 0;
};

/// Queues nothing: returns when the stage is done. Raises through `reporter`.
template <class Real>
using HostStage = HostStageResult<Real> (*)(const StageArguments<Real>&, const soft_error::Reporter<>&,
                                            int threads);

/// Defined in stage_host_body.hpp, instantiated once per reconstruction in generated files.
template <class Reconstruction, Variables variables, class RiemannSolver, class Real>
HostStageResult<Real> host_stage(const StageArguments<Real>& args, const soft_error::Reporter<>& reporter,
                                 int threads);

}  // namespace halfstep
