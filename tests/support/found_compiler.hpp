// The kernel compiler, where this machine has one.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "app/study/compiler.hpp"
#include "tests/support/environment.hpp"
#include "tests/support/temporary_directory.hpp"

namespace halfstep {

/// Returns the kernel compiler; without nvcc prints a message and returns nullptr.
inline std::unique_ptr<KernelCompiler> found_compiler() {
  try {
    return std::make_unique<KernelCompiler>();
  } catch (const std::runtime_error& error) {
    MESSAGE("skipped: ", error.what());
    return nullptr;
  }
}

/// The kernel compiler with a cache of its own; nothing, with a message, on a machine without nvcc.
class CompilerWithCache {
 public:
  explicit operator bool() const { return compiler_ != nullptr; }
  const KernelCompiler& operator*() const { return *compiler_; }
  const KernelCompiler* operator->() const { return compiler_.get(); }

  /// Whether it is of that release; prints a message if there is another.
  bool is_release(const std::string& release) const {
    if (!compiler_) return false;
    if (compiler_->version() != release)
      MESSAGE("skipped: the figures are of nvcc ", release, ", this is ", compiler_->version());
    return compiler_->version() == release;
  }

 private:
  TemporaryDirectory directory_;
  Environment cache_{"HALFSTEP_CACHE", directory_.path().string()};
  std::unique_ptr<KernelCompiler> compiler_ = found_compiler();
};

}  // namespace halfstep
