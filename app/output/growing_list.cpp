#include "app/output/growing_list.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep {

namespace fs = std::filesystem;

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

void GrowingList::update_twin() {
  std::string text = entries_;
  off_t at = 0;
  if (twin_is_as_left()) {
    text.erase(0, *twin_has_);
    at = static_cast<off_t>(frame_.begin.size() + *twin_has_);
  } else {
    std::error_code none;
    fs::remove(twin_, none);
    text.insert(0, frame_.begin);
  }
  twin_has_.reset();
  text += frame_.end;
  const int file = ::open(twin_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file < 0) throw_system_error("open", twin_, errno);
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
