// The study `interruptible`: what a safe point costs a kernel that is never interrupted.
#pragma once

#include "app/study/table.hpp"

namespace halfstep {

/// Throws std::runtime_error without a CUDA device.
Table interruptible_cost();

}  // namespace halfstep
