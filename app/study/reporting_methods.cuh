// Other ways for a stage kernel to tell of its soft errors, to measure what they cost: policies in place of
// RaiseOnce (physics/stage_reports.cuh). Each tells at the place what a person would want to know of a bad
// cell or face. Compiled at run time by the studies.
#pragma once

#include <cassert>
#include <cstdio>

#include "app/study/cas_channel.cuh"
#include "physics/stage_reports.cuh"

namespace halfstep {

/// What these have in common: a block keeps nothing, and has nothing to do at its end.
struct ReportsAtThePlace {
  static constexpr bool kReports = true;
  struct Shared {};

  static __device__ void begin(Shared&) {}
  template <class Real>
  static __device__ void end(const Shared&, const CudaStage<Real>&) {}
};

/// As most programs do it.
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

/// Ends the process' work on the device.
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
__constant__ CasChannel<StagePayload> stage_channel;  // not set: on the flow that is timed nobody reports
}

/// As the blog does it.
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
