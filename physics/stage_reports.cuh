// How a stage kernel tells of its soft errors: a policy of the kernel, so that what telling costs can be
// measured on the kernel itself. A policy has
//
//   kReports                           false: the kernel calls none of these, and is never cancelled
//   Shared                             what the block keeps in shared memory
//   begin(shared)                      by one thread, before the first barrier
//   bad_cell(shared, stage, cell, c)   by a thread whose cell came out as the unphysical state c
//   bad_face(shared, stage, is_counted, cell, axis, l, r)
//                                      by a thread whose face, the one below `cell` along `axis`, had an
//                                      unphysical state on one side; l, r: the cells beside it, rotated;
//                                      is_counted: this block is to report it, no other does, and it is in the
//                                      domain
//   end(shared, stage)                 by one thread, after everything
#pragma once

#include "physics/stage_cuda.hpp"

namespace halfstep {

struct CellIndex {
  int i, j, k;
};

/// The program's own: the block notes in shared memory, because in a register a note would live through the
/// whole march, and raises once.
struct RaiseOnce {
  static constexpr bool kReports = true;
  struct Shared {
    int has_bad_cell, bad_faces;
  };

  static __device__ void begin(Shared& shared) { shared = {}; }
  template <class Real>
  static __device__ void bad_cell(Shared& shared, const CudaStage<Real>&, CellIndex, const Conserved<Real>&) {
    shared.has_bad_cell = 1;  // by all of them alike
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

/// Nothing: to measure what telling costs. Such a kernel keeps its wave-speed reduction and the repair of bad
/// faces.
struct NoReports {
  static constexpr bool kReports = false;
  struct Shared {};
};

}  // namespace halfstep
