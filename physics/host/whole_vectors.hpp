// Whole vectors of a row of cells.
#pragma once

namespace halfstep::host {

/// Values of a vector. Loops run over whole vectors without a remainder, whatever the processor's vector
/// length, so that a cell's bits depend neither on its tile nor on its block.
template <class Real>
constexpr int kVector = 64 / sizeof(Real);

/// Returns `lanes` rounded up to whole vectors. Loops that are given whole vectors round again, so that the
/// compiler knows.
template <class Real>
int whole_vectors(int lanes) {
  return (lanes + kVector<Real> - 1) / kVector<Real> * kVector<Real>;
}

}  // namespace halfstep::host
