// A directory that files can be put into.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

/// Makes it if need be. Throws std::runtime_error if it cannot be made or written into.
inline void make_writable(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw_system_error("create", directory, error.value());
  if (::access(directory.c_str(), W_OK | X_OK) != 0) throw_system_error("write into", directory, errno);
}

}  // namespace halfstep
