// Stage kernels at work on a smooth flow: what studies time them on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "physics/solver.hpp"

namespace halfstep {

/// Of every stage kernel, plm's with van Leer's limiter alone.
std::vector<Scheme> stage_schemes();

/// Solvers on the initial state of a deck, which is made once for all schemes.
class StageBench {
 public:
  /// Of a wave oblique to all axes on a stream along none of them, on kCells^3 cells: no field has zeros,
  /// whose divisions would take another path through the kernel, and nothing is reported. Throws
  /// std::runtime_error without a CUDA device.
  StageBench();
  explicit StageBench(const std::string& deck);

  std::unique_ptr<Solver> solver(const Scheme& scheme);

  /// What the scheme makes of the initial state with that kernel.
  Fields advanced(const Scheme& scheme, const StageVariant& variant, int steps);

  static constexpr int kCells = 256;  ///< along each axis

 private:
  RunConfig deck_;
  Fields extended_, interior_;
  int layers_ = 0;  // of extended_
};

/// Seconds of a launch of each variant, the mean over the stages of a step: one value a round. In every round
/// all have their turn, in an order that changes, so that they can be compared round by round. The solver
/// ends with its own kernel.
std::vector<std::vector<double>> launch_seconds(Solver& solver, const std::vector<StageVariant>& variants,
                                                int stages, int rounds);

}  // namespace halfstep
