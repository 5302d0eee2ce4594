// The arrays of a file that all ranks write together: each computes the values of its own block, and what
// they add to the file's checksum.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "app/output/block_bytes.hpp"
#include "physics/mesh/block.hpp"
#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

/// Thrown on all ranks when one of them could not write.
struct RankCannotWrite : std::runtime_error {
  RankCannotWrite(int rank, int code);
  int rank, code;  ///< the rank, and the number of its error in errno.h
};

/// All calls are collective, and each rank makes the same. They throw RankCannotWrite.
class BlockWriter {
 public:
  /// `path`: a file that is there, of `bytes` in all; its arrays begin at `offsets`.
  BlockWriter(const Split& split, const std::string& path, std::int64_t bytes,
              std::vector<std::int64_t> offsets);

  /// Writes the next array, of `components` numbers a cell; store(values, cell) sets those of a cell of the
  /// block.
  template <class Real, class Store>
  void write(int components, const Store& store) {
    agree([&] {
      const auto cell_bytes = static_cast<std::int64_t>(components * sizeof(Real));
      const std::int64_t cells = split_.block().count(),
                         most = std::clamp(kBytesAtOnce / cell_bytes, std::int64_t{1}, cells);
      std::vector<Real> values(static_cast<std::size_t>(components * most));
      begin_array(cell_bytes);
      for (std::int64_t first = 0; first < cells; first += most) {
        const std::int64_t count = std::min(most, cells - first);
#pragma omp parallel for if (count > kManyCells)
        for (std::int64_t n = 0; n < count; ++n) store(&values[components * n], first + n);
        write_cells(std::as_bytes(std::span(values)).first(static_cast<std::size_t>(count * cell_bytes)));
      }
      end_array();
    });
  }

  /// Brings the file to the disk. Returns the share of all ranks' arrays in the checksum.
  std::uint64_t finish();

 private:
  static constexpr std::int64_t kBytesAtOnce = std::int64_t{1} << 25;
  static constexpr std::int64_t kManyCells = 100'000;  ///< below, threads cost more than they save

  void begin_array(std::int64_t cell_bytes);
  void write_cells(std::span<const std::byte> bytes);
  void end_array();

  /// Does this rank's part of something, and has all ranks throw RankCannotWrite if one could not.
  template <class Work>
  void agree(const Work& work) const {
    int code = 0;
    try {
      work();
    } catch (const std::system_error& error) {
      code = error.code().value();
    } catch (const std::bad_alloc&) {
      code = ENOMEM;
    }
    expect_none(code);
  }
  void expect_none(int code) const;

  const Split& split_;
  std::int64_t bytes_;
  std::vector<std::int64_t> offsets_;
  std::size_t arrays_ = 0;  // begun
  std::optional<OpenFile> file_;
  std::optional<BlockBytes> array_;
  std::uint64_t share_ = 0;
};

}  // namespace halfstep
