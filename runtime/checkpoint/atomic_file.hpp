// A file that exists either completely or not at all: it is written under a temporary name in the same
// directory, synchronised to the disk and renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace halfstep {

/// Throws std::runtime_error "cannot <doing> '<path>'<where>: <the system's reason> (<remedy>)" for the errno
/// value `code`.
[[noreturn]] void throw_system_error(std::string_view doing, const std::filesystem::path& path, int code,
                                     std::string_view where = "");

/// Writes all of `bytes` to the descriptor; `path` is for the message. Throws as throw_system_error does.
void write_all(int descriptor, std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Writes all of `bytes` at an offset; returns 0 or errno.
int write_all_at(int descriptor, std::int64_t offset, std::span<const std::byte> bytes);

/// When a file is safe from a power cut: from its commit on, or after synchronise_file() and, for its name,
/// synchronise_directory(). A process that is killed loses neither.
enum class Safe { at_commit, when_synchronised };

/// Writes a file atomically. Failures throw as throw_system_error does. Without commit() nothing remains.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  /// Makes room for a file of that many bytes. A full disk is then an error here, not where they are written.
  void allocate(std::int64_t bytes);
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  /// Returns the name that the file has until commit(), for others that write into it.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Puts the file under its name.
  void commit(Safe safe = Safe::at_commit);

 private:
  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
  std::int64_t written_ = 0;  // bytes
};

/// A file that another process has made and ends, open for writing into it. Throws std::system_error.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  /// Brings what was written to the disk.
  void synchronise();

 private:
  int descriptor_;
};

/// Returns AtomicFile's temporary name for `path`; it is fixed, so a killed run's leftover is replaced.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Synchronises a file to the disk, if it is still there. Throws as throw_system_error does.
void synchronise_file(const std::filesystem::path& path);
/// Synchronises the entries of `directory` to the disk. Throws as throw_system_error does.
void synchronise_directory(const std::filesystem::path& directory);

/// Writes a file atomically in one call.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace halfstep
