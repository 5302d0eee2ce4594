// Times of user's kernels, which take turns.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "app/base/quartiles.hpp"
#include "app/study/include/halfstep/study/runner.hpp"

namespace halfstep {

/// Loads a shared object of KernelCompiler::build_library() and returns its runner with blocks of `threads`,
/// which outlives no array of `arrays`. The object stays loaded. Throws std::runtime_error.
std::unique_ptr<study::Runner> load_runner(const std::filesystem::path& library, int threads,
                                           study::SharedArrays& arrays);

/// The time of a kernel's launch.
struct KernelTime {
  Quartiles milliseconds;
  Quartiles ratio;  ///< to the first kernel, in the same rounds
};

/// Times the kernels in rounds, in each of which every kernel has a turn of at least `least_milliseconds`.
/// The order changes from round to round.
std::vector<KernelTime> time_in_rounds(const std::vector<study::Runner*>& kernels, int rounds,
                                       double least_milliseconds);

}  // namespace halfstep
