// Which of the twins runs the deck.
#pragma once

#include <memory>
#include <string>

#include "app/kernels/tuning.hpp"
#include "physics/solver.hpp"

namespace halfstep {

/// `backend`: auto (CUDA where there is a usable GPU), cuda or host. Throws std::runtime_error when CUDA is
/// asked for and cannot be had.
inline bool uses_cuda(const std::string& backend) {
  std::string why;
  const bool cuda = backend != "host" && cuda_available(&why);
  if (backend == "cuda" && !cuda)
    throw std::runtime_error("--backend cuda: " + why + "; --backend host runs on the processor");
  return cuda;
}

/// `backend` as in uses_cuda(). `threads`: of the host, 0 = as many as are useful. On a device that was tuned
/// for, with the tuned stage kernel.
inline std::unique_ptr<Solver> make_solver(const Problem& problem, const std::string& backend, int threads) {
  if (!uses_cuda(backend)) return make_host_solver(problem, threads);
  std::unique_ptr<Solver> solver = make_cuda_solver(problem);
  if (const std::optional<StageVariant> tuned = tuned_stage(problem)) solver->use_stage(*tuned);
  return solver;
}

}  // namespace halfstep
