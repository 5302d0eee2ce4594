// What a state is like on its way into a solver: its densities, and how well its precision holds its pressures.
#pragma once

#include <array>
#include <limits>

#include "physics/solver.hpp"
#include "physics/state_rows.hpp"

namespace halfstep {

/// The cell of a state whose pressure a precision holds worst.
struct HeldPressure {
  std::array<int, 3> cell{};  ///< from 0; beyond the mesh of a ghost cell
  double pressure = 0;        ///< before it is rounded
  double uncertainty = 0;     ///< relative: what rounding of energy and momentum may change it by
  bool positive = true;       ///< once rounded, for who reads it in that precision and in double
  bool admissible = true;     ///< once rounded, by the check of the stages
};

struct StateSurvey {
  double least_density = std::numeric_limits<double>::infinity();  ///< inside the mesh
  double largest_density = 0;                                      ///< inside the mesh
  HeldPressure inside;                                             ///< the worst inside the mesh
  HeldPressure let_in;  ///< the worst beyond the boundaries `inflow` and `prescribed`
};

/// Another state's rows, looked at as they pass.
class SurveyedRows final : public StateRows {
 public:
  SurveyedRows(StateRows& state, const Problem& problem) : state_(state), problem_(problem) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;
  /// Of the rows that have passed.
  const StateSurvey& survey() const { return survey_; }

 private:
  StateRows& state_;
  const Problem& problem_;
  StateSurvey survey_;
};

}  // namespace halfstep
