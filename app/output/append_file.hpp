// A text file that grows by whole lines: what is written survives the program's end, however that comes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace halfstep {

/// Everything throws std::runtime_error with the file's name, the system's reason and a remedy.
class AppendFile {
 public:
  /// Opens or creates, but not through a symbolic link. A last line that was not finished (the run was killed
  /// in it) is cut off.
  explicit AppendFile(std::filesystem::path path);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void write_line(std::string line);
  /// Cuts the file to its first `size` bytes.
  void truncate(std::uintmax_t size);
  /// Waits until the disk has all lines, where path() says. While another thread writes lines, too.
  void synchronise() const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace halfstep
