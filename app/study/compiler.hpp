// Compilation of kernels at run time by this machine's nvcc, from the sources of this program. Compiled
// kernels are cached.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/base/process.hpp"

namespace halfstep {

/// Resources of a kernel as ptxas reports them.
struct KernelResources {
  std::string name;  ///< as in the cubin
  int registers = 0;
  int stack_bytes = 0;                    ///< local memory per thread
  int spill_stores = 0, spill_loads = 0;  ///< bytes per thread
  int shared_bytes = 0;                   ///< static, per block
};

/// Parses the report of `nvcc -Xptxas -v`: one entry per kernel, in its order.
std::vector<KernelResources> parse_ptxas(const std::string& report);

struct CompiledKernels {
  std::filesystem::path cubin;
  std::vector<KernelResources> resources;
  /// Returns the resources of a kernel. Throws std::logic_error if there is none of that name.
  const KernelResources& of(const std::string& name) const;
};

/// A source that nvcc refuses. what() ends with its messages.
struct CompileError : std::runtime_error {
  CompileError(const std::string& architecture, const std::string& nvcc);
  std::string messages;  ///< nvcc's alone
};

class KernelCompiler {
 public:
  /// Finds nvcc: $CUDACXX, else on the PATH, else the one that compiled this program, else in
  /// /usr/local/cuda. Throws std::runtime_error with a message for the user if there is none, or if the
  /// sources cannot be written to the cache.
  KernelCompiler();

  /// Compiles `source`, which may include headers of physics/, runtime/ and app/, for `architecture`, e.g.
  /// "sm_90". Thread-safe. Throws CompileError.
  CompiledKernels compile(const std::string& source, const std::string& architecture) const;

  // A user's sources are compiled with nvcc's own choices in C++20, and may include halfstep/study.hpp and
  // CASerror.h. A source that includes files must change when they do: its text is what finds it in the
  // cache.

  /// Compiles the kernels of a user's source with at most `cap` registers each; 0: no cap. The machine code
  /// knows the lines of its source. Thread-safe. Throws CompileError.
  CompiledKernels compile_user_source(const std::string& source, const std::string& architecture,
                                      int cap) const;
  /// Builds a shared object of a user's source, and returns its path. Thread-safe. Throws CompileError.
  std::filesystem::path build_library(const std::string& source, const std::string& architecture,
                                      int cap) const;
  /// Runs nvcc with the options for a user's source, and `words` after them.
  ProcessResult run_on_user_source(const std::vector<std::string>& words) const;

  /// Returns nvdisasm, beside nvcc or on the PATH; "" if there is none.
  std::filesystem::path nvdisasm() const;

  /// Returns the architectures that nvcc compiles for, e.g. "sm_90".
  std::vector<std::string> architectures() const;

  /// Returns e.g. "13.0".
  const std::string& version() const { return version_; }

  /// Returns a hash of the embedded headers and of the build's floating-point mode, strict or fast.
  static std::string sources_hash();
  /// Returns $HALFSTEP_CACHE, or halfstep/ in $XDG_CACHE_HOME or ~/.cache.
  static std::filesystem::path cache_directory();

 private:
  struct Output {
    std::filesystem::path file;
    std::string report;  // what nvcc printed
  };
  Output make(const std::string& source, std::vector<std::string> words, const std::string& architecture,
              const std::string& suffix) const;
  std::vector<std::string> user_words() const;

  std::filesystem::path nvcc_, includes_;
  std::string version_;
};

}  // namespace halfstep
