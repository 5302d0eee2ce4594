// The study `tune`: the block and the register cap with which each stage kernel is fastest on this device.
#pragma once

#include "app/study/report.hpp"

namespace halfstep {

/// Compiles every stage kernel (but with a reactant, and plm's rarer limiters) for blocks of 128, 256 and 512
/// threads with several register caps, times them, and writes those that are faster than
/// the program's own, and give the same bits, to the tuning file. Throws std::runtime_error without a CUDA
/// device or nvcc.
StudyReport tune();

}  // namespace halfstep
