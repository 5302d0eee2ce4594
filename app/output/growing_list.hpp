// A text file of a beginning, entries and an end, to which entries are added. A reader sees a whole file at
// any time, and an entry costs no more than itself. On file systems without leases (fcntl(2)) a reader that
// takes longer than the next two entries may see parts of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace halfstep {

/// The fixed text of such a file: before the entries, between two of them, and after them.
struct ListFrame {
  std::string_view begin, separator, end;
};

/// Every member that writes throws std::runtime_error with the file's name, the system's reason and a remedy.
class GrowingList {
 public:
  /// Begins an empty list; the file is written with the first entry.
  GrowingList(std::filesystem::path path, ListFrame frame);
  ~GrowingList();
  GrowingList(GrowingList&&) = default;

  /// Adds an entry, which update() or write() puts into the file.
  void add(std::string_view entry);
  /// Writes the file anew, atomically.
  void write();
  /// Brings the file up to date. It and a hidden twin, which lacks the last entries, take turns: the twin is
  /// brought up to date, then both change names. A twin that a reader still has open is left to it, and
  /// another one is made.
  void update();

  const std::filesystem::path& path() const { return path_; }

 private:
  bool twin_is_as_left() const;
  /// Opens the twin, or a new one if it is not as it was left or is being read; then twin_has_ is empty.
  int open_twin();
  /// Writes all entries into the twin, or only those that it lacks.
  void update_twin();

  std::filesystem::path path_, twin_;
  ListFrame frame_;
  std::string entries_;
  std::size_t file_has_ = 0;             ///< bytes of entries_
  std::optional<std::size_t> twin_has_;  ///< likewise; empty: there is no twin
  bool has_leases_ = true;               ///< the file system
};

}  // namespace halfstep
