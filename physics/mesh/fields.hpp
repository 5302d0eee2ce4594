// The fields of a state on the interior, nz * ny * nx cell averages each, x fastest: owned, or as views.
#pragma once

#include <array>
#include <span>
#include <variant>
#include <vector>

#include "physics/gas/state.hpp"

namespace halfstep {

struct Fields {
  std::array<std::vector<double>, kFields> conserved;  ///< density, mu, mv, mw, energy
  std::vector<double> reactant;                        ///< per volume; empty without one

  int count() const { return reactant.empty() ? kFields : kReactant + 1; }
  /// Returns the f-th field of a layout.
  std::vector<double>& field(int f) { return f == kReactant ? reactant : conserved[f]; }
  const std::vector<double>& field(int f) const { return f == kReactant ? reactant : conserved[f]; }
};

/// Views of fields, in the order of a layout; that of the reactant is empty without one.
template <class Real>
using FieldSpans = std::array<std::span<const Real>, kReactant + 1>;
using FieldsView = std::variant<FieldSpans<float>, FieldSpans<double>>;

FieldsView view_of(const Fields& fields);
/// Returns a copy in double precision.
Fields widened(const FieldsView& view);

}  // namespace halfstep
