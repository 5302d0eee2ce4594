// Half of a step's source in one cell, from a state in memory to its result.
#pragma once

#include "physics/mesh/layout.hpp"
#include "physics/sources/source.hpp"

namespace halfstep {

/// A cell's conserved fields and its mass of reactant per volume, 0 without one.
struct SourceState {
  Conserved<double> flow;
  double reactant = 0;
};

template <class Real>
HALFSTEP_HD SourceState load_source_state(const Layout& l, const Real* u, int i, int j, int k) {
  const Conserved<Real> c = load(l, u, i, j, k);
  return {{double(c.density), double(c.mu), double(c.mv), double(c.mw), double(c.energy)},
          l.has_reactant() ? double(reactant(l, u, i, j, k)) : 0};
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

template <class Real>
HALFSTEP_HD void store_source_state(const Layout& l, Real* u, int i, int j, int k, const SourceState& s) {
  const Conserved<double>& c = s.flow;
  store(l, u, i, j, k, {Real(c.density), Real(c.mu), Real(c.mv), Real(c.mw), Real(c.energy)});
  if (l.has_reactant()) reactant(l, u, i, j, k) = Real(s.reactant);
}

}  // namespace halfstep
