// From cell averages in memory to the viscous flux through a face: second order, central.
#pragma once

#include "physics/stage.hpp"
#include "physics/viscous.hpp"

namespace halfstep {

/// Through the lower face along `axis` of the cell at the place `at` of a.in, between the states `l` and `r`,
/// rotated; the flux is rotated as well. Reads the neighbours of both cells in the plane of the face, so all
/// of them, ghost cells at edges and corners too, must be filled.
template <class Real>
HALFSTEP_HD Conserved<Real> viscous_face_flux(const StageArguments<Real>& a, std::int64_t at, int axis,
                                              const Primitive<Real>& l, const Primitive<Real>& r) {
  const std::int64_t f = a.layout.field_stride, cell[2] = {at - a.layout.stride[axis], at};
  struct Tangential {
    Real of_normal, of_own;  // of the normal velocity, and of the one along the tangential axis
  };
  // The mean of the two cells' central differences along a tangential axis.
  const auto along = [&](int tangential) -> Tangential {
    if (a.layout.ghosts[tangential] == 0) return {Real(0), Real(0)};
    const std::int64_t step = a.layout.stride[tangential];
    Tangential sum[2];
    for (int side = 0; side < 2; ++side) {
      const Real *lower = a.in + cell[side] - step, *upper = a.in + cell[side] + step;
      const Real lower_volume = Real(1) / lower[0], upper_volume = Real(1) / upper[0];
      const std::int64_t normal = (1 + axis) * f, own = (1 + tangential) * f;
      sum[side] = {upper[normal] * upper_volume - lower[normal] * lower_volume,
                   upper[own] * upper_volume - lower[own] * lower_volume};
    }
    const Real scale = Real(0.25) * a.inverse_dx[tangential];
    return {scale * (sum[0].of_normal + sum[1].of_normal), scale * (sum[0].of_own + sum[1].of_own)};
  };
  const Tangential first = along(axis == 0 ? 1 : 0), second = along(axis == 2 ? 1 : 2);
  const Real by_normal = a.inverse_dx[axis];
  return viscous_flux<Real>({by_normal * (r.u - l.u), by_normal * (r.v - l.v), by_normal * (r.w - l.w),
                             by_normal * (temperature(r) - temperature(l)), first.of_normal, first.of_own,
                             second.of_normal, second.of_own},
                            l, r, a.transport);
}

}  // namespace halfstep
