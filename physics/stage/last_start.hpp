// The state that the last stage of an integrator with a middle stage starts from.
#pragma once

#include "physics/mesh/layout.hpp"
#include "physics/stage/integrator.hpp"

namespace halfstep {

/// Makes a cell of that state. `before`: U^n; `middle`: the output of the middle stage. A cell in a body
/// keeps what is in U^n, ballast included.
template <class Real>
HALFSTEP_HD void put_last_start(const Layout& l, bool in_body, const Real* before, const Real* middle,
                                Real dither, Real* to, int i, int j, int k) {
  for (int f = 0; f < l.fields; ++f) {
    const std::int64_t at = f * l.field_stride + l.index(i, j, k);
    to[at] = in_body ? before[at] : last_start(before[at], middle[at], dither);
  }
}

}  // namespace halfstep
