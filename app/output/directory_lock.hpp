// A lock that admits one run at a time to an output directory.
#pragma once

#include <filesystem>

namespace halfstep {

/// Name of the locked file; it remains after the run.
inline constexpr const char* kLockName = ".halfstep.lock";

/// Holds the lock until the object is destroyed or the process ends in any way.
class DirectoryLock {
 public:
  /// Throws std::runtime_error: with the holding process and a remedy if another run writes there; with the
  /// system's reason if the file cannot be locked or is a symbolic link.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// Throws std::runtime_error, as DirectoryLock does, if a run holds the lock of `directory`. Changes nothing.
void refuse_locked(const std::filesystem::path& directory);

}  // namespace halfstep
