// The study `detection`: the production stage kernels against the same kernels without reports.
#pragma once

#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "physics/flux/scheme.hpp"

namespace halfstep {

/// Measures every kernel of plm, ppm and weno5z on 256^3 cells: registers, local memory, occupancy, and the
/// launch time in interleaved pairs. A kernel whose reports cost occupancy or more than 1 % of its time is a
/// failure. Without a GPU: what the compiler tells. Throws std::runtime_error without nvcc.
StudyReport detection(const StudyRequest& request);

/// Compiles kernels with their reports and without, for the architecture that they are tuned for.
StudyReport compiled_detection(const std::vector<Scheme>& schemes, const std::string& why_not_timed);

}  // namespace halfstep
