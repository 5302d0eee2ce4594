#include "runtime/exchange/decomposition.hpp"

#include <algorithm>
#include <stdexcept>

namespace halfstep::exchange {

namespace {

/// Returns the most blocks along an axis.
int most_blocks(const CutRules& rules, int axis) {
  return rules.cells[axis] > 1 ? std::max(1, rules.cells[axis] / rules.layers) : 1;
}

/// Returns the largest block's cells along an axis.
std::int64_t thickest(const CutRules& rules, int axis, int blocks) {
  return Decomposition{rules.cells, {blocks, blocks, blocks}, {}, rules.together}.largest()[axis];
}

/// Returns the weighted cells that the largest block exchanges through its faces. Faces across z are
/// contiguous in memory, and their messages travel while a sweep is under way.
double cost(const CutRules& rules, const Index& ranks) {
  constexpr double weight[3] = {6, 4, 1};
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (ranks[axis] == 1) continue;
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const int faces = ranks[axis] > 2 || rules.periodic[axis] ? 2 : 1;
    sum += weight[axis] * faces * static_cast<double>(thickest(rules, first, ranks[first])) *
           static_cast<double>(thickest(rules, second, ranks[second]));
  }
  return sum;
}

/// Returns the best cut into `ranks` blocks, if there is one.
std::optional<Index> best_cut(const CutRules& rules, int ranks) {
  std::optional<Index> best;
  for (int x = 1; x <= ranks; ++x) {
    if (ranks % x != 0 || x > most_blocks(rules, 0)) continue;
    for (int y = 1; y <= ranks / x; ++y) {
      const Index cut = {x, y, ranks / x / y};
      if (ranks / x % y != 0 || y > most_blocks(rules, 1) || cut[2] > most_blocks(rules, 2)) continue;
      if (!best || cost(rules, cut) < cost(rules, *best)) best = cut;
    }
  }
  return best;
}

/// Returns the cells that are never parted, as one: elements or cells themselves.
struct Units {
  Index count;
  int layers;
  const char* name;

  explicit Units(const CutRules& rules) : count(rules.cells), layers(rules.layers), name("cells") {
    for (int axis = 0; axis < 3; ++axis) {
      if (rules.together[axis] == 1) continue;
      count[axis] /= rules.together[axis];
      layers = rules.layers / rules.together[axis];
      name = "elements";
    }
  }
};

std::string text_of(const Index& n) {
  return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
}

}  // namespace

Index Decomposition::place_of(int rank) const {
  return {rank % ranks[0], rank / ranks[0] % ranks[1], rank / ranks[0] / ranks[1]};
}

int Decomposition::rank_at(const Index& place) const {
  return (place[2] * ranks[1] + place[1]) * ranks[0] + place[0];
}

int Decomposition::begin_of(int axis, int place) const {
  const int units = cells[axis] / together[axis];
  return static_cast<int>(std::int64_t{units} * place / ranks[axis]) * together[axis];
}

Index Decomposition::largest() const {
  Index most{};
  for (int rank = 0; rank < std::ssize(rows); ++rank)
    if (const Block own = block(rank); own.cells[1] > most[1]) most = own.cells;
  if (!rows.empty()) return most;
  for (int axis = 0; axis < 3; ++axis) {
    const int units = cells[axis] / together[axis];
    most[axis] = (units + ranks[axis] - 1) / ranks[axis] * together[axis];
  }
  return most;
}

Index Block::own(const Index& cell) const {
  if (!rows) return {cell[0] - first[0], cell[1] - first[1], cell[2] - first[2]};
  const auto row = std::lower_bound(rows->own.begin(), rows->own.end(), cell[1]);
  const bool is_there = row != rows->own.end() && *row == cell[1];
  return {cell[0], is_there ? static_cast<int>(row - rows->own.begin()) : -1, cell[2]};
}

Block Decomposition::block(int rank) const {
  Block box;
  if (!rows.empty()) {
    box.rows = rows[static_cast<std::size_t>(rank)];
    box.cells = {cells[0], static_cast<int>(box.rows->own.size()), 1};
    return box;
  }
  const Index place = place_of(rank);
  for (int axis = 0; axis < 3; ++axis) {
    box.first[axis] = begin_of(axis, place[axis]);
    box.cells[axis] = begin_of(axis, place[axis] + 1) - box.first[axis];
  }
  return box;
}

int Decomposition::rank_of(const Index& cell) const {
  for (int rank = 0; rank < std::ssize(rows); ++rank)
    if (block(rank).holds(cell)) return rank;
  Index place;
  for (int axis = 0; axis < 3; ++axis) {
    place[axis] = static_cast<int>(std::int64_t{cell[axis]} * ranks[axis] / cells[axis]);
    while (place[axis] > 0 && cell[axis] < begin_of(axis, place[axis])) --place[axis];
    while (cell[axis] >= begin_of(axis, place[axis] + 1)) ++place[axis];
  }
  return rank_at(place);
}

std::optional<int> Decomposition::neighbour(int rank, const Index& step) const {
  if (!rows.empty()) return std::nullopt;
  Index place = place_of(rank);
  for (int axis = 0; axis < 3; ++axis) {
    place[axis] += step[axis];
    if (place[axis] >= 0 && place[axis] < ranks[axis]) continue;
    if (!periodic[axis] || !is_cut(axis)) return std::nullopt;
    place[axis] = (place[axis] + ranks[axis]) % ranks[axis];
  }
  return rank_at(place);
}

Decomposition decompose(const CutRules& rules, int ranks) {
  if (const std::optional<Index> best = best_cut(rules, ranks)) return decompose(rules, *best);
  const std::int64_t most =
      std::int64_t{most_blocks(rules, 0)} * most_blocks(rules, 1) * most_blocks(rules, 2);
  auto fewer = static_cast<int>(std::min<std::int64_t>(ranks - 1, most));
  while (fewer > 1 && !best_cut(rules, fewer)) --fewer;
  const Units units(rules);
  const std::string name = units.name;
  throw std::invalid_argument("a mesh of " + text_of(units.count) + " " + name + " cannot be cut into " +
                              std::to_string(ranks) + " blocks of at least " + std::to_string(units.layers) +
                              " " + name + " along each cut axis; " + std::to_string(fewer) +
                              (fewer == 1 ? " rank is" : " ranks are") + " possible");
}

Decomposition decompose(const CutRules& rules, const Index& ranks) {
  const Units units(rules);
  const std::string name = units.name;
  for (int axis = 0; axis < 3; ++axis)
    if (ranks[axis] > most_blocks(rules, axis))
      throw std::invalid_argument(std::to_string(ranks[axis]) + " blocks along " + "xyz"[axis] + " are " +
                                  "more than its " + std::to_string(units.count[axis]) + " " + name +
                                  " allow: " + std::to_string(most_blocks(rules, axis)) + " of at least " +
                                  std::to_string(units.layers) + " " + name);
  return {rules.cells, ranks, rules.periodic, rules.together};
}

std::string text_of_blocks(const Decomposition& cut) {
  return cut.rows.empty() ? text_of(cut.ranks) + " blocks" : "elements cut by METIS";
}

std::vector<HaloMessage> halo_messages(const Decomposition& cut, int rank, int layers, HaloReach reach) {
  const Box block = cut.block(rank);
  std::vector<HaloMessage> messages;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const Index step = {x, y, z};
        const int axes = std::abs(x) + std::abs(y) + std::abs(z);
        if (axes == 0 || (axes > 1 && reach == HaloReach::faces)) continue;
        // An axis that is not cut has no messages: its own ghost cells are filled by the rank itself.
        if ((x != 0 && !cut.is_cut(0)) || (y != 0 && !cut.is_cut(1)) || (z != 0 && !cut.is_cut(2))) continue;
        // What goes one way comes from the other: both ends list their messages in the order of the way.
        const auto to = cut.neighbour(rank, step), from = cut.neighbour(rank, {-x, -y, -z});
        HaloMessage message{to.value_or(-1), from.value_or(-1), {}, {}};
        for (int axis = 0; axis < 3; ++axis) {
          const int n = block.cells[axis], way = step[axis];
          message.send.first[axis] = way > 0 ? n - layers : 0;
          message.receive.first[axis] = way > 0 ? -layers : way < 0 ? n : 0;
          message.send.cells[axis] = message.receive.cells[axis] = way == 0 ? n : layers;
        }
        if (to || from) messages.push_back(message);
      }
  return messages;
}

namespace {

/// Returns where those rows that a rank has are among its own.
std::vector<std::int32_t> own_among(const std::vector<std::int32_t>& own,
                                    const std::vector<std::int32_t>& rows) {
  std::vector<std::int32_t> found;
  for (const std::int32_t row : rows)
    if (const auto at = std::lower_bound(own.begin(), own.end(), row); at != own.end() && *at == row)
      found.push_back(static_cast<std::int32_t>(at - own.begin()));
  return found;
}

/// Returns the rows that a rank reads of others, in its own order.
std::vector<std::int32_t> rows_read(const RowsOfRank& rows, bool with_far) {
  std::vector<std::int32_t> all = rows.near;
  if (with_far) all.insert(all.end(), rows.far.begin(), rows.far.end());
  return all;
}

}  // namespace

std::vector<RowMessage> row_messages(const Decomposition& cut, int rank, bool with_far) {
  const RowsOfRank& own = *cut.rows[static_cast<std::size_t>(rank)];
  const std::vector<std::int32_t> read = rows_read(own, with_far);
  std::vector<RowMessage> messages;
  for (int peer = 0; peer < cut.size(); ++peer) {
    const RowsOfRank& other = *cut.rows[static_cast<std::size_t>(peer)];
    RowMessage message{peer, own_among(own.own, rows_read(other, with_far)), {}};
    for (std::size_t n = 0; n < read.size(); ++n)
      if (std::binary_search(other.own.begin(), other.own.end(), read[n]))
        message.receive.push_back(static_cast<std::int32_t>(own.own.size() + n));
    if (!message.send.empty() || !message.receive.empty()) messages.push_back(std::move(message));
  }
  return messages;
}

std::int64_t halo_cells(const std::vector<HaloMessage>& messages) {
  std::int64_t cells = 0;
  for (const HaloMessage& message : messages)
    if (message.to >= 0) cells += message.send.count();
  return cells;
}

}  // namespace halfstep::exchange
