// Plausibility check of a checkpoint. A correct checksum only shows that the file is as it was written.
#pragma once

#include "app/output/run_checkpoint.hpp"

namespace halfstep {

/// Checks every value against the deck in the checkpoint and against its mesh. Throws std::runtime_error
/// naming the first value that no run can have written.
void expect_sound(const RunCheckpoint& checkpoint);

}  // namespace halfstep
