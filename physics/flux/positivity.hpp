// The positivity-preserving flux limiter of Hu, Adams & Shu (2013, J. Comput. Phys. 242, 169): a high-order
// flux is blended with Rusanov's between the cells beside the face, just enough to leave both of them a
// positive density and pressure. Both take the blended flux, so that the scheme stays conservative.
//
// A cell's update is a sum of parts, one for each face: share * U -+ dt / dx * F, the shares adding up to
// one. If the parts are positive, so is the sum. Hu, Adams & Shu give every face the same share; here a face
// first gets the share that the flow carries out through it, and the rest is distributed evenly. A fast
// stream along one axis is therefore not limited, as long as it does not empty its cells in one step.
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/flux/riemann/rusanov.hpp"
#include "physics/gas/admissible.hpp"

namespace halfstep {

/// Returns the Courant number, as time.cfl, up to which Rusanov's flux leaves every part positive. That needs
/// share >= dt / dx (a + u_n + kappa c) / 2, where a is the fastest signal of the two cells, u_n the cell's
/// velocity out of it, and kappa^2 = (gamma - 1) / (2 gamma).
inline double positive_cfl(int active_axes, double gamma) {
  const double d = active_axes, kappa = std::sqrt((gamma - 1) / (2 * gamma));
  return 1 / (d + std::max(d > 1 ? 1.0 : 0.0, d * kappa));
}

/// dt / dx along the normal of a face and along its two tangential axes, 0 where an axis is not active.
template <class Real>
struct FaceStep {
  Real normal, first, second;
  Real even_share;  ///< 1 / (number of faces of a cell)
};

/// Returns the step at a face across `axis`, axes in the order of rotated(). `inverse_dx`: 0 where an axis is
/// not active; `faces`: of a cell.
template <class Real>
HALFSTEP_HD FaceStep<Real> face_step(const Real (&inverse_dx)[3], int faces, Real dt, int axis) {
  return {dt * inverse_dx[axis], dt * inverse_dx[axis == 0 ? 1 : 0], dt * inverse_dx[axis == 2 ? 1 : 2],
          Real(1) / Real(faces)};
}

/// The factor (1 - margin) on a part's energy: states with (1 - margin) E above their kinetic energy form a
/// convex cone, so that parts within it add up to an update within it. The margin is twice that of
/// is_admissible(), as the parts are rounded differently from the update.
template <class Real>
inline constexpr auto kHeldEnergy = 1 - 2 * kEnergyMargin<Real>;

/// The part of a cell's update that belongs to one of its faces.
template <class Real>
struct PartialUpdate {
  /// The least fraction of the part's density and internal energy that a limited flux leaves. Hu, Adams & Shu
  /// have 1e-13, less than the round-off of the kinetic energy at Mach 2000.
  static constexpr Real kLeast = Real(1e-3);

  Conserved<Real> before;
  Real least_density, least_energy;
  Real scale;  ///< of the flux, negative where it leaves the cell

  /// Prepares the part of `cell`. `out`: 1 for the cell below the face, -1 for the one above it.
  HALFSTEP_HD PartialUpdate(const Primitive<Real>& cell, Real out, const FaceStep<Real>& step,
                            const IdealGas<Real>& gas)
      : scale(-out * step.normal) {
    const Real carried =
        step.normal * magnitude(cell.u) + (step.first * magnitude(cell.v) + step.second * magnitude(cell.w));
    const Real share =
        step.normal * max(out * cell.u, Real(0)) + step.even_share * max(Real(1) - carried, Real(0));
    before = share * to_conserved(cell, gas);
    least_density = kLeast * share * cell.density;
    least_energy = kLeast * share * (cell.pressure * gas.energy_per_pressure);
  }

  HALFSTEP_HD Conserved<Real> after(const Conserved<Real>& flux) const { return before + scale * flux; }
  /// Whether the flux leaves at least the least density and energy. Without a division: 2 rho (E - least) >=
  /// m^2, with the margin for round-off.
  HALFSTEP_HD bool allows(const Conserved<Real>& flux) const {
    constexpr auto two = 2 * kHeldEnergy<Real>;
    const Conserved<Real> c = after(flux);
    return (c.density >= least_density) &
           (Real(two) * c.density * (c.energy - least_energy) >= c.mu * c.mu + (c.mv * c.mv + c.mw * c.mw));
  }
};

/// Returns the internal energy per volume, less the margin for round-off. It is a concave function of the
/// state where the density is positive.
template <class Real>
HALFSTEP_HD Real internal_energy(const Conserved<Real>& c) {
  return Real(kHeldEnergy<Real>) * c.energy -
         Real(0.5) * (c.mu * c.mu + (c.mv * c.mv + c.mw * c.mw)) / c.density;
}

/// Returns the largest fraction, from 0 to 1, of the way from `low` to `high` that leaves at least `least`; 0
/// where `low` leaves less or a value is NaN.
template <class Real>
HALFSTEP_HD Real part_that_leaves(Real least, Real low, Real high) {
  const Real part = (low - least) / (low - high);
  return high >= least ? Real(1) : (low > least) & (part > Real(0)) ? part : Real(0);
}

/// Returns part * high + (1 - part) * low.
template <class Real>
HALFSTEP_HD Conserved<Real> blended(Real part, const Conserved<Real>& high, const Conserved<Real>& low) {
  if (!(part > Real(0))) return low;  // also where the high-order flux is NaN
  return part * high + (Real(1) - part) * low;
}

/// Whether the flux leaves the cells `cell_l` and `cell_r` beside its face positive. Branch-free, for whole
/// rows of faces.
template <class Real>
HALFSTEP_HD bool leaves_positive(const Conserved<Real>& flux, const Primitive<Real>& cell_l,
                                 const Primitive<Real>& cell_r, const FaceStep<Real>& step,
                                 const IdealGas<Real>& gas) {
  return PartialUpdate<Real>(cell_l, Real(1), step, gas).allows(flux) &
         PartialUpdate<Real>(cell_r, Real(-1), step, gas).allows(flux);
}

/// Returns the limited flux for the high-order flux `high`, bit for bit the same where that leaves both cells
/// positive. Rusanov's flux leaves them positive up to positive_cfl(); beyond that nothing is guaranteed. Hu,
/// Adams & Shu (2013), section 2: first the density, which is linear in the flux; then the internal energy,
/// which by concavity is no less than its interpolation.
template <class Real>
HALFSTEP_HD Conserved<Real> positive_flux(const Conserved<Real>& high, const Primitive<Real>& cell_l,
                                          const Primitive<Real>& cell_r, const FaceStep<Real>& step,
                                          const IdealGas<Real>& gas) {
  if (leaves_positive(high, cell_l, cell_r, step, gas)) return high;
  const Conserved<Real> low = Rusanov::flux(cell_l, cell_r, gas);
  const PartialUpdate<Real> cells[2] = {{cell_l, Real(1), step, gas}, {cell_r, Real(-1), step, gas}};
  Real of_density = Real(1), of_energy = Real(1);
  for (const PartialUpdate<Real>& cell : cells)
    of_density = min(part_that_leaves(cell.least_density, cell.after(low).density, cell.after(high).density),
                     of_density);
  const Conserved<Real> dense = blended(of_density, high, low);
  for (const PartialUpdate<Real>& cell : cells)
    of_energy = min(part_that_leaves(cell.least_energy, internal_energy(cell.after(low)),
                                     internal_energy(cell.after(dense))),
                    of_energy);
  return blended(of_density * of_energy, high, low);
}

}  // namespace halfstep
