// The state a run starts from, and how far a state is from the exact one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "physics/cases/case.hpp"
#include "physics/solver.hpp"
#include "physics/state_rows.hpp"

namespace halfstep {

/// Cell averages of the case at time 0. Throws std::invalid_argument, naming the place, when the case gives
/// an unphysical state inside the mesh: no positive density or pressure, a mass fraction of the reactant
/// outside [0, 1], anything that is not finite.
class InitialState final : public StateRows {
 public:
  InitialState(const Case& flow_case, const Mesh& mesh, const IdealGas<double>& gas)
      : case_(flow_case), mesh_(mesh), gas_(gas) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;

 private:
  [[noreturn]] void refuse(std::int64_t cell) const;

  const Case& case_;
  Mesh mesh_;
  IdealGas<double> gas_;
};

/// All of the initial state at once, on the mesh extended by `layers` ghost cells on every swept side, x
/// fastest.
Fields extended_initial_fields(const Case& flow_case, const Mesh& mesh, const IdealGas<double>& gas,
                               int layers, bool has_reactant = false);

/// The interior of extended fields.
Fields interior_of(const Fields& extended, const Mesh& mesh, int layers);

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
