// Compilation of kernels at run time by this machine's nvcc, from the sources of this program. Compiled
// kernels are cached.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

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

class KernelCompiler {
 public:
  /// Finds nvcc: $CUDACXX, else on the PATH, else the one that compiled this program, else in
  /// /usr/local/cuda. Throws std::runtime_error with a message for the user if there is none, or if the
  /// sources cannot be written to the cache.
  KernelCompiler();

  /// Compiles `source`, which may include headers of physics/, runtime/ and app/, for `architecture`, e.g.
  /// "sm_90". Thread-safe. Throws std::runtime_error with nvcc's messages.
  CompiledKernels compile(const std::string& source, const std::string& architecture) const;

  /// Returns e.g. "13.0".
  const std::string& version() const { return version_; }

  /// Returns a hash of the embedded headers and of the build's floating-point mode, strict or fast.
  static std::string sources_hash();
  /// Returns $HALFSTEP_CACHE, or halfstep/ in $XDG_CACHE_HOME or ~/.cache.
  static std::filesystem::path cache_directory();

 private:
  std::filesystem::path nvcc_, includes_;
  std::string version_;
};

}  // namespace halfstep
