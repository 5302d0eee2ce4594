// The scaling of flagged elements on a device.
#pragma once

#include <cuda_runtime.h>

#include "physics/cuda/elements/tile.hpp"
#include "physics/elements/flagged_elements.hpp"
#include "physics/elements/scaling.hpp"

namespace halfstep {

/// Scales element number n of the stage's output towards its average, if it is flagged. One thread has all of
/// an element: its sums have one order, and few elements are flagged.
template <int degree, class Real>
__device__ void scale_element(const StageArguments<Real>& a, const FlaggedElements<Real>& flagged,
                              std::int64_t n) {
  const ElementTiles tiles = ElementTiles::of<ElementBlock<degree, Real>>(a.layout);
  if (n >= tiles.element_count()) return;
  const Element e = tiles.element(n);
  if (flagged.is_scaled(e)) scale_towards_average<degree>(ElementInMemory<Real>{e, a.layout, a.out}, a.gas);
}

}  // namespace halfstep
