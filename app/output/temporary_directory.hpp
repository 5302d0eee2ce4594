// A directory of one's own for as long as one is at work.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

/// In $TMPDIR or /tmp; removed with all that is in it at the end.
class TemporaryDirectory {
 public:
  /// Throws std::runtime_error.
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
