// One run at a time in an output directory.
#pragma once

#include <filesystem>

namespace halfstep {

/// The name of the file that is locked; it stays when the run is over.
inline constexpr const char* kLockName = ".halfstep.lock";

/// Held until the object goes or the process ends, however that comes.
class DirectoryLock {
 public:
  /// Throws std::runtime_error: with the process that holds it and a remedy, if another run writes there;
  /// with the system's reason, if the file cannot be locked or is a symbolic link.
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// Throws std::runtime_error, as DirectoryLock does, where a run holds the lock of `directory`; changes
/// nothing.
void refuse_locked(const std::filesystem::path& directory);

}  // namespace halfstep
