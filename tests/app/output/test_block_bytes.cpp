// A file whose array of cells several ranks write, each its block: the places of its bytes, and the checksum.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "app/output/block_bytes.hpp"
#include "runtime/exchange/graph_cut.hpp"

using namespace halfstep;

namespace {

constexpr std::int64_t kOffset = 1001, kAfter = 77;

std::vector<std::byte> some_bytes(std::int64_t count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  std::uint64_t word = 4711;
  for (std::byte& byte : bytes)
    byte = std::byte((word = word * 6364136223846793005u + 1442695040888963407u) >> 56);
  return bytes;
}

/// Returns the bytes of a block's cells, in their order.
std::vector<std::byte> cells_of(const std::vector<std::byte>& file, const ArrayPlace& array,
                                const exchange::Block& block) {
  std::vector<std::byte> cells;
  for (int k = 0; k < block.cells[2]; ++k)
    for (int j = 0; j < block.cells[1]; ++j) {
      const auto row = file.begin() + array.of({block.first[0], block.row(j), block.first[2] + k});
      cells.insert(cells.end(), row, row + block.cells[0] * array.cell_bytes);
    }
  return cells;
}

/// Writes a block that comes `at_once` bytes at a time to `to`, and returns its share.
std::uint64_t write_block(const std::vector<std::byte>& file, const ArrayPlace& array,
                          const exchange::Block& block, std::size_t at_once, std::vector<std::byte>& to) {
  const std::vector<std::byte> cells = cells_of(file, array, block);
  BlockBytes bytes(array, block, std::ssize(file));
  for (std::size_t at = 0; at < cells.size(); at += at_once)
    bytes.add(std::span(cells).subspan(at, std::min(at_once, cells.size() - at)),
              [&](std::int64_t offset, std::span<const std::byte> part) {
                std::copy(part.begin(), part.end(), to.begin() + offset);
              });
  return bytes.share();
}

}  // namespace

/// Returns the cut of 35 rows in which a rank has every third one, one a run of them, and one the rest.
exchange::Decomposition scattered_rows() {
  std::vector<std::int32_t> owners(35);
  for (int row = 0; row < 35; ++row) owners[row] = row >= 20 && row < 26 ? 2 : row % 3 == 0;
  exchange::RowGraph without_neighbours;
  without_neighbours.first.resize(36);
  return exchange::decompose({11, 35, 1}, without_neighbours, owners, 3);
}

TEST_CASE("blocks give the bytes of the file, and their shares its checksum, however the mesh is cut") {
  std::vector<exchange::Decomposition> cuts = {scattered_rows()};
  for (const exchange::Index& ranks :
       {exchange::Index{1, 1, 1}, {1, 1, 3}, {4, 1, 1}, {1, 3, 1}, {3, 2, 2}, {7, 5, 4}})
    cuts.push_back({{11, 7, 5}, ranks, {}});
  for (const exchange::Decomposition& cut : cuts)
    for (const std::int64_t cell_bytes : {4, 8, 24}) {
      const ArrayPlace array{kOffset, cut.cells, cell_bytes};
      const std::vector<std::byte> file = some_bytes(kOffset + 11 * 7 * 5 * cell_bytes + kAfter);
      // What no block has: before and after the array.
      Crc64 rest = Crc64::share();
      rest.add(std::span(file).first(kOffset));
      rest.add(Crc64Zeros(static_cast<std::uint64_t>(11 * 7 * 5 * cell_bytes)));
      rest.add(std::span(file).last(kAfter));
      std::uint64_t share = rest.state();
      std::vector<std::byte> written(file.size());
      std::copy_n(file.begin(), kOffset, written.begin());
      std::copy_n(file.end() - kAfter, kAfter, written.end() - kAfter);
      for (int rank = 0; rank < cut.size(); ++rank)
        share ^= write_block(file, array, cut.block(rank), rank % 2 == 0 ? 13 : 1000, written);
      Crc64 whole;
      whole.add(file);
      CAPTURE(cell_bytes);
      CHECK((written == file));
      CHECK(Crc64::value_of(share, file.size()) == whole.value());
    }
}

TEST_CASE("a block of whole planes is one run, one of whole rows has a run a plane") {
  const ArrayPlace array{0, {6, 5, 4}, 8};
  CHECK(BlockRuns(array, {{{0, 0, 1}, {6, 5, 2}}, nullptr}).count() == 1);
  CHECK(BlockRuns(array, {{{0, 0, 1}, {6, 5, 2}}, nullptr})[0].bytes == 8 * 6 * 5 * 2);
  CHECK(BlockRuns(array, {{{0, 1, 0}, {6, 2, 4}}, nullptr}).count() == 4);
  CHECK(BlockRuns(array, {{{3, 0, 0}, {3, 5, 4}}, nullptr}).count() == 20);
}
