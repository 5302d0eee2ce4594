// What detection costs: the production stage kernels against the same kernels that report nothing.
#pragma once

#include "app/study/table.hpp"

namespace halfstep {

/// plm, ppm and weno5z with hllc, in primitive and characteristic variables, in both precisions, on 256^3
/// cells: registers, local memory, occupancy, and the time of a launch in interleaved pairs. Throws
/// std::runtime_error without a GPU.
Table detection();

}  // namespace halfstep
