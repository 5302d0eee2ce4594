// The study `interruptible`: what safe points cost kernels that are not interrupted, and steps of the solver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/study/report.hpp"
#include "app/study/safe_points.hpp"

namespace halfstep {

/// Steps of the solver on a cube of cells.
struct StepCost {
  int cells = 0;                          ///< along an edge
  double slice_ms = 0;                    ///< of a slice; 0 = a step is made at once
  std::vector<double> milliseconds = {};  ///< of a step, wall time
  double slices = 1;                      ///< of a step, on average
  bool same = true;  ///< whether the steps led to the bits of those that were made at once
};

/// PLM with HLLC on a wave oblique to all axes: so many steps for every `slice_ms`, in turn. The first of
/// them is 0. Throws std::runtime_error where the backend cannot be had or a step is rejected.
std::vector<StepCost> measure_steps(const std::string& backend, int cells,
                                    const std::vector<double>& slice_ms, int steps);

/// What the figures come to. `slice_us`: wall time of a launch more.
StudyReport interruptible_report(const std::vector<SweepCost>& sweeps, const std::vector<StepCost>& steps,
                                 double slice_us);

/// Throws std::runtime_error without a CUDA device: what a kernel takes is known there alone.
StudyReport interruptible_cost();

}  // namespace halfstep
