// Policies by which a stage kernel reports soft errors, so that the cost of reporting can be measured on the
// kernel itself. A policy has
//
//   kReports                           false: the kernel calls none of these, and is never cancelled
//   Shared                             the block's data in shared memory
//   begin(shared)                      by one thread, before the first barrier
//   bad_cell(shared, stage, cell, c)   by a thread whose cell's new state c is not admissible
//   bad_face(shared, stage, is_counted, cell, axis, l, r)
//                                      by a thread whose face, the one below `cell` along `axis`, had an
//                                      inadmissible state on one side; l, r: the cells beside it, rotated;
//                                      is_counted: this block alone is to report it, and it is in the domain
//   end(shared, stage)                 by one thread, after everything
#pragma once

#include "physics/cuda/stage/stage.hpp"

namespace halfstep {

/// The program's own policy of stages: a block raises once, at its end. It keeps its flags in shared memory,
/// as they would occupy registers through the whole march.
struct RaiseOnce {
  static constexpr bool kReports = true;
  struct Shared {
    int has_bad_cell, bad_faces;
  };

  static __device__ void begin(Shared& shared) { shared = {}; }
  template <class Real>
  static __device__ void bad_cell(Shared& shared, const CudaStage<Real>&, CellIndex, const Conserved<Real>&) {
    shared.has_bad_cell = 1;  // a benign race: all threads store the same
  }
  template <class Real>
  static __device__ void bad_face(Shared& shared, const CudaStage<Real>&, bool is_counted, CellIndex, int,
                                  const Primitive<Real>&, const Primitive<Real>&) {
    atomicAdd(&shared.bad_faces, is_counted ? 1 : 0);
  }
  template <class Real>
  static __device__ void end(const Shared& shared, const CudaStage<Real>& stage) {
    if (shared.has_bad_cell || (stage.arguments.raise_bad_faces && shared.bad_faces > 0))
      stage.reporter.raise();
    if (shared.bad_faces > 0)
      atomicAdd(&stage.result->bad_faces, static_cast<unsigned long long>(shared.bad_faces));
  }
};

/// The program's own policy where a thread has one face: it raises at the place, so that no block waits at
/// barriers for its last warp.
struct RaiseAtThePlace {
  static constexpr bool kReports = true;
  struct Shared {};

  template <class Real>
  static __device__ void bad_face(Shared&, const CudaStage<Real>& stage, bool is_counted, CellIndex, int,
                                  const Primitive<Real>&, const Primitive<Real>&) {
    if (stage.arguments.raise_bad_faces) stage.reporter.raise();
    if (is_counted) atomicAdd(&stage.result->bad_faces, 1ULL);
  }
};

/// Reports nothing, to measure the cost of reporting. The kernel still reduces the CFL rate and repairs bad
/// faces.
struct NoReports {
  static constexpr bool kReports = false;
  struct Shared {};
};

}  // namespace halfstep
