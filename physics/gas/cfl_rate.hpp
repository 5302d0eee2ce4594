// The CFL rate of a cell.
#pragma once

#include "physics/base/select.hpp"
#include "physics/gas/eos.hpp"

namespace halfstep {

/// Returns (|u_d| + c) / dx_d summed over the active axes: the inverse of the time step of CFL number one. In
/// a strict build exchanging x and y changes no bit.
template <class Real>
HALFSTEP_HD Real cfl_rate(const Primitive<Real>& q, const Real* inverse_dx, const IdealGas<Real>& gas) {
  const Real c = sound_speed(q.density, q.pressure, gas);
  return fma(magnitude(q.w) + c, inverse_dx[2],
             fma(magnitude(q.v) + c, inverse_dx[1], (magnitude(q.u) + c) * inverse_dx[0]));
}

}  // namespace halfstep
