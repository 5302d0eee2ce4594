// How the elements of a mesh are cut into tiles, a block of threads for each: some elements of a row along x.
#pragma once

#include "physics/elements/element.hpp"

namespace halfstep {

/// What a block of threads is made for, by an element's points n along an axis: an element of three
/// dimensions has n^2 lines along each of its axes, and a thread one of them at a time.
template <int degree, class Real>
struct ElementBlock {
  static constexpr int n = degree + 1;
  /// Elements of three dimensions, as many as make about 128 lines.
  static constexpr int kElements = n == 2 ? 32 : n == 3 ? 14 : n == 4 ? 8 : n == 5 ? 5 : 3;
  static constexpr int kLines = kElements * n * n;
  static constexpr int kThreads = (kLines + 31) / 32 * 32;
  /// Resident blocks that registers are capped for.
  static constexpr int kBlocks = sizeof(Real) == 4 ? 6 : n == 6 ? 3 : 4;
  /// An element's step along a row in shared memory: odd, so that lines along x begin in different banks.
  static constexpr int kStep = n | 1;
  /// Values of a field in shared memory.
  static constexpr int kPitch = kElements * kStep * n * n;
  /// The states of a block's points, and their divergence.
  static constexpr int kSharedBytes = 2 * kFields * kPitch * static_cast<int>(sizeof(Real));
};

/// The tiles of a mesh.
struct ElementTiles {
  int points[3];    ///< of an element along each axis; 1 along one that is not active
  int elements[3];  ///< of the mesh
  int in_row;       ///< elements of a tile

  /// With fewer dimensions a tile has more elements: as many lines.
  template <class Block>
  HALFSTEP_HD static ElementTiles of(const Layout& l) {
    ElementTiles t{};
    for (int axis = 0; axis < 3; ++axis) {
      t.points[axis] = l.ghosts[axis] > 0 ? Block::n : 1;
      t.elements[axis] = l.cells[axis] / t.points[axis];
    }
    t.in_row = t.points[0] == 1 ? 1 : Block::kLines / (t.points[1] * t.points[2]);
    return t;
  }
  HALFSTEP_HD int along_x() const { return (elements[0] + in_row - 1) / in_row; }
  HALFSTEP_HD std::int64_t count() const { return std::int64_t{along_x()} * elements[1] * elements[2]; }

  HALFSTEP_HD std::int64_t element_count() const {
    return std::int64_t{elements[0]} * elements[1] * elements[2];
  }
  /// Returns element number n, x fastest.
  HALFSTEP_HD Element element(std::int64_t n) const {
    const std::int64_t row = n / elements[0];
    return {{static_cast<int>(n % elements[0]) * points[0], static_cast<int>(row % elements[1]) * points[1],
             static_cast<int>(row / elements[1]) * points[2]},
            {points[0], points[1], points[2]}};
  }
};

}  // namespace halfstep
