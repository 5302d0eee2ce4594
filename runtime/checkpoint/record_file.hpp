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

/// Names are paths: "state/time". Everything throws std::runtime_error with the file's name and the reason.
class RecordWriter {
 public:
  /// `kind` says what the records are, `version` in which layout; no line breaks in `kind`.
  RecordWriter(std::filesystem::path path, std::string kind, int version);

  void write(const std::string& name, std::int64_t value);
  void write(const std::string& name, double value);
  void write(const std::string& name, const std::string& value);
  /// T: double, float, std::int64_t or std::uint8_t; `shape` slowest index first; `compress`: gzip's level.
  template <class T>
  void write(const std::string& name, std::span<const T> values, const hdf5::Shape& shape, int compress = 0) {
    hdf5::write_dataset<T>(file_.root(), name, shape, values, compress);
  }

  /// Nothing can be written any more.
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
  /// Refuses, each with its reason: a missing file, one that is not a record file or of another kind, one
  /// newer than `newest_version`, and one that is damaged anywhere.
  RecordReader(const std::filesystem::path& path, const std::string& kind, int newest_version);

  int version() const { return version_; }
  /// Whether there is such a record, in a group that is there, or such a group.
  bool has(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double real(const std::string& name) const;
  std::string text(const std::string& name) const;
  hdf5::Shape shape(const std::string& name) const;
  /// T as for RecordWriter. The file's type must be of T's class and no wider; widening is exact.
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

  int version_;  // set while the seal is checked, before HDF5 opens the file
  hdf5::MemoryFile file_;
};

}  // namespace halfstep
