// One row of a benchmark: timed whole steps of a deck.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/base/quartiles.hpp"
#include "app/bench/rows.hpp"
#include "physics/diagnostics/operation_count.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

struct BenchSettings {
  std::string backend = "auto";  ///< auto, cuda or host
  int threads = 0;               ///< of the host backend; 0 = as many as are useful
  int steps = 0;                 ///< steps timed together in each repeat; 0 = as many as take half a second
  int repeats = 9;
};

struct Measurement {
  BenchRow row;
  std::string case_name;
  Mesh mesh;
  Scheme scheme;
  std::string backend, device;
  int threads = 0;                            ///< of the host; 0 on a device
  int steps = 0;                              ///< per repeat
  std::vector<double> seconds_per_step = {};  ///< by repeat
  double bytes_per_update = 0;                ///< least traffic of a cell update
  double bytes_per_cell = 0;                  ///< all memory of the run
  std::optional<Operations>
      operations;  ///< per cell update; only for the Euler equations without further terms
  KernelInfo kernel;
  std::vector<PartTime> parts = {};  ///< medians for one step, from separate steps

  Quartiles step() const { return quartiles(seconds_per_step); }
  /// Returns cell updates per second; an update takes one cell through a whole step.
  double updates_per_second() const;
  double bytes_per_second() const { return bytes_per_update * updates_per_second(); }
  /// Returns floating-point operations per second; only if `operations` is set.
  double flops_per_second() const;
  /// Returns the fraction of a step outside its stages; negative if timing the stages separately slowed them.
  double outside_stages() const;
};

/// Measures a row. Throws DeckError, or std::runtime_error, also for a soft error: a benchmark needs steps
/// that succeed.
Measurement measure(const BenchRow& row, const BenchSettings& settings);

}  // namespace halfstep
