// The cells of a mesh as the rows of a reduction (runtime/device/reduction.hpp).
#pragma once

#include "physics/mesh/layout.hpp"
#include "runtime/device/reduction.hpp"

namespace halfstep {

/// Reduces the cells of each row along x, a warp per row, with all threads of blocks of `block`.
/// add(sum, i, j, k) adds a cell.
template <int block, class Sum, class AddCell>
__device__ void reduce_rows_of_cells(const Layout& l, Sum* rows, AddCell add) {
  reduce_rows<block>(std::int64_t{l.cells[1]} * l.cells[2], l.cells[0], rows,
                     [&](Sum& sum, std::int64_t row, int i) {
                       add(sum, i, static_cast<int>(row % l.cells[1]), static_cast<int>(row / l.cells[1]));
                     });
}

}  // namespace halfstep
