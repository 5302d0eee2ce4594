// When a cell in a body is filled, where a sweep has two parts along z: the first planes, then the others.
// The cells that follow from the first part alone are filled beside the second one, and those that the first
// part of the next sweep does not read beside that. What is left is filled between the two sweeps.
#pragma once

#include <algorithm>

#include "physics/mesh/layout.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {

enum class Turn { beside_this_sweep, between_sweeps, beside_next_sweep };
inline constexpr int kTurns = 3;

class FillingOrder {
 public:
  /// `planes`: of the first part; 0: sweeps have one part, and all cells are filled between them. `layers`:
  /// of cells beyond its own that a part reads.
  FillingOrder(const Layout& layout, int planes, int layers)
      : layout_(layout), planes_(planes), layers_(layers) {}

  /// Returns the planes of the first part.
  int planes() const { return planes_; }
  Turn turn(const SolidCell& c) const {
    return turn_of({c.at[0], c.at[1], c.at[2]}, c.at[2] + std::max(int{c.base[2]}, c.farthest(2)));
  }
  Turn turn(const CellPlace& deep) const { return turn_of(deep, deep[2]); }

 private:
  /// `last_read`: the last plane that the cell follows from. While a part is swept nothing may be filled that
  /// it reads, not even of U^n, which gets ballast: planes beside its own, also through a periodic side.
  Turn turn_of(const CellPlace& c, int last_read) const {
    if (planes_ == 0) return Turn::between_sweeps;
    if (c[2] >= layers_ && c[2] < planes_ - layers_ && last_read < planes_) return Turn::beside_this_sweep;
    return c[2] >= planes_ + layers_ && !is_copied(c) ? Turn::beside_next_sweep : Turn::between_sweeps;
  }
  /// Whether ghost cells may copy the cell: they are filled after it, before the next sweep.
  bool is_copied(const CellPlace& c) const {
    bool copied = false;
    for (int axis = 0; axis < 3; ++axis) {
      const int ghosts = layout_.ghosts[axis];
      copied = copied || c[axis] < ghosts || c[axis] >= layout_.cells[axis] - ghosts;
    }
    return copied;
  }

  const Layout& layout_;
  int planes_, layers_;
};

}  // namespace halfstep
