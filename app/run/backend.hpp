// Selection of the backend, CUDA or host, that runs the deck.
#pragma once

#include <memory>
#include <string>

#include "physics/solver/solver.hpp"

namespace halfstep {

/// Whether there are CUDA kernels of the problem's method.
inline bool has_cuda_kernels(const Problem& problem) {
  return problem.scheme.method == Method::finite_volumes;
}

/// Whether the problem is solved on CUDA. `backend`: auto (CUDA if there is a usable GPU and the method has
/// kernels), cuda or host. Throws std::runtime_error if CUDA is requested but not available.
inline bool uses_cuda(const Problem& problem, const std::string& backend) {
  std::string why = "scheme.method: flux_reconstruction has no kernels";
  const bool cuda = backend != "host" && has_cuda_kernels(problem) && cuda_available(&why);
  if (backend == "cuda" && !cuda)
    throw std::runtime_error("--backend cuda: " + why + "; --backend host runs on the processor");
  return cuda;
}

/// Creates the solver. `backend`: as in uses_cuda(). `threads`: of the host backend, 0 = as many as are
/// useful.
inline std::unique_ptr<Solver> make_solver(const Problem& problem, const std::string& backend, int threads) {
  return uses_cuda(problem, backend) ? make_cuda_solver(problem) : make_host_solver(problem, threads);
}

}  // namespace halfstep
