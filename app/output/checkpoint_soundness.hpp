// Whether a run can go on from a checkpoint: a right checksum says that it is as it was written, and no more.
#pragma once

#include "app/output/run_checkpoint.hpp"

namespace halfstep {

/// Holds every value against the deck in the checkpoint and against its mesh. Throws std::runtime_error with
/// the first that no run can have written.
void expect_sound(const RunCheckpoint& checkpoint);

}  // namespace halfstep
