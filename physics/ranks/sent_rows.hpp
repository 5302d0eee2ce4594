// A state that the first rank alone has, from a file, and sends to the others, each the rows of its block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "physics/mesh/block.hpp"
#include "physics/mesh/state_rows.hpp"
#include "physics/ranks/agreed_rows.hpp"

namespace halfstep {

/// The rows of this rank's block, as they come from the first rank.
class SentRows final : public StateRows {
 public:
  explicit SentRows(const exchange::Ranks& ranks) : ranks_(ranks) {}
  void get(const Layout& layout, std::int64_t, std::int64_t count, const RowPointers& to) override {
    std::int64_t is_made = 0;
    ranks_.receive(&is_made, sizeof is_made, 0);
    if (!is_made) throw StateNotMade();
    const auto values = static_cast<std::size_t>(count * ExtendedRows(layout).length);
    for (int f = 0; f < layout.fields; ++f) ranks_.receive(to[f], values * sizeof(double), 0);
  }

 private:
  const exchange::Ranks& ranks_;
};

/// Sends every rank but the first the rows of its block, a slab at a time. Throws what the state throws, when
/// the ranks whose rows are still to come have been told. `ghosts`: layers of the layouts; `whole`: that of
/// the whole mesh.
inline void send_rows(StateRows& state, const Layout& whole, int ghosts, const Mesh& mesh,
                      const exchange::Ranks& ranks, const exchange::Decomposition& cut) {
  const auto tell = [&](int rank, std::int64_t is_made) { ranks.send(&is_made, sizeof is_made, rank); };
  for (int rank = 1; rank < cut.size(); ++rank) {
    const Layout layout(block_of(mesh, cut.block(rank)), ghosts, whole.fields, whole.two_gases);
    RowsOfBlock rows(state, whole, cut.block(rank));
    try {
      for_slabs(layout, rows, [&](std::int64_t, std::int64_t count, const RowPointers& values) {
        tell(rank, 1);
        const auto bytes = static_cast<std::size_t>(count * ExtendedRows(layout).length) * sizeof(double);
        for (int f = 0; f < layout.fields; ++f) ranks.send(values[f], bytes, rank);
      });
    } catch (...) {
      for (int later = rank; later < cut.size(); ++later) tell(later, 0);
      throw;
    }
  }
}

/// What ranks found in the rows of their blocks (StateRows::found()), on its way to the first.
inline void send_found(const StateRows& rows, const exchange::Ranks& ranks) {
  const std::span<const std::byte> found = rows.found();
  const auto count = static_cast<std::int64_t>(found.size());
  ranks.send(&count, sizeof count, 0);
  ranks.send(found.data(), found.size(), 0);
}
inline void add_found_of(int rank, StateRows& rows, const exchange::Ranks& ranks) {
  std::int64_t count = 0;
  ranks.receive(&count, sizeof count, rank);
  std::vector<std::byte> found(static_cast<std::size_t>(count));
  ranks.receive(found.data(), found.size(), rank);
  rows.add_found(found);
}

}  // namespace halfstep
