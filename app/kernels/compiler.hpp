// Kernels compiled at run time by the nvcc of this machine, from the sources this program was built from.
// What was compiled once is kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfstep {

/// What ptxas reports of a kernel.
struct KernelResources {
  std::string name;  ///< as in the cubin
  int registers = 0;
  int stack_bytes = 0;                    ///< of local memory, a thread
  int spill_stores = 0, spill_loads = 0;  ///< bytes, a thread
  int shared_bytes = 0;                   ///< static, a block
};

/// The report of `nvcc -Xptxas -v`: one entry a kernel, in its order.
std::vector<KernelResources> parse_ptxas(const std::string& report);

struct CompiledKernels {
  std::filesystem::path cubin;
  std::vector<KernelResources> resources;
  /// Throws std::logic_error if there is no such kernel.
  const KernelResources& of(const std::string& name) const;
};

class KernelCompiler {
 public:
  /// Finds nvcc: $CUDACXX, that on the PATH, that which compiled this program, that in
  /// /usr/local/cuda. Throws std::runtime_error with
  /// a message for the user if there is none, or if the sources cannot be written to the cache.
  KernelCompiler();

  /// Compiles `source`, which may include the headers of physics/, runtime/ and app/, for `architecture`,
  /// such as "sm_90". By several threads at once if they like. Throws std::runtime_error with nvcc's own
  /// words.
  CompiledKernels compile(const std::string& source, const std::string& architecture) const;

  /// Such as "13.0".
  const std::string& version() const { return version_; }

  /// Of the headers this program carries, and of how it was compiled.
  static std::string sources_hash();
  /// $HALFSTEP_CACHE, or halfstep/ in $XDG_CACHE_HOME or ~/.cache.
  static std::filesystem::path cache_directory();

 private:
  std::filesystem::path nvcc_, includes_;
  std::string version_;
};

}  // namespace halfstep
