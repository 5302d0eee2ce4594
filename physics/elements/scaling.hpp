// Scaling of an element's states towards their average, so that density and pressure are positive at its
// points and where the next stage extrapolates to. The average is kept. X. Zhang, C.-W. Shu, On
// positivity-preserving high order discontinuous Galerkin schemes for compressible Euler equations on
// rectangular meshes, J. Comput. Phys. 229 (2010) 8918; the pressure's share is that of C. Wang, X. Zhang,
// C.-W. Shu, J. Ning, J. Comput. Phys. 231 (2012) 653, which takes no root.
#pragma once

#include "physics/elements/element.hpp"
#include "physics/gas/admissible.hpp"

namespace halfstep {

/// The states of an element in memory, its points x fastest.
template <class Real>
struct ElementInMemory {
  Element element;
  const Layout& layout;
  Real* u;

  HALFSTEP_HD Conserved<Real> get(int point) const {
    int at[3];
    element.find_point(point, at);
    return load(layout, u, at[0], at[1], at[2]);
  }
  HALFSTEP_HD void set(int point, const Conserved<Real>& c) const {
    int at[3];
    element.find_point(point, at);
    store(layout, u, at[0], at[1], at[2], c);
  }
};

/// The same in an array.
template <class Real>
struct ElementInArray {
  Element element;
  Conserved<Real>* u;

  HALFSTEP_HD Conserved<Real> get(int point) const { return u[point]; }
  HALFSTEP_HD void set(int point, const Conserved<Real>& c) const { u[point] = c; }
};

/// A line of an element's points, for at_end().
template <class States>
struct LineOfElement {
  const States& states;
  int first, step;

  HALFSTEP_HD auto operator[](int point) const { return states.get(first + point * step); }
};

/// Returns the average by Gauss's weights. Differences are summed, those of a line, of a plane and of all:
/// round-off stays small, and points of one state have it for their average to the bit.
template <int degree, class States>
HALFSTEP_HD auto average_of(const States& states) {
  const auto& [wide, high, deep] = states.element.points;
  const auto first = states.get(0);
  using Real = decltype(Conserved(first).density);
  const auto weight = [](int points, int n) { return Real(points > 1 ? 0.5 * operators<degree>().w[n] : 1); };
  Conserved<Real> sum{};
  int point = 0;
  for (int k = 0; k < deep; ++k) {
    Conserved<Real> of_plane{};
    for (int j = 0; j < high; ++j) {
      Conserved<Real> of_line{};
      for (int i = 0; i < wide; ++i) add_multiple(of_line, weight(wide, i), states.get(point++) - first);
      add_multiple(of_plane, weight(high, j), of_line);
    }
    add_multiple(sum, weight(deep, k), of_plane);
  }
  return first + sum;
}

/// Calls visit(state) with the states at the points, and with those that are extrapolated to the faces.
template <int degree, class States, class Visit>
HALFSTEP_HD void visit_states(const States& states, const Visit& visit) {
  const Element& e = states.element;
  for (int point = 0; point < e.count(); ++point) {
    visit(states.get(point));
    for (int axis = 0; axis < 3; ++axis) {
      const int step = e.stride(axis);
      const bool begins_line = e.points[axis] > 1 && point / step % e.points[axis] == 0;
      for (int side = 0; side < 2 && begins_line; ++side)
        visit(at_end<degree>(LineOfElement<States>{states, point, step}, side));
    }
  }
}

/// The least density and pressure that are left, as a share of the average's: that of the paper, and more
/// than round-off.
template <class Real>
inline constexpr auto kLeastOfAverage = Real(1e-13) + 4 * kEnergyMargin<Real>;

/// Scales `count` states of an element towards their average, no more than it takes. An element whose average
/// is not admissible is left as it is. visit_states(visit) calls visit(state) with all that have to be
/// positive.
template <class States, class VisitStates, class Real>
HALFSTEP_HD void scale_towards(const States& states, int count, const Conserved<Real>& average,
                               const IdealGas<Real>& gas, const VisitStates& visit_states) {
  if (!is_admissible(average, gas)) return;
  Real lowest = average.density;
  visit_states([&](const Conserved<Real>& c) { lowest = min(c.density, lowest); });
  if (const Real least = kLeastOfAverage<Real> * average.density; lowest < least) {
    const Real share = (average.density - least) / (average.density - lowest);
    for (int point = 0; point < count; ++point) {
      Conserved<Real> c = states.get(point);
      c.density = fma(share, c.density - average.density, average.density);
      states.set(point, c);
    }
  }

  // Pressure is a concave function of the conserved state: the share that a straight line gives is enough.
  const Real pressure = to_primitive(average, gas).pressure;
  Real largest = average.energy;
  visit_states([&](const Conserved<Real>& c) { largest = max(magnitude(c.energy), largest); });
  const Real round_off = 4 * kEnergyMargin<Real> * largest * pressure_per_energy(gas);
  const Real least = min(kLeastOfAverage<Real> * pressure + round_off, pressure);
  Real share = 1;
  visit_states([&](const Conserved<Real>& c) {
    const Real own = to_primitive(c, gas).pressure;
    if (own < least) share = min((pressure - least) / (pressure - own), share);
  });
  for (int point = 0; point < count && share < Real(1); ++point) {
    Conserved<Real> scaled = average;
    add_multiple(scaled, share, states.get(point) - average);
    states.set(point, scaled);
  }
}

/// Scales an element's states towards their average, no more than it takes.
template <int degree, class States, class Real>
HALFSTEP_HD void scale_towards_average(const States& states, const IdealGas<Real>& gas) {
  scale_towards(states, states.element.count(), average_of<degree>(states), gas,
                [&](const auto& visit) { visit_states<degree>(states, visit); });
}

}  // namespace halfstep
