// The viscous terms of the Navier-Stokes equations: Newtonian stress with Stokes' hypothesis and Fourier's
// heat flux, from cell averages in memory to the derivatives at a face, and from those to its flux.
#pragma once

#include "physics/gas/transport.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// Derivatives at a face to which u is normal: along the normal, and along the first and second tangential
/// axis, those of v and w.
template <class Real>
struct FaceGradient {
  Real u_normal = 0, v_normal = 0, w_normal = 0, temperature_normal = 0;
  Real u_first = 0, v_first = 0;
  Real u_second = 0, w_second = 0;
};

/// The velocity of the gas at a face to which u is normal.
template <class Real>
struct FaceVelocity {
  Real u, v, w;
};

/// Returns the viscous flux through a face, to be added to the inviscid one: momentum -tau n, energy
/// -(tau n) . velocity - kappa dT/dn.
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_flux(const FaceGradient<Real>& d, const FaceVelocity<Real>& velocity,
                                         const Transport<Real>& t) {
  // 2 mu (du/dn - div / 3), traceless.
  const Real tau_normal =
      t.viscosity * (Real(2) / Real(3)) * (Real(2) * d.u_normal - (d.v_first + d.w_second));
  const Real tau_first = t.viscosity * (d.u_first + d.v_normal);
  const Real tau_second = t.viscosity * (d.u_second + d.w_normal);
  const Real work = velocity.u * tau_normal + velocity.v * tau_first + velocity.w * tau_second;
  return {Real(0), -tau_normal, -tau_first, -tau_second, -(work + t.conductivity * d.temperature_normal)};
}

/// A cell's velocity components along the normal of a face and along an axis in the face.
template <class Real>
struct VelocityPair {
  Real normal, own;
};

/// Derivatives of both along that axis.
template <class Real>
using TangentialGradient = VelocityPair<Real>;

/// Returns the gradient at the face between the cell at index `at` and the one at `at - across`, to second
/// order: the mean of both cells' central differences. `step`: to the next cell along the tangential axis;
/// `velocity(place)`: the pair of the cell there. Reads the neighbours of both cells in the plane of the
/// face, so that ghost cells at edges and corners must be filled, too.
template <class Real, class Velocity>
HALFSTEP_HD TangentialGradient<Real> tangential_gradient(std::int64_t at, std::int64_t across,
                                                         std::int64_t step, Real inverse_dx,
                                                         const Velocity& velocity) {
  const auto difference = [&](std::int64_t cell) -> VelocityPair<Real> {
    const VelocityPair<Real> lower = velocity(cell - step), upper = velocity(cell + step);
    return {upper.normal - lower.normal, upper.own - lower.own};
  };
  const VelocityPair<Real> below = difference(at - across), above = difference(at);
  const Real scale = Real(0.25) * inverse_dx;
  return {scale * (below.normal + above.normal), scale * (below.own + above.own)};
}

/// Returns the second-order viscous flux through the lower face along `axis` of the cell at index `at` of
/// a.in, between the cells' states `l` and `r`; states and flux are rotated. For kernels that have the states
/// at hand.
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_face_flux(const StageArguments<Real>& a, const Transport<Real>& t,
                                              std::int64_t at, int axis, const Primitive<Real>& l,
                                              const Primitive<Real>& r) {
  const auto along = [&](int tangential) -> TangentialGradient<Real> {
    if (a.layout.ghosts[tangential] == 0) return {Real(0), Real(0)};
    const std::int64_t normal = (1 + axis) * a.layout.field_stride,
                       own = (1 + tangential) * a.layout.field_stride;
    return tangential_gradient(at, a.layout.stride[axis], a.layout.stride[tangential],
                               a.inverse_dx[tangential], [&](std::int64_t place) -> VelocityPair<Real> {
                                 const Real* u = a.in + place;
                                 const Real volume = reciprocal(u[0]);
                                 return {u[normal] * volume, u[own] * volume};
                               });
  };
  const TangentialGradient<Real> first = along(axis == 0 ? 1 : 0), second = along(axis == 2 ? 1 : 2);
  const Real by_normal = a.inverse_dx[axis];
  return viscous_flux<Real>(
      {by_normal * (r.u - l.u), by_normal * (r.v - l.v), by_normal * (r.w - l.w),
       by_normal * (temperature(r) - temperature(l)), first.normal, first.own, second.normal, second.own},
      {Real(0.5) * (l.u + r.u), Real(0.5) * (l.v + r.v), Real(0.5) * (l.w + r.w)}, t);
}

}  // namespace halfstep
