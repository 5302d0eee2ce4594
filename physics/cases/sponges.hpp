// The sponges of a deck: regions in which the state relaxes to a target.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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

  /// Whether the cell lies in the sponge, or may lie in it in part.
  bool touches(const Box& cell) const { return parts_.region_of(cell) != -1; }
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

/// The sponges of a deck in a mesh. Where several overlap each has its full effect: rates add up, and the
/// target is the mean that they weight.
class SpongesInMesh final : public Sponges {
 public:
  /// `is_single`: targets have to be admissible in single precision, too.
  SpongesInMesh(std::vector<Sponge> sponges, const Mesh& mesh, double gamma, bool is_single)
      : sponges_(std::move(sponges)), mesh_(mesh), gamma_(gamma), is_single_(is_single) {}

  std::int64_t count() const override;
  std::vector<SpongeCell> cells() const override;

 private:
  /// Returns the number of cells of each row that sponges touch, in the mesh's order.
  std::vector<std::int64_t> count_by_row() const;
  bool is_touched(const Box& cell) const;
  /// Whether the rate is one, and the target admissible in the run's precision.
  bool is_sound(const Relaxation& own) const;
  /// Throws std::invalid_argument with what is not sound in a cell of that number.
  [[noreturn]] void refuse(std::int64_t number) const;

  std::vector<Sponge> sponges_;
  Mesh mesh_;
  double gamma_;
  bool is_single_;
};

}  // namespace halfstep
