// Scaling of a hexahedron's states towards their average, as that of a box's elements in scaling.hpp.
#pragma once

#include "physics/curved/face_of_two.hpp"
#include "physics/elements/scaling.hpp"

namespace halfstep {

/// The states of a hexahedron in memory.
template <class Real>
struct HexahedronInMemory {
  int element;
  const Layout& layout;
  Real* u;

  HALFSTEP_HD Conserved<Real> get(int point) const { return load(layout, u, point, element, 0); }
  HALFSTEP_HD void set(int point, const Conserved<Real>& c) const { store(layout, u, point, element, 0, c); }
};

/// The same in an array.
template <class Real>
struct HexahedronInArray {
  int element;
  Conserved<Real>* u;

  HALFSTEP_HD Conserved<Real> get(int point) const { return u[point]; }
  HALFSTEP_HD void set(int point, const Conserved<Real>& c) const { u[point] = c; }
};

/// Returns the average over an element's volume. Differences are summed, as in average_of().
template <class C, class Real, class States>
HALFSTEP_HD Conserved<Real> average_in(const C& c, const HexahedraView<Real>& mesh, const States& states) {
  const Conserved<Real> first = states.get(0);
  Conserved<Real> sum{};
  Real volume = 0;
  for (int m = 0; m < c.points; ++m) {
    Real own = reciprocal(mesh.inverse_jacobian_at(c, states.element, m));
    for (int d = 0; d < c.dimensions; ++d) own *= Real(weight(c, index_along(c, d, m)));
    add_multiple(sum, own, states.get(m) - first);
    volume += own;
  }
  return first + reciprocal(volume) * sum;
}

/// Scales an element's states towards their average, no more than it takes.
template <class C, class Real, class States>
HALFSTEP_HD void scale_hexahedron(const C& c, const HexahedraView<Real>& mesh, const States& states,
                                  const IdealGas<Real>& gas) {
  scale_towards(states, c.points, average_in(c, mesh, states), gas, [&](const auto& visit) {
    for (int m = 0; m < c.points; ++m) visit(states.get(m));
    for (int face = 0; face < c.faces; ++face)
      for (int s = 0; s < c.face_points; ++s)
        visit(extrapolated(c, {states.element, face, s}, [&](int point) { return states.get(point); }));
  });
}

}  // namespace halfstep
