// A survey of an initial state: the range of its densities, and the worst loss of accuracy of the pressure
// when the conserved variables are rounded to the run's precision.
#pragma once

#include <array>
#include <limits>

#include "physics/mesh/state_rows.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// The cell whose pressure suffers most from rounding the conserved variables.
struct HeldPressure {
  std::array<int, 3> cell{};  ///< from 0; outside the mesh for a ghost cell
  double pressure = 0;        ///< before rounding
  double uncertainty = 0;     ///< relative change by rounding of energy and momentum
  bool positive = true;       ///< after rounding, evaluated in that precision and in double
  bool admissible = true;     ///< after rounding, by the check of the stages
};

struct StateSurvey {
  double least_density = std::numeric_limits<double>::infinity();  ///< inside the mesh
  double largest_density = 0;                                      ///< inside the mesh
  HeldPressure inside;                                             ///< the worst inside the mesh
  HeldPressure let_in;  ///< the worst beyond the boundaries `inflow` and `prescribed`
};

/// Forwards another state's rows and surveys them.
class SurveyedRows final : public StateRows {
 public:
  SurveyedRows(StateRows& state, const Problem& problem) : state_(state), problem_(problem) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;
  /// Returns the survey of the rows read so far.
  const StateSurvey& survey() const { return survey_; }

 private:
  StateRows& state_;
  const Problem& problem_;
  StateSurvey survey_;
};

}  // namespace halfstep
