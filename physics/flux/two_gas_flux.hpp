// The flux through a face between cells of two gases. The volume fraction z of the second gas is advected,
// dz/dt
// + u grad z = 0, with the velocity at which the Riemann solver moves mass through the face, so that energy
// and 1 / (gamma - 1) are carried alike: R. Abgrall & S. Karni 2001, J. Comput. Phys. 169, 594; for HLLC in
// this form E. Johnsen & T. Colonius 2006, J. Comput. Phys. 219, 715, eqs. 19 and 20.
#pragma once

#include "physics/flux/face_flux.hpp"
#include "physics/flux/scalar_flux.hpp"
#include "physics/gas/gases.hpp"

namespace halfstep {

/// The volume that passes a face per area and time, upwards if positive: of both gases, which is a velocity,
/// and of the second gas.
template <class Real>
struct VolumeFlux {
  Real of_both, of_second;

  /// Returns what the face adds to the divergence of a cell with the volume fraction `own`: nothing where the
  /// face has the same fraction.
  HALFSTEP_HD Real relative_to(Real own) const { return of_second - own * of_both; }
};

/// The volume fractions on the two sides of a face.
template <class Real>
struct SideFractions {
  Real left, right;
};

/// Reconstructs the volume fractions on both sides of a face as the flow's variables. fraction(m): that in
/// the m-th of the 2 radius + 2 cells around the face, half of them on each side.
template <class Reconstruction, class Real, class Fraction>
HALFSTEP_HD SideFractions<Real> side_fractions(const Fraction& fraction) {
  constexpr int r = Reconstruction::radius;
  Real upwards[2 * r + 1], downwards[2 * r + 1];
  unrolled<2 * r + 1>([&](int m) HALFSTEP_INLINED {
    upwards[m] = fraction(m);
    downwards[m] = fraction(2 * r + 1 - m);
  });
  return {upper_edge_fraction<Reconstruction>(upwards), upper_edge_fraction<Reconstruction>(downwards)};
}

template <class Real>
struct TwoGasFlux {
  Conserved<Real> flux;
  VolumeFlux<Real> volume;
};

/// Returns HLLC's flux between states with these volume fractions.
template <class Real>
HALFSTEP_HD TwoGasFlux<Real> two_gas_flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                          const SideFractions<Real>& z, const Gases<Real>& gases) {
  const GasPair<Real> pair{gases.mixed(z.left), gases.mixed(z.right)};
  const Conserved<Real> flux = Hllc::flux(l, r, pair);
  const bool forward = flux.density >= Real(0);
  const Real velocity = quotient(flux.density, forward ? l.density : r.density);
  return {flux, {velocity, velocity * (forward ? z.left : z.right)}};
}

/// Returns Rusanov's flux, which carries volume fractions as densities.
template <class Real>
HALFSTEP_HD TwoGasFlux<Real> two_gas_rusanov_flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                                  const SideFractions<Real>& z, const Gases<Real>& gases) {
  const GasPair<Real> pair{gases.mixed(z.left), gases.mixed(z.right)};
  const Real speed = Rusanov::speed(l, r, pair);
  const Real carried = fma(r.u, z.right, l.u * z.left);
  return {Rusanov::flux(l, r, pair),
          {Real(0.5) * (l.u + r.u), Real(0.5) * (carried - speed * (z.right - z.left))}};
}

}  // namespace halfstep
