// Typed records in a sealed HDF5 file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/checkpoint/hdf5.hpp"
#include "runtime/checkpoint/sealed_file.hpp"

namespace halfstep {

/// Writes typed records, whose names are paths: "state/time", below a group of an HDF5 file. Failures throw
/// std::runtime_error with the reason.
class Records {
 public:
  explicit Records(hid_t root) : root_(root) {}

  void write(const std::string& name, std::int64_t value);
  void write(const std::string& name, double value);
  void write(const std::string& name, const std::string& value);
  /// Writes an array of T: double, float, std::int64_t or std::uint8_t. `shape` has the slowest index first;
  /// `compress` is the gzip level.
  template <class T>
  void write(const std::string& name, std::span<const T> values, const hdf5::Shape& shape, int compress = 0) {
    hdf5::write_dataset<T>(root_, name, shape, values, compress);
  }

 protected:
  hid_t root_;
};

/// Writes the records of a file of its own.
class RecordWriter : public Records {
 public:
  /// `kind` says what the records are and must hold no line breaks; `version` is that of their layout.
  RecordWriter(std::filesystem::path path, std::string kind, int version);

  /// Ends the file: nothing can be written any more.
  SealedFile seal() { return {path_, kind_, version_, file_.finish()}; }
  void commit() { seal().commit(); }

 private:
  std::filesystem::path path_;
  std::string kind_;
  int version_;
  hdf5::MemoryFile file_;
};

class RecordReader {
 public:
  /// Opens a file. Throws std::runtime_error with the reason for a missing file, one that is not a record
  /// file or of another kind, one newer than `newest_version`, and one that is damaged anywhere.
  RecordReader(const std::filesystem::path& path, const std::string& kind, int newest_version);

  int version() const { return version_; }
  /// Whether there is a record or group with this path.
  bool has(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  std::string text(const std::string& name) const;
  hdf5::Shape shape(const std::string& name) const;
  /// Returns an array of T, as for RecordWriter. The type in the file must be of the same class as T and no
  /// wider; widening is exact.
  template <class T>
  std::vector<T> array(const std::string& name) const {
    hsize_t count = 1;
    for (const hsize_t n : shape(name)) count *= n;
    std::vector<T> values(count);
    read(name, hdf5::native_type<T>(), values.data());
    return values;
  }

 private:
  hdf5::Handle dataset(const std::string& name) const;
  void read(const std::string& name, hid_t type, void* values) const;
  void expect_scalar(const std::string& name) const;

  int version_;  // set by the check of the seal, before HDF5 opens the file
  hdf5::MemoryFile file_;
};

}  // namespace halfstep
