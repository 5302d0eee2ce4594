#include "app/output/growing_list.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace fs = std::filesystem;

namespace {

/// Whether a reader still has the twin open, which it opened under the other name.
bool is_being_read(int twin) {
  // A lease to write is given only where nobody else has the file open. A tool that opens the hidden name
  // just then has a signal sent here, which is one that does nothing.
  ::fcntl(twin, F_SETSIG, SIGURG);
  if (::fcntl(twin, F_SETLEASE, F_WRLCK) != 0) return errno == EAGAIN;  // other errors: there are no leases
  ::fcntl(twin, F_SETLEASE, F_UNLCK);
  return false;
}

}  // namespace

GrowingList::GrowingList(fs::path path, ListFrame frame)
    : path_(std::move(path)), twin_(temporary_name(path_)), frame_(frame) {}

GrowingList::~GrowingList() {
  std::error_code gone;
  if (twin_has_) fs::remove(twin_, gone);
}

void GrowingList::add(std::string_view entry) {
  if (!entries_.empty()) entries_ += frame_.separator;
  entries_ += entry;
}

void GrowingList::write() {
  write_file(path_, std::string(frame_.begin) + entries_ + std::string(frame_.end));
  file_has_ = entries_.size();
}

bool GrowingList::twin_is_as_left() const {
  std::error_code gone;
  return twin_has_ && fs::symlink_status(twin_, gone).type() == fs::file_type::regular &&
         fs::file_size(twin_, gone) == frame_.begin.size() + *twin_has_ + frame_.end.size();
}

int GrowingList::open_twin() {
  const int file = twin_is_as_left() ? ::open(twin_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (file >= 0 && !(has_leases_ && is_being_read(file))) return file;
  if (file >= 0) ::close(file);
  twin_has_.reset();
  std::error_code none;
  fs::remove(twin_, none);
  const int anew = ::open(twin_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (anew < 0) throw_system_error("open", twin_, errno);
  has_leases_ = !is_being_read(anew);  // nobody can have it open
  return anew;
}

void GrowingList::update_twin() {
  const int file = open_twin();
  const std::string text = (twin_has_ ? entries_.substr(*twin_has_) : std::string(frame_.begin) + entries_) +
                           std::string(frame_.end);
  const auto at = static_cast<off_t>(twin_has_ ? frame_.begin.size() + *twin_has_ : 0);
  twin_has_.reset();
  errno = ENOSPC;  // for a short write that sets no errno
  int code =
      ::pwrite(file, text.data(), text.size(), at) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0
          ? 0
          : errno;
  if (::close(file) != 0 && code == 0) code = errno;
  if (code != 0) throw_system_error("write", path_, code);
}

void GrowingList::update() {
  if (file_has_ == entries_.size()) return;
  std::error_code gone;
  if (fs::symlink_status(path_, gone).type() == fs::file_type::directory)
    throw_system_error("write", path_, EISDIR);
  update_twin();
  if (::renameat2(AT_FDCWD, twin_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0)
    twin_has_ = file_has_;
  else if (::rename(twin_.c_str(), path_.c_str()) != 0)  // no file yet, or the file system cannot exchange
    throw_system_error("write", path_, errno);
  file_has_ = entries_.size();
}

}  // namespace halfstep
