// A state that the first rank makes and sends to the others, each the rows of its block.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "physics/mesh/block.hpp"
#include "physics/mesh/state_rows.hpp"

namespace halfstep {

/// Thrown on a rank whose state will not come, because the first rank met an error in making it.
struct StateNotSent : std::runtime_error {
  StateNotSent() : std::runtime_error("the first rank could not make the state") {}
};

/// The rows of this rank's block, as they come from the first rank.
class SentRows final : public StateRows {
 public:
  explicit SentRows(const exchange::Ranks& ranks) : ranks_(ranks) {}
  void get(const Layout& layout, std::int64_t, std::int64_t count, const RowPointers& to) override {
    std::int64_t is_made = 0;
    ranks_.receive(&is_made, sizeof is_made, 0);
    if (!is_made) throw StateNotSent();
    const auto values = static_cast<std::size_t>(count * ExtendedRows(layout).length);
    for (int f = 0; f < layout.fields; ++f) ranks_.receive(to[f], values * sizeof(double), 0);
  }

 private:
  const exchange::Ranks& ranks_;
};

/// Sends every rank but the first the rows of its block, a slab at a time. Throws what the state throws, when
/// the others have been told. `ghosts`: layers of the layouts; `whole`: that of the whole mesh.
inline void send_rows(StateRows& state, const Layout& whole, int ghosts, const Mesh& mesh,
                      const exchange::Ranks& ranks, const exchange::Decomposition& cut) {
  const auto tell = [&](int rank, std::int64_t is_made) { ranks.send(&is_made, sizeof is_made, rank); };
  try {
    // All rows are made once before any is sent: a rank that has its own must not wait for one that gets
    // none.
    for_slabs(whole, state, [](std::int64_t, std::int64_t, const RowPointers&) {});
  } catch (...) {
    for (int rank = 1; rank < cut.size(); ++rank) tell(rank, 0);
    throw;
  }
  for (int rank = 1; rank < cut.size(); ++rank) {
    const Layout layout(block_of(mesh, cut.block(rank)), ghosts, whole.fields);
    RowsOfBlock rows(state, whole, cut.block(rank));
    for_slabs(layout, rows, [&](std::int64_t, std::int64_t count, const RowPointers& values) {
      tell(rank, 1);
      const auto bytes = static_cast<std::size_t>(count * ExtendedRows(layout).length) * sizeof(double);
      for (int f = 0; f < layout.fields; ++f) ranks.send(values[f], bytes, rank);
    });
  }
}

}  // namespace halfstep
