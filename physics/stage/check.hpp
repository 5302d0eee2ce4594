// The check of a cell that a stage has written.
#pragma once

#include "physics/base/classify.hpp"
#include "physics/gas/admissible.hpp"
#include "physics/gas/cfl_rate.hpp"
#include "physics/stage/stage.hpp"

namespace halfstep {

/// Returns whether the cell (i, j, k) of a stage's output passes the test of the stage itself. Sets `rate` to
/// its CFL rate if `a.wants_rate`.
template <class Real>
HALFSTEP_HD bool check_cell(const StageArguments<Real>& a, int i, int j, int k, Real& rate) {
  const Conserved<Real> c = load(a.layout, a.out, i, j, k);
  bool good = is_admissible(c);
  for (int s = 0; s < a.layout.carried(); ++s) good &= finite(scalar(a.layout, a.out, s, i, j, k));
  if (!a.wants_rate) return good;
  const IdealGas<Real> gas = a.gas_in(a.out, i, j, k);
  const Primitive<Real> q = to_primitive(c, gas);
  rate = cfl_rate(q, a.inverse_widths(i, j, k).along, gas);
  return good & positive_and_finite(q.pressure);
}

}  // namespace halfstep
