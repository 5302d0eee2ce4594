// The study `detection`: the production stage kernels against the same kernels without reports.
#pragma once

#include "app/base/report.hpp"
#include "app/base/studies.hpp"

namespace halfstep {

/// Measures every kernel of plm, ppm and weno5z on 256^3 cells: registers, local memory, occupancy, and the
/// launch time in interleaved pairs. A kernel whose reports cost occupancy or more than 1 % of its time is a
/// failure. Throws std::runtime_error without a GPU or nvcc.
StudyReport detection(const StudyRequest& request);

}  // namespace halfstep
