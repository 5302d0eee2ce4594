// The split form of the inviscid terms in hexahedra: fluxes between two points of a line each, in place of
// the polynomial through the fluxes at all of them, whose products alias. Lines of Gauss's points end beside
// the faces, so that points have a flux with the ends of their line as well: J. Chan, J. Comput. Phys. 362
// (2018) 346. Ends have the polynomials of the primitive variables, and need not be admissible.
#pragma once

#include "physics/curved/face_of_two.hpp"

namespace halfstep {

/// Adds s * b to a.
template <class Real>
HALFSTEP_HD void add_multiple(Primitive<Real>& a, Real s, const Primitive<Real>& b) {
  a.density = fma(s, b.density, a.density);
  a.u = fma(s, b.u, a.u);
  a.v = fma(s, b.v, a.v);
  a.w = fma(s, b.w, a.w);
  a.pressure = fma(s, b.pressure, a.pressure);
}

/// Returns the flux between two states through the surface `across`. The momentum that the mass carries is
/// that of the mean velocity, so that kinetic energy is neither made nor lost; where pressure and velocity
/// are uniform they stay: N. Shima, Y. Kuya, Y. Tamaki & S. Kawai, J. Comput. Phys. 427 (2021) 110060.
template <class Real>
HALFSTEP_HD Conserved<Real> two_point_flux(const Primitive<Real>& a, const Primitive<Real>& b,
                                           const Vector<Real>& across, const IdealGas<Real>& gas) {
  const Real half = Real(0.5);
  const Vector<Real> of_a{{a.u, a.v, a.w}}, of_b{{b.u, b.v, b.w}};
  const Real through_a = dot(of_a, across), through_b = dot(of_b, across);
  const Real through = half * (through_a + through_b), mass = half * (a.density + b.density) * through,
             pressure = half * (a.pressure + b.pressure), half_mass = half * mass;
  const Real work = half * fma(a.pressure, through_b, b.pressure * through_a);
  return {mass, fma(pressure, across.of[0], half_mass * (a.u + b.u)),
          fma(pressure, across.of[1], half_mass * (a.v + b.v)),
          fma(pressure, across.of[2], half_mass * (a.w + b.w)),
          fma(half_mass, dot(of_a, of_b), fma(pressure * gas.energy_per_pressure, through, work))};
}

/// Returns the polynomials of the primitive variables at the end of a line. state(element, point): of points.
template <class Real, class C, class States>
HALFSTEP_HD Primitive<Real> primitive_at_end(const C& c, const FacePoint& f, const States& state) {
  const int first = first_of_line(c, f.axis(), f.point), stride = stride_along(c, f.axis());
  Primitive<Real> end{};
  for (int j = 0; j < c.n; ++j)
    add_multiple(end, Real(end_value(c, f.side(), j)), state(f.element, first + j * stride));
  return end;
}

/// The split form in an element. state(element, point): the primitive variables; end(face point): as
/// primitive_at_end() finds them.
template <class C, class Real, class States, class Ends>
struct SplitForm {
  const C& c;
  const HexahedraView<Real>& mesh;
  const IdealGas<Real>& gas;
  States state;
  Ends end;

  /// Returns how much more flows out through a face point than the polynomial through the fluxes between the
  /// line's points and its end has there. `outflow`: what flows out.
  HALFSTEP_HD Conserved<Real> excess(const FacePoint& f, const Conserved<Real>& outflow) const {
    const int first = first_of_line(c, f.axis(), f.point), stride = stride_along(c, f.axis());
    const Primitive<Real> at_end = end(f);
    Conserved<Real> excess = outflow;
    for (int j = 0; j < c.n; ++j) {
      const int point = first + j * stride;
      add_multiple(excess, Real(-end_value(c, f.side(), j)),
                   two_point_flux(state(f.element, point), at_end, out_between(f, point), gas));
    }
    return excess;
  }
  /// Returns the divergence times J at point m. excess(face point): as excess() finds it.
  template <class Excess>
  HALFSTEP_HD Conserved<Real> divergence(int element, int m, const Excess& excess) const {
    Conserved<Real> sum{};
    const Primitive<Real> own = state(element, m);
    for (int d = 0; d < c.dimensions; ++d) {
      const int i = index_along(c, d, m), stride = stride_along(c, d);
      const Vector<Real> across = mesh.metric_at(c, element, m, d);
      for (int j = 0; j < c.n; ++j) {
        if (j == i) continue;  // the operator is skew
        const int other = m + (j - i) * stride;
        add_multiple(sum, Real(own_slope(c, i, j)) + Real(slope_without_ends(c, i, j)),
                     two_point_flux(own, state(element, other),
                                    mean(across, mesh.metric_at(c, element, other, d)), gas));
      }
      for (int side = 0; side < 2; ++side) {
        const FacePoint f{element, 2 * d + side, end_of_line(c, d, m)};
        const Primitive<Real> at_end = end(f);
        const Conserved<Real> out =
            two_point_flux(own, at_end, out_between(f, m), gas) + carried_from(own, at_end, excess(f));
        add_multiple(sum, Real(side == 0 ? -correction_slope(c, 0, i) : correction_slope(c, 1, i)), out);
      }
    }
    return sum;
  }

 private:
  /// Returns the excess at the end of a line as a point of it sees it: the mass takes along the mean velocity
  /// of both. Over the line this adds no momentum, and kinetic energy leaves by the velocity at the end.
  HALFSTEP_HD static Conserved<Real> carried_from(const Primitive<Real>& own, const Primitive<Real>& at_end,
                                                  Conserved<Real> excess) {
    const Real half_mass = Real(0.5) * excess.density;
    excess.mu = fma(half_mass, own.u - at_end.u, excess.mu);
    excess.mv = fma(half_mass, own.v - at_end.v, excess.mv);
    excess.mw = fma(half_mass, own.w - at_end.w, excess.mw);
    return excess;
  }
  HALFSTEP_HD static Vector<Real> mean(const Vector<Real>& a, const Vector<Real>& b) {
    return {
        {Real(0.5) * (a.of[0] + b.of[0]), Real(0.5) * (a.of[1] + b.of[1]), Real(0.5) * (a.of[2] + b.of[2])}};
  }
  /// Returns the mean of J a^d at a point and at the end of its line, out of the element.
  HALFSTEP_HD Vector<Real> out_between(const FacePoint& f, int point) const {
    return (f.side() == 0 ? Real(-1) : Real(1)) *
           mean(mesh.metric_at(c, f.element, point, f.axis()), mesh.area_at(c, f));
  }
};

template <class C, class Real, class States, class Ends>
SplitForm(const C&, const HexahedraView<Real>&, const IdealGas<Real>&, States, Ends)
    -> SplitForm<C, Real, States, Ends>;

}  // namespace halfstep
