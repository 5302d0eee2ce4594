// Stage kernels on a smooth flow, as timed by the studies.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/deck/config.hpp"
#include "physics/solver/solver.hpp"

namespace halfstep {

/// Returns the scheme of every stage kernel; for plm only with van Leer's limiter.
std::vector<Scheme> stage_schemes();

/// Solvers on the initial state of a deck, which is made once for all schemes.
class StageBench {
 public:
  /// Uses a wave oblique to all axes on a stream along none, on kCells^3 cells: no field has zeros, for which
  /// division takes another path, and nothing is reported. Throws std::runtime_error without a CUDA device.
  StageBench();
  explicit StageBench(const std::string& deck);

  std::unique_ptr<Solver> solver(const Scheme& scheme);

  /// Returns the state after `steps` steps with that kernel.
  Fields advanced(const Scheme& scheme, const FluxKernel& variant, int steps);

  static constexpr int kCells = 256;  ///< along each axis

 private:
  RunConfig deck_;
  Fields extended_, interior_;
  int layers_ = 0;  // of extended_
};

/// Returns the seconds of a launch of each variant, the mean over a step's stages, one value per round. The
/// variants alternate within a round in a changing order, so that rounds can be compared. Restores the
/// solver's own kernel at the end.
std::vector<std::vector<double>> launch_seconds(Solver& solver, const std::vector<FluxKernel>& variants,
                                                int stages, int rounds);

}  // namespace halfstep
