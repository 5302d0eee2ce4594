// The tuning file: which stage kernels are faster on one device in another shape. `halfstep study tune`
// writes it, runs read it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "physics/solver.hpp"

namespace halfstep {

struct TunedKernel {
  std::filesystem::path cubin;
  std::string function;  ///< in it
  int threads = 0;       ///< of a block
  int registers = 0;
  double ratio = 1;  ///< of its time, to that of the program's own kernel
};

struct Tuning {
  std::string device, architecture;
  std::string sources;                         ///< the hash of what the kernels were compiled from
  std::map<std::string, TunedKernel> kernels;  ///< by kernel_name()
};

/// Of the current device.
std::filesystem::path tuning_file();
/// Throws std::runtime_error.
void write_tuning(const Tuning& tuning);
/// Nothing where there is no file. One that is damaged, or of another build, has no kernels and says why in
/// `remark`, if it is given.
std::optional<Tuning> read_tuning(std::string* remark = nullptr);

/// The tuned kernel for a problem in three dimensions; it stays loaded until the process ends. Nothing where
/// the program's own serves.
std::optional<StageVariant> tuned_stage(const Problem& problem);

}  // namespace halfstep
