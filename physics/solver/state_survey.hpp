// A survey of an initial state: the range of its densities, and the worst loss of accuracy of the pressure
// when the conserved variables are rounded to the run's precision.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>

#include "physics/mesh/state_rows.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// The cell whose pressure suffers most from rounding the conserved variables.
struct HeldPressure {
  std::array<int, 3> cell{};  ///< from 0; outside the mesh for a ghost cell
  double density = 0;         ///< before rounding
  double pressure = 0;        ///< before rounding
  double uncertainty = 0;     ///< relative change by rounding of energy and momentum
  bool positive = true;       ///< after rounding, evaluated in that precision and in double
  bool admissible = true;     ///< after rounding, by the check of the stages
};

/// A mass fraction that is not between 0 and 1, but for round-off.
struct BadFraction {
  std::array<int, 3> cell{};  ///< a ghost cell
  int scalar = 0;
  double fraction = 0;
};

struct StateSurvey {
  double least_density = std::numeric_limits<double>::infinity();  ///< inside the mesh
  double largest_density = 0;                                      ///< inside the mesh
  HeldPressure inside;                                             ///< the worst inside the mesh
  HeldPressure let_in;  ///< the worst beyond the boundaries `inflow`, `prescribed` and `state`
  std::optional<BadFraction> bad_fraction;  ///< the first beyond the boundary `inflow`
};

static_assert(std::is_trivially_copyable_v<StateSurvey>, "ranks send it as bytes");

/// Forwards another state's rows and surveys them, with what boundaries let in at the time of that state.
class SurveyedRows final : public StateRows {
 public:
  SurveyedRows(StateRows& state, const Problem& problem, double time)
      : state_(state), problem_(problem), time_(time) {}
  void get(const Layout& layout, std::int64_t first, std::int64_t count, const RowPointers& to) override;
  std::unique_ptr<StateRows> of_block(const Split& split) const override;
  std::span<const std::byte> found() const override { return std::as_bytes(std::span(&survey_, 1)); }
  void add_found(std::span<const std::byte> survey) override;
  /// Returns the survey of the rows read so far, and of those that other ranks read.
  const StateSurvey& survey() const { return survey_; }

 private:
  StateRows& state_;
  const Problem& problem_;
  double time_;
  StateSurvey survey_;
};

}  // namespace halfstep
