// Alternative ways for a stage kernel to report soft errors, for measuring their cost: policies in place of
// RaiseOnce (physics/cuda/stage/reports.cuh). Each reports the details of a bad cell or face where it is
// found. The studies compile them at run time.
#pragma once

#include <cassert>
#include <cstdio>

#include "app/study/cas_channel.cuh"
#include "physics/cuda/stage/reports.cuh"

namespace halfstep {

/// Base of these policies: no state per block, nothing to do at a block's end.
struct ReportsAtThePlace {
  static constexpr bool kReports = true;
  struct Shared {};

  static __device__ void begin(Shared&) {}
  template <class Real>
  static __device__ void end(const Shared&, const CudaStage<Real>&) {}
};

/// Reports with printf, as most programs do.
struct PrintReports : ReportsAtThePlace {
  template <class Real>
  static __device__ void bad_cell(Shared&, const CudaStage<Real>& stage, CellIndex cell,
                                  const Conserved<Real>& c) {
    printf("cell (%d, %d, %d), dt = %g: density %g, momentum (%g, %g, %g), energy %g\n", cell.i, cell.j,
           cell.k, *stage.dt, double(c.density), double(c.mu), double(c.mv), double(c.mw), double(c.energy));
  }
  template <class Real>
  static __device__ void bad_face(Shared&, const CudaStage<Real>& stage, bool is_counted, CellIndex cell,
                                  int axis, const Primitive<Real>& l, const Primitive<Real>& r) {
    if (!is_counted) return;
    printf(
        "face below cell (%d, %d, %d) along axis %d, dt = %g: density %g and %g, normal velocity %g and %g, "
        "pressure %g and %g\n",
        cell.i, cell.j, cell.k, axis, *stage.dt, double(l.density), double(r.density), double(l.u),
        double(r.u), double(l.pressure), double(r.pressure));
  }
};

/// Reports with assert, which ends the process' work on the device.
struct AssertReports : ReportsAtThePlace {
  template <class Real>
  static __device__ void bad_cell(Shared&, const CudaStage<Real>&, CellIndex, const Conserved<Real>&) {
    assert(!"unphysical cell");
  }
  template <class Real>
  static __device__ void bad_face(Shared&, const CudaStage<Real>&, bool is_counted, CellIndex, int,
                                  const Primitive<Real>&, const Primitive<Real>&) {
    assert(!is_counted && "unphysical face");
  }
};

struct StagePayload {
  int axis;  ///< 3: a cell
  CellIndex cell;
  double dt;
  double values[6];
};

extern "C" {
__constant__ CasChannel<StagePayload> stage_channel;  // not set: nothing is reported on the timed flow
}

/// Reports with a payload, as the blog does.
struct PayloadReports : ReportsAtThePlace {
  template <class Real>
  static __device__ void bad_cell(Shared&, const CudaStage<Real>& stage, CellIndex cell,
                                  const Conserved<Real>& c) {
    report_by_cas(stage_channel, [&](StagePayload& payload) {
      payload = {3,
                 cell,
                 *stage.dt,
                 {double(c.density), double(c.mu), double(c.mv), double(c.mw), double(c.energy)}};
    });
  }
  template <class Real>
  static __device__ void bad_face(Shared&, const CudaStage<Real>& stage, bool is_counted, CellIndex cell,
                                  int axis, const Primitive<Real>& l, const Primitive<Real>& r) {
    if (!is_counted) return;
    report_by_cas(stage_channel, [&](StagePayload& payload) {
      payload = {axis,
                 cell,
                 *stage.dt,
                 {double(l.density), double(r.density), double(l.u), double(r.u), double(l.pressure),
                  double(r.pressure)}};
    });
  }
};

}  // namespace halfstep
