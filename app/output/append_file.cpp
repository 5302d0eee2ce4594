#include "app/output/append_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <span>
#include <stdexcept>
#include <utility>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace {

/// Returns the file's length up to and including its last line break.
std::streamoff finished_size(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::streamoff size = file.tellg();
  for (; size > 0; --size) {
    file.seekg(size - 1);
    if (file.get() == '\n') break;
  }
  return size;
}

}  // namespace

int open_growing_file(const std::filesystem::path& path, int flags) {
  // O_NONBLOCK: does not wait for a pipe's reader.
  const int descriptor = ::open(path.c_str(), flags | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_system_error("open", path, errno);
  if (std::filesystem::is_regular_file(path)) return descriptor;
  ::close(descriptor);
  throw std::runtime_error("cannot write '" + path.string() + "': it is not a file; remove it");
}

void synchronise_growing_file(int descriptor, const std::filesystem::path& path) {
  if (::fsync(descriptor) != 0) throw_system_error("write", path, errno);
  struct stat written {
  }, there{};
  if (::fstat(descriptor, &written) != 0) throw_system_error("write", path, errno);
  const bool is_there = ::lstat(path.c_str(), &there) == 0;
  if (!is_there && errno != ENOENT) throw_system_error("write", path, errno);
  if (!is_there || there.st_ino != written.st_ino || there.st_dev != written.st_dev)
    throw std::runtime_error(
        "'" + path.string() +
        "' was removed or replaced while it was written: what it held is lost; leave a directory "
        "alone until its run has ended");
}

AppendFile::AppendFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = open_growing_file(path_, O_WRONLY | O_APPEND);
  const auto finished = static_cast<std::uintmax_t>(finished_size(path_));
  if (std::filesystem::file_size(path_) != finished) truncate(finished);
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

void AppendFile::write_line(std::string line) {
  line += '\n';
  write_lines(line);
}

void AppendFile::write_lines(std::string_view lines) {
  write_all(descriptor_, std::as_bytes(std::span(lines)), path_);
}

void AppendFile::truncate(std::uintmax_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) throw_system_error("shorten", path_, errno);
}

void AppendFile::synchronise() const { synchronise_growing_file(descriptor_, path_); }

}  // namespace halfstep
