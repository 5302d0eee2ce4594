// A file that is either there whole or not at all: written under a temporary name in the same directory,
// synchronised to the disk and renamed.
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

/// Writes all of `bytes` to the descriptor; `path` is for the message.
void write_all(int descriptor, std::span<const std::byte> bytes, const std::filesystem::path& path);

/// Everything throws std::runtime_error as throw_system_error does. Without commit() nothing is left behind.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  /// From now on the file is there, also after a power cut.
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
  std::int64_t written_ = 0;  // bytes
};

/// The temporary name AtomicFile uses for `path`; fixed, so that what a killed run left is replaced.
std::filesystem::path temporary_name(const std::filesystem::path& path);

/// Makes the entries of `directory` durable.
void synchronise_directory(const std::filesystem::path& directory);

/// A file in one call.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace halfstep
