// The diagnosis of a failed stage in elements: the defect of each point, and all that the update of the
// reported one depends on.
#pragma once

#include "physics/elements/flagged_elements.hpp"
#include "physics/elements/scaling.hpp"
#include "physics/recovery/diagnose.hpp"

namespace halfstep {

/// The full diagnosis of the reported point.
template <class Real>
struct PointDiagnosis {
  static constexpr int kReach = kMaxDegree + 1;
  CellDiagnosis<Real> cell;
  /// The stage's input around it, as many points to each side as an element has: what a face beside the point
  /// depends on.
  Conserved<Real> stencil[3][2 * kReach + 1];
};

template <int degree, class Real>
HALFSTEP_HD CellRecord<Real> replay_point(const StageArguments<Real>& a, Riemann riemann, int i, int j, int k,
                                          const FlaggedElements<Real>& flagged) {
  return replay_point<degree>(a, riemann, i, j, k,
                              flagged.parts(Element::of_point(a.layout, degree, i, j, k)));
}

/// Returns the most severe defect of a point, of the face points beside it and of the ghost cells there.
/// `record`: returns the point's replay.
template <int degree, class Real, class Record>
HALFSTEP_HD Defect<Real> defect_of_point(const StageArguments<Real>& a, const DiagnosisSetup& setup, int i,
                                         int j, int k, const Record& record) {
  DiagnosisSetup of_point = setup;
  of_point.look_at_faces = false;
  const Defect<Real> found = diagnose_cell(a, of_point, i, j, k);
  const bool is_severe = found.kind >= 0 && found.kind < static_cast<int>(SoftErrorKind::bad_face);
  if (is_severe || !setup.look_at_faces) return found;
  const Element own = Element::of_point(a.layout, degree, i, j, k);
  const CellRecord<Real>& replayed = record();
  const int point[3] = {i, j, k};
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2 && own.points[axis] > 1; ++side) {
      const FaceRecord<Real>& f = replayed.face[axis][side];
      if (!f.bad || point[axis] != own.first[axis] + side * degree) continue;
      return {static_cast<int>(SoftErrorKind::bad_face),
              min(min(f.left.density, f.left.pressure), min(f.right.density, f.right.pressure))};
    }
  return found;
}

template <int degree, class Real>
HALFSTEP_HD Defect<Real> diagnose_point(const StageArguments<Real>& a, const DiagnosisSetup& setup, int i,
                                        int j, int k, const FlaggedElements<Real>& flagged) {
  return defect_of_point<degree>(
      a, setup, i, j, k, [&] { return replay_point<degree>(a, setup.scheme.riemann, i, j, k, flagged); });
}

/// Memory for the states of an element of any degree.
template <class Real>
using ElementScratch = Conserved<Real>[(kMaxDegree + 1) * (kMaxDegree + 1) * (kMaxDegree + 1)];

/// Returns the recomputed update of a point whose element is scaled. `scratch`: for the element's updates.
template <int degree, class Real>
HALFSTEP_HD Conserved<Real> replay_scaled_point(const StageArguments<Real>& a, Riemann riemann, int i, int j,
                                                int k, ElementScratch<Real>& scratch) {
  const ElementInArray<Real> states{Element::of_point(a.layout, degree, i, j, k), scratch};
  for (int point = 0; point < states.element.count(); ++point) {
    int at[3];
    states.element.find_point(point, at);
    scratch[point] = replay_point<degree>(a, riemann, at[0], at[1], at[2], FirstOrderParts{}).after;
  }
  scale_towards_average<degree>(states, a.gas);
  return scratch[states.element.number_of(i, j, k)];
}

/// `scratch`: for the updates of an element that is scaled.
template <int degree, class Real>
HALFSTEP_HD PointDiagnosis<Real> diagnose_point_in_full(const StageArguments<Real>& a,
                                                        const DiagnosisSetup& setup, int i, int j, int k,
                                                        const FlaggedElements<Real>& flagged,
                                                        ElementScratch<Real>& scratch) {
  PointDiagnosis<Real> point{};
  CellRecord<Real>& record = point.cell.record;
  record = replay_point<degree>(a, setup.scheme.riemann, i, j, k, flagged);
  if (flagged.is_scaled(Element::of_point(a.layout, degree, i, j, k)))
    record.after = replay_scaled_point<degree>(a, setup.scheme.riemann, i, j, k, scratch);
  point.cell.defect =
      defect_of_point<degree>(a, setup, i, j, k, [&]() -> const CellRecord<Real>& { return record; });
  for (int axis = 0; axis < 3; ++axis)
    for (int m = -a.layout.ghosts[axis]; m <= a.layout.ghosts[axis]; ++m)
      point.stencil[axis][m + PointDiagnosis<Real>::kReach] =
          load(a.layout, a.in, i + (axis == 0) * m, j + (axis == 1) * m, k + (axis == 2) * m);
  return point;
}

/// Returns the report of `error` with the replay of the reported point. `layout`: of the stage.
template <class Real>
Diagnosis make_diagnosis(const SoftError& error, const PointDiagnosis<Real>& point, const Layout& layout,
                         const IdealGas<double>& gas) {
  Layout of_cell = layout;  // a cell's record has fewer states along an axis
  for (int& layers : of_cell.ghosts) layers = min(layers, kMaxLayers);
  Diagnosis diagnosis = make_diagnosis(error, point.cell, of_cell);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Primitive<double>>& stencil = diagnosis.replay.stencil[axis];
    const int reach = layout.ghosts[axis];
    stencil.clear();
    for (int m = -reach; m <= reach && reach > 0; ++m)
      stencil.push_back(to_primitive(widened(point.stencil[axis][m + PointDiagnosis<Real>::kReach]), gas));
  }
  return diagnosis;
}

}  // namespace halfstep
