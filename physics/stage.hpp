// The arguments of one stage of one attempt, the same for both backends.
#pragma once

#include "physics/eos.hpp"
#include "physics/layout.hpp"
#include "physics/viscous.hpp"

namespace halfstep {

/// U_out = keep * U_start + weight * (U_in + dt * L(U_in)), L the negative divergence of the fluxes.
template <class Real>
struct StageArguments {
  Layout layout;
  const Real* start;  ///< U^n, or what explicit terms made of it; not read where keep = 0
  const Real* in;     ///< ghost cells filled, but for a CUDA stage that reads around them
  Real* out;
  Real keep, weight;
  Real dt;             ///< of the host body and of a replay; a CUDA stage reads its own from the device
  Real inverse_dx[3];  ///< 0 where an axis is not swept
  IdealGas<Real> gas;
  bool raise_bad_faces;
  bool wants_rate;              ///< the last stage of an inviscid gas: reduce the signal rate of U_out
  Transport<Real> transport{};  ///< of kernels with viscous terms; the others do not read it
  bool positive = false;        ///< fluxes are limited, see positivity.hpp; a CUDA stage is compiled to it
};

/// The x and y part of one field's divergence, from the jumps of its flux over the cell. Apart from z because
/// z comes last when marching; in a strict build x and y may be exchanged without changing a bit.
template <class Real>
HALFSTEP_HD Real in_plane_divergence(const StageArguments<Real>& a, Real jump_x, Real jump_y) {
  return multiply_add(jump_y, a.inverse_dx[1], jump_x * a.inverse_dx[0]);
}

/// One field of the update by a step of length `dt`.
template <class Real>
HALFSTEP_HD Real updated(const StageArguments<Real>& a, Real dt, Real start, Real in, Real in_plane,
                         Real jump_z) {
  const Real divergence = multiply_add(jump_z, a.inverse_dx[2], in_plane);
  const Real advanced = multiply_add(-dt, divergence, in);
  return multiply_add(a.weight, advanced, a.keep * start);
}

}  // namespace halfstep
