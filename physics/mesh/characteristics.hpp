// The states beyond open sides, by the Riemann invariants of the flow along the side's normal. J.-R. Carlson,
// NASA/TM-2011-217181 (2011); T. J. Poinsot & S. K. Lele, J. Comput. Phys. 101 (1992) 104. Each is a pure
// function of the state inside, taken from the cell beside the side, and of a reference state. Waves along
// the normal pass; a part of a wave at an angle is reflected. What a stream carries out of a far field
// passes.
#pragma once

#include <cmath>

#include "physics/base/portable_math.hpp"
#include "physics/gas/eos.hpp"
#include "physics/gas/state.hpp"

namespace halfstep {

/// A side of the domain: its axis, and 0 for the lower or 1 for the upper one.
struct Side {
  int axis, side;

  /// Returns the velocity along the outward normal.
  HALFSTEP_HD double outward(const Primitive<double>& q) const {
    const double along = axis == 0 ? q.u : axis == 1 ? q.v : q.w;
    return side == 0 ? -along : along;
  }
  HALFSTEP_HD void set_outward(Primitive<double>& q, double velocity) const {
    (axis == 0 ? q.u : axis == 1 ? q.v : q.w) = side == 0 ? -velocity : velocity;
  }
};

/// Returns the speed of sound, with the same bits on every backend.
HALFSTEP_HD double speed_of_sound(const Primitive<double>& q, const IdealGas<double>& gas) {
  return std::sqrt(gas.gamma * q.pressure / q.density);
}

/// Returns the invariant that comes from inside: u + 2 c / (gamma - 1), u outwards.
HALFSTEP_HD double outgoing_invariant(Side side, const Primitive<double>& inside,
                                      const IdealGas<double>& gas) {
  return side.outward(inside) + 2 * speed_of_sound(inside, gas) / (gas.gamma - 1);
}

/// Returns the state with its speed of sound multiplied by `ratio` at the same entropy.
HALFSTEP_HD Primitive<double> with_sound_speed(Primitive<double> q, double ratio,
                                               const IdealGas<double>& gas) {
  const double density_ratio = portable::pow(ratio, 2 / (gas.gamma - 1));
  q.density *= density_ratio;
  q.pressure *= density_ratio * (ratio * ratio);
  return q;
}

/// Returns the state of `boundary: subsonic_outflow`: the reference's pressure, the entropy, the tangential
/// velocity and the invariant from inside. All is from inside where the flow leaves faster than sound.
HALFSTEP_HD Primitive<double> subsonic_outflow(Side side, const Primitive<double>& inside,
                                               const Primitive<double>& reference,
                                               const IdealGas<double>& gas) {
  const double c = speed_of_sound(inside, gas), speed = side.outward(inside);
  if (speed >= c) return inside;
  const double ratio = portable::pow(reference.pressure / inside.pressure, (gas.gamma - 1) / (2 * gas.gamma));
  Primitive<double> q = with_sound_speed(inside, ratio, gas);
  side.set_outward(q, speed + 2 * c * (1 - ratio) / (gas.gamma - 1));
  q.pressure = reference.pressure;
  return q;
}

/// Returns the state of `boundary: subsonic_inflow`: the reference's velocity and temperature, the pressure
/// that the invariant from inside has at that velocity.
HALFSTEP_HD Primitive<double> subsonic_inflow(Side side, const Primitive<double>& inside,
                                              const Primitive<double>& reference,
                                              const IdealGas<double>& gas) {
  const double slower = side.outward(inside) - side.outward(reference);
  const double ratio = 1 + 0.5 * (gas.gamma - 1) * slower / speed_of_sound(inside, gas);
  Primitive<double> q = reference;
  q.pressure = with_sound_speed(inside, ratio, gas).pressure;
  q.density = q.pressure * reference.density / reference.pressure;
  return q;
}

/// Returns the state of `boundary: reservoir`: gas that has come from rest at the reference's pressure and
/// density along the normal, at no more than the speed of sound. Gas at rest where the invariant from inside
/// asks for a flow outwards.
HALFSTEP_HD Primitive<double> reservoir(Side side, const Primitive<double>& inside,
                                        const Primitive<double>& reference, const IdealGas<double>& gas) {
  const double g = gas.gamma - 1, c0 = speed_of_sound(reference, gas);
  const double invariant = outgoing_invariant(side, inside, gas);
  // The larger root c of c^2 + g/2 (2 c / g - invariant)^2 = c0^2, the energy of the gas.
  const double a = (gas.gamma + 1) / g, rest = a * c0 * c0 - 0.5 * g * invariant * invariant;
  const double root = (invariant + std::sqrt(rest > 0 ? rest : 0)) / a;
  const double sonic = c0 * std::sqrt(2 / (gas.gamma + 1));
  double c = root > sonic ? root : sonic;
  double inwards = root > sonic ? 2 * root / g - invariant : sonic;
  if (!(inwards > 0)) c = c0, inwards = 0;
  Primitive<double> q = with_sound_speed(reference, c / c0, gas);
  q.u = q.v = q.w = 0;
  side.set_outward(q, -inwards);
  return q;
}

/// Returns the ratio of two sound speeds, or a small one where gas runs apart faster than it can.
HALFSTEP_HD double kept_from_vacuum(double ratio) { return ratio > 0.01 ? ratio : 0.01; }

/// Returns the state of `boundary: far_field`: that between two rarefactions that meet at the side (E. F.
/// Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 2009, eq. 4.46). The outgoing invariant is
/// from inside, the incoming one of the reference, each at its own entropy, so that a contact passes. Entropy
/// and tangential velocity are of the one from which the gas comes.
HALFSTEP_HD Primitive<double> far_field(Side side, const Primitive<double>& inside,
                                        const Primitive<double>& reference, const IdealGas<double>& gas) {
  const double g = gas.gamma - 1, c_in = speed_of_sound(inside, gas), c_far = speed_of_sound(reference, gas);
  const double u_in = side.outward(inside), u_far = side.outward(reference);
  if (u_in >= c_in) return inside;
  if (u_far <= -c_far) return reference;
  // The ratios of sound speeds to those beside the rarefactions; a vacuum between them is kept from.
  const double scale = portable::pow(reference.pressure / inside.pressure, g / (2 * gas.gamma));
  const double ratio = kept_from_vacuum((c_in + c_far + 0.5 * g * (u_in - u_far)) / (c_in + c_far / scale));
  const double velocity = u_in + 2 * c_in * (1 - ratio) / g;
  Primitive<double> q =
      velocity > 0 ? with_sound_speed(inside, ratio, gas) : with_sound_speed(reference, ratio / scale, gas);
  side.set_outward(q, velocity);
  return q;
}

/// How the state of the cell beside a side varies.
struct Variation {
  Primitive<double> outwards{};  ///< the change from that cell to the ghost cell if it goes on as inside
  Primitive<double> along[3]{};  ///< the derivatives along the axes, 0 along the side's own
  double distance = 0;           ///< from that cell to the ghost cell
  double extent = 1;             ///< of the domain along the normal
};

/// The share of its distance from the reference that the incoming invariant of carried_out() loses over the
/// extent of the domain. It keeps the mean pressure from drifting, as sigma of Poinsot & Lele does.
inline constexpr double kFarFieldRelaxation = 0.25;

/// Returns the terms along the side of the equation of p - rho c u, u outwards (C. S. Yoo & H. G. Im,
/// Combust. Theory Model. 11 (2007) 259), in the frame that moves along the side with the reference.
HALFSTEP_HD double transverse_terms(Side side, const Primitive<double>& inside,
                                    const Primitive<double>& reference, const Variation& variation,
                                    const IdealGas<double>& gas) {
  const double c = speed_of_sound(inside, gas), impedance = inside.density * c;
  const double drift[3] = {inside.u - reference.u, inside.v - reference.v, inside.w - reference.w};
  double sum = 0;
  for (int a = 0; a < 3; ++a) {
    if (a == side.axis) continue;
    const Primitive<double>& slope = variation.along[a];
    const double stretching = a == 0 ? slope.u : a == 1 ? slope.v : slope.w;
    sum += drift[a] * (slope.pressure - impedance * side.outward(slope)) + impedance * c * stretching;
  }
  return sum;
}

/// Returns the state beyond a far field through which the reference's stream leaves. What leaves goes on as
/// inside. The incoming p - rho c u does not change in the stream's frame: M. B. Giles, AIAA J. 28 (1990)
/// 2050, demands this of small disturbances at an outflow. Its equation then gives its slope,
///   (c + u_far - u) d(p - rho c u)/dn = transverse_terms().
/// So a vortex passes, whose incoming invariant is not the reference's.
HALFSTEP_HD Primitive<double> carried_out(Side side, const Primitive<double>& inside,
                                          const Primitive<double>& reference, const Variation& variation,
                                          const IdealGas<double>& gas) {
  const double c = speed_of_sound(inside, gas), impedance = inside.density * c;
  const double u_in = side.outward(inside), u_far = side.outward(reference);
  Primitive<double> step = variation.outwards;
  if (u_in < 0) {  // slopes from inside would grow where gas comes back
    step = {step.pressure / (c * c), 0, 0, 0, step.pressure};
    side.set_outward(step, side.outward(variation.outwards));
  }
  // Beside a shock a slope tells nothing.
  if (!(step.density > -0.5 * inside.density && step.pressure > -0.5 * inside.pressure)) step = {};
  Primitive<double> q{inside.density + step.density, inside.u + step.u, inside.v + step.v, inside.w + step.w,
                      inside.pressure + step.pressure};
  if (u_in >= c) return q;
  const double slope = transverse_terms(side, inside, reference, variation, gas) / (c + u_far - u_in);
  const double lag = reference.pressure - inside.pressure - impedance * (u_far - u_in);
  const double change = variation.distance * (slope + kFarFieldRelaxation / variation.extent * lag);
  const double half = 0.5 * (change - (step.pressure - impedance * side.outward(step)));
  q.pressure += half;
  q.density += half / (c * c);
  side.set_outward(q, side.outward(q) - half / impedance);
  return q;
}

/// Returns how far the gas beside a far field counts as carried out by the reference's stream, 0 to 1. Gas
/// that comes back faster than the stream leaves counts less, at twice the speed not at all. So does all gas
/// in a stream slower than a quarter of the speed of sound: sound from the side is soon gone there, and
/// pressure would take long to come back to the reference's.
HALFSTEP_HD double carried_share(double u_in, double u_far, double c_far) {
  if (!(u_far > 0 && u_in > -2 * u_far)) return 0;
  const double of_the_gas = u_in < -u_far ? 2 + u_in / u_far : 1, mach = u_far / c_far;
  return mach < 0.25 ? of_the_gas * (4 * mach) : of_the_gas;
}

/// Returns the state of `boundary: far_field` where it is known how the state inside varies: between the
/// reference met in one dimension and carried_out(), by carried_share().
HALFSTEP_HD Primitive<double> far_field(Side side, const Primitive<double>& inside,
                                        const Primitive<double>& reference, const Variation& variation,
                                        const IdealGas<double>& gas) {
  const double a =
      carried_share(side.outward(inside), side.outward(reference), speed_of_sound(reference, gas));
  const Primitive<double> q = carried_out(side, inside, reference, variation, gas);
  const bool sound = q.density > 0.1 * inside.density && q.pressure > 0.1 * inside.pressure;
  if (sound && a == 1) return q;
  const Primitive<double> met = far_field(side, inside, reference, gas);
  if (!sound || a == 0) return met;
  const double b = 1 - a;
  return {a * q.density + b * met.density, a * q.u + b * met.u, a * q.v + b * met.v, a * q.w + b * met.w,
          a * q.pressure + b * met.pressure};
}

}  // namespace halfstep
