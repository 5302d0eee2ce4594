// A text file that grows by whole lines. Lines written survive any end of the program.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace halfstep {

/// Every member throws std::runtime_error with the file's name, the system's reason and a remedy.
class AppendFile {
 public:
  /// Opens or creates the file, but not through a symbolic link. Cuts off an unfinished last line, left by a
  /// killed run.
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void write_line(std::string line);
  /// Cuts the file to its first `size` bytes.
  void truncate(std::uintmax_t size);
  /// Waits until all lines are on the disk at path(). Safe while another thread writes lines.
  void synchronise() const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace halfstep
