// From cell averages in memory to the derivatives at a face, and from those to the viscous flux through it.
#pragma once

#include "physics/stage.hpp"
#include "physics/viscous.hpp"

namespace halfstep {

/// Of a cell, along the normal of a face and along an axis in the face.
template <class Real>
struct VelocityPair {
  Real normal, own;
};

/// Derivatives of both along that axis.
template <class Real>
using TangentialGradient = VelocityPair<Real>;

/// At the lower face of the cell at the place `at`, between it and the one `across` before it: of second
/// order, the mean of both cells' central differences. `step`: to the next cell along the tangential axis;
/// `velocity(place)`: the pair of a cell there. Reads the neighbours of both cells in the plane of the face,
/// so all of them, ghost cells at edges and corners too, must be filled.
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

/// The flux of second order through the lower face along `axis` of the cell at the place `at` of a.in,
/// between the states `l` and `r`, rotated; the flux is rotated as well. For kernels that have those states
/// at hand.
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_face_flux(const StageArguments<Real>& a, std::int64_t at, int axis,
                                              const Primitive<Real>& l, const Primitive<Real>& r) {
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
      {Real(0.5) * (l.u + r.u), Real(0.5) * (l.v + r.v), Real(0.5) * (l.w + r.w)}, a.transport);
}

}  // namespace halfstep
