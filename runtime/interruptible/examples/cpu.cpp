// Runs ten threads on the host in slices of 1000 safe points, saved and continued in another launcher.
#include <cstdio>

#include "descents.hpp"

using Launcher = ik::HostLauncher<search, Range, Search>;

int main() {
  const Range range{100};
  const ik::Limits limits{.interrupts_per_launch = 1000, .launches = 3};
  Launcher launcher(10);
  if (launcher.run(range, limits) != ik::Outcome::out_of_launches) return 1;
  std::printf("saved after %lld launches\n", static_cast<long long>(launcher.progress().launches));

  Launcher other(10);
  other.set_records(launcher.records());
  while (other.run(range, limits) != ik::Outcome::finished) {
  }
  const Search best = best_of(other.records());
  std::printf("%d takes %d steps; %lld launches more\n", best.best, best.most_steps,
              static_cast<long long>(other.progress().launches));
}
