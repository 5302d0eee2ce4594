// OpenMP threads that stay on their processors, beside the memory they touched first.
#pragma once

#include <omp.h>
#include <sched.h>

#include <cstdlib>
#include <vector>

namespace halfstep {

/// Gives each thread of a team of `threads`, but the calling one, a processor of its own, if the team takes
/// all that the process may use: smaller ones of two processes would be given the same. The calling thread
/// stays free, as threads that it starts later, such as writers of dumps, would inherit its place. Who sets
/// OMP_PROC_BIND or GOMP_CPU_AFFINITY has decided otherwise. Where the system refuses, threads move as they
/// did.
inline void pin_team(int threads) {
  if (std::getenv("OMP_PROC_BIND") || std::getenv("GOMP_CPU_AFFINITY")) return;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  if (threads < 2 || threads != CPU_COUNT(&allowed)) return;
  std::vector<int> processors;
  for (int n = 0; n < CPU_SETSIZE; ++n)
    if (CPU_ISSET(n, &allowed)) processors.push_back(n);
#pragma omp parallel num_threads(threads)
  if (const int n = omp_get_thread_num(); n > 0) {
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(processors[static_cast<std::size_t>(n)], &own);
    sched_setaffinity(0, sizeof own, &own);
  }
}

}  // namespace halfstep
