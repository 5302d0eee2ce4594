// Which flipped bits are noticed: a fault injected into every bit of every field of one cell, one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/study/report.hpp"
#include "physics/soft_errors.hpp"

namespace halfstep {

/// What became of one flipped bit.
struct BitFlip {
  int field = 0;
  int bit = 0;
  std::optional<SoftErrorKind> kind;  ///< of the first soft error after it; none: it was never noticed
  bool at_once = false;               ///< in the stage it struck, so that the step was redone without it
  std::int64_t steps_later = 0;
  bool finished = false;  ///< the run came to its end
  /// That it left at the end: of density and energy the larger sum |U - U_0| / sum U_0, U_0 the run without
  /// it.
  double error = 0;
};

struct BitFlipOptions {
  bool single_precision = false;
  int stage = 3;            ///< of three, that is struck
  double spike_factor = 0;  ///< soft_error.spike.factor on the density; 0 = off
  std::string backend = "host";
};

/// A run for each bit of each field, the fields in turn, each from bit 0 up: a smooth vortex on 32 x 32
/// cells, weno5z and hllc, struck in step 5 of 20, redone with the same dt. Throws
/// std::runtime_error.
std::vector<BitFlip> measure_bit_flips(const BitFlipOptions& options);

/// The study: both precisions, the first and the last stage, with and without a watch for spikes. A row is
/// the bits of a field that came to the same end.
StudyReport bit_flips();

}  // namespace halfstep
