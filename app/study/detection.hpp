// What detection costs: the production stage kernels against the same kernels that report nothing.
#pragma once

#include "app/study/report.hpp"

namespace halfstep {

/// Every kernel of plm, ppm and weno5z on 256^3 cells: registers, local memory, occupancy, and the time of a
/// launch in interleaved pairs; a kernel whose reports cost occupancy or more than 1 % of its time is a
/// failure. Throws std::runtime_error without a GPU or nvcc.
StudyReport detection();

}  // namespace halfstep
