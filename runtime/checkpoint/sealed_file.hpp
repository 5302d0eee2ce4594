// An HDF5 file behind a seal: a text block that identifies the file and holds its length and a checksum over
// everything, so that damage is found before HDF5 parses a byte. HDF5's own tools read such a file unchanged.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/checkpoint/hdf5.hpp"

namespace halfstep {

/// A sealed file that is complete in memory but not on the disk yet. HDF5 is no longer involved.
class SealedFile {
 public:
  SealedFile(std::filesystem::path path, const std::string& kind, int version, hdf5::Image image);
  /// Writes the file under a temporary name, synchronises and renames it: it exists completely or not at all.
  void commit() const;

 private:
  std::filesystem::path path_;
  hdf5::Image image_;
  std::string seal_;
};

/// Whether the file begins like a sealed one. Throws std::runtime_error if it cannot be read.
bool is_sealed(const std::filesystem::path& path);

/// Returns the kind that a seal names, unchecked; "" for a file without a seal. Throws as is_sealed().
std::string kind_in_seal(const std::filesystem::path& path);

/// Checks the whole file and returns its version. Throws std::runtime_error with the reason for a missing
/// file, one that is not sealed or of another kind, one newer than `newest_version`, and a damaged one.
int check_seal(const std::filesystem::path& path, const std::string& kind, int newest_version);

}  // namespace halfstep
