// A sweep of the face flux along z, for resumable threads or for tiles.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "app/study/safe_points.hpp"
#include "physics/flux/face_flux.hpp"
#include "physics/gas/rotate.hpp"
#include "physics/mesh/layout.hpp"
#include "runtime/interruptible/resumable.hpp"

namespace halfstep {

/// Arguments of the sweep. A thread owns `pencils` pencils, adjacent along y, of `cells` cells along z.
struct Sweep {
  Layout layout;
  const double* u;  ///< ghost cells filled
  double* out;      ///< flux through each cell's upper z face minus that through its lower
  IdealGas<double> gas;
  int cells, pencils;

  std::int64_t threads() const {
    return std::int64_t{layout.cells[0]} * (layout.cells[1] / pencils) * (layout.cells[2] / cells);
  }
};

/// The progress of a thread.
struct Sweeper : interruptible::Resumable {
  int pencil = 0;
  int cell = 0;  ///< next cell of the pencil
};

/// Does the work of one thread; kernels differ only in their safe points.
template <class Reconstruction, SafePointEvery every, class Points>
HALFSTEP_HD void sweep_pencils(const Sweep& a, Sweeper& my, Points& safe_points) {
  constexpr int r = Reconstruction::radius;
  const Layout& l = a.layout;
  const int n = static_cast<int>(safe_points.thread()), rows = l.cells[1] / a.pencils;
  const int i = n % l.cells[0], plane = n / l.cells[0];
  const int first_j = plane % rows * a.pencils, first_k = plane / rows * a.cells;
  while (my.pencil < a.pencils) {
    const int j = first_j + my.pencil;
    const auto state = [&](int k) {
      return rotated(to_primitive(load(l, a.u, i, j, first_k + k), a.gas), 2);
    };
    // Not saved at an interruption: the cells around a face, and the flux through the face below.
    Primitive<double> around[2 * r + 2];
    for (int m = 0; m <= 2 * r; ++m) around[m + 1] = state(my.cell - 1 - r + m);
    Conserved<double> below{};
    for (int k = my.cell - 1; k < a.cells; ++k) {  // the face above cell k
      for (int m = 0; m <= 2 * r; ++m) around[m] = around[m + 1];
      around[2 * r + 1] = state(k + 1 + r);
      const Conserved<double> above =
          face_flux<Reconstruction, Variables::primitive, Hllc>(around, a.gas).flux;
      if (k == my.cell) {
        store(l, a.out, i, j, first_k + k, above - below);
        ++my.cell;
        if (every == SafePointEvery::cell && safe_points.due()) return;
      }
      below = above;
    }
    my.cell = 0;
    ++my.pencil;
    if (every == SafePointEvery::pencil && safe_points.due()) return;
  }
  my.finish();
}

/// Returns the state of a sound wave of amplitude 0.1, oblique to all axes, on a stream along none: no field
/// has zeros, for which division takes another path.
HALFSTEP_HD Conserved<double> swept_state(const Layout& l, int i, int j, int k, const IdealGas<double>& gas) {
  const double turns = double(i) / l.cells[0] + double(j) / l.cells[1] + double(k) / l.cells[2];
  const double wave = 0.1 * std::sin(2 * std::numbers::pi * turns);
  return to_conserved<double>(
      {1 + wave, 0.2 + 0.5 * wave, 0.3 + 0.5 * wave, 0.4 + 0.5 * wave, 0.6 * (1 + 1.4 * wave)}, gas);
}

}  // namespace halfstep
