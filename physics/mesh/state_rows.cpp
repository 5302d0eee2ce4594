#include "physics/mesh/state_rows.hpp"

namespace halfstep {

void FieldRows::get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) {
  const std::int64_t length = ExtendedRows(layout).length;
  for (int f = 0; f < layout.fields; ++f)
    std::copy_n(extended_.field(f).begin() + first * length, count * length, to[f]);
}

void RowsWithInterior::get(const Layout& layout, std::int64_t first, std::int64_t count,
                           const RowPointers& to) {
  beyond_.get(layout, first, count, to);
  const ExtendedRows rows(layout);
  for (std::int64_t n = 0; n < count; ++n) {
    if (!rows.inside(first + n)) continue;
    for (int f = 0; f < layout.fields; ++f)
      std::copy_n(interior_.field(f).begin() + rows.interior(first + n), rows.cells[0],
                  to[f] + n * rows.length + rows.ghosts[0]);
  }
}

}  // namespace halfstep
