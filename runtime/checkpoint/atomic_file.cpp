#include "runtime/checkpoint/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace halfstep {

namespace {

std::string_view remedy(int code) {
  switch (code) {
    case ENOSPC:
      return "the disk is full: free some space or write to another directory";
    case EDQUOT:
      return "your quota is used up: free some space or write to another directory";
    case EFBIG:
      return "the file would pass the size limit: see 'ulimit -f'";
    case EACCES:
    case EPERM:
      return "check the permissions or write to another directory";
    case EROFS:
      return "the file system is read-only: write to another directory";
    case ENOTDIR:
      return "a part of this path is a file, not a directory";
    case ENOENT:
      return "check the path";
    case EEXIST:
      return "something else is in its place: remove it";
    case ELOOP:
      return "there is a symbolic link in its place: remove it";
    case ENOLCK:
    case ENOSYS:
    case EOPNOTSUPP:
      return "the file system cannot do this: write to another directory";
    case EMFILE:
      return "too many open files: see 'ulimit -n'";
    case ESTALE:
    case EIO:
      return "the disk or its server fails";
    default:
      return "";
  }
}

}  // namespace

void throw_system_error(std::string_view doing, const std::filesystem::path& path, int code,
                        std::string_view where) {
  std::string message = "cannot " + std::string(doing) + " '" + path.string() + "'" + std::string(where) +
                        ": " + std::generic_category().message(code);
  if (!remedy(code).empty()) message += " (" + std::string(remedy(code)) + ")";
  throw std::runtime_error(message);
}

void write_all(int descriptor, std::span<const std::byte> bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_system_error("write", path, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

int write_all_at(int descriptor, std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    offset += written;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  return path.parent_path() / ("." + path.filename().string() + ".partial");
}

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(temporary_name(path_)) {
  // Always creates a new file: neither a leftover of a killed run nor a symbolic link is written through.
  ::unlink(temporary_.c_str());
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_system_error("create", path_, errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  constexpr std::size_t piece = std::size_t{1} << 25;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(piece, bytes.size()));
    write_all(descriptor_, part, path_);
    // A hint to the kernel: the disk starts writing while the next piece is copied, not only in commit().
    if (bytes.size() > part.size())
      ::sync_file_range(descriptor_, written_, static_cast<off_t>(part.size()), SYNC_FILE_RANGE_WRITE);
    written_ += static_cast<off_t>(part.size());
    bytes = bytes.subspan(part.size());
  }
}

void AtomicFile::allocate(std::int64_t bytes) {
  int code = 0;
  do code = ::fallocate(descriptor_, 0, 0, bytes) == 0 ? 0 : errno;
  while (code == EINTR);
  // Some file systems can only be told how long the file is to be.
  if (code == EOPNOTSUPP || code == ENOSYS) code = ::ftruncate(descriptor_, bytes) == 0 ? 0 : errno;
  if (code != 0) throw_system_error("write", path_, code);
}

void AtomicFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  if (const int code = write_all_at(descriptor_, offset, bytes); code != 0)
    throw_system_error("write", path_, code);
}

void AtomicFile::commit(Safe safe) {
  if (safe == Safe::at_commit && ::fsync(descriptor_) != 0) throw_system_error("write", path_, errno);
  // A hint as in write(): the disk has little left to do when the file is synchronised.
  if (safe != Safe::at_commit) ::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_system_error("write", path_, errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_system_error("replace", path_, errno);
  temporary_.clear();
  if (safe == Safe::at_commit) synchronise_directory(path_.parent_path());
}

namespace {

void expect_no_error(int code) {
  if (code != 0) throw std::system_error(code, std::generic_category());
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC)) {
  expect_no_error(descriptor_ < 0 ? errno : 0);
}

OpenFile::~OpenFile() { ::close(descriptor_); }

void OpenFile::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  expect_no_error(write_all_at(descriptor_, offset, bytes));
}

void OpenFile::synchronise() { expect_no_error(::fsync(descriptor_) == 0 ? 0 : errno); }

void synchronise_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return;
  if (descriptor < 0) throw_system_error("open", path, errno);
  const int code = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (code != 0) throw_system_error("write", path, code);
}

void synchronise_directory(const std::filesystem::path& directory) {
  const std::filesystem::path name = directory.empty() ? "." : directory;
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw_system_error("open", name, errno);
  const int code = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  // Some file systems cannot synchronise a directory and return EINVAL.
  if (code != 0 && code != EINVAL) throw_system_error("write", name, code);
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace halfstep
