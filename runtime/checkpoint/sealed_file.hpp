// An HDF5 file behind a seal: a text block that identifies the file and holds its length and a checksum over
// everything, so that damage is found before HDF5 parses a byte. HDF5's own tools read such a file unchanged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/crc64.hpp"
#include "runtime/checkpoint/hdf5.hpp"

namespace halfstep {

/// A sealed file that is complete but for commit(): in memory, or, of several writers, under a temporary
/// name. HDF5 is no longer involved.
class SealedFile {
 public:
  SealedFile(std::filesystem::path path, const std::string& kind, int version, hdf5::Image image);
  /// Writes the file under a temporary name and renames it: it exists completely or not at all. A file of
  /// several writers is safe at once.
  void commit(Safe safe = Safe::at_commit) const;

 private:
  friend class PartedFile;
  SealedFile(std::unique_ptr<AtomicFile> file, std::string seal)
      : seal_(std::move(seal)), file_(std::move(file)) {}
  std::filesystem::path path_;
  hdf5::Image image_;
  std::string seal_;
  std::unique_ptr<AtomicFile> file_;  // nullptr: the file is in memory
};

/// A sealed file, under its temporary name, into which others write the values of its arrays.
class PartedFile {
 public:
  /// Writes all but the arrays and the seal.
  PartedFile(std::filesystem::path path, std::string kind, int version, hdf5::Outline outline);

  const std::filesystem::path& path() const { return path_; }
  /// Returns the file to write to, its size at the end, and where each array of the outline begins in it.
  const std::filesystem::path& temporary() const { return file_->temporary(); }
  std::int64_t bytes() const { return bytes_; }
  const std::vector<std::int64_t>& offsets() const { return offsets_; }
  /// Ends with the arrays' share of the checksum (Crc64::share()). The last call.
  SealedFile seal(std::uint64_t share_of_arrays);

 private:
  void write_rest(const hdf5::Outline& outline, Crc64& share);
  std::filesystem::path path_;
  std::string kind_;
  int version_;
  std::int64_t bytes_;
  std::vector<std::int64_t> offsets_;
  std::unique_ptr<AtomicFile> file_;
  std::uint64_t share_ = 0;  // of all but the arrays
};

/// Whether the file begins like a sealed one. Throws std::runtime_error if it cannot be read.
bool is_sealed(const std::filesystem::path& path);

/// Returns the kind that a seal names, unchecked; "" for a file without a seal. Throws as is_sealed().
std::string kind_in_seal(const std::filesystem::path& path);

/// Checks the whole file and returns its version. Throws std::runtime_error with the reason for a missing
/// file, one that is not sealed or of another kind, one newer than `newest_version`, and a damaged one.
int check_seal(const std::filesystem::path& path, const std::string& kind, int newest_version);

}  // namespace halfstep
