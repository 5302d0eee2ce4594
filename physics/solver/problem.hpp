// Everything a solver needs to be built.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/flux/scheme.hpp"
#include "physics/gas/gases.hpp"
#include "physics/hexahedra/hexahedra.hpp"
#include "physics/mesh/block.hpp"
#include "physics/mesh/boundary.hpp"
#include "physics/mesh/flag_layout.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/recovery/injected_fault.hpp"
#include "physics/recovery/soft_errors.hpp"
#include "physics/rhs/rhs_terms.hpp"
#include "physics/solids/solids.hpp"
#include "physics/sources/source.hpp"
#include "physics/sources/sponge.hpp"

namespace halfstep {

struct Problem {
  Mesh mesh;
  std::shared_ptr<const Hexahedra> hexahedra;  ///< whose points are those of `mesh`; nullptr: a box
  Boundaries boundary = kAllOutflow;
  DirichletState dirichlet;  ///< beyond `boundary: prescribed`
  double gamma = 1.4;
  std::optional<double> second_gamma;  ///< of the gas whose volume fraction is the last field of the state
  Scheme scheme;
  Source source;
  std::shared_ptr<const Sponges> sponges;  ///< nullptr: none
  std::shared_ptr<const Solids> solids;    ///< nullptr: no bodies in the flow
  RhsTerms terms;
  Detection detection;
  Floors floors;                     ///< for Remedy::floor
  std::optional<Fault> fault;        ///< injected into the first attempt at its step
  std::vector<std::string> scalars;  ///< names; a reactant is the first of them, kSecondGas the last
  double slice_ms = 0;               ///< wall time of an interruptible slice of a step; 0: no slices
  bool enstrophy = false;            ///< include it in the totals; needs two layers of ghost cells
  bool budgets = false;              ///< add up what comes into the domain in each attempt, and by which way
  std::optional<Split> split;        ///< of a block: the ranks; none: the mesh is whole
  bool has_hexahedra() const { return hexahedra != nullptr; }
  bool has_sponges() const { return sponges != nullptr; }
  bool has_solids() const { return solids != nullptr; }
  /// Whether the CFL rate of a step is found after its stages: stages in cells know no viscosity. Sponges
  /// change the gas after a sweep has found a rate, which beside bodies may be one of theirs.
  bool finds_rate_after_stages() const {
    return (terms.viscous() && !has_hexahedra()) || (has_sponges() && has_solids());
  }
  bool has_fourth_order_flux() const { return scheme.averages == Averages::fourth_order; }
  /// Whether stages start from U^n plus right-hand-side terms or fourth-order corrections, not from U^n.
  bool starts_from_rhs_terms() const {
    return (terms.active() && !has_hexahedra()) || has_fourth_order_flux();
  }
  /// Whether stages advance scalars, or look up the widths of cells: kernels of their own do both.
  bool needs_general_stage() const { return !scalars.empty() || mesh.is_stretched(); }
  int fields() const { return kFields + static_cast<int>(scalars.size()); }
  Gases<double> gases() const {
    return {{gamma}, second_gamma ? IdealGas<double>{*second_gamma}.energy_per_pressure : 0};
  }
};

/// Returns the layers of ghost cells that stages read: points of hexahedra know their neighbours.
inline int stage_layers(const Problem& problem) {
  return problem.has_hexahedra() ? 0 : ghost_layers(problem.scheme);
}

/// Returns the layers of ghost cells: those that the scheme needs, or in which bodies near a side look for
/// gas.
inline int layers_of(const Problem& problem) {
  return std::max(stage_layers(problem), problem.has_solids() ? problem.solids->layers() : 0);
}

/// Returns the layers of ghost cells that flags of other ranks have: two elements, or two cells.
inline int flag_layers_of(const Problem& problem) {
  const bool has_elements = problem.scheme.method == Method::flux_reconstruction;
  return FlagLayout::kLayers * (has_elements ? problem.scheme.degree + 1 : 1);
}

/// Returns the layout of the problem's states.
inline Layout layout_of(const Problem& problem) {
  return {problem.mesh, layers_of(problem), problem.fields(), problem.second_gamma.has_value()};
}

}  // namespace halfstep
