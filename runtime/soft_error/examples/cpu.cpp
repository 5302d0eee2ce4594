// Four threads compute square roots; the first that meets a negative value reports it, and the others stop.
#include <cmath>
#include <cstdio>
#include <functional>
#include <halfstep/soft_error/soft_error.hpp>
#include <thread>
#include <vector>

using namespace halfstep;

struct NoRoot {
  int index = -1;
  double value = 0;
};

void roots(soft_error::Reporter<NoRoot> reporter, std::vector<double>& values, int first, int last) {
  for (int i = first; i < last && !reporter.raised(); ++i) {
    if (values[i] < 0)
      soft_error::report_first_error(reporter, [&](NoRoot& p) { p = {i, values[i]}; });
    else
      values[i] = std::sqrt(values[i]);
  }
}

int main() {
  std::vector<double> values(1000, 4.0);
  values[654] = -9.0;
  soft_error::HostChannel<NoRoot> channel;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back(roots, channel.reporter(), std::ref(values), 250 * t, 250 * (t + 1));
  threads.clear();  // joins
  const auto error = channel.take();
  if (!error) return 1;
  std::printf("no root of value %d: %g\n", error->payload.index, error->payload.value);
}
