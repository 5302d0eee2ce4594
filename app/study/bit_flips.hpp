// The study `bit-flips`: which flipped bits are detected. A fault is injected into each bit of each field of
// one cell, one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "physics/recovery/soft_errors.hpp"

namespace halfstep {

/// The effect of one flipped bit.
struct BitFlip {
  int field = 0;
  int bit = 0;
  std::optional<SoftErrorKind> kind;  ///< of the first soft error after it; empty if it was never detected
  bool at_once = false;  ///< detected in the stage of the fault, so that the step was redone without it
  std::int64_t steps_later = 0;
  bool finished = false;  ///< the run reached its end
  /// Error at the end of the run: the larger of density's and energy's sum |U - U_0| / sum U_0, U_0 the run
  /// without the fault.
  double error = 0;
};

struct BitFlipOptions {
  bool single_precision = false;
  int stage = 3;            ///< stage of the fault, of three
  double spike_factor = 0;  ///< soft_error.spike.factor on the density; 0 = off
  std::string backend = "host";
};

/// Makes one run per bit of each field, field by field from bit 0 up: a smooth vortex on 32 x 32 cells,
/// weno5z and hllc, fault in step 5 of 20, redone with the same dt. Throws std::runtime_error.
std::vector<BitFlip> measure_bit_flips(const BitFlipOptions& options);

/// Runs the study: both precisions, the first and the last stage, with and without spike detection. A row
/// holds the bits of a field with the same outcome.
StudyReport bit_flips();

}  // namespace halfstep
