// The tuning file: stage kernels that are faster on one device in another configuration. `halfstep study
// tune` writes it, runs read it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "physics/solver/solver.hpp"

namespace halfstep {

struct TunedKernel {
  std::filesystem::path cubin;
  std::string function;  ///< its name in the cubin
  int threads = 0;       ///< per block
  int registers = 0;
  double ratio = 1;  ///< its time over that of the program's own kernel
};

struct Tuning {
  std::string device, architecture;
  std::string sources;                         ///< hash of the sources the kernels were compiled from
  std::map<std::string, TunedKernel> kernels;  ///< by kernel_name()
};

/// Returns the path of the current device's tuning file.
std::filesystem::path tuning_file();
/// Writes the tuning file. Throws std::runtime_error.
void write_tuning(const Tuning& tuning);
/// Reads the tuning file; returns nothing if there is none. A damaged file, or one of another build, yields
/// no kernels and sets `remark`, if given, to the reason.
std::optional<Tuning> read_tuning(std::string* remark = nullptr);

/// Returns the tuned kernel for a problem in three dimensions, loaded until the process ends; nothing if the
/// program's own kernel is to be used.
std::optional<StageVariant> tuned_stage(const Problem& problem);

}  // namespace halfstep
