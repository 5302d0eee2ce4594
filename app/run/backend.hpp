// Selection of the backend, CUDA or host, that runs the deck.
#pragma once

#include <memory>
#include <string>

#include "physics/solver/solver.hpp"

namespace halfstep {

/// Whether the run uses CUDA. `backend`: auto (CUDA if there is a usable GPU), cuda or host. Throws
/// std::runtime_error if CUDA is requested but not available.
inline bool uses_cuda(const std::string& backend) {
  std::string why;
  const bool cuda = backend != "host" && cuda_available(&why);
  if (backend == "cuda" && !cuda)
    throw std::runtime_error("--backend cuda: " + why + "; --backend host runs on the processor");
  return cuda;
}

/// Creates the solver. `backend`: as in uses_cuda(). `threads`: of the host backend, 0 = as many as are
/// useful.
inline std::unique_ptr<Solver> make_solver(const Problem& problem, const std::string& backend, int threads) {
  return uses_cuda(backend) ? make_cuda_solver(problem) : make_host_solver(problem, threads);
}

}  // namespace halfstep
