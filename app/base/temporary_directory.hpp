// A temporary directory.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

/// Creates a directory in $TMPDIR or /tmp; removes it with its contents on destruction.
class TemporaryDirectory {
 public:
  /// Throws std::runtime_error if the directory cannot be created.
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "halfstep-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw_system_error("create", name, errno);
    path_ = std::filesystem::canonical(name);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace halfstep
