// The arguments of one stage of one attempt, the same for both backends.
#pragma once

#include "physics/base/rounding.hpp"
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

/// U_out = U_in + weight_of_start * (U_start - kept * U_in) + beta * dt * L(U_in), L the negative divergence
/// of the fluxes. With beta < 1 that is (1 - beta) U_start + beta (U_in + dt * L(U_in)), written so that in
/// single precision one sum alone is of large numbers, and is rounded with a dither (rounding.hpp).
template <class Real>
struct StageArguments {
  Layout layout;
  const Real* start;  ///< U^n, right-hand-side terms, or their sum; nullptr: none
  const Real* in;     ///< ghost cells filled, unless a CUDA stage wraps around
  Real* out;
  Real beta;           ///< 1: nothing of U^n is kept, and `start` is the terms alone
  Real dt;             ///< for the host and for replays; a CUDA stage reads its own from the device
  Real inverse_dx[3];  ///< of the mean width; 0 where an axis is not active
  IdealGas<Real> gas;
  bool raise_bad_faces;
  bool wants_rate;              ///< reduce the CFL rate of U_out: the last stage, unless it is found later
  bool positive = false;        ///< fluxes are limited, see positivity.hpp; compiled into a CUDA stage
  bool shares_last[3] = {};     ///< a neighbouring rank counts the faces above the last cells along the axis
  AxisTableViews<Real> axes{};  ///< of stretched axes; stage kernels for uniform meshes do not look at it
  Real second_gas = 0;          ///< its energy per pressure; only with layout.two_gases
  Real dither = 0, start_dither = 0;  ///< of U_out, and of what is added to U_start: see rounding.hpp
  Real kept = beta < Real(1) ? Real(1) : Real(0);
  Real weight_of_start = beta < Real(1) ? Real(1) - beta : Real(1);
  /// What a rate of change, times dt, weighs in U_start so that it weighs beta in U_out.
  Real weight_in_start = beta / weight_of_start;

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

/// Returns one field of the output of a step of length `dt` from those of U_start and U_in and its
/// divergence.
template <class Real>
HALFSTEP_HD Real updated(const StageArguments<Real>& a, Real dt, Real start, Real in, Real divergence) {
  return added_products(in, a.weight_of_start, fma(-a.kept, in, start), -(a.beta * dt), divergence, a.dither);
}

/// Returns what a stage starts from, `start`, with a change of a cell. `dither`: a.start_dither, or its
/// opposite to take such a change back.
template <class Real>
HALFSTEP_HD Conserved<Real> added_to_start(const Conserved<Real>& start, const Conserved<Real>& change,
                                           Real dither) {
  return by_field<Real>([&](auto f) { return added(start.*f, change.*f, dither); });
}
/// The same with a rate of change over a step of length `dt`.
template <class Real>
HALFSTEP_HD Conserved<Real> added_to_start(const StageArguments<Real>& a, const Conserved<Real>& start,
                                           Real dt, const Conserved<Real>& rate) {
  return added_to_start(start, a.weight_in_start * dt * rate, a.start_dither);
}

/// Returns one field of the updated cell with these inverse widths, by a step of length `dt`.
template <class Real>
HALFSTEP_HD Real updated(const StageArguments<Real>& a, const Real* inverse_widths, Real dt, Real start,
                         Real in, Real in_plane, Real jump_z) {
  return updated(a, dt, start, in, fma(jump_z, inverse_widths[2], in_plane));
}

}  // namespace halfstep
