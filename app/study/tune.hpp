// The study `tune`: the fastest block size and register cap of each stage kernel on this device.
#pragma once

#include "app/base/report.hpp"

namespace halfstep {

/// Compiles every stage kernel (except with a reactant or plm's rarer limiters) for blocks of 128, 256 and
/// 512 threads with several register caps and times them. Writes those that are faster than the program's
/// own, with the same bits, to the tuning file. Throws std::runtime_error without a CUDA device or nvcc.
StudyReport tune();

}  // namespace halfstep
