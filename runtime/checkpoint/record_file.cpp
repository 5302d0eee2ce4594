#include "runtime/checkpoint/record_file.hpp"

#include <stdexcept>

#include "runtime/checkpoint/trial.hpp"

namespace halfstep {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw std::runtime_error("cannot use '" + path.string() + "': " + reason);
}

}  // namespace

RecordWriter::RecordWriter(std::filesystem::path path, std::string kind, int version)
    : Records(H5I_INVALID_HID),
      path_(std::move(path)),
      kind_(std::move(kind)),
      version_(version),
      file_(path_.string()) {
  root_ = file_.root();
}

void Records::write(const std::string& name, std::int64_t value) {
  write<std::int64_t>(name, std::span(&value, 1), {});
}
void Records::write(const std::string& name, double value) { write<double>(name, std::span(&value, 1), {}); }
void Records::write(const std::string& name, const std::string& value) {
  hdf5::write_dataset(root_, name, value);
}

RecordReader::RecordReader(const std::filesystem::path& path, const std::string& kind, int newest_version)
    : version_(check_seal(path, kind, newest_version)), file_(hdf5::MemoryFile::open(path)) {}

bool RecordReader::has(const std::string& name) const { return hdf5::has(file_.root(), name); }

hdf5::Handle RecordReader::dataset(const std::string& name) const {
  try {
    return hdf5::open_dataset(file_.root(), name);
  } catch (const std::runtime_error& error) {
    refuse(file_.name(), error.what());
  }
}

hdf5::Shape RecordReader::shape(const std::string& name) const {
  return hdf5::dataset_shape(dataset(name), name);
}

void RecordReader::expect_scalar(const std::string& name) const {
  if (!shape(name).empty()) refuse(file_.name(), "its record '" + name + "' is an array, not a single value");
}

void RecordReader::read(const std::string& name, hid_t type, void* values) const {
  const hdf5::Handle set = dataset(name);
  const hdf5::Handle stored(hdf5::check(H5Dget_type(set), "read", name), H5Tclose);
  if (H5Tget_class(stored) != H5Tget_class(type) || H5Tget_size(stored) > H5Tget_size(type))
    refuse(file_.name(), "its record '" + name + "' has another type");
  hdf5::read_dataset(set, name, type, values);
}

std::int64_t RecordReader::integer(const std::string& name) const {
  expect_scalar(name);
  std::int64_t value = 0;
  read(name, hdf5::native_type<std::int64_t>(), &value);
  return value;
}

double RecordReader::real(const std::string& name) const {
  expect_scalar(name);
  double value = 0;
  read(name, hdf5::native_type<double>(), &value);
  return value;
}

std::string RecordReader::text(const std::string& name) const {
  expect_scalar(name);
  const hdf5::Handle set = dataset(name);
  const hdf5::Handle type(hdf5::check(H5Dget_type(set), "read", name), H5Tclose);
  if (hdf5::check(H5Tis_variable_str(type), "read", name) == 0)
    refuse(file_.name(), "its record '" + name + "' has another type");
  const auto value = [&] {
    char* start = nullptr;
    hdf5::read_dataset(set, name, type, &start);
    std::string text = start ? start : "";
    hdf5::check(H5free_memory(start), "read", name);
    return text;
  };
  // Texts lie in the global heap of the file. HDF5 crashes on a damaged one, which a seal does not exclude.
  constexpr double seconds = 1.5;
  if (const std::string reason = trial(seconds, [&] { value(); }); !reason.empty())
    refuse(file_.name(), "its record '" + name + "' cannot be read: " + reason);
  return value();
}

}  // namespace halfstep
