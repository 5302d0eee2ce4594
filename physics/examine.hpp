// After the fact: what is wrong with a cell, and the update of one cell computed again with everything on the
// table. Not for hot loops: the scheme is chosen at run time, face by face.
#pragma once

#include "physics/face_flux.hpp"
#include "physics/positivity.hpp"
#include "physics/reactant.hpp"
#include "physics/soft_errors.hpp"
#include "physics/sources/source_of_cell.hpp"
#include "physics/stage.hpp"
#include "physics/terms_of_cell.hpp"

namespace halfstep {

inline constexpr int kMaxLayers = 3;

/// Whether the cell (i, j, k) of a stage's output is one to go on with, by the test of the stage; `rate`: its
/// signal rate if wanted.
template <class Real>
HALFSTEP_HD bool inspect(const StageArguments<Real>& a, int i, int j, int k, Real& rate) {
  const Conserved<Real> c = load(a.layout, a.out, i, j, k);
  bool good = is_admissible(c);
  if (a.layout.has_reactant()) good &= finite(reactant(a.layout, a.out, i, j, k));
  if (!a.wants_rate) return good;
  const Primitive<Real> q = to_primitive(c, a.gas);
  rate = signal_rate(q, a.inverse_dx, a.gas);
  return good & positive_and_finite(q.pressure);
}

/// What examining the cells of a stage needs besides its arguments.
struct Examination {
  Scheme scheme;
  Detection detection;
  bool overrun;  ///< the step finished, but dt * rate exceeds the limit somewhere
  bool look_at_faces;
  bool of_source;  ///< the phase is half of the source, not a stage
  Source source;
  ExplicitTerms terms;
};

/// Calls f(reconstruction) with the one of the deck.
template <class F>
HALFSTEP_HD auto with_reconstruction(const Scheme& s, const F& f) {
  switch (s.reconstruction) {
    case Reconstruction::constant:
      return f(Constant{});
    case Reconstruction::plm:
      return s.limiter == Limiter::minmod     ? f(Plm<Limiter::minmod>{})
             : s.limiter == Limiter::van_leer ? f(Plm<Limiter::van_leer>{})
                                              : f(Plm<Limiter::mc>{});
    case Reconstruction::ppm:
      return f(Ppm{});
    case Reconstruction::weno5z:
      break;
  }
  return f(Weno5z{});
}

/// Reconstruction of one cell along one axis with the scheme of the deck. `q`: 2 * kMaxLayers - 1 states, the
/// cell in the middle.
template <class Real>
HALFSTEP_HD EdgeStates<Real> any_edge_states(const Scheme& s, const Primitive<Real>* q,
                                             const IdealGas<Real>& gas) {
  return with_reconstruction(s, [&](auto reconstruction) {
    using Reconstruction = decltype(reconstruction);
    const Primitive<Real>* first = q + kMaxLayers - 1 - Reconstruction::radius;
    return s.variables == Variables::characteristic
               ? edge_states<Reconstruction, Variables::characteristic>(first, gas)
               : edge_states<Reconstruction, Variables::primitive>(first, gas);
  });
}

/// `y`: the 2 * kMaxLayers mass fractions around a face.
template <class Real>
HALFSTEP_HD Real any_reactant_flux(const Scheme& s, const Real* y, Real mass_flux, bool first_order) {
  return with_reconstruction(s, [&](auto reconstruction) {
    using Reconstruction = decltype(reconstruction);
    return reactant_flux<Reconstruction>(y + kMaxLayers - 1 - Reconstruction::radius, mass_flux, first_order);
  });
}

template <class Real>
HALFSTEP_HD FaceFlux<Real> any_checked_flux(Riemann riemann, const Primitive<Real>& l,
                                            const Primitive<Real>& r, const Primitive<Real>& cell_l,
                                            const Primitive<Real>& cell_r, const IdealGas<Real>& gas) {
  switch (riemann) {
#define HALFSTEP_CASE(name, Type, summary) \
  case Riemann::name:                      \
    return checked_flux<Type>(l, r, cell_l, cell_r, gas);
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
  }
  return {};
}

/// One face of a cell, states and flux rotated to its axis.
template <class Real>
struct FaceRecord {
  Primitive<Real> left, right;
  Conserved<Real> flux;
  bool bad;
  Real reactant_flux;  ///< zero where there is no reactant
};

/// The cells along an axis that the fluxes of the middle one depend on.
template <class Real>
struct LineOfCells {
  Primitive<Real> q[2 * kMaxLayers + 1];  ///< rotated
  Real y[2 * kMaxLayers + 1];             ///< mass fractions of the reactant
};

/// A cell's update computed again. Unswept axes are left as zeros, and so is the reactant where there is
/// none.
template <class Real>
struct CellRecord {
  Conserved<Real> before, after, stored;
  Real reactant_after, reactant_stored;
  LineOfCells<Real> line[3];
  FaceRecord<Real> face[3][2];  ///< [axis][lower, upper]
  bool of_source;               ///< it has neither faces nor a stencil
};

/// A step without remedies: every face has the flux of the deck's scheme.
struct NoFirstOrderFaces {
  HALFSTEP_HD bool operator()(int, int, int, int, int) const { return false; }
};

template <class Real>
HALFSTEP_HD LineOfCells<Real> line_of_cells(const StageArguments<Real>& a, int axis, int i, int j, int k) {
  const Layout& l = a.layout;
  const int layers = l.ghosts[axis];
  LineOfCells<Real> line{};
  for (int m = -kMaxLayers; m <= kMaxLayers; ++m) {
    // Lower-order schemes have fewer ghost layers: what lies beyond is not part of their stencil.
    const int offset = m < -layers ? -layers : m > layers ? layers : m;
    const int x = i + (axis == 0 ? offset : 0), y = j + (axis == 1 ? offset : 0),
              z = k + (axis == 2 ? offset : 0);
    line.q[m + kMaxLayers] = rotated(to_primitive(load(l, a.in, x, y, z), a.gas), axis);
    if (l.has_reactant()) line.y[m + kMaxLayers] = mass_fraction(l, a.in, x, y, z);
  }
  return line;
}

/// The lower or upper face (`side`) of the cell in the middle of the line. `first_order`: its flux is
/// Rusanov's between the cell averages beside it, not the scheme's.
template <class Real>
HALFSTEP_HD FaceRecord<Real> replay_face(const StageArguments<Real>& a, const Scheme& scheme, int axis,
                                         const LineOfCells<Real>& line, int side, bool first_order) {
  const Primitive<Real>* q = line.q + side;
  const Primitive<Real>&cell_l = q[kMaxLayers - 1], &cell_r = q[kMaxLayers];
  FaceRecord<Real> face{};
  if (first_order) {
    face = {cell_l, cell_r, Rusanov::flux(cell_l, cell_r, a.gas), false, Real(0)};
  } else {
    const Primitive<Real> left = any_edge_states(scheme, q, a.gas).upper,
                          right = any_edge_states(scheme, q + 1, a.gas).lower;
    const FaceFlux<Real> f = any_checked_flux(scheme.riemann, left, right, cell_l, cell_r, a.gas);
    face = {left, right, f.flux, f.bad, Real(0)};
    if (a.positive) face.flux = positive_flux(face.flux, cell_l, cell_r, face_step(a, a.dt, axis), a.gas);
  }
  if (a.layout.has_reactant())
    face.reactant_flux = any_reactant_flux(scheme, line.y + side, face.flux.density, first_order || face.bad);
  return face;
}

/// Where first_order(i, j, k, axis, side) holds of a face of the cell, its flux is Rusanov's between the
/// cell averages beside it; elsewhere it is the scheme's.
template <class Real, class FirstOrder = NoFirstOrderFaces>
HALFSTEP_HD CellRecord<Real> replay_cell(const StageArguments<Real>& a, const Scheme& scheme, int i, int j,
                                         int k, const FirstOrder& first_order = {}) {
  CellRecord<Real> record{};
  const Layout& l = a.layout;
  Conserved<Real> jump[3] = {};
  Real reactant_jump[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    if (l.ghosts[axis] == 0) continue;
    record.line[axis] = line_of_cells(a, axis, i, j, k);
    for (int side = 0; side < 2; ++side)
      record.face[axis][side] =
          replay_face(a, scheme, axis, record.line[axis], side, first_order(i, j, k, axis, side));
    const FaceRecord<Real>&lower = record.face[axis][0], &upper = record.face[axis][1];
    jump[axis] = unrotated(upper.flux - lower.flux, axis);
    reactant_jump[axis] = upper.reactant_flux - lower.reactant_flux;
  }
  const bool keeps = a.keep != Real(0);
  const Conserved<Real> in = load(l, a.in, i, j, k);
  const Conserved<Real> start = keeps ? load(l, a.start, i, j, k) : Conserved<Real>{};
  const auto field = [&](Real Conserved<Real>::*f) {
    return updated(a, a.dt, start.*f, in.*f, in_plane_divergence(a, jump[0].*f, jump[1].*f), jump[2].*f);
  };
  using C = Conserved<Real>;
  record.before = in;
  record.after = {field(&C::density), field(&C::mu), field(&C::mv), field(&C::mw), field(&C::energy)};
  record.stored = load(l, a.out, i, j, k);
  if (l.has_reactant()) {
    const Real reactant_start = keeps ? reactant(l, a.start, i, j, k) : Real(0);
    record.reactant_after =
        updated(a, a.dt, reactant_start, reactant(l, a.in, i, j, k),
                in_plane_divergence(a, reactant_jump[0], reactant_jump[1]), reactant_jump[2]);
    record.reactant_stored = reactant(l, a.out, i, j, k);
  }
  return record;
}

template <class Real>
HALFSTEP_HD Real spike_value(SpikeField field, const Conserved<Real>& c, const IdealGas<Real>& gas) {
  if (field == SpikeField::density) return c.density;
  const Primitive<Real> q = to_primitive(c, gas);
  return field == SpikeField::pressure ? q.pressure : std::sqrt(q.u * q.u + q.v * q.v + q.w * q.w);
}

/// Whether the cell's value stands out: beyond the limit, or beyond the factor of the largest of its face
/// neighbours'.
template <class Real>
HALFSTEP_HD bool is_spike(const Detection& d, const Layout& l, const Real* u, int i, int j, int k,
                          const IdealGas<Real>& gas) {
  const Real value = spike_value(d.spike_field, load(l, u, i, j, k), gas);
  if (d.spike_limit > 0 && value > Real(d.spike_limit)) return true;
  if (d.spike_factor <= 0) return false;
  Real neighbours = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (l.ghosts[axis] == 0) continue;
    for (int s = -1; s <= 1; s += 2) {
      const Conserved<Real> c = load(l, u, i + (axis == 0) * s, j + (axis == 1) * s, k + (axis == 2) * s);
      neighbours = larger(neighbours, spike_value(d.spike_field, c, gas));
    }
  }
  return value > Real(d.spike_factor) * neighbours;
}

/// What is wrong with a cell of a stage's output, and the number that says so.
template <class Real>
struct Finding {
  int kind = -1;  ///< of SoftErrorKind; -1: nothing
  Real value = 0;
};

/// The most severe thing wrong with the cell (i, j, k). Every cell that fails inspect() has a finding.
/// `first_order` as in replay_cell.
template <class Real, class FirstOrder = NoFirstOrderFaces>
HALFSTEP_HD Finding<Real> examine_cell(const StageArguments<Real>& a, const Examination& e, int i, int j,
                                       int k, const FirstOrder& first_order = {}) {
  const auto found = [](SoftErrorKind kind, Real value) {
    return Finding<Real>{static_cast<int>(kind), value};
  };
  const Conserved<Real> c = load(a.layout, a.out, i, j, k);
  const Real fields[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
  // Whatever a source makes of a state it was given is finite, unless it gave up.
  const SoftErrorKind lost = e.of_source ? SoftErrorKind::source_failure : SoftErrorKind::not_finite;
  for (const Real f : fields)
    if (!finite(f)) return found(lost, f);
  if (a.layout.has_reactant() && !finite(reactant(a.layout, a.out, i, j, k)))
    return found(lost, reactant(a.layout, a.out, i, j, k));
  if (!positive_and_finite(c.density)) return found(SoftErrorKind::negative_density, c.density);
  const Primitive<Real> q = to_primitive(c, a.gas);
  if (!is_admissible(c) || !positive_and_finite(q.pressure))
    return found(SoftErrorKind::negative_pressure, q.pressure);
  const Real rate = signal_rate(q, a.inverse_dx, a.gas, e.terms);
  if (!positive_and_finite(rate)) return found(SoftErrorKind::not_finite, rate);
  if ((e.detection.spike_limit > 0 || e.detection.spike_factor > 0) &&
      is_spike(e.detection, a.layout, a.out, i, j, k, a.gas))
    return found(SoftErrorKind::spike, spike_value(e.detection.spike_field, c, a.gas));
  if (e.overrun) {
    const Real courant = a.dt * rate;
    if (courant > Real(e.detection.cfl_limit)) return found(SoftErrorKind::cfl_overrun, courant);
  }
  if (e.look_at_faces) {
    const CellRecord<Real> record = replay_cell(a, e.scheme, i, j, k, first_order);
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side) {
        const FaceRecord<Real>& f = record.face[axis][side];
        if (!f.bad) continue;
        const Real low_l = smaller(f.left.density, f.left.pressure);
        const Real low_r = smaller(f.right.density, f.right.pressure);
        return found(SoftErrorKind::bad_face, smaller(low_l, low_r));
      }
  }
  return {};
}

/// Whether a remedy may help a cell of this kind of finding. First-order fluxes make no step shorter, and no
/// source easier to integrate.
HALFSTEP_HD constexpr bool calls_for_remedy(int kind) {
  return kind != static_cast<int>(SoftErrorKind::cfl_overrun) &&
         kind != static_cast<int>(SoftErrorKind::source_failure);
}

/// Orders findings: the lowest severity first, then the lowest cell. Twelve bits are kept for the point in
/// the cell.
HALFSTEP_HD constexpr std::uint64_t finding_key(int kind, std::int64_t cell) {
  return (static_cast<std::uint64_t>(kind) << 60) | (static_cast<std::uint64_t>(cell) << 12);
}
inline constexpr std::uint64_t kNoFinding = ~std::uint64_t{0};
constexpr int kind_of(std::uint64_t key) { return static_cast<int>(key >> 60); }
constexpr std::int64_t cell_of(std::uint64_t key) {
  return static_cast<std::int64_t>((key & ((std::uint64_t{1} << 60) - 1)) >> 12);
}

/// Counts by kind and the lowest key of a whole stage.
struct Findings {
  unsigned long long counts[kSoftErrorKinds];
  unsigned long long key;
};

/// The reported cell, in full.
template <class Real>
struct CellExamination {
  CellRecord<Real> record;
  Finding<Real> finding;
};

/// Half of the source in one cell again; `finding`, if it is that the cell gave up, gets as its value the
/// number of sub-steps after which it did.
template <class Real>
HALFSTEP_HD CellRecord<Real> replay_source(const StageArguments<Real>& a, const Examination& e, int i, int j,
                                           int k, Finding<Real>& finding) {
  const SourceState before = load_source_state(a.layout, a.in, i, j, k);
  const double gamma = double(a.gas.gamma);
  SubIntegration integration = begin_cell(e.source, before.flow, before.reactant, gamma);
  SubStep last;
  do {
    last = advance_cell(e.source, before.flow, before.reactant, gamma, 0.5 * double(a.dt), integration);
  } while (last == SubStep::goes_on);
  if (finding.kind == static_cast<int>(SoftErrorKind::source_failure))
    finding.value = Real(integration.steps);
  const SourceState after = source_result(e.source, before, gamma, integration, last);
  const Conserved<double>& c = after.flow;
  CellRecord<Real> record{};
  record.of_source = true;
  record.before = load(a.layout, a.in, i, j, k);
  record.after = {Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)};
  record.stored = load(a.layout, a.out, i, j, k);
  if (a.layout.has_reactant()) {
    record.reactant_after = Real(after.reactant);
    record.reactant_stored = reactant(a.layout, a.out, i, j, k);
  }
  return record;
}

/// `first_order` as in replay_cell.
template <class Real, class FirstOrder>
HALFSTEP_HD CellExamination<Real> examine_in_full(const StageArguments<Real>& a, const Examination& e, int i,
                                                  int j, int k, const FirstOrder& first_order) {
  CellExamination<Real> cell{{}, examine_cell(a, e, i, j, k, first_order)};
  cell.record = e.of_source ? replay_source(a, e, i, j, k, cell.finding)
                            : replay_cell(a, e.scheme, i, j, k, first_order);
  return cell;
}

/// Indices of the cell that `key` names; of the first cell if there is none.
HALFSTEP_HD void reported_cell(const Layout& l, std::uint64_t key, int& i, int& j, int& k) {
  const std::int64_t cell = key == kNoFinding ? 0 : cell_of(key);
  i = static_cast<int>(cell % l.cells[0]);
  j = static_cast<int>(cell / l.cells[0] % l.cells[1]);
  k = static_cast<int>(cell / l.cells[0] / l.cells[1]);
}

/// The record of what was found in `stage`; without its value.
SoftError soft_error_of(const Findings& findings, const Layout& layout, int stage,
                        const Examination& examination);
/// For people, with the reported cell.
template <class Real>
Diagnosis conclude(SoftError error, const CellExamination<Real>& cell, const Layout& layout);
template <class Real>
Replay to_replay(const CellRecord<Real>& record, const Layout& layout);

}  // namespace halfstep
