#include "physics/recovery/diagnose.hpp"

#include "physics/flux/any_scheme.hpp"
#include "physics/gas/rotate.hpp"
#include "physics/stage/replay.hpp"

namespace halfstep {

namespace {

template <class Real>
Primitive<double> widened(const Primitive<Real>& q) {
  return {double(q.density), double(q.u), double(q.v), double(q.w), double(q.pressure)};
}

/// Rotates a state's velocity back from the normal of `axis`, with the same exchange of components as a flux.
template <class Real>
Primitive<Real> unrotated_state(const Primitive<Real>& q, int axis) {
  const Conserved<Real> c = unrotated(Conserved<Real>{q.density, q.u, q.v, q.w, q.pressure}, axis);
  return {c.density, c.mu, c.mv, c.mw, c.energy};
}

template <class Real>
bool states_alike(const Conserved<Real>& a, const Conserved<Real>& b, const Conserved<Real>& before) {
  const Real momentum =
      std::sqrt(std::abs(before.density * before.energy)) + std::abs(a.mu) + std::abs(a.mv) + std::abs(a.mw);
  return alike(a.density, b.density, std::abs(a.density) + std::abs(before.density)) &&
         alike(a.mu, b.mu, momentum) && alike(a.mv, b.mv, momentum) && alike(a.mw, b.mw, momentum) &&
         alike(a.energy, b.energy, std::abs(a.energy) + std::abs(before.energy));
}

}  // namespace

SoftError soft_error_of(const Defects& defects, int stage, const DiagnosisSetup& setup) {
  SoftError error;
  error.stage = stage;
  int cell[3];
  reported_cell(setup.cells, defects.key, cell);
  error.cell = {cell[0], cell[1], cell[2]};
  if (defects.key == kNoDefect) {
    // The cause of the raise is not found again: no cells are counted.
    error.kind = setup.overrun         ? SoftErrorKind::cfl_overrun
                 : setup.look_at_faces ? SoftErrorKind::bad_face
                                       : SoftErrorKind::not_finite;
    return error;
  }
  error.kind = static_cast<SoftErrorKind>(kind_of(defects.key));
  for (int kind = 0; kind < kSoftErrorKinds; ++kind) {
    error.counts[kind] = static_cast<std::int64_t>(defects.counts[kind]);
    error.count += error.counts[kind];
  }
  return error;
}

template <class Real>
Diagnosis make_diagnosis(SoftError error, const CellDiagnosis<Real>& cell, const Layout& layout) {
  if (!error.vanished()) error.value = double(cell.defect.value);
  Diagnosis diagnosis{error, to_replay(cell.record, layout)};
  diagnosis.replay.reproduced &= !error.vanished();
  return diagnosis;
}

template <class Real>
Replay to_replay(const CellRecord<Real>& record, const Layout& layout) {
  Replay replay;
  replay.reproduced = states_alike(record.after, record.stored, record.before) && record.scalars_reproduced;
  replay.before = widened(record.before);
  replay.after = widened(record.after);
  replay.stored = widened(record.stored);
  for (int axis = 0; axis < 3; ++axis) {
    const int layers = layout.ghosts[axis];
    if (layers == 0 || record.of_source) continue;
    for (int m = -layers; m <= layers; ++m)
      replay.stencil[axis].push_back(widened(unrotated_state(record.line[axis].q[m + kMaxLayers], axis)));
    for (int side = 0; side < 2; ++side) {
      const FaceRecord<Real>& f = record.face[axis][side];
      replay.faces.push_back({axis, side, widened(unrotated_state(f.left, axis)),
                              widened(unrotated_state(f.right, axis)), widened(unrotated(f.flux, axis)),
                              f.bad});
    }
  }
  return replay;
}

template Diagnosis make_diagnosis(SoftError, const CellDiagnosis<float>&, const Layout&);
template Diagnosis make_diagnosis(SoftError, const CellDiagnosis<double>&, const Layout&);
template Replay to_replay(const CellRecord<float>&, const Layout&);
template Replay to_replay(const CellRecord<double>&, const Layout&);

}  // namespace halfstep
