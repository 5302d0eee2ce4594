// The progress of an attempt of several ranks, as one solver would have it at the beginning of the substep
// under way: gathered by the first rank, and sent to any number of ranks. How far each rank is in the substep
// is not kept, because another cut has other tiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "physics/mesh/block.hpp"
#include "physics/mesh/layout.hpp"
#include "physics/ranks/sent_diagnosis.hpp"
#include "physics/solver/attempt.hpp"

namespace halfstep {

/// A rank's block of the states and flags of the whole mesh, which are raw memory in the layouts of solvers.
class PartOfProgress {
 public:
  PartOfProgress(const Mesh& mesh, const exchange::Block& box, int layers, int fields)
      : whole_(mesh, layers, fields), block_(block_of(mesh, box), layers, fields), box_(box) {}

  /// Puts the block's cells, and the domain's ghost cells beside them, into the whole state.
  void put_state(const std::vector<std::byte>& block, std::vector<std::byte>& whole) const {
    if (block.empty()) return;
    const std::size_t value = block.size() / static_cast<std::size_t>(block_.values());
    whole.resize(value * static_cast<std::size_t>(whole_.values()));
    for_rows(false, [&](std::int64_t of_whole, std::int64_t of_block, std::int64_t count) {
      std::copy_n(block.data() + of_block * value, count * value, whole.data() + of_whole * value);
    });
  }
  /// Returns the block's cells, and all ghost cells and near rows beside them.
  std::vector<std::byte> state_of(const std::vector<std::byte>& whole) const {
    if (whole.empty()) return {};
    const std::size_t value = whole.size() / static_cast<std::size_t>(whole_.values());
    std::vector<std::byte> block(value * static_cast<std::size_t>(block_.values()));
    for_rows(true, [&](std::int64_t of_whole, std::int64_t of_block, std::int64_t count) {
      std::copy_n(whole.data() + of_whole * value, count * value, block.data() + of_block * value);
    });
    return block;
  }

  /// Does the same with flags of cells.
  void put_flags(const std::vector<std::uint8_t>& block, std::vector<std::uint8_t>& whole) const {
    if (block.empty()) return;
    whole.resize(static_cast<std::size_t>(whole_.cell_count()));
    for_flags([&](std::int64_t of_whole, std::int64_t of_block) {
      std::copy_n(block.data() + of_block, box_.cells[0], whole.data() + of_whole);
    });
  }
  std::vector<std::uint8_t> flags_of(const std::vector<std::uint8_t>& whole) const {
    if (whole.empty()) return {};
    std::vector<std::uint8_t> block(static_cast<std::size_t>(box_.count()));
    for_flags([&](std::int64_t of_whole, std::int64_t of_block) {
      std::copy_n(whole.data() + of_whole, box_.cells[0], block.data() + of_block);
    });
    return block;
  }

 private:
  /// Calls f(whole, block, count) with the indices of rows of all fields. Ghost cells between blocks, and
  /// rows behind the own ones, are another block's cells: they are part of the rows only if they are wanted.
  template <class F>
  void for_rows(bool with_cells_of_others, F f) const {
    int first[3], end[3];
    for (int axis = 0; axis < 3; ++axis) {
      const bool begins = box_.first[axis] == 0,
                 ends = box_.first[axis] + box_.cells[axis] == whole_.cells[axis];
      first[axis] = begins || with_cells_of_others ? -block_.ghosts[axis] : 0;
      end[axis] = box_.cells[axis] + (ends || with_cells_of_others ? block_.ghosts[axis] : 0);
    }
    const std::vector<std::int32_t> none, &near = with_cells_of_others && box_.rows ? box_.rows->near : none;
    const int x = box_.first[0], z = box_.first[2], own = end[1];
    end[1] += static_cast<int>(near.size());
    const auto row = [&](int j) { return j < own ? box_.row(j) : near[static_cast<std::size_t>(j - own)]; };
    for (int field = 0; field < whole_.fields; ++field)
      for (int k = first[2]; k < end[2]; ++k)
        for (int j = first[1]; j < end[1]; ++j)
          f(field * whole_.field_stride + whole_.index(x + first[0], row(j), z + k),
            field * block_.field_stride + block_.index(first[0], j, k), end[0] - first[0]);
  }
  template <class F>
  void for_flags(F f) const {
    exchange::for_rows({whole_.cells[0], whole_.cells[1], whole_.cells[2]}, box_,
                       [&](std::int64_t of_whole, std::int64_t of_block, int) { f(of_whole, of_block); });
  }

  Layout whole_, block_;
  exchange::Block box_;
};

/// A progress at the beginning of its substep, without its lists.
struct ProgressHead {
  Attempt attempt;
  int substep;
  std::int64_t repaired;  ///< faces, in the substeps before
  FloorSums floored;

  AttemptProgress progress() const {
    AttemptProgress p;
    p.attempt = attempt;
    p.substep = substep;
    p.repaired_faces = p.repaired_before = repaired;
    p.floored = floored;
    return p;
  }
};
static_assert(std::is_trivially_copyable_v<ProgressHead>, "it is sent as bytes");

inline void send_progress(const AttemptProgress& p, const exchange::Ranks& ranks, int to) {
  const ProgressHead head{p.attempt, p.substep, p.repaired_before, p.floored};
  ranks.send(&head, sizeof head, to);
  send_list(p.start, ranks, to);
  send_list(p.last_start, ranks, to);
  send_list(p.in, ranks, to);
  send_list(p.flags, ranks, to);
}
inline AttemptProgress received_progress(const exchange::Ranks& ranks, int from) {
  ProgressHead head{};
  ranks.receive(&head, sizeof head, from);
  AttemptProgress p = head.progress();
  p.start = received_list<std::byte>(ranks, from);
  p.last_start = received_list<std::byte>(ranks, from);
  p.in = received_list<std::byte>(ranks, from);
  p.flags = received_list<std::uint8_t>(ranks, from);
  return p;
}

/// Adds what a rank has to the progress of all, but what floors have added and the budget: they are of
/// all ranks already.
inline void add_progress(const PartOfProgress& part, const AttemptProgress& own, AttemptProgress& all) {
  part.put_state(own.start, all.start);
  part.put_state(own.last_start, all.last_start);
  part.put_state(own.in, all.in);
  part.put_flags(own.flags, all.flags);
  if (all.budget.empty()) all.budget = own.budget;
  all.repaired_before += own.repaired_before;
  all.repaired_faces = all.repaired_before;
}

/// Returns a rank's part of the progress of all. Repaired faces and the budget are the first rank's alone.
inline AttemptProgress progress_of(const PartOfProgress& part, const AttemptProgress& all, bool is_first) {
  const ProgressHead head{all.attempt, all.substep, is_first ? all.repaired_before : 0, all.floored};
  AttemptProgress own = head.progress();
  own.start = part.state_of(all.start);
  own.last_start = part.state_of(all.last_start);
  own.in = part.state_of(all.in);
  own.flags = part.flags_of(all.flags);
  if (is_first) own.budget = all.budget;
  return own;
}

}  // namespace halfstep
