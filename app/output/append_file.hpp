// A text file that grows by whole lines. Lines written survive any end of the program.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace halfstep {

/// Opens or creates a file of a run to be written, but not through a symbolic link and not a pipe. `flags`:
/// further ones of open(). Returns its descriptor. Throws as the members of AppendFile do.
int open_growing_file(const std::filesystem::path& path, int flags);
/// Waits until what was written is on the disk at `path`. Throws also where another file is there now.
void synchronise_growing_file(int descriptor, const std::filesystem::path& path);

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
  /// Writes whole lines, with their ends.
  void write_lines(std::string_view lines);
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
