// The block of a mesh that one of several ranks has.
#pragma once

#include "physics/mesh/mesh.hpp"
#include "physics/mesh/state_rows.hpp"
#include "runtime/exchange/decomposition.hpp"
#include "runtime/exchange/ranks.hpp"

namespace halfstep {

/// The ranks of a run, and which cells each has.
struct Split {
  exchange::Ranks ranks;  ///< for what solvers tell each other
  exchange::Decomposition cut;

  int rank() const { return ranks.rank(); }
  exchange::Block block() const { return cut.block(rank()); }
};

/// Returns the mesh of a rank's block.
Mesh block_of(const Mesh& whole, const exchange::Block& block);

/// The rows of a block, ghost cells included, from the rows of the whole state.
class RowsOfBlock final : public StateRows {
 public:
  /// `whole`: the layout that `state` is asked for.
  RowsOfBlock(StateRows& state, const Layout& whole, const exchange::Block& block)
      : state_(state), whole_(whole), block_(block) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;

 private:
  StateRows& state_;
  Layout whole_;
  exchange::Block block_;
};

}  // namespace halfstep
