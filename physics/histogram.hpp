// The distribution of a field over the cells of the mesh: what can be asked of a solver, and its answer.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/scheme.hpp"

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
    {HistogramField::mass_fraction, "mass_fraction", "the reactant's part of the mass, where there is one"},
};

struct HistogramRequest {
  HistogramField field = HistogramField::density;
  int bins = 64;                ///< of equal width
  double lower = 0, upper = 0;  ///< of the bins; both zero: the extrema of the state
};

struct Histogram {
  double lower = 0, upper = 0;  ///< of the bins; unequal
  /// Cells below `lower`, in each bin from the lowest, above `upper`. A value at `upper` is in the last bin.
  std::vector<std::int64_t> counts;
};

}  // namespace halfstep
