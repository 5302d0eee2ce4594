// The positivity-preserving flux limiter of Hu, Adams & Shu (2013, J. Comput. Phys. 242, 169): a high-order
// flux is blended with Rusanov's between the cells beside the face, no more than it takes to leave either of
// them a positive density and pressure. Both take the blended flux, so nothing is lost between them.
//
// A cell's update is a sum of parts, one a face: share * U -+ dt / dx * F, the shares adding up to one. If
// the parts are positive, so is the sum. Hu, Adams & Shu give every face the same share; here a face first
// gets what the flow carries out through it, and the rest is shared out evenly. So a fast stream along one
// axis is left alone, as long as it does not empty its cells in one step.
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/riemann/rusanov.hpp"
#include "physics/stage.hpp"

namespace halfstep {

/// The Courant number, as of time.cfl, up to which Rusanov's flux leaves every part positive: with it
/// share >= dt / dx (a + u_n + kappa c) / 2 is needed, where a is the fastest signal of the two cells, u_n
/// the cell's velocity out of it, and kappa^2 = (gamma - 1) / (2 gamma).
inline double positive_cfl(int swept_axes, double gamma) {
  const double d = swept_axes, kappa = std::sqrt((gamma - 1) / (2 * gamma));
  return 1 / (d + std::max(d > 1 ? 1.0 : 0.0, d * kappa));
}

/// dt / dx along the normal of a face and along its two tangential axes, 0 where an axis is not swept.
template <class Real>
struct FaceStep {
  Real normal, first, second;
  Real even_share;  ///< 1 / (number of faces of a cell)
};

/// Axes in the order of `rotated`.
template <class Real>
HALFSTEP_HD FaceStep<Real> face_step(const StageArguments<Real>& a, Real dt, int axis) {
  int faces = 0;
  for (int n = 0; n < 3; ++n) faces += a.layout.ghosts[n] > 0 ? 2 : 0;
  return {dt * a.inverse_dx[axis], dt * a.inverse_dx[axis == 0 ? 1 : 0], dt * a.inverse_dx[axis == 2 ? 1 : 2],
          Real(1) / Real(faces)};
}

/// The share of a part's energy that counts: states with (1 - margin) E above their kinetic energy make a
/// convex cone, so that parts within it add up to an update within it. Twice the margin of is_admissible(),
/// as the parts are rounded otherwise than the update.
template <class Real>
inline constexpr auto kHeldEnergy = 1 - 2 * kEnergyMargin<Real>;

/// The part of a cell's update that belongs to one of its faces.
template <class Real>
struct PartialUpdate {
  /// Of what the cell gives to the face, the part of density and internal energy that a limited flux leaves
  /// at least. Hu, Adams & Shu have 1e-13, less than the round-off of the kinetic energy at Mach 2000.
  static constexpr Real kLeast = Real(1e-3);

  Conserved<Real> before;
  Real least_density, least_energy;
  Real scale;  ///< of the flux, negative where it leaves the cell

  /// `out`: 1 for the cell below the face, -1 for the one above it.
  HALFSTEP_HD PartialUpdate(const Primitive<Real>& cell, Real out, const FaceStep<Real>& step,
                            const IdealGas<Real>& gas)
      : scale(-out * step.normal) {
    const Real carried =
        step.normal * magnitude(cell.u) + (step.first * magnitude(cell.v) + step.second * magnitude(cell.w));
    const Real share =
        step.normal * larger(out * cell.u, Real(0)) + step.even_share * larger(Real(1) - carried, Real(0));
    before = share * to_conserved(cell, gas);
    least_density = kLeast * share * cell.density;
    least_energy = kLeast * share * (cell.pressure * gas.energy_per_pressure);
  }

  HALFSTEP_HD Conserved<Real> after(const Conserved<Real>& flux) const { return before + scale * flux; }
  /// No division: the energy left is enough if 2 rho (E - least) >= m^2, less the part that round-off takes.
  HALFSTEP_HD bool allows(const Conserved<Real>& flux) const {
    constexpr auto two = 2 * kHeldEnergy<Real>;
    const Conserved<Real> c = after(flux);
    return (c.density >= least_density) &
           (Real(two) * c.density * (c.energy - least_energy) >= c.mu * c.mu + (c.mv * c.mv + c.mw * c.mw));
  }
};

/// Per volume, less the part that round-off takes. A concave function of the state where the density is
/// positive.
template <class Real>
HALFSTEP_HD Real internal_energy(const Conserved<Real>& c) {
  return Real(kHeldEnergy<Real>) * c.energy -
         Real(0.5) * (c.mu * c.mu + (c.mv * c.mv + c.mw * c.mw)) / c.density;
}

/// The largest part, from 0 to 1, of the way from `low` to `high` on which no less than `least` is left, if
/// it is left at all. NaN is no way to go.
template <class Real>
HALFSTEP_HD Real part_that_leaves(Real least, Real low, Real high) {
  const Real part = (low - least) / (low - high);
  return high >= least ? Real(1) : (low > least) & (part > Real(0)) ? part : Real(0);
}

/// `part` of the high-order flux, the rest of the first-order one.
template <class Real>
HALFSTEP_HD Conserved<Real> blended(Real part, const Conserved<Real>& high, const Conserved<Real>& low) {
  if (!(part > Real(0))) return low;  // whatever the high-order flux is, NaN too
  return part * high + (Real(1) - part) * low;
}

/// Whether the flux leaves the cells `cell_l` and `cell_r` beside its face positive. No branch: for a whole
/// row of faces, of which few are limited.
template <class Real>
HALFSTEP_HD bool leaves_positive(const Conserved<Real>& flux, const Primitive<Real>& cell_l,
                                 const Primitive<Real>& cell_r, const FaceStep<Real>& step,
                                 const IdealGas<Real>& gas) {
  return PartialUpdate<Real>(cell_l, Real(1), step, gas).allows(flux) &
         PartialUpdate<Real>(cell_r, Real(-1), step, gas).allows(flux);
}

/// The flux through a face in place of the high-order flux `high`: the same to the bit where that leaves both
/// cells positive. Rusanov's leaves them so up to positive_cfl(); beyond that nothing can be promised. Hu,
/// Adams & Shu (2013), section 2: first the density, which is linear in the flux; then the internal energy,
/// by concavity no less than its interpolation.
template <class Real>
HALFSTEP_HD Conserved<Real> positive_flux(const Conserved<Real>& high, const Primitive<Real>& cell_l,
                                          const Primitive<Real>& cell_r, const FaceStep<Real>& step,
                                          const IdealGas<Real>& gas) {
  if (leaves_positive(high, cell_l, cell_r, step, gas)) return high;
  const Conserved<Real> low = Rusanov::flux(cell_l, cell_r, gas);
  const PartialUpdate<Real> cells[2] = {{cell_l, Real(1), step, gas}, {cell_r, Real(-1), step, gas}};
  Real of_density = Real(1), of_energy = Real(1);
  for (const PartialUpdate<Real>& cell : cells)
    of_density = smaller(
        part_that_leaves(cell.least_density, cell.after(low).density, cell.after(high).density), of_density);
  const Conserved<Real> dense = blended(of_density, high, low);
  for (const PartialUpdate<Real>& cell : cells)
    of_energy = smaller(part_that_leaves(cell.least_energy, internal_energy(cell.after(low)),
                                         internal_energy(cell.after(dense))),
                        of_energy);
  return blended(of_density * of_energy, high, low);
}

}  // namespace halfstep
