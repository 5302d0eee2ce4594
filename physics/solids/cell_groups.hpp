// Near and rim cells in groups, each of which a block of a device's threads fills. The cells around the
// probes of a group are mostly the same, so a group has a list of them: the block fetches each value once,
// all at the same time, and every probe finds its own among what was fetched. Rim cells are in the group of
// near cells beside them, because they share sectors of memory: a sector that is written in two pieces, one
// long after the other, goes to memory twice, and is read from there before.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "physics/mesh/layout.hpp"
#include "physics/solids/filling_order.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solid_state.hpp"

namespace halfstep {

/// Near cells of a group, rim cells of one, and threads of a block that fills them.
inline constexpr int kGroupCells = 64;
/// Pairs of cells that a group fetches at most.
inline constexpr int kGroupPairs = 160;

/// The number of a cell in its block, x fastest.
using CellNumber = std::uint32_t;
inline constexpr CellNumber kNoCell = ~CellNumber{0};

inline CellNumber number_of(const Layout& l, int i, int j, int k) {
  return static_cast<CellNumber>((std::int64_t{k} * l.cells[1] + j) * l.cells[0] + i);
}
HALFSTEP_HD CellPlace place_of(const Layout& l, CellNumber number) {
  const std::uint32_t n[2] = {static_cast<std::uint32_t>(l.cells[0]), static_cast<std::uint32_t>(l.cells[1])};
  const std::uint32_t row = number / n[0];
  return {static_cast<int>(number % n[0]), static_cast<int>(row % n[1]), static_cast<int>(row / n[1])};
}

/// A near cell of a group: a SolidCell that reads its probe's fields among the fetched values.
struct GroupedCell {
  CellNumber number = kNoCell;
  std::uint16_t
      first[4];      ///< of each row around the probe, the first cell among the fetched values of a field
  std::int8_t next;  ///< from that to the second one
  std::uint8_t body;
  std::uint8_t gas_below, gas_above;  ///< of a cell at an edge: bits of the axes with gas on that side
  float share[3], slope[3], normal[3], depth, height, bend[6];  ///< those of the SolidCell

  /// Returns the SolidCell, but for the places around its probe: these are for a cell at an edge alone.
  HALFSTEP_HD SolidCell cell(const Layout& l) const {
    SolidCell c;
    const CellPlace at = place_of(l, number);
    for (int axis = 0; axis < 3; ++axis) c.at[axis] = at[static_cast<std::size_t>(axis)];
    c.body = body;
    c.depth = depth;
    c.height = height;
    for (int axis = 0; axis < 3; ++axis) {
      c.share[axis] = share[axis];
      c.slope[axis] = slope[axis];
      c.normal[axis] = normal[axis];
      c.step[axis] = static_cast<std::int8_t>((gas_above >> axis & 1) - (gas_below >> axis & 1));
    }
    c.at_edge = (gas_below | gas_above) != 0;
    for (int n = 0; n < 6; ++n) c.bend[n] = bend[n];
    return c;
  }
};

/// What a group fetches: a pair of cells that are neighbours along x, the first with an even place in a
/// field; half that place.
using FetchedPair = std::uint32_t;
inline constexpr FetchedPair kNoPair = ~FetchedPair{0};

/// All near and rim cells in groups.
struct CellGroups {
  /// kGroupCells of each group: the last one is there as often as it takes, or kNoCell where there is none.
  std::vector<GroupedCell> near;
  std::vector<CellNumber> rim;     ///< kGroupCells of each group, filled up with kNoCell
  std::vector<FetchedPair> pairs;  ///< kGroupPairs of each group in a field's order, filled up with kNoPair
  std::array<std::int64_t, kTurns + 1> turns{};  ///< where the groups of each turn begin, and their number

  std::int64_t count() const { return std::ssize(near) / kGroupCells; }
};

/// Puts near and rim cells into groups, brick by brick: the cells around the probes of a brick are partly the
/// same. Bricks are as long along x as a line of the cache.
class CellGrouping {
 public:
  explicit CellGrouping(const Layout& layout) : layout_(layout) {}

  /// Puts the cells of each turn into groups of their own.
  CellGroups groups_of(const std::vector<SolidCell>& near, const std::vector<CellPlace>& rim,
                       const FillingOrder& order) const {
    CellGroups all;
    for (int turn = 0; turn < kTurns; ++turn) {
      const auto has_turn = [&](const auto& c) { return order.turn(c) == Turn(turn); };
      std::vector<SolidCell> own_near;
      std::vector<CellPlace> own_rim;
      std::copy_if(near.begin(), near.end(), std::back_inserter(own_near), has_turn);
      std::copy_if(rim.begin(), rim.end(), std::back_inserter(own_rim), has_turn);
      append_groups(std::move(own_near), std::move(own_rim), all);
      all.turns[static_cast<std::size_t>(turn) + 1] = all.count();
    }
    return all;
  }

 private:
  void append_groups(std::vector<SolidCell> near, std::vector<CellPlace> rim, CellGroups& all) const {
    order_by_bricks(near, [](const SolidCell& c) { return brick(c.at); });
    order_by_bricks(rim, [](const CellPlace& c) { return brick(c); });
    for (std::size_t n = 0, m = 0; n < near.size() || m < rim.size();) {
      take_near(near, n, all);
      const auto is_ahead = [&](const CellPlace& c) {
        return n < near.size() && brick(near[n - 1].at) < brick(c);
      };
      const std::size_t end = std::min(m + kGroupCells, rim.size());
      for (; m < end && !is_ahead(rim[m]); ++m)
        all.rim.push_back(number_of(layout_, rim[m][0], rim[m][1], rim[m][2]));
      all.rim.resize(all.near.size(), kNoCell);
    }
  }

  template <class Place>
  static std::array<int, 3> brick(const Place& at) {
    return {at[2] / 4, at[1] / 4, at[0] / 16};
  }
  template <class Cell, class BrickOf>
  static void order_by_bricks(std::vector<Cell>& cells, BrickOf brick_of) {
    std::stable_sort(cells.begin(), cells.end(),
                     [&](const Cell& a, const Cell& b) { return brick_of(a) < brick_of(b); });
  }

  /// Appends a group with the near cells from number n on, but for its rim cells. Moves n behind them.
  void take_near(const std::vector<SolidCell>& near, std::size_t& n, CellGroups& to) const {
    const std::size_t begin = n, room = to.pairs.size() + kGroupPairs;
    std::vector<FetchedPair> pairs;
    for (; n < near.size() && n < begin + kGroupCells; ++n) {
      std::vector<FetchedPair> more = pairs;
      for (const std::int64_t place : places_around(near[n]))
        more.push_back(static_cast<FetchedPair>(place / 2));
      std::sort(more.begin(), more.end());
      more.erase(std::unique(more.begin(), more.end()), more.end());
      if (more.size() > kGroupPairs) break;
      pairs = std::move(more);
    }
    for (std::size_t m = begin; m < n; ++m) to.near.push_back(grouped(near[m], pairs));
    to.near.insert(to.near.end(), begin + kGroupCells - n,
                   n > begin ? GroupedCell(to.near.back()) : GroupedCell{});
    to.pairs.insert(to.pairs.end(), pairs.begin(), pairs.end());
    to.pairs.resize(room, kNoPair);
  }
  std::vector<std::int64_t> places_around(const SolidCell& c) const {
    const RowsAroundProbe rows(layout_, c);
    std::vector<std::int64_t> places;
    for (const std::int64_t first : rows.first) {
      places.push_back(first);
      places.push_back(first + rows.next);
    }
    return places;
  }
  /// Neighbours along x are also neighbours among the fetched values, because pairs lie in a field's order.
  GroupedCell grouped(const SolidCell& c, const std::vector<FetchedPair>& pairs) const {
    GroupedCell own{};
    own.number = number_of(layout_, c.at[0], c.at[1], c.at[2]);
    const RowsAroundProbe rows(layout_, c);
    for (int row = 0; row < 4; ++row) {
      const std::int64_t place = rows.first[row];
      const auto pair = std::lower_bound(pairs.begin(), pairs.end(), static_cast<FetchedPair>(place / 2));
      own.first[row] = static_cast<std::uint16_t>(2 * (pair - pairs.begin()) + place % 2);
    }
    own.next = static_cast<std::int8_t>(rows.next);
    own.body = c.body;
    own.depth = c.depth;
    own.height = c.height;
    for (int axis = 0; axis < 3; ++axis) {
      own.share[axis] = c.share[axis];
      own.slope[axis] = c.slope[axis];
      own.normal[axis] = c.normal[axis];
      if (c.at_edge)
        (c.step[axis] < 0 ? own.gas_below : own.gas_above) |= std::uint8_t(c.step[axis] != 0) << axis;
    }
    std::copy_n(c.bend, 6, own.bend);
    return own;
  }

  const Layout& layout_;
};

}  // namespace halfstep
