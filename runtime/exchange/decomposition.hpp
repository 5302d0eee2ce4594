// A mesh cut into blocks, one for each rank: boxes of cells, or rows where there are no axes to cut along.
// Pure arithmetic: no messages, and for boxes no memory that grows with the number of ranks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace halfstep::exchange {

using Index = std::array<int, 3>;  ///< along x, y and z

/// A box of cells: `first` to `first + cells - 1` along each axis.
struct Box {
  Index first{}, cells{};
  std::int64_t count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
  bool holds(const Index& cell) const {
    for (int axis = 0; axis < 3; ++axis)
      if (cell[axis] < first[axis] || cell[axis] >= first[axis] + cells[axis]) return false;
    return true;
  }
  bool operator==(const Box&) const = default;
};

/// What a rank has of a mesh whose cells are rows along x, of which any may be neighbours: by the numbers of
/// rows along y, ascending; of other ranks, those of one after those of another.
struct RowsOfRank {
  std::vector<std::int32_t> own;
  std::vector<std::int32_t> near;  ///< of other ranks, beside its own
  std::vector<std::int32_t> far;   ///< beside those that are near
};

/// What a rank has of a mesh: a box of cells, or rows. These it numbers anew: its own, then near, then far
/// ones.
struct Block : Box {
  std::shared_ptr<const RowsOfRank> rows;  ///< null: the box of the mesh. Else the box is one of own rows

  /// Returns the number in the mesh of an own row along y.
  int row(int j) const { return rows ? rows->own[static_cast<std::size_t>(j)] : first[1] + j; }
  /// Whether the block has a cell of the mesh.
  bool holds(const Index& cell) const { return Box::holds(rows ? own(cell) : cell); }
  /// Returns a cell of the mesh in the block's own indices, which may be outside of it.
  Index own(const Index& cell) const;
};

/// The cut of a mesh: `ranks[axis]` blocks along an axis, as equal as the cells allow. Ranks count x fastest.
struct Decomposition {
  Index cells{1, 1, 1}, ranks{1, 1, 1};
  std::array<bool, 3> periodic{};
  Index together{1, 1, 1};  ///< cells of an element along each axis, which no cut parts; they divide `cells`
  /// Of each rank, in a mesh that is cut by rows; ranks count along y. Empty: blocks are boxes.
  std::vector<std::shared_ptr<const RowsOfRank>> rows{};

  int size() const { return ranks[0] * ranks[1] * ranks[2]; }
  bool is_cut(int axis) const { return ranks[axis] > 1; }
  /// Returns the position of a rank among the blocks, and the rank at a position.
  Index place_of(int rank) const;
  int rank_at(const Index& place) const;
  Block block(int rank) const;
  /// Returns the cells of the largest block along each axis.
  Index largest() const;
  /// Returns the rank that has the cell.
  int rank_of(const Index& cell) const;
  /// Returns the rank beside `rank`, `step` blocks away along each axis (-1, 0 or 1), also across the
  /// periodic ends of an axis that is cut; none beyond the domain.
  std::optional<int> neighbour(int rank, const Index& step) const;

 private:
  int begin_of(int axis, int place) const;
};

/// The conditions on a cut.
struct CutRules {
  Index cells{1, 1, 1};
  std::array<bool, 3> periodic{};
  int layers = 1;           ///< of ghost cells: no block is thinner along an axis that is cut
  Index together{1, 1, 1};  ///< as in the cut; they divide `layers` where an axis may be cut
};

/// Returns the cut into `ranks` blocks whose largest block exchanges least. Cells of faces across x and y
/// count more than those across z, so that whole planes along z are often best. Throws std::invalid_argument
/// if there is no such cut, with one that is possible.
Decomposition decompose(const CutRules& rules, int ranks);

/// Returns the cut into ranks[axis] blocks along each axis. Throws std::invalid_argument where blocks would
/// be thinner than `layers`.
Decomposition decompose(const CutRules& rules, const Index& ranks);

/// Returns the blocks in words: "2 x 1 x 1 blocks".
std::string text_of_blocks(const Decomposition& cut);

/// A message between two ranks: the cells of a block that the peer's ghost cells copy, and the ghost cells
/// that copy the peer's, both in the block's own indices.
struct HaloMessage {
  int to, from;  ///< the ranks, often the same one
  Box send, receive;
};

/// Which ghost cells a scheme reads: those beside faces alone, or those beside edges and corners too.
enum class HaloReach { faces, corners };

/// Returns the messages of a rank, in an order that is the same on both sides of each message: the n-th that
/// one rank sends to another is the n-th that the other receives from it.
std::vector<HaloMessage> halo_messages(const Decomposition& cut, int rank, int layers, HaloReach reach);

/// Returns the cells that a rank sends in one exchange.
std::int64_t halo_cells(const std::vector<HaloMessage>& messages);

/// The messages that a rank and another one send each other in a mesh that is cut by rows, in the block's own
/// numbers: the other's rows behind its own that copy `send`, and the rows behind the own ones that copy the
/// other's.
struct RowMessage {
  int peer;
  std::vector<std::int32_t> send, receive;
};

/// Returns the messages of a rank. `with_far`: of near and far rows, else of near ones.
std::vector<RowMessage> row_messages(const Decomposition& cut, int rank, bool with_far);

/// Calls f(of_mesh, of_block, count) for the runs of a block's cells along x, with the numbers of the first
/// one in the mesh and in the block, x fastest.
template <class F>
void for_rows(const Index& mesh, const Block& block, F f) {
  std::int64_t of_block = 0;
  for (int k = 0; k < block.cells[2]; ++k)
    for (int j = 0; j < block.cells[1]; ++j, of_block += block.cells[0])
      f((std::int64_t{block.first[2] + k} * mesh[1] + block.row(j)) * mesh[0] + block.first[0], of_block,
        block.cells[0]);
}

}  // namespace halfstep::exchange
