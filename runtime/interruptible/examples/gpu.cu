// Runs the body of descents.hpp on a GPU, in slices of 2 ms that another thread may pause.
#include <cstdio>
#include <thread>

#include "descents.hpp"

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  ik::Launcher<search, Range, Search> launcher(10'000);
  std::jthread other([&] { launcher.pause().request(); });
  int pauses = 0;
  while (launcher.run({100}, {.milliseconds_per_launch = 2}) == ik::Outcome::paused) {
    launcher.pause().withdraw();
    ++pauses;
  }
  const Search best = best_of(launcher.records());
  std::printf("%d takes %d steps%s\n", best.best, best.most_steps,
              pauses <= 1 ? "" : ", but paused too often");
}
