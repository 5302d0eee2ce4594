// The study `interruptible`: the cost of safe points in uninterrupted kernels and in steps of the solver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "app/study/safe_points.hpp"

namespace halfstep {

/// Cost of the solver's steps on a cube of cells.
struct StepCost {
  int cells = 0;                          ///< along an edge
  double slice_ms = 0;                    ///< of a slice; 0 = undivided steps
  std::vector<double> milliseconds = {};  ///< wall time by step
  double slices = 1;                      ///< mean number per step
  bool same = true;                       ///< whether the results equal those of undivided steps bit for bit
};

/// Times `steps` steps of PLM with HLLC on a wave oblique to all axes for every `slice_ms`, alternating; the
/// first of them is 0. Throws std::runtime_error if the backend is not available or a step is rejected.
std::vector<StepCost> measure_steps(const std::string& backend, int cells,
                                    const std::vector<double>& slice_ms, int steps);

/// Makes the report from the figures. `slice_us`: wall time of one additional launch.
StudyReport interruptible_report(const std::vector<SweepCost>& sweeps, const std::vector<StepCost>& steps,
                                 double slice_us);

/// Makes the report of a machine without a CUDA device, of steps on the host.
StudyReport interruptible_on_host(const std::vector<StepCost>& steps, const std::string& why_no_kernels);

/// Runs the study; without a CUDA device the part that the host can do.
StudyReport interruptible_cost(const StudyRequest& request);

}  // namespace halfstep
