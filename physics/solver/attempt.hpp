// An attempt at a time step, its result, and its progress between two slices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "physics/diagnostics/budget.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/recovery/floors.hpp"
#include "physics/sources/sponge.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

/// One attempt at a time step.
struct Attempt {
  std::uint64_t epoch = 0;  ///< strictly increasing over the attempts of a run; tags a raise
  std::int64_t step = 1;    ///< the step attempted, from 1
  int number = 1;           ///< among the attempts at this step, from 1
  Remedy remedy = Remedy::none;
  bool wants_totals = false;
};

/// The result of an attempt.
struct AttemptResult {
  StepPlan plan;
  Remedy remedy = Remedy::none;  ///< the attempt's
  bool accepted = false;
  bool raised =
      false;  ///< a substep raised a soft error; neither flag: dt exceeded the CFL limit of the new state
  int substep = 0;      ///< the substep that raised, from 1
  double cfl_rate = 0;  ///< of the new state and, if accepted, of the inflow; valid if !raised
  std::int64_t repaired_faces = 0;
  FloorSums floored;             ///< the floors' contribution to the new state
  SpongeSums sponged;            ///< and that of sponges
  Budget budget;                 ///< what came into the domain; only with Problem::budgets
  std::optional<Totals> totals;  ///< of the new state, if the attempt wanted them
};

/// An attempt between two slices: with U^n and the step's StepState, all that is needed to continue it.
struct AttemptProgress {
  Attempt attempt;
  int substep = 1;        ///< the current one, from 1
  std::int64_t done = 0;  ///< finished tiles of the substep
  std::array<std::int64_t, 3>
      tiling{};         ///< the tiles' sizes; a solver with different tiles restarts the substep
  bool raised = false;  ///< a tile of the substep raised a soft error
  double cfl_rate = 0;
  std::int64_t repaired_faces = 0, repaired_before = 0;  ///< so far; in the previous substeps
  FloorSums floored;
  std::vector<std::int64_t> budget;  ///< words of the ExactBudget so far; empty: nothing
  std::vector<std::byte> start, last_start, in,
      out;                          ///< raw memory of the states under way; empty where unused
  std::vector<std::uint8_t> flags;  ///< of the step's bad cells, which a remedy corrects; empty where unused
  std::vector<std::byte> records;   ///< one for each thread of a source

  /// Whether a part of the substep is done, in `out`.
  bool has_begun() const { return done > 0 || !records.empty(); }
  /// Drops that part: any solver goes on from the beginning of the substep.
  void begin_again() {
    done = 0;
    tiling = {};
    raised = false;
    cfl_rate = 0;
    repaired_faces = repaired_before;
    out.clear();
    records.clear();
  }
};

}  // namespace halfstep
