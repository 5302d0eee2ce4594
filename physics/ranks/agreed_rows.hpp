// The rows of a state on their way to the solvers of all blocks, which get them all or none.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>

#include "physics/mesh/block.hpp"
#include "physics/mesh/state_rows.hpp"

namespace halfstep {

/// Thrown on the ranks but the first where some rank's rows cannot be made.
struct StateNotMade : std::runtime_error {
  StateNotMade() : std::runtime_error("the state cannot be made") {}
};

/// Why a rank has no rows.
struct RowsError {
  std::int64_t cell = 0;  ///< the unphysical cell's number in the whole mesh; 0 for other errors
  bool is_unphysical = false;
  std::string what;
};

/// Returns if no rank has an error. Else the first rank throws the error of the first cell, and the others
/// StateNotMade. A collective call.
inline void expect_rows_of_all(const exchange::Ranks& ranks, const std::optional<RowsError>& own) {
  const auto size = static_cast<std::uint64_t>(ranks.size());
  std::uint64_t first = ~std::uint64_t{0};
  if (own) first = static_cast<std::uint64_t>(own->cell) * size + static_cast<std::uint64_t>(ranks.rank());
  ranks.reduce({&first, 1}, exchange::Reduction::min);
  if (first == ~std::uint64_t{0}) return;
  const int rank = static_cast<int>(first % size);
  std::int64_t head[2]{};  // whether a cell is unphysical, the length of the text
  std::string what;
  if (ranks.rank() == rank) {
    what = own->what;
    head[0] = own->is_unphysical;
    head[1] = std::ssize(what);
  }
  ranks.broadcast(head, sizeof head, rank);
  what.resize(static_cast<std::size_t>(head[1]));
  ranks.broadcast(what.data(), what.size(), rank);
  if (!ranks.is_first()) throw StateNotMade();
  if (head[0] != 0) throw UnphysicalCell(static_cast<std::int64_t>(first / size), what);
  throw std::runtime_error(what);
}

/// Forwards the rows of this rank's block. With the last of them all ranks agree that they have theirs, so
/// that no solver waits for one whose rows cannot be made.
class AgreedRows final : public StateRows {
 public:
  AgreedRows(StateRows& rows, const exchange::Ranks& ranks) : rows_(rows), ranks_(ranks) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override {
    std::optional<RowsError> error;
    bool is_known = false;  // to the first rank
    try {
      rows_.get(layout, first, count, to);
    } catch (const UnphysicalCell& cell) {
      error = {cell.number, true, cell.what()};
    } catch (const StateNotMade&) {
      is_known = true;
    } catch (const std::exception& other) {
      error = {0, false, other.what()};
    }
    if (error || is_known || first + count == ExtendedRows(layout).count) expect_rows_of_all(ranks_, error);
  }

 private:
  StateRows& rows_;
  const exchange::Ranks& ranks_;
};

}  // namespace halfstep
