// The sponges of a deck: regions in which the state relaxes to a target.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "physics/base/expression.hpp"
#include "physics/base/parameter.hpp"
#include "physics/cases/cell_parts.hpp"
#include "physics/cases/state_of_place.hpp"
#include "physics/mesh/mesh.hpp"
#include "physics/sources/sponge.hpp"

namespace halfstep {

/// Returns the shapes of sponges, each with a rate and a target beside its own parameters.
std::vector<ItemKind> sponge_kinds();

/// What sponges do in a cell: the mean of their rate and of their target.
struct Relaxation {
  double rate = 0;  ///< 0 outside of all sponges
  Conserved<double> target{};
};

class Sponge {
 public:
  /// `names`: numbers that the expressions of `values` may use. Throws ExpressionError for what is no
  /// expression in them, and std::invalid_argument for a shape without an edge in the mesh.
  Sponge(const Values& values, const NamedNumbers& names, const Mesh& mesh, const IdealGas<double>& gas);

  /// Returns what the sponge does in a cell that lies in it, or in part: then the rate is the less.
  Relaxation in(const Box& cell) const;

 private:
  std::array<bool, 3> active_;
  CellParts parts_;
  double rate_;
  std::optional<Expression> rate_expression_;
  std::array<bool, 3> rate_varies_{}, target_varies_{};
  StateOfPlace target_;
};

/// Returns the cells of the mesh that lie in sponges, in the mesh's order. Where several overlap each has its
/// full effect: rates add up, and the target is the mean that they weight.
std::vector<SpongeCell> cells_in(const std::vector<Sponge>& sponges, const Mesh& mesh);

}  // namespace halfstep
