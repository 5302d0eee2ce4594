// The kernel compiler, where this machine has one.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

#include "app/study/compiler.hpp"

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

}  // namespace halfstep
