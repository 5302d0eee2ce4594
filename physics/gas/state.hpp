// The primitive and the conserved form of a flow state, at a point or averaged over a cell.
#pragma once

#include <string_view>

#include "runtime/device/host_device.hpp"

namespace halfstep {

/// Number of conserved fields: density, three momenta, total energy.
inline constexpr int kFields = 5;
/// Behind them a state may have scalars, each a mass per volume that the flow carries along.
inline constexpr int kMaxScalars = 8, kMaxFields = kFields + kMaxScalars;
/// The conserved fields in their order.
inline constexpr std::string_view kFieldNames[kFields] = {"density", "momentum_x", "momentum_y", "momentum_z",
                                                          "energy"};

/// Density, velocity and pressure. In a face problem u is normal to the face, v and w are tangential.
template <class Real>
struct Primitive {
  Real density, u, v, w, pressure;
};

/// Density, momentum density and total energy density; also the flux of each.
template <class Real>
struct Conserved {
  Real density, mu, mv, mw, energy;
};

/// Returns a state of what `of` makes of each field, which it is given as a pointer to a member.
template <class Real, class Of>
HALFSTEP_HD Conserved<Real> by_field(const Of& of) {
  using C = Conserved<Real>;
  return {of(&C::density), of(&C::mu), of(&C::mv), of(&C::mw), of(&C::energy)};
}

template <class Real>
HALFSTEP_HD Conserved<Real> operator+(const Conserved<Real>& a, const Conserved<Real>& b) {
  return {a.density + b.density, a.mu + b.mu, a.mv + b.mv, a.mw + b.mw, a.energy + b.energy};
}
template <class Real>
HALFSTEP_HD Conserved<Real> operator-(const Conserved<Real>& a, const Conserved<Real>& b) {
  return {a.density - b.density, a.mu - b.mu, a.mv - b.mv, a.mw - b.mw, a.energy - b.energy};
}
template <class Real>
HALFSTEP_HD Conserved<Real> operator*(Real s, const Conserved<Real>& a) {
  return {s * a.density, s * a.mu, s * a.mv, s * a.mw, s * a.energy};
}

template <class Real>
HALFSTEP_HD Conserved<double> widened(const Conserved<Real>& a) {
  return {double(a.density), double(a.mu), double(a.mv), double(a.mw), double(a.energy)};
}

/// Returns `condition ? a : b`, selected field by field without a branch.
template <class Real>
HALFSTEP_HD Primitive<Real> select(bool condition, const Primitive<Real>& a, const Primitive<Real>& b) {
  return {condition ? a.density : b.density, condition ? a.u : b.u, condition ? a.v : b.v,
          condition ? a.w : b.w, condition ? a.pressure : b.pressure};
}

}  // namespace halfstep
