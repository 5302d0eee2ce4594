#include "app/output/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace {

[[noreturn]] void throw_held(const std::filesystem::path& directory) {
  std::string holder;
  std::getline(std::ifstream(directory / kLockName), holder);
  throw std::runtime_error("another run is writing into '" + directory.string() + "' (" + holder +
                           "): wait for it, stop it with 'touch " + (directory / "stop").string() +
                           "', or write elsewhere with --output");
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / kLockName;
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_system_error("open", path, errno);
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int code = errno;
    ::close(descriptor_);
    if (code != EWOULDBLOCK) throw_system_error("lock", path, code);
    throw_held(directory);
  }
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  const std::string holder = "process " + std::to_string(::getpid()) + " on " + host + "\n";
  if (::ftruncate(descriptor_, 0) != 0) throw_system_error("write", path, errno);
  write_all(descriptor_, std::as_bytes(std::span(holder)), path);
}

DirectoryLock::~DirectoryLock() { ::close(descriptor_); }

void refuse_locked(const std::filesystem::path& directory) {
  const int descriptor = ::open((directory / kLockName).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return;
  const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  if (held) throw_held(directory);
}

}  // namespace halfstep
