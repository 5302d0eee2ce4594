// Checks that a directory is writable.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

/// Throws std::runtime_error if `directory` cannot be made or written into. Makes nothing: an early check.
inline void expect_writable(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::path there = std::filesystem::absolute(directory);
  while (!std::filesystem::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  if (!std::filesystem::is_directory(there, error)) throw_system_error("create", directory, ENOTDIR);
  if (::access(there.c_str(), W_OK | X_OK) != 0) throw_system_error("write into", there, errno);
}

/// Makes the directory if it is missing. Throws std::runtime_error if it cannot be made or written into.
inline void make_writable(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw_system_error("create", directory, error.value());
  if (::access(directory.c_str(), W_OK | X_OK) != 0) throw_system_error("write into", directory, errno);
}

}  // namespace halfstep
