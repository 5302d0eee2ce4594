// What comes in through the sides of a box of elements.
#pragma once

#include "physics/elements/flagged_elements.hpp"
#include "physics/rhs/budget_of_stage.hpp"

namespace halfstep {

/// As InflowOfCell, for the face point on a side that ends the line through the point (i, j, k).
template <int degree>
struct InflowOfElement {
  template <class Real>
  HALFSTEP_HD Conserved<double> operator()(const BudgetArguments<Real>& s, Real dt, int axis, int side, int i,
                                           int j, int k) const {
    const StageArguments<Real>& a = s.rhs.stage;
    const Element own = Element::of_point(a.layout, degree, i, j, k);
    int first[3] = {i, j, k};
    first[axis] = own.first[axis];
    const Line<degree, Real> line(a, s.walls.scheme.riemann, axis, line_in_box(a.layout, degree, axis, first),
                                  FlaggedElements<Real>{s.walls.rules, s.walls.mask, s.remedy}.parts(own));
    return inflow_of_flux(s, dt, axis, side, i, j, k, unrotated(line.face[side].flux, axis));
  }
};

}  // namespace halfstep
