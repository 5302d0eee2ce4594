// Half of a step's source in one cell, from a state in memory to its result.
#pragma once

#include "physics/mesh/layout.hpp"
#include "physics/sources/source.hpp"

namespace halfstep {

/// A cell's conserved fields and its mass of reactant per volume, which is the first scalar; 0 without one.
struct SourceState {
  Conserved<double> flow;
  double reactant = 0;
};

template <class Real>
HALFSTEP_HD SourceState load_source_state(const Layout& l, const Real* u, int i, int j, int k) {
  const Conserved<Real> c = load(l, u, i, j, k);
  return {{double(c.density), double(c.mu), double(c.mv), double(c.mw), double(c.energy)},
          l.scalars() > 0 ? double(scalar(l, u, 0, i, j, k)) : 0};
}

/// Returns a cell's state after its integration has ended. If that gave up the energy is NaN, so that later
/// checks see the failure, too.
HALFSTEP_HD SourceState source_result(const Source& source, SourceState state, double gamma,
                                      const InnerIntegration& integration, InnerStep last) {
  if (last == InnerStep::gave_up)
    state.flow.energy = std::numeric_limits<double>::quiet_NaN();
  else
    finish_cell(source, integration, gamma, state.flow, state.reactant);
  return state;
}

/// Stores a cell's result in `out`. The other scalars are those of `in`.
template <class Real>
HALFSTEP_HD void store_source_state(const Layout& l, const Real* in, Real* out, int i, int j, int k,
                                    const SourceState& state) {
  const Conserved<double>& c = state.flow;
  store(l, out, i, j, k, {Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)});
  for (int s = 0; s < l.scalars(); ++s)
    scalar(l, out, s, i, j, k) = s == 0 ? Real(state.reactant) : scalar(l, in, s, i, j, k);
}

}  // namespace halfstep
