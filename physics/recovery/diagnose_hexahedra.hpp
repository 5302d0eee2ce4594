// The diagnosis of a failed stage in hexahedra: the defect of each point, and the recomputed update of the
// reported one.
#pragma once

#include "physics/curved/hexahedron.hpp"
#include "physics/curved/scaled_hexahedron.hpp"
#include "physics/recovery/diagnose_point.hpp"

namespace halfstep {

/// Returns what a stage in hexahedra needs besides its arguments.
template <class Real>
HexahedraStage<Real> hexahedra_stage(const HexahedraView<Real>& mesh, const BoundaryConditions<Real>& rules,
                                     const Scheme& scheme, const RhsTerms& terms, const SpikeLimits& spikes,
                                     const FineTable* fine, double time) {
  HexahedraStage<Real> s{mesh, &rules, scheme.riemann,  time,   terms.transport.as<Real>(),
                         {},   {},     terms.viscous(), spikes, scheme.dealiasing,
                         fine};
  for (int upper = 0; upper < 2; ++upper) {
    for (int c = 0; c < 3; ++c) s.wall_velocity[upper].of[c] = Real(terms.walls.velocity[upper][c]);
    s.wall_temperature[upper] = Real(terms.walls.temperature[upper]);
  }
  return s;
}

/// Returns the most severe defect of a point, and of the face points that its lines end at beside it.
/// face(d, side): returns a face's record as its point's replay has it.
template <class C, class Real, class Face>
HALFSTEP_HD Defect<Real> defect_of_point(const C& c, const StageArguments<Real>& a,
                                         const DiagnosisSetup& setup, const HexahedraStage<Real>& s,
                                         int element, int m, const Face& face) {
  DiagnosisSetup of_point = setup;
  of_point.look_at_faces = of_point.overrun = false;
  const Defect<Real> found = diagnose_cell(a, of_point, m, element, 0);
  if (found.kind >= 0) return found;
  if (setup.overrun) {
    const Primitive<Real> q = to_primitive(load(a.layout, a.out, m, element, 0), a.gas);
    const Real courant = Real(setup.step) * rate_at(c, s.mesh, element, m, q, a.gas, s.transport);
    if (!(courant <= Real(setup.detection.cfl_limit)))
      return {static_cast<int>(SoftErrorKind::cfl_overrun), courant};
  }
  if (!setup.look_at_faces) return {};
  for (int d = 0; d < c.dimensions; ++d)
    for (int side = 0; side < 2; ++side) {
      if (index_along(c, d, m) != side * c.degree) continue;
      const FaceRecord<Real> f = face(d, side);
      if (!f.bad) continue;
      if (is_admissible(f.left) && is_admissible(f.right))
        return {static_cast<int>(SoftErrorKind::spike),
                max(spike_value(setup.detection.spikes.field, f.left),
                    spike_value(setup.detection.spikes.field, f.right))};
      return {static_cast<int>(SoftErrorKind::bad_face),
              min(min(f.left.density, f.left.pressure), min(f.right.density, f.right.pressure))};
    }
  return {};
}

template <class C, class Real>
HALFSTEP_HD Defect<Real> diagnose_point(const C& c, const StageArguments<Real>& a,
                                        const DiagnosisSetup& setup, const HexahedraStage<Real>& s,
                                        int element, int m, const FlaggedHexahedra& flagged) {
  return defect_of_point(c, a, setup, s, element, m, [&](int d, int side) {
    const ComputedAnew<C, Real> anew{c, a, s, flagged.parts(c, s.mesh, element)};
    return anew.face({element, 2 * d + side, end_of_line(c, d, m)}).record;
  });
}

/// Returns the recomputed update of a point whose element is scaled. `scratch`: for the element's updates.
template <class C, class Real>
HALFSTEP_HD Conserved<Real> replay_scaled_point(const C& c, const StageArguments<Real>& a,
                                                const HexahedraStage<Real>& s, int element, int m,
                                                ElementScratch<Real>& scratch) {
  for (int point = 0; point < c.points; ++point)
    scratch[point] = replay_point(c, a, s, element, point, FirstOrderParts{}).after;
  scale_hexahedron(c, s.mesh, HexahedronInArray<Real>{element, scratch}, a.gas);
  return scratch[m];
}

/// `scratch`: for the updates of an element that is scaled.
template <class C, class Real>
HALFSTEP_HD CellDiagnosis<Real> diagnose_point_in_full(const C& c, const StageArguments<Real>& a,
                                                       const DiagnosisSetup& setup,
                                                       const HexahedraStage<Real>& s, int element, int m,
                                                       const FlaggedHexahedra& flagged,
                                                       ElementScratch<Real>& scratch) {
  CellDiagnosis<Real> point{replay_point(c, a, s, element, m, flagged.parts(c, s.mesh, element)), {}};
  if (flagged.is_scaled(element)) point.record.after = replay_scaled_point(c, a, s, element, m, scratch);
  point.defect = defect_of_point(c, a, setup, s, element, m,
                                 [&](int d, int side) { return point.record.face[d][side]; });
  return point;
}

/// Returns the layout for to_replay() of a point's record: as many states on each side as a record has.
inline Layout layout_of_records(Layout layout, int dimensions) {
  for (int d = 0; d < dimensions; ++d) layout.ghosts[d] = kMaxLayers;
  return layout;
}

}  // namespace halfstep
