// A state in a few numbers, by which the results of two programs can be compared without their fields.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "physics/diagnostics/totals.hpp"
#include "physics/gas/gases.hpp"
#include "physics/mesh/fields.hpp"
#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Named numbers of one quantity.
struct FigureGroup {
  std::string name;
  double scale = 0;  ///< the magnitude to which their round-off is relative; 0: counts
  std::vector<std::pair<std::string, double>> figures;
};
using Digest = std::vector<FigureGroup>;

/// Returns the digest of a state. `density`, `velocity`, `pressure`, and of `scalars` by name the mass
/// fractions, of a second gas the volume fraction: mean and root mean square of the magnitude, extrema, and
/// the values in three cells apart from any plane of symmetry. `mass`, `momentum`, `energy`: totals. The
/// scale of a field is its largest value; of velocity the largest |u| + c, of momentum sqrt(mass energy), as
/// both may vanish. Sums are taken in a fixed order.
Digest digest(const Fields& fields, const std::vector<std::string>& scalars, const Mesh& mesh,
              const Gases<double>& gases, const Totals& totals);

}  // namespace halfstep
