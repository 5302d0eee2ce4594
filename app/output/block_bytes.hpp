// The bytes of a block's cells in a file that holds an array of all cells: where they are, and their share of
// the file's checksum.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

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
/// it.
struct BlockRuns {
  std::int64_t bytes;            ///< of a run
  std::int64_t in_plane, count;  ///< runs in a plane, and in all
  std::int64_t stride,
      to_plane;  ///< bytes from a run to the next, and to that of the next plane after the last

  BlockRuns(const ArrayPlace& array, const exchange::Box& block)
      : bytes(block.cells[0] * array.cell_bytes),
        in_plane(block.cells[1]),
        count(in_plane * block.cells[2]),
        stride(array.cells[0] * array.cell_bytes),
        to_plane((array.cells[1] - block.cells[1] + 1) * stride) {
    if (block.cells[0] < array.cells[0]) return;
    bytes *= block.cells[1];
    in_plane = 1;
    count = block.cells[2];
    to_plane = array.cells[1] * stride;
    if (block.cells[1] < array.cells[1]) return;
    bytes *= block.cells[2];
    count = 1;
  }
};

/// Takes the block's cells in their order, any number of them at a time. Between two runs the checksum's
/// share goes on with zeros; tables hold what those do, so that short rows cost little.
class BlockBytes {
 public:
  BlockBytes(const ArrayPlace& array, const exchange::Box& block, std::int64_t file_bytes)
      : runs_(array, block),
        at_(array.of(block.first)),
        between_runs_(zeros(runs_.stride - runs_.bytes)),
        between_planes_(zeros(runs_.to_plane - runs_.bytes)),
        file_bytes_(file_bytes) {}

  /// Calls take(offset, bytes) for the next cells, wherever they go in the file.
  template <class Take>
  void add(std::span<const std::byte> cells, const Take& take) {
    while (!cells.empty()) {
      const auto left = static_cast<std::size_t>(runs_.bytes - in_run_);
      const auto part = cells.first(std::min(cells.size(), left));
      share_.add(part);
      take(at_ + in_run_, part);
      cells = cells.subspan(part.size());
      in_run_ += static_cast<std::int64_t>(part.size());
      if (in_run_ == runs_.bytes) end_run();
    }
  }
  /// Returns the share, when all cells have been added.
  std::uint64_t share() const { return share_.state(); }

 private:
  static Crc64Zeros zeros(std::int64_t count) {
    return Crc64Zeros(static_cast<std::uint64_t>(std::max(count, std::int64_t{0})));
  }

  void end_run() {
    in_run_ = 0;
    done_ += 1;
    const bool ends_plane = done_ % runs_.in_plane == 0;
    if (done_ == runs_.count)
      share_.add(zeros(file_bytes_ - at_ - runs_.bytes));
    else
      share_.add(ends_plane ? between_planes_ : between_runs_);
    at_ += ends_plane ? runs_.to_plane : runs_.stride;
  }

  BlockRuns runs_;
  std::int64_t at_;                     // where the run begins in the file
  std::int64_t in_run_ = 0, done_ = 0;  // bytes of the run, and runs
  Crc64Zeros between_runs_, between_planes_;
  std::int64_t file_bytes_;
  Crc64 share_ = Crc64::share();
};

}  // namespace halfstep
