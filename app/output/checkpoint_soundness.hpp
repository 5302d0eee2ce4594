// Plausibility check of a checkpoint. A correct checksum only shows that the file is as it was written.
#pragma once

#include "app/output/run_checkpoint.hpp"

namespace halfstep {

/// Checks every value against the deck in the checkpoint and against its mesh. Throws std::runtime_error
/// naming the first value that no run can have written.
void expect_sound(const RunCheckpoint& checkpoint);

/// Has the last substep of a sound step under way begin again from its input, with the same bits, where its
/// output so far has a cell of no gas: the cells that are done would be accepted unseen. (Cells that are not
/// done may hold a rejected attempt's.)
void distrust_last_output(RunCheckpoint& checkpoint);

}  // namespace halfstep
