// DirectoryLock where locking fails for another reason than a run that holds the lock.
#include <doctest/doctest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "app/output/directory_lock.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

int flock_error = 0;  // errno with which flock fails; 0: it works

}  // namespace

/// Replaces the system's flock in this program.
extern "C" int flock(int descriptor, int operation) noexcept {
  if (flock_error == 0) return static_cast<int>(::syscall(SYS_flock, descriptor, operation));
  errno = flock_error;
  return -1;
}

using namespace halfstep;

TEST_CASE("Where a directory cannot be locked a run does not go on without") {
  const TemporaryDirectory directory;
  for (const auto& [error, reason] :
       {std::pair{ENOLCK, "No locks available"}, std::pair{ENOSYS, "not implemented"},
        std::pair{EIO, "Input/output error"}}) {
    flock_error = error;
    const std::string said = refusal([&] { const DirectoryLock lock(directory.path()); });
    flock_error = 0;
    CHECK(contains(said, "cannot lock '" + (directory / kLockName).string() + "': "));
    CHECK(contains(said, reason));
  }
  CHECK(refusal([&] { const DirectoryLock lock(directory.path()); }).empty());
}

TEST_CASE("A lock that is a symbolic link leads to nobody's file") {
  const TemporaryDirectory directory;
  put(directory / "thesis.tex", "years of work");
  std::filesystem::create_symlink(directory / "thesis.tex", directory / kLockName);
  CHECK(contains(refusal([&] { const DirectoryLock lock(directory.path()); }),
                 "there is a symbolic link in its place"));
  CHECK(contents(directory / "thesis.tex") == "years of work");
}
