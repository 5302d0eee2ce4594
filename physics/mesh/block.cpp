#include "physics/mesh/block.hpp"

#include <algorithm>
#include <vector>

namespace halfstep {

Mesh block_of(const Mesh& whole, const exchange::Block& block) {
  Mesh mesh = whole;
  mesh.cells = block.cells;
  mesh.first = block.first;
  mesh.whole = whole.cells;
  mesh.rows = block.rows;
  return mesh;
}

void RowsOfBlock::get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) {
  const ExtendedRows own(layout), all(whole_);
  // By planes: rows that follow each other in a box do so in the whole within a plane alone.
  std::vector<double> memory(static_cast<std::size_t>(own.in_plane * all.length * layout.fields));
  for (std::int64_t row = first, rows; row < first + count; row += rows) {
    rows = block_.rows ? 1 : std::min<std::int64_t>(first + count - row, own.in_plane - row % own.in_plane);
    RowPointers from{};
    for (int f = 0; f < layout.fields; ++f) from[f] = memory.data() + f * own.in_plane * all.length;
    state_.get(whole_, all.row(block_.row(own.j(row)), own.k(row) + block_.first[2]), rows, from);
    for (std::int64_t n = 0; n < rows; ++n)
      for (int f = 0; f < layout.fields; ++f)
        std::copy_n(from[f] + n * all.length + block_.first[0], own.length,
                    to[f] + (row - first + n) * own.length);
  }
}

}  // namespace halfstep
