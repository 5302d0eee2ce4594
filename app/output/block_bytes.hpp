// The bytes of a block's cells in a file that holds an array of all cells: where they are, and their share of
// the file's checksum.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/checkpoint/crc64.hpp"
#include "runtime/exchange/decomposition.hpp"

namespace halfstep {

/// An array of cells in a file, x fastest.
struct ArrayPlace {
  std::int64_t offset;          ///< of its first byte in the file
  exchange::Index cells{};      ///< of the whole mesh
  std::int64_t cell_bytes = 1;  ///< of one cell

  /// Returns the offset of a cell.
  std::int64_t of(const exchange::Index& cell) const {
    return offset + ((std::int64_t{cell[2]} * cells[1] + cell[1]) * cells[0] + cell[0]) * cell_bytes;
  }
};

/// The cells of a block that follow each other in the file, too: its rows, or its parts of planes, or all of
/// it. Of a mesh that is cut by rows: those that follow each other in the mesh.
class BlockRuns {
 public:
  struct Run {
    std::int64_t offset, bytes;
  };

  BlockRuns(const ArrayPlace& array, const exchange::Block& block)
      : first_{array.of(block.first), block.cells[0] * array.cell_bytes},
        in_plane_(block.cells[1]),
        count_(in_plane_ * block.cells[2]),
        stride_(array.cells[0] * array.cell_bytes),
        plane_(array.cells[1] * stride_) {
    if (block.rows) list(array, block);
    if (block.rows || block.cells[0] < array.cells[0]) return;
    first_.bytes *= block.cells[1];
    in_plane_ = 1;
    count_ = block.cells[2];
    if (block.cells[1] < array.cells[1]) return;
    first_.bytes *= block.cells[2];
    count_ = 1;
  }

  std::int64_t count() const { return listed_.empty() ? count_ : std::ssize(listed_); }
  Run operator[](std::int64_t n) const {
    if (!listed_.empty()) return listed_[static_cast<std::size_t>(n)];
    return {first_.offset + n / in_plane_ * plane_ + n % in_plane_ * stride_, first_.bytes};
  }

 private:
  void list(const ArrayPlace& array, const exchange::Block& block) {
    for (int j = 0; j < block.cells[1]; ++j) {
      const Run row{array.of({0, block.row(j), 0}), first_.bytes};
      if (!listed_.empty() && listed_.back().offset + listed_.back().bytes == row.offset)
        listed_.back().bytes += row.bytes;
      else
        listed_.push_back(row);
    }
  }

  Run first_;
  std::int64_t in_plane_, count_;  // runs in a plane, and in all
  std::int64_t stride_, plane_;    // bytes from a row to the next, and from a plane
  std::vector<Run> listed_;        // of rows
};

/// Takes the block's cells in their order, any number of them at a time. Between two runs the checksum's
/// share goes on with zeros; tables hold what those do, so that short rows cost little.
class BlockBytes {
 public:
  BlockBytes(const ArrayPlace& array, const exchange::Block& block, std::int64_t file_bytes)
      : runs_(array, block), run_(runs_[0]), file_bytes_(file_bytes) {}

  /// Calls take(offset, bytes) for the next cells, wherever they go in the file.
  template <class Take>
  void add(std::span<const std::byte> cells, const Take& take) {
    while (!cells.empty()) {
      const auto left = static_cast<std::size_t>(run_.bytes - in_run_);
      const auto part = cells.first(std::min(cells.size(), left));
      share_.add(part);
      take(run_.offset + in_run_, part);
      cells = cells.subspan(part.size());
      in_run_ += static_cast<std::int64_t>(part.size());
      if (in_run_ == run_.bytes) end_run();
    }
  }
  /// Returns the share, when all cells have been added.
  std::uint64_t share() const { return share_.state(); }

 private:
  void end_run() {
    in_run_ = 0;
    done_ += 1;
    const bool is_last = done_ == runs_.count();
    const std::int64_t end = run_.offset + run_.bytes;
    if (!is_last) run_ = runs_[done_];
    add_zeros((is_last ? file_bytes_ : run_.offset) - end);
  }
  void add_zeros(std::int64_t count) {
    share_.add(zeros_.try_emplace(count, static_cast<std::uint64_t>(count)).first->second);
  }

  BlockRuns runs_;
  BlockRuns::Run run_;                  // that is being written
  std::int64_t in_run_ = 0, done_ = 0;  // bytes of it, and runs before it
  std::int64_t file_bytes_;
  std::map<std::int64_t, Crc64Zeros> zeros_;  // of each gap between runs that there is
  Crc64 share_ = Crc64::share();
};

}  // namespace halfstep
