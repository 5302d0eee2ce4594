// The initial state of a run.
#pragma once

#include "physics/cases/case.hpp"
#include "physics/cases/scalars.hpp"
#include "physics/mesh/fields.hpp"
#include "physics/mesh/state_rows.hpp"

namespace halfstep {

/// Returns the gas in `cell` at time 0. If it is a mixture, changes the case's state `c` of the cell to the
/// mixture's, at the same pressure, and sets `fraction` to the volume fraction of the second gas.
IdealGas<double> mix_in_second_gas(const Case& flow_case, const Scalars& scalars, const Gases<double>& gases,
                                   const Box& cell, Conserved<double>& c, double& fraction);

/// The cell averages of the case at time 0. Throws UnphysicalCell with the place when the case gives an
/// unphysical state inside the mesh: density or pressure not positive, a mass fraction outside [0, 1], or a
/// value that is not finite.
class InitialState final : public StateRows {
 public:
  InitialState(const Case& flow_case, const Scalars& scalars, const Mesh& mesh, const Gases<double>& gases)
      : case_(flow_case), scalars_(scalars), mesh_(mesh), gases_(gases) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;
  std::unique_ptr<StateRows> of_block(const Split& split) const override;

 private:
  /// Writes the rows of a block, of which `to` has row `first` at its start. Returns the first cell of the
  /// mesh that is unphysical, or the number of cells.
  std::int64_t fill(const Layout& layout, const ExtendedRows& rows, const CellRows& block, std::int64_t first,
                    const RowPointers& to) const;
  [[noreturn]] void refuse(std::int64_t cell) const;
  /// Whether density and pressure are positive. Whether the run's precision holds them, the survey tells.
  static bool is_positive(const Conserved<double>& c, const IdealGas<double>& gas);

  const Case& case_;
  const Scalars& scalars_;
  Mesh mesh_;
  Gases<double> gases_;
};

/// Returns the whole initial state, on the mesh extended by `layers` ghost cells on every active side, x
/// fastest.
Fields extended_initial_fields(const Case& flow_case, const Mesh& mesh, const Gases<double>& gases,
                               int layers, const Scalars& scalars = {});

/// Returns the interior of extended fields.
Fields interior_of(const Fields& extended, const Mesh& mesh, int layers);

}  // namespace halfstep
