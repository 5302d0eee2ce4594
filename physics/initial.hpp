// The state a run starts from, and how far a state is from the exact one.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "physics/cases/case.hpp"
#include "physics/solver.hpp"

namespace halfstep {

/// Cell averages of the case at time 0 on the mesh extended by `layers` ghost cells on every swept side, x
/// fastest. Throws std::invalid_argument, naming the place, when the case gives an unphysical state: no
/// positive density or pressure, a mass fraction of the reactant outside [0, 1], anything that is not finite.
Fields extended_initial_fields(const Case& flow_case, const Mesh& mesh, const IdealGas<double>& gas,
                               int layers, bool has_reactant = false);

/// The interior of extended fields.
Fields interior_of(const Fields& extended, const Mesh& mesh, int layers);

/// The cell of a state whose pressure a precision holds worst.
struct HeldPressure {
  std::array<int, 3> cell{};  ///< from 0; beyond the mesh of a ghost cell
  double pressure = 0;        ///< before it is rounded
  double uncertainty = 0;     ///< relative: what rounding of energy and momentum may change it by
  bool positive = true;       ///< once rounded, for who reads it in that precision and in double
  bool admissible = true;     ///< once rounded, by the check of the stages
};
/// Of an interior state.
HeldPressure held_pressure(const Fields& interior, const Problem& problem);
/// Of what lies beyond the boundaries `inflow` and `prescribed`.
HeldPressure held_inflow_pressure(const Fields& extended, const Problem& problem);

/// Over all cells of the fields.
struct DensityRange {
  double least, largest;
};
DensityRange density_range(const Fields& fields);

/// Mean, root mean square and largest difference from the exact solution over the cells.
struct Norms {
  double l1 = 0, l2 = 0, linf = 0;
};

/// Of density, velocity (the length of the difference vector) and pressure, each by its name. Both states are
/// cell averages of the conserved fields, converted alike. Only where flow_case.has_exact(time).
std::vector<std::pair<std::string, Norms>> exact_error(const Fields& fields, const Case& flow_case,
                                                       const Mesh& mesh, const IdealGas<double>& gas,
                                                       double time);

}  // namespace halfstep
