// Exact sums of conserved fields over cells.
#pragma once

#include "physics/gas/state.hpp"
#include "runtime/device/exact_sum.hpp"

namespace halfstep {

/// The sum of each field.
using ExactConserved = Conserved<ExactSum>;

HALFSTEP_HD void add(ExactConserved& sums, const Conserved<double>& c) {
  sums.density.add(c.density);
  sums.mu.add(c.mu);
  sums.mv.add(c.mv);
  sums.mw.add(c.mw);
  sums.energy.add(c.energy);
}

inline void merge(ExactConserved& sums, const ExactConserved& other) { add_words(sums, other); }

/// ExactWindow of each field: the lanes of a warp call its functions together.
struct ConservedWindow {
  Conserved<ExactWindow> fields;

  HALFSTEP_HD void add(const Conserved<double>& c, ExactConserved& to) {
    fields.density.add(c.density, to.density);
    fields.mu.add(c.mu, to.mu);
    fields.mv.add(c.mv, to.mv);
    fields.mw.add(c.mw, to.mw);
    fields.energy.add(c.energy, to.energy);
  }

  HALFSTEP_HD void flush(ExactConserved& to) {
    fields.density.flush(to.density);
    fields.mu.flush(to.mu);
    fields.mv.flush(to.mv);
    fields.mw.flush(to.mw);
    fields.energy.flush(to.energy);
  }
};

}  // namespace halfstep
