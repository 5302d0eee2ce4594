// Where a field's value of a cell is in memory.
#pragma once

#include <array>
#include <cstdint>

#include "physics/mesh.hpp"
#include "physics/state.hpp"
#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Structure of arrays with ghost cells on the swept axes, x fastest. The first interior cell of every row
/// starts on a boundary of kAlignment values, so that warps and vectors read whole lines.
struct Layout {
  static constexpr int kAlignment = 16;

  int cells[3];
  int ghosts[3];
  std::int64_t stride[3];
  std::int64_t field_stride;
  std::int64_t origin;  ///< of cell (0, 0, 0)

  Layout(const Mesh& mesh, int layers)
      : Layout({mesh.cells[0], mesh.cells[1], mesh.cells[2]},
               {mesh.swept(0) ? layers : 0, mesh.swept(1) ? layers : 0, mesh.swept(2) ? layers : 0}) {}

  Layout(const std::array<int, 3>& n, const std::array<int, 3>& layers) {
    for (int a = 0; a < 3; ++a) {
      cells[a] = n[a];
      ghosts[a] = layers[a];
    }
    const auto aligned = [](std::int64_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; };
    const std::int64_t before = aligned(ghosts[0]);
    stride[0] = 1;
    stride[1] = aligned(before + cells[0] + ghosts[0]);
    stride[2] = stride[1] * (cells[1] + 2 * ghosts[1]);
    field_stride = stride[2] * (cells[2] + 2 * ghosts[2]);
    origin = before + ghosts[1] * stride[1] + ghosts[2] * stride[2];
  }

  HALFSTEP_HD std::int64_t index(int i, int j, int k) const {
    return origin + i + j * stride[1] + k * stride[2];
  }
  std::int64_t values() const { return kFields * field_stride; }
};

}  // namespace halfstep
