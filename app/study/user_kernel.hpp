// A kernel in a file of the user's, and its machine code in every way of reporting an error.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/study/compiler.hpp"

namespace halfstep {

/// The ways of reporting, "none" first. Each is a header of app/study/include/halfstep/study.
inline constexpr const char* kUserMethods[] = {"none",    "printf",     "assert",
                                               "payload", "raise_once", "caserror"};

struct UserKernel {
  std::filesystem::path file;
  std::string name;                 ///< as the user says it
  std::string full_name;            ///< with namespaces and template arguments
  std::string fingerprint;          ///< a hash of the file and of all that it includes
  int most_threads = 0;             ///< per block, by its __launch_bounds__; 0: not bounded
  bool has_dynamic_shared = false;  ///< whether the file declares shared memory of a launch's size
  bool has_setup = false;           ///< whether the file defines halfstep_study_setup
};

/// Throws UsageError if `place` is not "FILE.cu:NAME", or if there is no such file.
void check_kernel_place(const std::string& place);

/// Finds the kernel that `place`, "FILE.cu:NAME", means. Throws UsageError if there is no such file or
/// kernel, or if nvcc cannot compile the file for `architecture`.
UserKernel find_user_kernel(const KernelCompiler& compiler, const std::string& place,
                            const std::string& architecture);

/// Returns the source of the user's file with a way of reporting, for KernelCompiler::compile_user_source().
std::string user_source(const UserKernel& kernel, const std::string& method);
/// Returns the source of a shared object with halfstep/study/runner.hpp's function.
std::string runner_source(const UserKernel& kernel, const std::string& method);

/// Returns which of `symbols`, mangled names, `name` means: the whole name, or its last parts. Throws
/// UsageError if there is none or more than one.
std::size_t find_symbol(const std::vector<std::string>& symbols, const std::string& name,
                        const std::string& file);

/// Returns the name of a kernel without its parameters: "flow::step<double>".
std::string kernel_name_of(const std::string& symbol);

/// The bounds of a kernel, in the order of the file.
struct KernelBounds {
  std::string symbol;
  int most_threads = 0;  ///< per block; 0: not bounded
};
/// Reads the kernels of a PTX text.
std::vector<KernelBounds> parse_ptx(const std::string& ptx);

}  // namespace halfstep
