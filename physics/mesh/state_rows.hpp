// A state that is passed to a solver a slab of rows at a time, so that it need not be stored twice.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "physics/mesh/fields.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// The destinations of rows, a pointer for each field.
using RowPointers = std::array<double*, kMaxFields>;

/// The rows along x of a layout's cells, ghosts included, numbered plane by plane.
struct ExtendedRows {
  std::int64_t length;  ///< cells of a row
  std::int64_t count;
  int in_plane;
  int ghosts[3];
  int cells[3];

  explicit ExtendedRows(const Layout& l)
      : length(l.cells[0] + 2 * l.ghosts[0]), in_plane(l.cells[1] + 2 * l.ghosts[1]) {
    std::copy_n(l.ghosts, 3, ghosts);
    std::copy_n(l.cells, 3, cells);
    count = std::int64_t{in_plane} * (cells[2] + 2 * ghosts[2]);
  }
  int j(std::int64_t row) const { return static_cast<int>(row % in_plane) - ghosts[1]; }
  int k(std::int64_t row) const { return static_cast<int>(row / in_plane) - ghosts[2]; }
  /// Returns the number of the row with these indices.
  std::int64_t row(int j, int k) const { return std::int64_t{k + ghosts[2]} * in_plane + j + ghosts[1]; }
  bool inside(std::int64_t row) const {
    return j(row) >= 0 && j(row) < cells[1] && k(row) >= 0 && k(row) < cells[2];
  }
  /// Returns the index of the row's first interior cell among the interior cells.
  std::int64_t interior(std::int64_t row) const {
    return (std::int64_t{k(row)} * cells[1] + j(row)) * cells[0];
  }

  /// Returns the number of rows of a slab: no more than 64 MiB of values.
  std::int64_t in_slab(int fields) const {
    const std::int64_t bytes_of_row = length * fields * static_cast<std::int64_t>(sizeof(double));
    return std::clamp<std::int64_t>((std::int64_t{64} << 20) / bytes_of_row, 1, count);
  }
};

struct Split;

/// A source of the conserved fields of a layout's cells, ghosts included.
class StateRows {
 public:
  virtual ~StateRows() = default;
  /// Writes `count` rows from `first` on to `to`, row after row.
  virtual void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) = 0;

  /// Returns the rows of this rank's block, in its own layout, if every rank can make its own; else nullptr.
  virtual std::unique_ptr<StateRows> of_block(const Split&) const { return nullptr; }
  /// Returns what was found in the rows so far, as bytes for the first rank, which adds it to what it found.
  virtual std::span<const std::byte> found() const { return {}; }
  virtual void add_found(std::span<const std::byte>) {}
};

/// An unphysical cell among the rows of a state.
struct UnphysicalCell : std::invalid_argument {
  UnphysicalCell(std::int64_t its_number, const std::string& what)
      : std::invalid_argument(what), number(its_number) {}
  std::int64_t number;  ///< in the whole mesh, x fastest
};

/// Calls take(first, count, values) with all rows, a slab at a time.
template <class Take>
void for_slabs(const Layout& layout, StateRows& state, const Take& take) {
  const ExtendedRows rows(layout);
  const std::int64_t most = rows.in_slab(layout.fields);
  std::vector<double> memory(static_cast<std::size_t>(most * rows.length * layout.fields));
  RowPointers values{};
  for (int f = 0; f < layout.fields; ++f) values[f] = memory.data() + f * most * rows.length;
  for (std::int64_t first = 0; first < rows.count; first += most) {
    const std::int64_t count = std::min(most, rows.count - first);
    state.get(layout, first, count, values);
    take(first, count, values);
  }
}

/// The rows of fields on the mesh with its ghost cells.
class FieldRows final : public StateRows {
 public:
  explicit FieldRows(const Fields& extended) : extended_(extended) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;

 private:
  const Fields& extended_;
};

/// The rows of another state, with the interior replaced.
class RowsWithInterior final : public StateRows {
 public:
  RowsWithInterior(StateRows& beyond, const Fields& interior) : beyond_(beyond), interior_(interior) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;

 private:
  StateRows& beyond_;
  const Fields& interior_;
};

}  // namespace halfstep
