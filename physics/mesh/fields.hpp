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
  std::vector<std::vector<double>> scalars;            ///< the mass of each per volume

  int count() const { return kFields + static_cast<int>(scalars.size()); }
  /// Returns the f-th field of a layout.
  std::vector<double>& field(int f) { return f < kFields ? conserved[f] : scalars[f - kFields]; }
  const std::vector<double>& field(int f) const { return f < kFields ? conserved[f] : scalars[f - kFields]; }
};

/// Views of fields, in the order of a layout.
template <class Real>
using FieldSpans = std::vector<std::span<const Real>>;
using FieldsView = std::variant<FieldSpans<float>, FieldSpans<double>>;

FieldsView view_of(const Fields& fields);
/// Returns a copy in double precision.
Fields widened(const FieldsView& view);

}  // namespace halfstep
