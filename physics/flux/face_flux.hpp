// From cell averages to the flux through a face: reconstruction, check, Riemann solver. The same code serves
// every direction: states are rotated so that u is normal to the face.
#pragma once

#include "physics/base/unrolled.hpp"
#include "physics/flux/scheme.hpp"
#include "physics/gas/admissible.hpp"

namespace halfstep {

/// The states at a cell's two edges along one axis.
template <class Real>
struct EdgeStates {
  Primitive<Real> lower, upper;
};

/// Returns a cell's reconstructed edge states. `q`: 2 radius + 1 states along the axis, the cell in the
/// middle.
template <class Reconstruction, Variables variables, class Real>
HALFSTEP_HD EdgeStates<Real> edge_states(const Primitive<Real>* q, const IdealGas<Real>& gas) {
  constexpr int r = Reconstruction::radius;
  const Primitive<Real>& cell = q[r];
  if constexpr (r == 0) {
    return {cell, cell};
  } else {
    // First differences of each variable; in characteristic form of p - Zu, rho - p/c^2, v, w, p + Zu, with
    // the acoustic impedance Z = rho c of this cell (Toro 2009, section 3.1.2).
    constexpr bool characteristic = variables == Variables::characteristic;
    const AcousticScales<Real> scales = acoustic_scales(cell, gas);
    const Real inverse_c2 = scales.inverse_c2;
    const Real impedance = characteristic ? square_root(scales.impedance2) : Real(0),
               inverse_impedance = impedance * scales.inverse_impedance2;
    Real d[kFields][2 * r];
    unrolled<2 * r>([&](int i) HALFSTEP_INLINED {
      const Real density = q[i + 1].density - q[i].density, pressure = q[i + 1].pressure - q[i].pressure;
      const Real u = q[i + 1].u - q[i].u;
      d[2][i] = q[i + 1].v - q[i].v;
      d[3][i] = q[i + 1].w - q[i].w;
      if constexpr (characteristic) {
        d[0][i] = fma(-impedance, u, pressure);
        d[1][i] = fma(-inverse_c2, pressure, density);
        d[4][i] = fma(impedance, u, pressure);
      } else {
        d[0][i] = density;
        d[1][i] = u;
        d[4][i] = pressure;
      }
    });
    // Inverse squares of the scales of a large change: density and pressure themselves, and the sound speed.
    const Real of_density = scales.inverse_density2(), of_pressure = scales.inverse_pressure2();
    const EdgeIncrements<Real> e0 = Reconstruction::edges(d[0], characteristic ? of_pressure : of_density),
                               e1 = Reconstruction::edges(d[1], characteristic ? of_density : inverse_c2),
                               e2 = Reconstruction::edges(d[2], inverse_c2),
                               e3 = Reconstruction::edges(d[3], inverse_c2),
                               e4 = Reconstruction::edges(d[4], of_pressure);
    const auto state = [&](Real i0, Real i1, Real i2, Real i3, Real i4) HALFSTEP_INLINED -> Primitive<Real> {
      if constexpr (characteristic) {
        const Real pressure = Real(0.5) * (i0 + i4);
        return {cell.density + fma(pressure, inverse_c2, i1),
                fma(Real(0.5) * (i4 - i0), inverse_impedance, cell.u), cell.v + i2, cell.w + i3,
                cell.pressure + pressure};
      } else {
        return {cell.density + i0, cell.u + i1, cell.v + i2, cell.w + i3, cell.pressure + i4};
      }
    };
    return {state(e0.lower, e1.lower, e2.lower, e3.lower, e4.lower),
            state(e0.upper, e1.upper, e2.upper, e3.upper, e4.upper)};
  }
}

template <class Real>
struct FaceFlux {
  Conserved<Real> flux;
  bool bad;  ///< a reconstructed state was inadmissible: the flux is that between the cell averages
};

/// Returns the flux between the reconstructed states `l` and `r` of the cells `cell_l` and `cell_r`. Where
/// one of them is not admissible, the face is first order on both sides, which is conservative, too.
template <class RiemannSolver, class Real>
HALFSTEP_HD FaceFlux<Real> checked_flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                        const Primitive<Real>& cell_l, const Primitive<Real>& cell_r,
                                        const IdealGas<Real>& gas) {
  const bool good = is_admissible(l) & is_admissible(r);
  return {RiemannSolver::flux(select(good, l, cell_l), select(good, r, cell_r), gas), !good};
}

/// Returns the flux through a face from the 2 radius + 2 states around it, half of them on each side.
template <class Reconstruction, Variables variables, class RiemannSolver, class Real>
HALFSTEP_HD FaceFlux<Real> face_flux(const Primitive<Real>* q, const IdealGas<Real>& gas) {
  constexpr int r = Reconstruction::radius;
  const Primitive<Real> left = edge_states<Reconstruction, variables>(q, gas).upper;
  const Primitive<Real> right = edge_states<Reconstruction, variables>(q + 1, gas).lower;
  return checked_flux<RiemannSolver>(left, right, q[r], q[r + 1], gas);
}

}  // namespace halfstep
