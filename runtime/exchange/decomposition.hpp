// A Cartesian mesh cut into blocks, one for each rank. Pure arithmetic: no messages, no memory that grows
// with the number of ranks.
#pragma once

#include <array>
#include <cstdint>
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

/// The cut of a mesh: `ranks[axis]` blocks along an axis, as equal as the cells allow. Ranks count x fastest.
struct Decomposition {
  Index cells{1, 1, 1}, ranks{1, 1, 1};
  std::array<bool, 3> periodic{};
  Index together{1, 1, 1};  ///< cells of an element along each axis, which no cut parts; they divide `cells`

  int size() const { return ranks[0] * ranks[1] * ranks[2]; }
  bool is_cut(int axis) const { return ranks[axis] > 1; }
  /// Returns the position of a rank among the blocks, and the rank at a position.
  Index place_of(int rank) const;
  int rank_at(const Index& place) const;
  Box block(int rank) const;
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

}  // namespace halfstep::exchange
