// The study `registers`: registers, occupancy and time that error reporting costs a stage kernel, by
// reporting method. It follows Tables 1 and 2 of NVIDIA's blog "Asynchronous Error Reporting: When printf
// Just Won't Do" (2023), with this program's kernels.
#pragma once

#include <string>
#include <vector>

#include "app/base/report.hpp"
#include "app/base/studies.hpp"
#include "app/study/compiler.hpp"

namespace halfstep {

struct ReportingMethod {
  std::string name;
  std::string policy;  ///< reporting policy of a stage kernel
  std::string toy;     ///< name of the blog's kernel with this method
};
/// Returns all methods, "none" first.
const std::vector<ReportingMethod>& reporting_methods();

/// Returns the resources of the blog's kernel, in the methods' order.
std::vector<KernelResources> toy_resources(const KernelCompiler& compiler, const std::string& architecture);

/// Runs the study. Without a GPU: registers, spills and occupancy from the compiler, for all architectures.
/// `request` narrows down architectures (of what the compiler alone tells), blocks, caps, schemes, methods
/// and precisions; what the tables compare with has all of them. Throws UsageError if nothing is left, and
/// std::runtime_error without nvcc.
StudyReport registers(const StudyRequest& request = {});

/// Returns "At 256 threads plm falls from 37.5 % to 25 % occupancy somewhere beyond 80 registers: beyond it
/// are printf (104), payload (96); not none (80), raise once (72)."; "" if all have the same occupancy.
/// `occupancies`: 0 to 1.
std::string cliff_sentence(const std::string& kernel, int threads, const std::vector<std::string>& methods,
                           const std::vector<int>& registers, const std::vector<double>& occupancies);

}  // namespace halfstep
