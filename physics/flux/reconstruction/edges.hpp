// The return type of every reconstruction.
#pragma once

namespace halfstep {

/// Increments from the cell average to the value at the cell's lower and upper edge. Working with increments
/// keeps a uniform flow uniform to the last bit.
template <class Real>
struct EdgeIncrements {
  Real lower, upper;
};

}  // namespace halfstep
