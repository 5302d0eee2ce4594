#include "app/study/kernel_timing.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace halfstep {
namespace {

constexpr int kMostLaunches = 1000;  // of a turn

/// Returns the launches that take `least_milliseconds`, after a first one that warms up.
int launches_of(study::Runner& kernel, double least_milliseconds) {
  kernel.milliseconds(1);
  const double one = std::max(kernel.milliseconds(1), 1e-6);
  return std::clamp(static_cast<int>(std::ceil(std::min(least_milliseconds / one, double(kMostLaunches)))), 1,
                    kMostLaunches);
}

}  // namespace

std::unique_ptr<study::Runner> load_runner(const std::filesystem::path& library, int threads,
                                           study::SharedArrays& arrays) {
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr)
    throw std::runtime_error(std::string("cannot load a compiled kernel: ") + ::dlerror());
  const auto make =
      reinterpret_cast<decltype(&halfstep_study_runner)>(::dlsym(loaded, "halfstep_study_runner"));
  if (make == nullptr) throw std::runtime_error("'" + library.string() + "' has no kernel to run");
  return std::unique_ptr<study::Runner>(make(threads, arrays));
}

std::vector<KernelTime> time_in_rounds(const std::vector<study::Runner*>& kernels, int rounds,
                                       double least_milliseconds) {
  std::vector<int> launches;
  for (study::Runner* kernel : kernels) launches.push_back(launches_of(*kernel, least_milliseconds));
  std::vector<std::vector<double>> times(kernels.size());
  for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round)
    for (std::size_t turn = 0; turn < kernels.size(); ++turn) {
      const std::size_t n = (turn + round) % kernels.size();
      times[n].push_back(kernels[n]->milliseconds(launches[n]));
    }
  std::vector<KernelTime> all;
  for (const std::vector<double>& of_kernel : times)
    all.push_back({quartiles(of_kernel), ratio_quartiles(of_kernel, times[0])});
  return all;
}

}  // namespace halfstep
