// One row of a benchmark: whole steps of a deck, timed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bench/rows.hpp"
#include "app/study/quartiles.hpp"
#include "physics/measure/operation_count.hpp"
#include "physics/solver.hpp"

namespace halfstep {

struct BenchSettings {
  std::string backend = "auto";  ///< auto, cuda or host
  int threads = 0;               ///< of the host backend; 0 = as many as are useful
  int steps = 0;                 ///< timed together, once a repeat; 0 = as many as take half a second
  int repeats = 9;
};

struct Measurement {
  BenchRow row;
  std::string case_name;
  Mesh mesh;
  Scheme scheme;
  std::string backend, device;
  int threads = 0;                            ///< of the host; 0 on a device
  int steps = 0;                              ///< of a repeat
  std::vector<double> seconds_per_step = {};  ///< of each repeat
  double bytes_per_update = 0;                ///< the fewest a cell-update can move
  double bytes_per_cell = 0;                  ///< of memory, everything included
  std::optional<Operations> operations;       ///< of a cell-update; only for the Euler equations alone
  KernelInfo kernel;
  std::vector<PartTime> parts = {};  ///< of one step, in steps of their own: medians

  Quartiles step() const { return quartiles(seconds_per_step); }
  /// One cell through one whole step.
  double updates_per_second() const;
  double bytes_per_second() const { return bytes_per_update * updates_per_second(); }
  /// Of a row with operations.
  double flops_per_second() const;
  /// The part of a step that is not its stages; negative where timing them apart made them longer.
  double outside_stages() const;
};

/// Throws DeckError, or std::runtime_error: a soft error, too, as a benchmark needs steps that succeed.
Measurement measure(const BenchRow& row, const BenchSettings& settings);

}  // namespace halfstep
