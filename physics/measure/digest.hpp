// A state in a few numbers, by which two programs can be seen to compute the same flow without its fields.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "physics/eos.hpp"
#include "physics/solver.hpp"

namespace halfstep {

/// Numbers of one nature, by name.
struct FigureGroup {
  std::string name;
  double scale = 0;  ///< the magnitude that round-off in them is relative to; 0: they are counts
  std::vector<std::pair<std::string, double>> figures;
};
using Digest = std::vector<FigureGroup>;

/// `density`, `velocity`, `pressure`, with a reactant `mass_fraction`: mean and root mean square of the
/// magnitude, extrema, and the values in three cells apart from any plane of symmetry. `mass`, `momentum`,
/// `energy`: totals. The scale of a field is its largest value; of velocity the largest |u| + c, of momentum
/// sqrt(mass energy), as both may vanish. Sums are taken in a fixed order.
Digest digest(const Fields& fields, const Mesh& mesh, const IdealGas<double>& gas, const Totals& totals);

}  // namespace halfstep
