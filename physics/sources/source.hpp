// The stiff source term of a run, cell by cell: the begin, inner steps and end of an integration. It is in
// double precision whatever the state's, at constant density and velocity.
#pragma once

#include "physics/base/choice.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/transport.hpp"
#include "physics/sources/cooling.hpp"
#include "physics/sources/reaction.hpp"
#include "physics/sources/rosenbrock.hpp"

namespace halfstep {

enum class SourceKind { none, cooling, reaction };

inline constexpr Choice<SourceKind> kSourceKinds[] = {
    {SourceKind::none, "none", "no source term"},
    {SourceKind::cooling, "cooling", "radiative loss, a power law with an equilibrium temperature"},
    {SourceKind::reaction, "reaction", "one irreversible reaction with Arrhenius' law"},
};

struct Source {
  SourceKind kind = SourceKind::none;
  double tolerance = 1e-6;            ///< of each inner step, relative to the scale of its unknown
  std::int64_t max_substeps = 10000;  ///< of one cell in one application of the source
  Cooling cooling;
  Reaction reaction;

  constexpr bool active() const { return kind != SourceKind::none; }
  constexpr bool burns() const { return kind == SourceKind::reaction; }
};

// The functions below need source.active(). `reactant` is rho Y, ignored by cooling.

/// Returns T = p / rho.
HALFSTEP_HD double temperature(const Conserved<double>& state, double gamma) {
  return to_primitive(state, IdealGas<double>{gamma}).pressure / state.density;
}

/// Returns the unknown of the integration: the temperature (cooling) or the mass fraction (reaction).
HALFSTEP_HD double source_unknown(const Source& source, const Conserved<double>& state, double reactant,
                                  double gamma) {
  return source.kind == SourceKind::reaction ? reactant / state.density : temperature(state, gamma);
}

HALFSTEP_HD InnerIntegration begin_cell(const Source& source, const Conserved<double>& state, double reactant,
                                        double gamma) {
  return {.value = source_unknown(source, state, reactant, gamma)};
}

/// Tries one inner step of the cell whose state was `state` and `reactant` when the integration began.
HALFSTEP_HD InnerStep advance_cell(const Source& source, const Conserved<double>& state, double reactant,
                                   double gamma, double span, InnerIntegration& integration) {
  if (source.kind == SourceKind::cooling)
    return advance(integration, CoolingOde(source.cooling, state.density, gamma), span, source.tolerance,
                   source.max_substeps);
  const ReactionOde ode(source.reaction, temperature(state, gamma), reactant / state.density, gamma);
  return advance(integration, ode, span, source.tolerance, source.max_substeps);
}

/// Applies the finished integration's change to the state it began from. Density and momentum are kept;
/// energy + heat_release * reactant is conserved to round-off. A state that does not change keeps its bits.
HALFSTEP_HD void finish_cell(const Source& source, const InnerIntegration& integration, double gamma,
                             Conserved<double>& state, double& reactant) {
  const double change = state.density * (integration.value - source_unknown(source, state, reactant, gamma));
  if (source.kind == SourceKind::reaction) {
    reactant += change;
    state.energy -= source.reaction.heat_release * change;
  } else {
    state.energy += internal_energy(change, IdealGas<double>{gamma});
  }
}

}  // namespace halfstep
