// A scheme chosen at run time, face by face. Not for hot loops.
#pragma once

#include "physics/flux/face_flux.hpp"
#include "physics/flux/scalar_flux.hpp"
#include "physics/flux/two_gas_flux.hpp"

namespace halfstep {

/// Calls f(reconstruction) with an object of the type, for a limiter.
template <template <Limiter> class Limited, class F>
HALFSTEP_HD auto with_limiter(Limiter limiter, const F& f) {
  switch (limiter) {
#define HALFSTEP_CASE(name, summary) \
  case Limiter::name:                \
    return f(Limited<Limiter::name>{});
    HALFSTEP_LIMITERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
  }
  __builtin_unreachable();
}

/// Calls f(reconstruction) with an object of the scheme's reconstruction.
template <class F>
HALFSTEP_HD auto with_reconstruction(const Scheme& s, const F& f) {
  switch (s.reconstruction) {
#define HALFSTEP_PLAIN(name, Type, order, summary) \
  case Reconstruction::name:                       \
    return f(Type{});
#define HALFSTEP_LIMITED(name, Type, order, summary) \
  case Reconstruction::name:                         \
    return with_limiter<Type>(s.limiter, f);
    HALFSTEP_RECONSTRUCTIONS(HALFSTEP_PLAIN, HALFSTEP_LIMITED)
#undef HALFSTEP_PLAIN
#undef HALFSTEP_LIMITED
  }
  __builtin_unreachable();
}

/// Reconstructs a cell along an axis with the scheme. `q`: 2 * kMaxLayers - 1 states, the cell in the middle.
template <class Real>
HALFSTEP_HD EdgeStates<Real> any_edge_states(const Scheme& s, const Primitive<Real>* q,
                                             const IdealGas<Real>& gas) {
  return with_reconstruction(s, [&](auto reconstruction) {
    using Reconstruction = decltype(reconstruction);
    const Primitive<Real>* first = q + kMaxLayers - 1 - Reconstruction::radius;
    return s.variables == Variables::characteristic
               ? edge_states<Reconstruction, Variables::characteristic>(first, gas)
               : edge_states<Reconstruction, Variables::primitive>(first, gas);
  });
}

/// Returns a scalar's flux through a face. fraction(m): the mass fraction in the m-th cell above the face, or
/// the -m-th below it.
template <class Real, class Fraction>
HALFSTEP_HD Real any_scalar_flux(const Scheme& s, const Fraction& fraction, Real mass_flux,
                                 bool first_order) {
  return with_reconstruction(s, [&](auto reconstruction) {
    using Reconstruction = decltype(reconstruction);
    const auto around = [&](int m) { return fraction(m - 1 - Reconstruction::radius); };
    return scalar_flux<Reconstruction>(around, mass_flux, first_order);
  });
}

/// Reconstructs the volume fractions on both sides of a face; `fraction` as above.
template <class Real, class Fraction>
HALFSTEP_HD SideFractions<Real> any_side_fractions(const Scheme& s, const Fraction& fraction) {
  return with_reconstruction(s, [&](auto reconstruction) {
    using Reconstruction = decltype(reconstruction);
    const auto around = [&](int m) { return fraction(m - 1 - Reconstruction::radius); };
    return side_fractions<Reconstruction, Real>(around);
  });
}

template <class Real>
HALFSTEP_HD FaceFlux<Real> any_checked_flux(Riemann riemann, const Primitive<Real>& l,
                                            const Primitive<Real>& r, const Primitive<Real>& cell_l,
                                            const Primitive<Real>& cell_r, const IdealGas<Real>& gas) {
  switch (riemann) {
#define HALFSTEP_CASE(name, Type, summary) \
  case Riemann::name:                      \
    return checked_flux<Type>(l, r, cell_l, cell_r, gas);
    HALFSTEP_RIEMANN_SOLVERS(HALFSTEP_CASE)
#undef HALFSTEP_CASE
  }
  return {};
}

}  // namespace halfstep
