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

/// Throws std::runtime_error "cannot <doing> '<path>': <the system's reason> (<remedy>)" for the errno value
/// `code`.
[[noreturn]] void throw_system_error(std::string_view doing, const std::filesystem::path& path, int code);

/// Writes all of `bytes` to the descriptor; `path` is for the message. Throws as throw_system_error does.
void write_all(int descriptor, std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Writes a file atomically. Failures throw as throw_system_error does. Without commit() nothing remains.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  /// Puts the file under its name, from now on also after a power cut.
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
  std::int64_t written_ = 0;  // bytes
};

/// Returns AtomicFile's temporary name for `path`; it is fixed, so a killed run's leftover is replaced.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Synchronises the entries of `directory` to the disk. Throws as throw_system_error does.
void synchronise_directory(const std::filesystem::path& directory);

/// Writes a file atomically in one call.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace halfstep
