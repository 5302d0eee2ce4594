// An HDF5 file behind a seal: a text block that says what the file is, with its length and a checksum over
// everything, so that damage is found before HDF5 parses a byte. HDF5's own tools read the file as it is.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/checkpoint/hdf5.hpp"

namespace halfstep {

/// A sealed file that is complete, but not on the disk yet. HDF5 has no part in it any more.
class SealedFile {
 public:
  SealedFile(std::filesystem::path path, const std::string& kind, int version, hdf5::Image image);
  /// Writes the file under a temporary name, synchronises it and renames it: it is there whole or not at all.
  void commit() const;

 private:
  std::filesystem::path path_;
  hdf5::Image image_;
  std::string seal_;
};

/// Whether the file begins as a sealed one does. Throws std::runtime_error where it cannot be read.
bool is_sealed(const std::filesystem::path& path);

/// Checks the whole file and returns its version. Throws std::runtime_error with the reason: a missing file,
/// one that is not sealed or of another kind, one newer than `newest_version`, and one that is damaged
/// anywhere.
int check_seal(const std::filesystem::path& path, const std::string& kind, int newest_version);

}  // namespace halfstep
