#include "app/output/file_of_ranks.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/output/block_writer.hpp"
#include "app/output/dump.hpp"
#include "app/output/run_checkpoint.hpp"
#include "physics/base/choice.hpp"

namespace halfstep {

namespace {

/// What the first rank tells the others of a file.
struct Order {
  FileOfRanks kind = FileOfRanks::dump;
  std::int64_t bytes = 0;             ///< of the whole file
  std::vector<std::int64_t> offsets;  ///< of its arrays
  std::string path;                   ///< to write to
};

/// Returns a line of numbers, and then the path, in which any byte may be.
std::string text_of(const Order& order) {
  return fmt::format("{} {} {}\n{}", static_cast<int>(order.kind), order.bytes, fmt::join(order.offsets, " "),
                     order.path);
}

Order order_of(const std::string& text) {
  const auto end_of_line = text.find('\n');
  std::istringstream numbers(text.substr(0, end_of_line));
  Order order;
  int kind = 0;
  numbers >> kind >> order.bytes;
  order.kind = static_cast<FileOfRanks>(kind);
  order.offsets.assign(std::istream_iterator<std::int64_t>(numbers), {});
  order.path = text.substr(end_of_line + 1);
  return order;
}

/// Writes a rank's block; returns the share of all blocks in the checksum. A collective call.
std::uint64_t write_block(const Order& order, const RunConfig& config, SolidFields& solids,
                          const SnapshotBlock& block) {
  const Problem& problem = config.problem;
  const std::string precision(name_of(kPrecisions, problem.scheme.precision));
  const exchange::Box box = block.split.block();
  const CellRegion own{.first = box.first, .count = box.cells};
  BlockWriter writer(block.split, order.path, order.bytes, order.offsets);
  if (order.kind == FileOfRanks::checkpoint)
    write_checkpoint_block(writer, precision, block.fields);
  else
    write_dump_block(writer, {problem.gases(), precision, problem.scalars, solids.in(own)}, block.fields,
                     config.dumped_fields());
  return writer.finish();
}

}  // namespace

SealedFile write_with_all_ranks(FileOfRanks kind, PartedFile file, const RunConfig& config,
                                SolidFields& solids, Snapshot& state) {
  const Order order{kind, file.bytes(), file.offsets(), file.temporary().string()};
  try {
    return file.seal(write_block(order, config, solids, state.block(text_of(order))));
  } catch (const RankCannotWrite& error) {
    throw_system_error("write", file.path(), error.code, fmt::format(" on rank {}", error.rank));
  }
}

void write_own_block(const std::string& order, const RunConfig& config, SolidFields& solids,
                     const SnapshotBlock& block) {
  try {
    write_block(order_of(order), config, solids, block);
  } catch (const RankCannotWrite&) {  // the first rank tells the user why
  }
}

}  // namespace halfstep
