// HLLC with less dissipation of slow flow: Minoshima & Miyoshi (2021), J. Comput. Phys. 446, 110639, without
// their detector of shocks, which looks at cells beside the face.
//
// A jump of the normal velocity raises HLLC's pressure by the impedance rho c times the jump, in proportion
// to the sound speed. In slow flow such jumps are no sound but the reconstruction's error, and the kinetic
// energy that they take exceeds what the flow has. Here they count in proportion to the flow's own speed. A
// jump of the pressure drives mass through the face as it does in HLLC, and that keeps chequerboards away.
#pragma once

#include "physics/flux/riemann/hllc.hpp"

namespace halfstep {

struct Lhllc {
  struct Damping {
    static constexpr bool is_reduced = true;

    /// Returns (1 - M)^2, M the larger Mach number, or 0 in supersonic flow. With it the star state's
    /// internal energy stays positive: the jump is at most M times the sum of the sound speeds. M is at least
    /// that of the speed that the jump of the pressure drives, root(jump / density): without that, which is
    /// not the paper's, gas at rest behind a strong shock keeps the shock's noise.
    template <class Real>
    HALFSTEP_HD static Real missing(const Primitive<Real>& l, const Primitive<Real>& r,
                                    const IdealGas<Real>& gas) {
      constexpr Real least = Real(1e-20);  // roots of zero are not defined on a device
      const Real driven =
          quotient(magnitude(r.pressure - l.pressure), gas.gamma * min(l.pressure, r.pressure));
      const Real larger = max(max(mach_squared_of(l, gas), mach_squared_of(r, gas)), max(driven, least));
      return square(Real(1) - square_root(min(larger, Real(1))));
    }

   private:
    template <class Real>
    HALFSTEP_HD static Real mach_squared_of(const Primitive<Real>& q, const IdealGas<Real>& gas) {
      return quotient(Real(2) * kinetic_energy(q), gas.gamma * q.pressure);
    }
  };

  /// Returns the flux through a face between the states `l` and `r`, u normal to the face. In supersonic flow
  /// it is HLLC's to the last bit.
  template <class Real>
  HALFSTEP_HD static Conserved<Real> flux(const Primitive<Real>& l, const Primitive<Real>& r,
                                          const IdealGas<Real>& gas) {
    return three_wave_flux<Damping>(l, r, gas);
  }
};

}  // namespace halfstep
