// The C API of HDF5 with handles that close themselves and checked calls. Files are built and read in memory,
// and their bytes are written to the disk by halfstep itself. A full disk is then an ordinary error, whereas
// a file that HDF5 cannot flush can neither be closed nor abandoned.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace halfstep::hdf5 {

/// An HDF5 identifier, closed at the end of its scope.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// Throws std::runtime_error "HDF5 cannot <doing> '<name>': <the innermost reason>".
[[noreturn]] void throw_error(std::string_view doing, std::string_view name);

/// Returns `result`; throws as throw_error if it is negative, which is how all HDF5 calls report failure.
template <class Result>
Result check(Result result, std::string_view doing, std::string_view name) {
  if (result < 0) throw_error(doing, name);
  return result;
}

/// Sizes of an array, slowest index first; empty for a scalar.
using Shape = std::vector<hsize_t>;

/// Returns the HDF5 type of T in memory.
template <class T>
hid_t native_type() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

/// The bytes of a file that HDF5 has closed.
class Image {
 public:
  Image() = default;
  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  friend class MemoryFile;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  /// Resizes the memory as realloc does; a callback of HDF5.
  void* grow(void* memory, std::size_t size);
  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t size_ = 0;
};

/// A part of a file.
struct Extent {
  std::int64_t first, bytes;
};

/// An HDF5 file in memory whose large arrays have their places, but no values: it takes the memory of all the
/// rest. Others write the values when the rest is in a file on the disk.
class Outline {
 public:
  /// `path`: that of the file on the disk, for messages.
  explicit Outline(std::filesystem::path path);
  ~Outline();
  Outline(Outline&& other) noexcept;
  Outline& operator=(Outline&&) = delete;

  hid_t root() const { return file_; }
  /// Creates a dataset without values, where write_dataset() would put it. Throws as throw_system_error if
  /// the file would pass the size limit.
  template <class T>
  void reserve(hid_t parent, const std::string& name, const Shape& shape) {
    reserve(parent, name, native_type<T>(), shape);
  }
  /// Closes the file, so that its bytes can be read. HDF5 is no longer involved.
  void finish();
  std::int64_t size() const { return size_; }
  /// Returns where the arrays are, in the order in which they were reserved.
  const std::vector<Extent>& arrays() const { return arrays_; }
  void read(std::int64_t first, std::span<std::byte> bytes) const;

 private:
  void reserve(hid_t parent, const std::string& name, hid_t type, const Shape& shape);
  std::filesystem::path path_;
  int descriptor_;  // of a file without a name that is kept in memory, as far as it was written
  Handle file_;
  std::int64_t size_ = 0;
  std::vector<Extent> arrays_;
};

/// An HDF5 file in memory.
class MemoryFile {
 public:
  /// Creates a new file; `name` is only for messages.
  explicit MemoryFile(std::string name);
  /// Reads the file at `path`. The HDF5 part may start behind 512 bytes of something else, or any larger
  /// power of two.
  static MemoryFile open(const std::filesystem::path& path);

  hid_t root() const { return file_; }
  const std::string& name() const { return name_; }
  /// Closes a new file and returns its bytes. The last call. Throws std::logic_error if something is open.
  Image finish();

 private:
  MemoryFile(std::string name, Handle file) : name_(std::move(name)), file_(std::move(file)) {}
  std::string name_;
  std::unique_ptr<Image> image_ = std::make_unique<Image>();  // receives the memory when the file is closed
  Handle file_;
};

Handle create_group(hid_t parent, const std::string& name);
/// Whether the object exists. has(), open_group() and open_dataset() throw std::runtime_error for links that
/// lead elsewhere.
bool has(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
/// Opens a dataset. Throws std::runtime_error for values outside the file or more than the file can hold.
Handle open_dataset(hid_t parent, const std::string& name);
/// Returns the names in a group, in alphabetical order.
std::vector<std::string> children(hid_t group);

/// Returns the paths of the datasets below a group, in alphabetical order: at most `most`, four groups deep.
std::vector<std::string> datasets_below(hid_t group, std::size_t most);

/// Writes a dataset. All overloads create missing groups on the way. T is double, float, int64 or uint8;
/// `compress` is the gzip level, 0 = uncompressed.
void write_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape, const void* data,
                   int compress = 0);
template <class T>
void write_dataset(hid_t parent, const std::string& name, const Shape& shape, std::span<const T> data,
                   int compress = 0) {
  write_dataset(parent, name, native_type<T>(), shape, data.data(), compress);
}
Shape dataset_shape(hid_t dataset, const std::string& name);
/// Reads all values; the library converts them to `type`.
void read_dataset(hid_t dataset, const std::string& name, hid_t type, void* values);
/// Writes text as variable-length UTF-8, which h5py returns as a string.
void write_dataset(hid_t parent, const std::string& name, const std::string& text);

void write_attribute(hid_t object, const std::string& name, hid_t type, const Shape& shape, const void* data);
template <class T>
requires std::is_arithmetic_v<T>
void write_attribute(hid_t object, const std::string& name, T value) {
  write_attribute(object, name, native_type<T>(), {}, &value);
}
template <class T, std::size_t n>
void write_attribute(hid_t object, const std::string& name, const T (&values)[n]) {
  write_attribute(object, name, native_type<T>(), {n}, values);
}
/// Reads `count` values; throws std::runtime_error if the attribute has another number of them.
void read_attribute(hid_t object, const std::string& name, hid_t type, std::size_t count, void* values);
template <class T>
requires std::is_arithmetic_v<T> T read_attribute(hid_t object, const std::string& name) {
  T value{};
  read_attribute(object, name, native_type<T>(), 1, &value);
  return value;
}
template <class T, std::size_t n>
std::array<T, n> read_attribute(hid_t object, const std::string& name) {
  std::array<T, n> values{};
  read_attribute(object, name, native_type<T>(), n, values.data());
  return values;
}
/// Reads a text of variable length.
std::string read_text_attribute(hid_t object, const std::string& name);
/// Writes text as variable-length UTF-8.
void write_attribute(hid_t object, const std::string& name, const std::string& text);
/// Writes text as fixed-length ASCII without a terminator.
void write_ascii_attribute(hid_t object, const std::string& name, std::string_view text);

}  // namespace halfstep::hdf5
