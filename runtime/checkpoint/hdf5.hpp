// The C API of HDF5 with handles that close themselves and calls that are checked. Files are built and read
// in memory, and the bytes go to the disk by our own hand: a full disk is then an ordinary error, where a
// file that HDF5 itself cannot flush can neither be closed nor given up.
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

/// `result` unless it is negative, the sign of failure of every HDF5 call; then as throw_error.
template <class Result>
Result check(Result result, std::string_view doing, std::string_view name) {
  if (result < 0) throw_error(doing, name);
  return result;
}

/// Sizes of an array, slowest index first; none for a scalar.
using Shape = std::vector<hsize_t>;

/// The HDF5 type of T in memory.
template <class T>
hid_t native_type() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
}

/// The bytes of a file that HDF5 has let go of.
class Image {
 public:
  Image() = default;
  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

 private:
  friend class MemoryFile;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  /// For HDF5, as realloc.
  void* grow(void* memory, std::size_t size);
  std::unique_ptr<std::byte[], Free> memory_;
  std::size_t size_ = 0;
};

/// A file in memory.
class MemoryFile {
 public:
  /// A new file; `name` is for messages.
  explicit MemoryFile(std::string name);
  /// Reads the file at `path`. HDF5 finds its part also behind 512 bytes, or a power of two more, of
  /// something else.
  static MemoryFile open(const std::filesystem::path& path);

  hid_t root() const { return file_; }
  const std::string& name() const { return name_; }
  /// Ends a new file, in which nothing may be open any more. The last call.
  Image finish();

 private:
  MemoryFile(std::string name, Handle file) : name_(std::move(name)), file_(std::move(file)) {}
  std::string name_;
  std::unique_ptr<Image> image_ = std::make_unique<Image>();  // gets the memory when the file is closed
  Handle file_;
};

Handle create_group(hid_t parent, const std::string& name);
/// Whether there is such an object. This and the next two refuse links that lead elsewhere.
bool has(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);
/// Refuses one with values outside the file, or more of them than it can hold.
Handle open_dataset(hid_t parent, const std::string& name);
/// Names of what is in a group, in alphabetical order.
std::vector<std::string> children(hid_t group);

/// All of these make missing groups on the way. T is double, float, int64 or uint8; `compress`: gzip's level,
/// 0 = the values as they are.
void write_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape, const void* data,
                   int compress = 0);
template <class T>
void write_dataset(hid_t parent, const std::string& name, const Shape& shape, std::span<const T> data,
                   int compress = 0) {
  write_dataset(parent, name, native_type<T>(), shape, data.data(), compress);
}
Shape dataset_shape(hid_t dataset, const std::string& name);
/// All values; the library converts them to `type`.
void read_dataset(hid_t dataset, const std::string& name, hid_t type, void* values);
/// Variable-length UTF-8, which h5py gives back as a string.
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
/// As many numbers as `values` has room for; any other count is an error.
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
/// Of variable length.
std::string read_text_attribute(hid_t object, const std::string& name);
/// Variable-length UTF-8.
void write_attribute(hid_t object, const std::string& name, const std::string& text);
/// Fixed-length ASCII, no terminator.
void write_ascii_attribute(hid_t object, const std::string& name, std::string_view text);

}  // namespace halfstep::hdf5
