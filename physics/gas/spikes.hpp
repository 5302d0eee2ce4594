// Spikes: values of a field that are larger than a limit, or than those beside them by a factor.
#pragma once

#include <cmath>

#include "physics/base/arithmetic.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

enum class SpikeField { density, pressure, speed };

/// What counts as a spike.
struct SpikeLimits {
  SpikeField field = SpikeField::pressure;
  double limit = 0;   ///< absolute; 0 = off
  double factor = 0;  ///< relative to the largest value beside it; 0 = off
  HALFSTEP_HD bool are_set() const { return limit > 0 || factor > 0; }
};

template <class Real>
HALFSTEP_HD Real spike_value(SpikeField field, const Primitive<Real>& q) {
  return field == SpikeField::density    ? q.density
         : field == SpikeField::pressure ? q.pressure
                                         : std::sqrt(q.u * q.u + q.v * q.v + q.w * q.w);
}
template <class Real>
HALFSTEP_HD Real spike_value(SpikeField field, const Conserved<Real>& c, const IdealGas<Real>& gas) {
  return field == SpikeField::density ? c.density : spike_value(field, to_primitive(c, gas));
}

/// Whether a value exceeds the limit, or the factor times the largest one beside it.
template <class Real>
HALFSTEP_HD bool is_spike(const SpikeLimits& limits, Real value, Real beside) {
  return (limits.limit > 0 && value > Real(limits.limit)) ||
         (limits.factor > 0 && value > Real(limits.factor) * beside);
}

}  // namespace halfstep
