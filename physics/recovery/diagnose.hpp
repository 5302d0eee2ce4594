// Diagnosis of a failed stage: the defect of each cell, and the recomputed update of the reported cell. Not
// for hot loops: the scheme is chosen at run time, face by face.
#pragma once

#include "physics/base/classify.hpp"
#include "physics/flux/face_flux.hpp"
#include "physics/flux/positivity.hpp"
#include "physics/flux/scalar_flux.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/recovery/soft_errors.hpp"
#include "physics/rhs/rhs_of_cell.hpp"
#include "physics/solids/solid_mask.hpp"
#include "physics/sources/source_of_cell.hpp"
#include "physics/sources/sponge.hpp"
#include "physics/stage/replay.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// The numbers of a block's cells among those of the whole mesh, x fastest.
struct CellNumbers {
  int first[3] = {};                   ///< the block's first cell in the whole mesh
  int whole[3] = {1, 1, 1};            ///< the cells of the whole mesh
  const std::int32_t* rows = nullptr;  ///< of a part of rows: their numbers along y in the whole mesh
  int row_count = 0;

  HALFSTEP_HD std::int64_t number(int i, int j, int k) const {
    const int row = rows ? rows[j] : j + first[1];
    return (std::int64_t{k + first[2]} * whole[1] + row) * whole[0] + i + first[0];
  }
  /// Finds the row of a part of rows that has a number along y; -1 if none has.
  HALFSTEP_HD int own_row(int row) const {
    int low = 0, high = row_count;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (rows[middle] < row)
        low = middle + 1;
      else
        high = middle;
    }
    return low < row_count && rows[low] == row ? low : -1;
  }
  /// Finds the cell with a number, in the whole mesh.
  HALFSTEP_HD void cell(std::int64_t number, int (&at)[3]) const {
    at[0] = static_cast<int>(number % whole[0]);
    at[1] = static_cast<int>(number / whole[0] % whole[1]);
    at[2] = static_cast<int>(number / whole[0] / whole[1]);
  }
};

/// The inputs of a stage's diagnosis besides the stage's arguments.
struct DiagnosisSetup {
  Scheme scheme;
  Detection detection;
  bool overrun;  ///< the step finished, but dt * rate exceeds the limit somewhere
  bool look_at_faces;
  bool of_source;  ///< the substep is half of the source, not a stage
  Source source;
  RhsTerms terms;
  bool has_formulas[3][2];   ///< the sides whose ghost cells formulas fill
  RelaxedCells sponge = {};  ///< cells in sponges that the substep relaxed, in memory of the backend
  CellNumbers cells = {};
  SolidMask solids = {};  ///< cells in bodies, which have no defects
  double step = 0;        ///< the whole step's length
};

/// Whether the cell's value exceeds the limit, or the factor times the largest value of its face neighbours,
/// if it has any.
template <class Real>
HALFSTEP_HD bool is_spike(const SpikeLimits& limits, const Layout& l, const Real* u, int i, int j, int k,
                          const Gases<Real>& gases) {
  const auto value_in = [&](int x, int y, int z) {
    return spike_value(limits.field, load(l, u, x, y, z), gas_in(gases, l, u, x, y, z));
  };
  const bool has_neighbours = l.ghosts[0] + l.ghosts[1] + l.ghosts[2] > 0;
  Real neighbours = has_neighbours ? Real(0) : std::numeric_limits<Real>::max();
  for (int axis = 0; axis < 3; ++axis) {
    if (l.ghosts[axis] == 0 || limits.factor <= 0) continue;
    for (int s = -1; s <= 1; s += 2)
      neighbours = max(neighbours, value_in(i + (axis == 0) * s, j + (axis == 1) * s, k + (axis == 2) * s));
  }
  return is_spike(limits, value_in(i, j, k), neighbours);
}

/// The defect of a cell in a stage's output, with the offending value.
template <class Real>
struct Defect {
  int kind = -1;  ///< a SoftErrorKind; -1: none
  Real value = 0;
};

/// Returns the defect of the ghost cells beyond the sides that the cell (i, j, k) lies beside. On a mesh of
/// one cell, as the reported one is diagnosed on, those may be its neighbours: without defects, or they were
/// reported.
template <class Real>
HALFSTEP_HD Defect<Real> diagnose_ghosts(const StageArguments<Real>& a, const DiagnosisSetup& e, int i, int j,
                                         int k) {
  const int cell[3] = {i, j, k};
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      if (!e.has_formulas[axis][side] || cell[axis] != (side == 0 ? 0 : a.layout.cells[axis] - 1)) continue;
      for (int layer = 1; layer <= a.layout.ghosts[axis]; ++layer) {
        const int step = side == 0 ? -layer : layer;
        const int x = i + (axis == 0) * step, y = j + (axis == 1) * step, z = k + (axis == 2) * step;
        const Conserved<Real> c = load(a.layout, a.out, x, y, z);
        const IdealGas<Real> gas = a.gas_in(a.out, x, y, z);
        if (is_admissible(c, gas)) continue;
        return {static_cast<int>(SoftErrorKind::bad_boundary),
                positive_and_finite(c.density) ? to_primitive(c, gas).pressure : c.density};
      }
    }
  return {};
}

/// Returns the most severe defect of the cell (i, j, k) and of the ghost cells beside it. Every cell that
/// fails is_admissible() has one. `first_order` as in replay_cell().
template <class Real, class FirstOrder = NoFirstOrderFaces>
HALFSTEP_HD Defect<Real> diagnose_cell(const StageArguments<Real>& a, const DiagnosisSetup& e, int i, int j,
                                       int k, const FirstOrder& first_order = {}) {
  const auto found = [](SoftErrorKind kind, Real value) {
    return Defect<Real>{static_cast<int>(kind), value};
  };
  if (e.solids.has(a.layout, i, j, k)) return {};
  const Conserved<Real> c = load(a.layout, a.out, i, j, k);
  const Real fields[kFields] = {c.density, c.mu, c.mv, c.mw, c.energy};
  // The result of a source is finite, unless its integration gave up.
  const SoftErrorKind lost = e.of_source ? SoftErrorKind::source_failure : SoftErrorKind::not_finite;
  for (const Real f : fields)
    if (!finite(f)) return found(lost, f);
  for (int s = 0; s < a.layout.carried(); ++s)
    if (const Real mass = scalar(a.layout, a.out, s, i, j, k); !finite(mass)) return found(lost, mass);
  if (!positive_and_finite(c.density)) return found(SoftErrorKind::negative_density, c.density);
  const IdealGas<Real> gas = a.gas_in(a.out, i, j, k);
  const Primitive<Real> q = to_primitive(c, gas);
  if (!is_admissible(c) || !positive_and_finite(q.pressure))
    return found(SoftErrorKind::negative_pressure, q.pressure);
  const Real rate = cfl_rate(q, a.inverse_widths(i, j, k).along, gas, e.terms);
  if (!positive_and_finite(rate)) return found(SoftErrorKind::not_finite, rate);
  if (e.detection.spikes.are_set() && is_spike(e.detection.spikes, a.layout, a.out, i, j, k, a.gases()))
    return found(SoftErrorKind::spike, spike_value(e.detection.spikes.field, c, gas));
  if (e.overrun) {
    const Real courant = Real(e.step) * rate;
    if (courant > Real(e.detection.cfl_limit)) return found(SoftErrorKind::cfl_overrun, courant);
  }
  if (e.look_at_faces) {
    const CellRecord<Real> record = replay_cell(a, e.scheme, i, j, k, first_order);
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side) {
        const FaceRecord<Real>& f = record.face[axis][side];
        if (!f.bad) continue;
        const Real low_l = min(f.left.density, f.left.pressure);
        const Real low_r = min(f.right.density, f.right.pressure);
        return found(SoftErrorKind::bad_face, min(low_l, low_r));
      }
  }
  return diagnose_ghosts(a, e, i, j, k);
}

/// Whether a remedy may cure this kind of defect. First-order fluxes help neither against too long a step nor
/// a source's failure nor a state beyond a boundary.
HALFSTEP_HD constexpr bool calls_for_remedy(int kind) {
  return kind != static_cast<int>(SoftErrorKind::cfl_overrun) &&
         kind != static_cast<int>(SoftErrorKind::source_failure) &&
         kind != static_cast<int>(SoftErrorKind::bad_boundary);
}

/// Returns a key that orders defects by SoftErrorKind, the most severe first, then by cell. The lowest twelve
/// bits are left for a point in the cell.
HALFSTEP_HD constexpr std::uint64_t defect_key(int kind, std::int64_t cell) {
  return (static_cast<std::uint64_t>(kind) << 60) | (static_cast<std::uint64_t>(cell) << 12);
}
inline constexpr std::uint64_t kNoDefect = ~std::uint64_t{0};
constexpr int kind_of(std::uint64_t key) { return static_cast<int>(key >> 60); }
constexpr std::int64_t cell_of(std::uint64_t key) {
  return static_cast<std::int64_t>((key & ((std::uint64_t{1} << 60) - 1)) >> 12);
}

/// The counts by kind and the lowest key of a whole stage.
struct Defects {
  unsigned long long counts[kSoftErrorKinds];
  unsigned long long key;
};

/// The full diagnosis of the reported cell.
template <class Real>
struct CellDiagnosis {
  CellRecord<Real> record;
  Defect<Real> defect;
};

/// Whether two values agree up to round-off: replays are compiled apart from the stage and may round
/// differently.
template <class Real>
HALFSTEP_HD bool alike(Real a, Real b, Real scale) {
  if (a == b || (a != a && b != b)) return true;
  return std::abs(a - b) <= Real(1e4) * std::numeric_limits<Real>::epsilon() * scale;
}

/// Relaxes the recomputed update of a cell as its sponge did, if it is in one. Returns the factor by which
/// the masses of scalars change.
template <class Real>
HALFSTEP_HD Real relax_record(const StageArguments<Real>& a, const DiagnosisSetup& e, int i, int j, int k,
                              CellRecord<Real>& record) {
  const Real density = record.after.density;
  record.after = relaxed(a, record.after, e.sponge.find(i, j, k), e.step, e.detection.cfl_limit);
  return record.after.density == density ? Real(1) : record.after.density / density;
}

/// Recomputes half of the source in one cell. If `defect` is a source failure, its value becomes the number
/// of inner steps after which the integration gave up.
template <class Real>
HALFSTEP_HD CellRecord<Real> replay_source(const StageArguments<Real>& a, const DiagnosisSetup& e, int i,
                                           int j, int k, Defect<Real>& defect) {
  const SourceState before = load_source_state(a.layout, a.in, i, j, k);
  const double gamma = double(a.gas.gamma);
  InnerIntegration integration = begin_cell(e.source, before.flow, before.reactant, gamma);
  InnerStep last;
  do {
    last = advance_cell(e.source, before.flow, before.reactant, gamma, 0.5 * double(a.dt), integration);
  } while (last == InnerStep::goes_on);
  if (defect.kind == static_cast<int>(SoftErrorKind::source_failure)) defect.value = Real(integration.steps);
  const SourceState after = source_result(e.source, before, gamma, integration, last);
  const Conserved<double>& c = after.flow;
  CellRecord<Real> record{};
  record.of_source = true;
  record.before = load(a.layout, a.in, i, j, k);
  record.after = {Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)};
  record.stored = load(a.layout, a.out, i, j, k);
  const Real share = relax_record(a, e, i, j, k, record);
  record.scalars_reproduced =
      a.layout.scalars() == 0 ||
      alike(share * Real(after.reactant), scalar(a.layout, a.out, 0, i, j, k), record.before.density);
  return record;
}

/// Returns the defect and the recomputed update of a cell. `first_order` as in replay_cell().
template <class Real, class FirstOrder>
HALFSTEP_HD CellDiagnosis<Real> diagnose_in_full(const StageArguments<Real>& a, const DiagnosisSetup& e,
                                                 int i, int j, int k, const FirstOrder& first_order) {
  CellDiagnosis<Real> cell{{}, diagnose_cell(a, e, i, j, k, first_order)};
  if (e.of_source) {
    cell.record = replay_source(a, e, i, j, k, cell.defect);
    return cell;
  }
  CellRecord<Real>& record = cell.record;
  record = replay_cell(a, e.scheme, i, j, k, first_order);
  const Real share = relax_record(a, e, i, j, k, record);
  for (int s = 0; s < a.layout.scalars(); ++s)
    record.scalars_reproduced &= alike(share * replay_scalar(a, e.scheme, record, s, i, j, k),
                                       scalar(a.layout, a.out, s, i, j, k), record.before.density);
  if (a.layout.two_gases)
    record.scalars_reproduced &= alike(replay_fraction(a, record, i, j, k),
                                       scalar(a.layout, a.out, a.layout.scalars(), i, j, k), Real(1));
  return cell;
}

/// Finds the cell of the whole mesh in `key`; the first one for kNoDefect.
HALFSTEP_HD void reported_cell(const CellNumbers& cells, std::uint64_t key, int (&at)[3]) {
  cells.cell(key == kNoDefect ? 0 : cell_of(key), at);
}

/// Returns the soft error found in `stage`, without its value; its cell is one of the whole mesh.
SoftError soft_error_of(const Defects& defects, int stage, const DiagnosisSetup& setup);
/// Returns the report of `error` with the replay of the reported cell.
template <class Real>
Diagnosis make_diagnosis(SoftError error, const CellDiagnosis<Real>& cell, const Layout& layout);
template <class Real>
Replay to_replay(const CellRecord<Real>& record, const Layout& layout);

}  // namespace halfstep
