// Pins OpenMP threads to their processors, near the memory that they touched first.
#pragma once

#include <omp.h>
#include <sched.h>

#include <cstdlib>
#include <vector>

namespace halfstep {

/// Pins each thread of a team of `threads`, except the calling one, to a processor of its own. It does so
/// only if the team uses all processors of the process, since smaller teams of two processes would get the
/// same ones. The calling thread stays free because threads that it starts later, such as writers of dumps,
/// inherit its affinity. Does nothing if OMP_PROC_BIND or GOMP_CPU_AFFINITY is set. If the system refuses,
/// the thread stays unpinned.
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
