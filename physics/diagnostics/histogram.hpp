// Histograms of a field over the cells of the mesh: the request to a solver and its result.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "physics/base/choice.hpp"

namespace halfstep {

enum class HistogramField {
  density,
  velocity_x,
  velocity_y,
  velocity_z,
  speed,
  pressure,
  mach,
  mass_fraction
};
inline constexpr Choice<HistogramField> kHistogramFields[] = {
    {HistogramField::density, "density", "mass per volume"},
    {HistogramField::velocity_x, "velocity_x", "velocity along x"},
    {HistogramField::velocity_y, "velocity_y", "velocity along y"},
    {HistogramField::velocity_z, "velocity_z", "velocity along z"},
    {HistogramField::speed, "speed", "magnitude of the velocity"},
    {HistogramField::pressure, "pressure", "pressure"},
    {HistogramField::mach, "mach", "speed over the speed of sound"},
    {HistogramField::mass_fraction, "mass_fraction", "the first scalar's part of the mass"},
};

struct HistogramRequest {
  HistogramField field = HistogramField::density;
  int bins = 64;                ///< number of bins of equal width
  double lower = 0, upper = 0;  ///< range of the bins; both zero: the extrema of the field

  bool has_width() const {
    return (lower == 0 && upper == 0) || (lower < upper && std::isfinite(upper - lower));
  }
  bool operator==(const HistogramRequest&) const = default;
};

struct Histogram {
  double lower = 0, upper = 0;  ///< range of the bins; lower < upper
  /// The cells, however wide, below `lower`, in each bin in ascending order, and above `upper`. A value at
  /// `upper` is in the last bin.
  std::vector<std::int64_t> counts;
};

}  // namespace halfstep
