// Near cells in groups, each of which a block of a device's threads fills. The cells around the probes of a
// group are mostly the same, so a group has a list of them: the block fetches each value once, all at the
// same time, and every probe finds its own among what was fetched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "physics/mesh/layout.hpp"
#include "physics/solids/solid_cell.hpp"
#include "physics/solids/solid_state.hpp"

namespace halfstep {

/// Near cells of a group, and threads of a block that fills one.
inline constexpr int kGroupCells = 64;
/// Pairs of cells that a group fetches at most.
inline constexpr std::size_t kGroupPairs = 160;

/// A near cell of a group: a SolidCell that reads its probe's fields among the fetched values.
struct GroupedCell {
  std::uint32_t number;  ///< of the cell in its block, x fastest
  std::uint16_t
      first[4];      ///< of each row around the probe, the first cell among the fetched values of a field
  std::int8_t next;  ///< from that to the second one
  std::uint8_t body;
  std::uint16_t unused;
  float share[3], slope[3], normal[3], depth, height, bend[6];  ///< those of the SolidCell

  /// Returns the SolidCell, but for the places around its probe.
  HALFSTEP_HD SolidCell cell(const Layout& l) const {
    SolidCell c;
    const std::uint32_t n[2] = {static_cast<std::uint32_t>(l.cells[0]),
                                static_cast<std::uint32_t>(l.cells[1])};
    const std::uint32_t row = number / n[0];
    c.at[0] = static_cast<int>(number % n[0]);
    c.at[1] = static_cast<int>(row % n[1]);
    c.at[2] = static_cast<int>(row / n[1]);
    c.body = body;
    c.depth = depth;
    c.height = height;
    for (int axis = 0; axis < 3; ++axis) {
      c.share[axis] = share[axis];
      c.slope[axis] = slope[axis];
      c.normal[axis] = normal[axis];
    }
    for (int n = 0; n < 6; ++n) c.bend[n] = bend[n];
    return c;
  }
};

/// What a group fetches: pairs of cells that are neighbours along x, the first with an even place in a field.
struct FetchedPairs {
  std::uint32_t first, count;  ///< in CellGroups::pairs
};

/// All near cells in groups.
struct CellGroups {
  std::vector<GroupedCell> cells;  ///< kGroupCells of each group; the last one is there as often as it takes
  std::vector<FetchedPairs> groups;
  std::vector<std::uint32_t> pairs;  ///< half the places of their first cells in a field
  int room = 0;                      ///< pairs of the largest group
};

/// Puts near cells, which lie in that order, into groups.
class NearCellGrouping {
 public:
  explicit NearCellGrouping(const Layout& layout) : layout_(layout) {}

  CellGroups groups_of(const std::vector<SolidCell>& near) const {
    CellGroups all;
    for (std::size_t n = 0; n < near.size();) {
      const std::vector<std::uint32_t> pairs = take_group(near, n, all.cells);
      all.groups.push_back(
          {static_cast<std::uint32_t>(all.pairs.size()), static_cast<std::uint32_t>(pairs.size())});
      all.pairs.insert(all.pairs.end(), pairs.begin(), pairs.end());
      all.room = std::max(all.room, static_cast<int>(pairs.size()));
    }
    return all;
  }

 private:
  /// Appends a group of the cells from number n on, moves n behind them, and returns the group's pairs.
  std::vector<std::uint32_t> take_group(const std::vector<SolidCell>& near, std::size_t& n,
                                        std::vector<GroupedCell>& to) const {
    const std::size_t begin = n;
    std::vector<std::uint32_t> pairs;
    for (; n < near.size() && n < begin + kGroupCells; ++n) {
      std::vector<std::uint32_t> more = pairs;
      for (const std::int64_t place : places_around(near[n]))
        more.push_back(static_cast<std::uint32_t>(place / 2));
      std::sort(more.begin(), more.end());
      more.erase(std::unique(more.begin(), more.end()), more.end());
      if (more.size() > kGroupPairs) break;
      pairs = std::move(more);
    }
    for (std::size_t m = begin; m < n; ++m) to.push_back(grouped(near[m], pairs));
    to.insert(to.end(), begin + kGroupCells - n, GroupedCell(to.back()));
    return pairs;
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
  GroupedCell grouped(const SolidCell& c, const std::vector<std::uint32_t>& pairs) const {
    GroupedCell own{};
    own.number = static_cast<std::uint32_t>(
        (std::int64_t{c.at[2]} * layout_.cells[1] + c.at[1]) * layout_.cells[0] + c.at[0]);
    const RowsAroundProbe rows(layout_, c);
    for (int row = 0; row < 4; ++row) {
      const std::int64_t place = rows.first[row];
      const auto pair = std::lower_bound(pairs.begin(), pairs.end(), static_cast<std::uint32_t>(place / 2));
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
    }
    std::copy_n(c.bend, 6, own.bend);
    return own;
  }

  const Layout& layout_;
};

}  // namespace halfstep
