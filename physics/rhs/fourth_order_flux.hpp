// Corrections that make the fluxes fourth order. An average of products is not the product of averages: with
// D half the difference between a cell's two neighbours along an axis,
//   <f g> = <f> <g> + 1/12 sum over axes of (D f) (D g)
// to fourth order, by Taylor's expansion. A scheme that converts averages to primitive variables and takes
// the flux of a face's average state omits such terms twice: in the conversion, and over the face. To fourth
// order both are corrections to the fluxes, and need neither other reconstructions nor further Riemann
// problems. Along its normal a face lacks the conversion's term; along its tangents it lacks a stress rho
// Du_i Du_j and the heat flux rho Du DT, analogous to Reynolds'. (The conversion's term along the tangents
// cancels against a part of the latter.) McCorquodale & Colella (2011, Commun. Appl. Math. Comput. Sci. 6, 1)
// reach the same order with states in the middle of cells and faces, and evaluate every flux twice.
//
// At a discontinuity the products are meaningless. Each axis's are divided by 1 + 4 s^2, s the difference
// relative to the state, which in smooth flow is a change of fourth order, and bounds them elsewhere.
// Round-off can leave very fast, cold gas without a positive temperature; such a cell adds nothing.
#pragma once

#include "physics/base/classify.hpp"
#include "physics/gas/eos.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// The state from which the corrections are computed; in memory kFlowFields arrays, each as long as a field.
template <class Real>
struct FlowState {
  Real density, velocity[3], temperature;
};
inline constexpr int kFlowFields = 5;

template <class Real>
HALFSTEP_HD FlowState<Real> flow_state(const Conserved<Real>& c, const IdealGas<Real>& gas) {
  const Real volume = reciprocal(c.density);
  const Real u = c.mu * volume, v = c.mv * volume, w = c.mw * volume;
  const Real kinetic = Real(0.5) * (c.mu * u + c.mv * v + c.mw * w);
  return {c.density, {u, v, w}, pressure_per_energy(gas) * (c.energy - kinetic) * volume};
}

/// Half the difference between the states above and below along an axis.
template <class Real>
struct HalfDifference {
  Real velocity[3], temperature;
};

template <class Real>
HALFSTEP_HD HalfDifference<Real> half_difference(const FlowState<Real>& below, const FlowState<Real>& above) {
  const auto half = [](Real low, Real high) { return Real(0.5) * (high - low); };
  return {{half(below.velocity[0], above.velocity[0]), half(below.velocity[1], above.velocity[1]),
           half(below.velocity[2], above.velocity[2])},
          half(below.temperature, above.temperature)};
}

template <class Real>
HALFSTEP_HD Real dot(const Real (&a)[3], const Real (&b)[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Returns 1 / (1 + 4 s^2); 0 where the temperature is not positive and finite.
template <class Real>
HALFSTEP_HD Real less_where_steep(Real s_squared, Real temperature) {
  const Real less = reciprocal(Real(1) + Real(4) * s_squared);
  return positive_and_finite(temperature) ? less : Real(0);
}

/// The correction of the momentum and energy fluxes through faces along an axis; that of mass is zero.
template <class Real>
struct TangentialFlux {
  Real momentum[3], energy;
};

/// Returns a cell's part of the correction of the fluxes along `axis` for variation along one tangent:
/// F_uu(Du, Du) / 24 of the conserved fluxes F.
template <int axis, class Real>
HALFSTEP_HD TangentialFlux<Real> tangential_flux(const FlowState<Real>& q, const HalfDifference<Real>& d,
                                                 const IdealGas<Real>& gas) {
  const Real enthalpy = enthalpy_per_temperature(gas);
  const Real speeds = dot(d.velocity, d.velocity);
  const Real inverse = reciprocal(q.temperature), relative = inverse * d.temperature;
  const Real amount =
      Real(1.0 / 12) * q.density * less_where_steep(inverse * speeds + relative * relative, q.temperature);
  const Real normal = amount * d.velocity[axis];
  TangentialFlux<Real> f;
  for (int n = 0; n < 3; ++n) f.momentum[n] = normal * d.velocity[n];
  f.momentum[axis] -= Real(0.5) * pressure_per_energy(gas) * amount * speeds;
  f.energy = dot(q.velocity, f.momentum) + enthalpy * normal * d.temperature;
  return f;
}

/// Returns the sum for both tangents.
template <int axis, class Real>
HALFSTEP_HD TangentialFlux<Real> tangential_flux(const FlowState<Real>& q, const HalfDifference<Real>& first,
                                                 const HalfDifference<Real>& second,
                                                 const IdealGas<Real>& gas) {
  const TangentialFlux<Real> a = tangential_flux<axis>(q, first, gas),
                             b = tangential_flux<axis>(q, second, gas);
  return {{a.momentum[0] + b.momentum[0], a.momentum[1] + b.momentum[1], a.momentum[2] + b.momentum[2]},
          a.energy + b.energy};
}

/// Returns the correction of the flux along `axis` between two cells for the conversion of averages along it:
/// -F_u U_ww(Dw, Dw) / 24 of the primitive variables w. D is the difference between the cells.
template <int axis, class Real>
HALFSTEP_HD Conserved<Real> conversion_flux(const FlowState<Real>& below, const FlowState<Real>& above,
                                            const IdealGas<Real>& gas) {
  const Real enthalpy = enthalpy_per_temperature(gas);
  const auto middle = [](Real low, Real high) { return Real(0.5) * (low + high); };
  const Real density = middle(below.density, above.density),
             temperature = middle(below.temperature, above.temperature),
             by_density = above.density - below.density;
  Real u[3], du[3];
  for (int n = 0; n < 3; ++n) {
    u[n] = middle(below.velocity[n], above.velocity[n]);
    du[n] = above.velocity[n] - below.velocity[n];
  }
  const Real speeds = dot(du, du);
  // Relative to the thinner and the colder of the cells, for which a small part of the other's would be too
  // much.
  const Real thin = min(below.density, above.density), cold = min(below.temperature, above.temperature);
  const Reciprocals<Real> inverse = reciprocals(thin, cold);
  const Real relative = inverse.a * by_density;
  const Real amount = Real(-1.0 / 12) * less_where_steep(inverse.b * speeds + relative * relative, cold);
  // Momentum and energy, in the frame of the gas, that the conversion of averages omits.
  const Real m[3] = {amount * by_density * du[0], amount * by_density * du[1], amount * by_density * du[2]};
  const Real energy = Real(0.5) * amount * density * speeds;
  const Real total_enthalpy = enthalpy * temperature + Real(0.5) * dot(u, u);
  Real momentum[3];
  for (int n = 0; n < 3; ++n) momentum[n] = m[n] * u[axis] + u[n] * m[axis];
  momentum[axis] += pressure_per_energy(gas) * energy;
  return {m[axis], momentum[0], momentum[1], momentum[2],
          total_enthalpy * m[axis] + u[axis] * (dot(u, m) + enthalpy_per_energy(gas) * energy)};
}

/// Returns the divergence of the corrections in a cell along one axis, from the tangential fluxes of its two
/// neighbours and the conversion fluxes through its two faces.
template <class Real>
HALFSTEP_HD Conserved<Real> covariance_outflow(Real inverse_dx, const TangentialFlux<Real>& below,
                                               const TangentialFlux<Real>& above,
                                               const Conserved<Real>& lower_face,
                                               const Conserved<Real>& upper_face) {
  const auto outflow = [&](Real low, Real high, Real lower, Real upper) {
    return inverse_dx * (Real(0.5) * (high - low) + (upper - lower));
  };
  const auto momentum = [&](int n, Real lower, Real upper) {
    return outflow(below.momentum[n], above.momentum[n], lower, upper);
  };
  return {inverse_dx * (upper_face.density - lower_face.density), momentum(0, lower_face.mu, upper_face.mu),
          momentum(1, lower_face.mv, upper_face.mv), momentum(2, lower_face.mw, upper_face.mw),
          outflow(below.energy, above.energy, lower_face.energy, upper_face.energy)};
}

/// Stores the state that a stage of a step of length `dt` starts from, with the corrections, in `a.out`.
template <class Real>
HALFSTEP_HD void store_corrected(const StageArguments<Real>& a, Real dt, const Conserved<Real>& outflow,
                                 int i, int j, int k) {
  const Conserved<Real> start = a.start ? load(a.layout, a.start, i, j, k) : Conserved<Real>{};
  store(a.layout, a.out, i, j, k, added_to_start(a, start, -dt, outflow));
}

}  // namespace halfstep
