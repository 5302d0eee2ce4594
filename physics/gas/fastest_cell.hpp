// The cell that limits dt: that with the largest CFL rate. It is found beside the totals, by one integer a
// cell of which the largest counts, so that neither threads nor ranks change it.
#pragma once

#include <bit>
#include <cstdint>

#include "runtime/device/host_device.hpp"

namespace halfstep {

/// A cell's number in the whole mesh, x fastest, below its CFL rate to 16 bits: of cells whose rates are the
/// same to 1.5e-5 the first counts. 0: of no cell.
struct FastestCell {
  static constexpr int kNumberBits = 40, kDroppedBits = 7;
  static constexpr std::uint64_t kNumbers = (std::uint64_t{1} << kNumberBits) - 1;

  HALFSTEP_HD static std::uint64_t key(double rate, std::int64_t number) {
    const float size = static_cast<float>(rate);
    if (!(size > 0)) return 0;
    const std::uint64_t bits = std::bit_cast<std::uint32_t>(size) >> kDroppedBits;
    return bits << kNumberBits | (kNumbers - static_cast<std::uint64_t>(number));
  }
  /// Returns the number of the cell; -1 of none.
  static std::int64_t number(std::uint64_t key) {
    return key == 0 ? -1 : static_cast<std::int64_t>(kNumbers - (key & kNumbers));
  }
};

/// The keys of cells where nobody asks for the fastest.
struct NoFastestCell {
  template <class Real>
  HALFSTEP_HD std::uint64_t operator()(const Real*, int, int, int) const {
    return 0;
  }
};

}  // namespace halfstep
