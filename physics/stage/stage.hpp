// The arguments of one stage of one attempt, the same for both backends.
#pragma once

#include "physics/flux/positivity.hpp"
#include "physics/gas/eos.hpp"
#include "physics/mesh/axis_tables.hpp"
#include "physics/mesh/layout.hpp"

namespace halfstep {

/// The inverse widths of a cell, 0 along axes that are not active.
template <class Real>
struct InverseWidths {
  Real along[3];
};

/// U_out = U_start + beta * (U_in + dt * L(U_in) - kept * U_start), L the negative divergence of the fluxes.
/// With kept = 1 that is (1 - beta) U_start + beta (...). A product (1 - beta) U_start would be rounded to
/// the same side in every step, wherever the flow is the same, and so would the totals in single precision.
template <class Real>
struct StageArguments {
  Layout layout;
  const Real* start;  ///< U^n, right-hand-side terms, or their sum; nullptr: none
  const Real* in;     ///< ghost cells filled, unless a CUDA stage wraps around
  Real* out;
  Real kept;  ///< 1 where a part of U^n is kept, else 0: `start` is then the terms alone
  Real beta;
  Real dt;             ///< for the host and for replays; a CUDA stage reads its own from the device
  Real inverse_dx[3];  ///< of the mean width; 0 where an axis is not active
  IdealGas<Real> gas;
  bool raise_bad_faces;
  bool wants_rate;              ///< reduce the CFL rate of U_out: the last stage, unless it is found later
  bool positive = false;        ///< fluxes are limited, see positivity.hpp; compiled into a CUDA stage
  bool shares_last[3] = {};     ///< a neighbouring rank counts the faces above the last cells along the axis
  AxisTableViews<Real> axes{};  ///< of stretched axes; stage kernels for uniform meshes do not look at it
  Real second_gas = 0;          ///< its energy per pressure; only with layout.two_gases
  /// What a rate of change, times dt, weighs in U_start so that it weighs beta in U_out.
  Real weight_in_start = beta / (Real(1) - kept * beta);

  HALFSTEP_HD Gases<Real> gases() const { return {gas, second_gas}; }
  /// Returns the gas in a cell of the state u.
  HALFSTEP_HD IdealGas<Real> gas_in(const Real* u, int i, int j, int k) const {
    return halfstep::gas_in(gases(), layout, u, i, j, k);
  }

  /// Returns 1 / the width of cell n along `axis`, 0 where the axis is not active.
  HALFSTEP_HD Real inverse_width(int axis, int n) const {
    const Real* of = axes[axis].inverse_width;
    return of ? of[n] : inverse_dx[axis];
  }
  HALFSTEP_HD InverseWidths<Real> inverse_widths(int i, int j, int k) const {
    return {{inverse_width(0, i), inverse_width(1, j), inverse_width(2, k)}};
  }
  /// Returns 1 / the distance between the middles of the cells n - 1 and n, 0 where the axis is not active.
  HALFSTEP_HD Real inverse_distance(int axis, int n) const {
    const Real* of = axes[axis].inverse_distance;
    return of ? of[n] : inverse_dx[axis];
  }
  /// Returns 2 / the distance between the middles of the cells n - 1 and n + 1, 0 where the axis is not
  /// active.
  HALFSTEP_HD Real inverse_span(int axis, int n) const {
    const Real* of = axes[axis].inverse_span;
    return of ? of[n] : inverse_dx[axis];
  }
};

/// Returns the step of the positivity limiter at a face across `axis`.
template <class Real>
HALFSTEP_HD FaceStep<Real> face_step(const StageArguments<Real>& a, Real dt, int axis) {
  int faces = 0;
  for (int n = 0; n < 3; ++n) faces += a.layout.ghosts[n] > 0 ? 2 : 0;
  return face_step(a.inverse_dx, faces, dt, axis);
}

/// Returns the x and y part of one field's divergence, from the jumps of its flux over a cell with these
/// inverse widths. z is added later, as the kernels march along it. In a strict build exchanging x and y
/// changes no bit.
template <class Real>
HALFSTEP_HD Real in_plane_divergence(const Real* inverse_widths, Real jump_x, Real jump_y) {
  return fma(jump_y, inverse_widths[1], jump_x * inverse_widths[0]);
}

/// Returns one field of the output from that of U_start and the advanced input.
template <class Real>
HALFSTEP_HD Real combined(const StageArguments<Real>& a, Real start, Real advanced) {
  return fma(a.beta, fma(-a.kept, start, advanced), start);
}

/// Returns one field of the updated cell with these inverse widths, by a step of length `dt`.
template <class Real>
HALFSTEP_HD Real updated(const StageArguments<Real>& a, const Real* inverse_widths, Real dt, Real start,
                         Real in, Real in_plane, Real jump_z) {
  const Real divergence = fma(jump_z, inverse_widths[2], in_plane);
  return combined(a, start, fma(-dt, divergence, in));
}

}  // namespace halfstep
