// What the first rank tells the others: which call to make, with its arguments.
#pragma once

#include <cstdint>
#include <type_traits>

#include "physics/diagnostics/histogram.hpp"
#include "physics/diagnostics/running_averages.hpp"
#include "physics/solver/attempt.hpp"

namespace halfstep {

/// A call to the solvers of all blocks.
struct Call {
  enum class Of : int {
    make_state,
    receive_state,
    snapshot,
    cfl_rate,
    totals,
    histogram,
    make_reader,
    read_cells,
    make_averages,
    take_in,
    get_sums,
    set_sums,
    resume,
    launch,
    advance,
    get_progress,
    set_progress,
    await,
    diagnose,
    diagnosis,
    start_timer,
    stop_timer,
    count_bytes,
    report,
    end,
  };
  Of of = Of::end;
  Attempt attempt = {};
  StepLimits limits = {};
  StepState state = {};
  double number = 0;       ///< a time or a rate
  std::int64_t count = 0;  ///< of cells; the number of a reader or of averages
  HistogramRequest request = {};
  AveragesRequest averages = {};
  WeightedStates states = {};
};
static_assert(std::is_trivially_copyable_v<Call>, "it is sent as bytes");

}  // namespace halfstep
