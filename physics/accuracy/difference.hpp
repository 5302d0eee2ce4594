// The difference of two lists of values, as `halfstep compare` reports it for a field.
#pragma once

#include <cstddef>
#include <span>

#include "physics/accuracy/norms.hpp"

namespace halfstep {

/// The tolerance within which values are equal: |a - b| <= absolute + relative * the largest magnitude of the
/// lists. If both are zero, only the same bits are equal.
struct Tolerance {
  double relative = 0, absolute = 0;
  bool exact() const { return relative == 0 && absolute == 0; }
};

/// The difference of two lists. Magnitudes of vectors are lengths. NaN against NaN is no difference; NaN
/// against anything else, and unequal infinities, are infinitely far apart.
struct Difference {
  Norms norms;                              ///< of a - b, over the values whose distance is finite
  double largest = 0;                       ///< finite magnitude in either list
  double allowed = 0;                       ///< by the tolerance
  std::size_t count = 0;                    ///< of values that are further apart than allowed
  std::size_t worst = 0;                    ///< the first of those that are furthest apart
  std::size_t both_nan = 0, first_nan = 0;  ///< values that are NaN in both, and the first of them
  bool same_bits = true;                    ///< but for NaN against NaN
};

/// Returns the difference of two lists of equal length with `components` numbers per value. Sums are taken in
/// the lists' order.
Difference difference(std::span<const double> a, std::span<const double> b, int components,
                      const Tolerance& tolerance);

}  // namespace halfstep
