// The study `registers`: what it costs a stage kernel in registers, occupancy and time to report an error, by
// the way it reports; after Table 1 and Table 2 of NVIDIA's blog "Asynchronous Error Reporting: When printf
// Just Won't Do" (2023), on the kernels of this program.
#pragma once

#include <string>
#include <vector>

#include "app/kernels/compiler.hpp"
#include "app/study/report.hpp"

namespace halfstep {

/// A way of reporting, as the study calls it.
struct ReportingMethod {
  std::string name;
  std::string policy;  ///< of a stage kernel
  std::string toy;     ///< the blog's kernel that reports so
};
/// none first.
const std::vector<ReportingMethod>& reporting_methods();

/// The blog's kernel, by the methods' order.
std::vector<KernelResources> toy_resources(const KernelCompiler& compiler, const std::string& architecture);

/// Without a GPU: registers, spills and occupancy from the compiler alone, for all architectures. Throws
/// std::runtime_error without nvcc, or in a build without CUDA.
StudyReport registers();

/// "At 256 threads plm falls from 37.5 % to 25 % occupancy somewhere beyond 80 registers: beyond it are
/// printf (104), payload (96); not none (80), raise once (72)."; empty where all have the same occupancy.
/// `occupancies`: 0 to 1.
std::string cliff_sentence(const std::string& kernel, int threads, const std::vector<std::string>& methods,
                           const std::vector<int>& registers, const std::vector<double>& occupancies);

}  // namespace halfstep
