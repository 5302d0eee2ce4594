#include "app/output/block_writer.hpp"

#include <utility>

namespace halfstep {

RankCannotWrite::RankCannotWrite(int rank_of_error, int code_of_error)
    : std::runtime_error("rank " + std::to_string(rank_of_error) +
                         " cannot write: " + std::generic_category().message(code_of_error)),
      rank(rank_of_error),
      code(code_of_error) {}

BlockWriter::BlockWriter(const Split& split, const std::string& path, std::int64_t bytes,
                         std::vector<std::int64_t> offsets)
    : split_(split), bytes_(bytes), offsets_(std::move(offsets)) {
  agree([&] { file_.emplace(path); });
}

void BlockWriter::begin_array(std::int64_t cell_bytes) {
  array_.emplace(ArrayPlace{offsets_.at(arrays_++), split_.cut.cells, cell_bytes}, split_.block(), bytes_);
}

void BlockWriter::write_cells(std::span<const std::byte> bytes) {
  array_->add(bytes,
              [&](std::int64_t offset, std::span<const std::byte> part) { file_->write_at(offset, part); });
}

void BlockWriter::end_array() { share_ ^= array_->share(); }

std::uint64_t BlockWriter::finish() {
  agree([&] { file_->synchronise(); });
  split_.ranks.reduce({&share_, 1}, exchange::Reduction::exclusive_or);
  return share_;
}

void BlockWriter::expect_none(int code) const {
  // The lowest rank with an error is told of.
  std::uint64_t word = ~std::uint64_t{0};
  if (code != 0) word = (static_cast<std::uint64_t>(split_.rank()) << 32) | static_cast<std::uint64_t>(code);
  split_.ranks.reduce({&word, 1}, exchange::Reduction::min);
  if (word != ~std::uint64_t{0})
    throw RankCannotWrite(static_cast<int>(word >> 32), static_cast<int>(word & 0xffffffff));
}

}  // namespace halfstep
