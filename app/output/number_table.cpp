#include "app/output/number_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>
#include <stdexcept>
#include <utility>

#include "app/output/append_file.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/hdf5.hpp"
#include "runtime/checkpoint/trial.hpp"

namespace halfstep {
namespace {

constexpr const char* kRows = "rows";

using hdf5::check;
using hdf5::Handle;

std::size_t bytes_of(Precision precision) {
  return precision == Precision::single_precision ? sizeof(float) : sizeof(double);
}

/// Returns the type of a row: 64 bits for the step, whatever the machine's byte order.
Handle row_type(const std::vector<std::string>& fields, std::size_t places, Precision precision) {
  const hid_t number = precision == Precision::single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  const hsize_t count = places;
  const Handle values(check(H5Tarray_create2(number, 1, &count), "describe", kRows), H5Tclose);
  std::size_t at = 2 * sizeof(std::int64_t);
  const std::size_t size = at + fields.size() * places * bytes_of(precision);
  Handle type(check(H5Tcreate(H5T_COMPOUND, size), "describe", kRows), H5Tclose);
  check(H5Tinsert(type, "step", 0, H5T_STD_I64LE), "describe", kRows);
  check(H5Tinsert(type, "time", sizeof(std::int64_t), H5T_IEEE_F64LE), "describe", kRows);
  for (const std::string& field : fields) {
    check(H5Tinsert(type, field.c_str(), at, values), "describe", kRows);
    at += places * bytes_of(precision);
  }
  return type;
}

/// Writes rows of zeros and returns where they are in the file.
std::uint64_t write_rows(hid_t file, hid_t type, std::int64_t rows, H5D_alloc_time_t when) {
  const auto count = static_cast<hsize_t>(rows);
  const Handle space(check(H5Screate_simple(1, &count, nullptr), "describe", kRows), H5Sclose);
  const Handle creation(check(H5Pcreate(H5P_DATASET_CREATE), "describe", kRows), H5Pclose);
  check(H5Pset_obj_track_times(creation, false), "describe", kRows);  // so that equal runs give equal files
  check(H5Pset_alloc_time(creation, when), "describe", kRows);
  check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "describe", kRows);
  const Handle set(
      check(H5Dcreate2(file, kRows, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), "create", kRows),
      H5Dclose);
  const std::vector<std::byte> zeros(static_cast<std::size_t>(rows) * H5Tget_size(type));
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()), "write", kRows);
  return H5Dget_offset(set);
}

/// Returns a file whose rows are behind all else.
hdf5::Image file_with_rows(hid_t type, std::int64_t rows) {
  // Rows that get their place at once are before a description of some twenty fields or more.
  for (const H5D_alloc_time_t when : {H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_LATE}) {
    hdf5::MemoryFile file(kRows);
    const std::uint64_t begin = write_rows(file.root(), type, rows, when);
    hdf5::Image image = file.finish();
    if (begin + rows * H5Tget_size(type) == image.bytes().size()) return image;
  }
  throw std::logic_error("this HDF5 does not put rows last");
}

std::int64_t number_at(std::span<const std::byte> bytes, std::int64_t offset) {
  std::int64_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

/// Returns how many rows a file has whose numbers are looked at: HDF5 puts few bytes among others, and many
/// at the end.
std::int64_t many_rows(std::int64_t row_bytes) { return (std::int64_t{1} << 16) / row_bytes + 2; }

/// Finds where the files of two numbers of rows differ: in the numbers that say how many rows there are.
TableBeginning beginning_of_type(hid_t type) {
  TableBeginning beginning;
  beginning.row_bytes = static_cast<std::int64_t>(H5Tget_size(type));
  const std::int64_t rows = many_rows(beginning.row_bytes);
  const hdf5::Image one = file_with_rows(type, rows), other = file_with_rows(type, rows + 1);
  const std::span<const std::byte> a = one.bytes(), b = other.bytes();
  const std::int64_t size = rows * beginning.row_bytes, begin = std::ssize(a) - size;
  const auto find = [&](std::int64_t number, std::int64_t in_other, auto... places) {
    std::vector<std::int64_t> found;
    for (std::int64_t at = 0; at + 8 <= begin; ++at)
      if (number_at(a, at) == number && number_at(b, at) == in_other) found.push_back(at);
    if (found.size() != sizeof...(places)) throw std::logic_error("this HDF5 lays tables out in another way");
    std::size_t n = 0;
    ((beginning.*places = found[n++]), ...);
  };
  // The number of rows is there twice: it is also the most that the dataset may have.
  find(rows, rows + 1, &TableBeginning::row_count, &TableBeginning::most_rows);
  find(size, size + beginning.row_bytes, &TableBeginning::rows_size);
  find(std::ssize(a), std::ssize(b), &TableBeginning::file_size);
  beginning.bytes.assign(a.begin(), a.begin() + begin);
  return beginning;
}

/// Returns the beginning of a file, with the offsets of a file of few places: they are the same whatever the
/// number of places, and where a row has a power of 256 bytes the number of rows is in that of bytes, too.
TableBeginning beginning_of(const std::vector<std::string>& fields, std::size_t places, Precision precision) {
  constexpr std::size_t kAmbiguous = 256;
  const bool is_ambiguous = H5Tget_size(row_type(fields, 1, precision)) == kAmbiguous;
  TableBeginning beginning = beginning_of_type(row_type(fields, is_ambiguous ? 2 : 1, precision));
  const Handle type = row_type(fields, places, precision);
  const auto row_bytes = static_cast<std::int64_t>(H5Tget_size(type)), rows = many_rows(row_bytes);
  const hdf5::Image image = file_with_rows(type, rows);
  const std::span<const std::byte> bytes = image.bytes();
  const std::int64_t begin = std::ssize(bytes) - rows * row_bytes;
  for (const auto& [at, number] : {std::pair{beginning.row_count, rows},
                                   {beginning.most_rows, rows},
                                   {beginning.rows_size, rows * row_bytes},
                                   {beginning.file_size, std::ssize(bytes)}})
    if (begin != std::ssize(beginning.bytes) || number_at(bytes, at) != number)
      throw std::logic_error("this HDF5 lays tables out in another way");
  beginning.row_bytes = row_bytes;
  beginning.bytes.assign(bytes.begin(), bytes.begin() + begin);
  return beginning;
}

}  // namespace

NumberTable::NumberTable(const std::filesystem::path& path, const std::vector<std::string>& fields,
                         std::size_t places, Precision precision, Open open)
    : path_(path),
      beginning_(beginning_of(fields, places, precision)),
      precision_(precision),
      descriptor_(open_growing_file(path, O_RDWR)) {
  if (open == Open::anew) begin();
}

NumberTable::NumberTable(const std::filesystem::path& path, const std::vector<std::string>& fields,
                         std::size_t places, Precision precision)
    : NumberTable(path, fields, places, precision, Open::anew) {}

NumberTable NumberTable::resume(const std::filesystem::path& path, const std::vector<std::string>& fields,
                                std::size_t places, Precision precision, std::int64_t step) {
  NumberTable table(path, fields, places, precision, Open::as_it_is);
  if (!table.take_up(step)) table.begin();
  return table;
}

NumberTable::~NumberTable() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

NumberTable::NumberTable(NumberTable&& other) noexcept
    : path_(std::move(other.path_)),
      beginning_(std::move(other.beginning_)),
      precision_(other.precision_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      rows_(other.rows_),
      held_(std::move(other.held_)) {}

void NumberTable::begin() {
  if (::ftruncate(descriptor_, 0) != 0) throw_system_error("shorten", path_, errno);
  std::vector<std::byte> bytes = beginning_.bytes;
  const std::int64_t none = 0, end = end_of(0);
  for (const std::int64_t number : {beginning_.row_count, beginning_.most_rows, beginning_.rows_size})
    std::memcpy(bytes.data() + number, &none, sizeof none);
  std::memcpy(bytes.data() + beginning_.file_size, &end, sizeof end);
  put(0, bytes);
}

bool NumberTable::take_up(std::int64_t step) {
  std::vector<std::byte> there(beginning_.bytes.size());
  if (!get(0, there)) return false;
  const std::int64_t said = number_at(there, beginning_.row_count);
  for (const std::int64_t number :
       {beginning_.row_count, beginning_.most_rows, beginning_.rows_size, beginning_.file_size})
    std::copy_n(beginning_.bytes.data() + number, sizeof number, there.data() + number);
  if (there != beginning_.bytes)
    throw std::runtime_error(
        "cannot go on with '" + path_.string() +
        "': it has other columns than this program writes; move it away and restart again");
  const std::int64_t size = ::lseek(descriptor_, 0, SEEK_END);
  if (size < 0) throw_system_error("read", path_, errno);
  rows_ = std::clamp(said, std::int64_t{0}, (size - end_of(0)) / beginning_.row_bytes);
  while (rows_ > 0 && get_number(end_of(rows_ - 1)) > step) --rows_;
  put_number(beginning_.row_count, rows_);
  put_number(beginning_.most_rows, rows_);
  put_number(beginning_.rows_size, rows_ * beginning_.row_bytes);
  put_number(beginning_.file_size, end_of(rows_));
  if (::ftruncate(descriptor_, end_of(rows_)) != 0) throw_system_error("shorten", path_, errno);
  return true;
}

void NumberTable::write(std::int64_t step, double time, const std::vector<std::vector<double>>& values) {
  const auto add = [&](const auto& number) {
    const auto bytes = std::as_bytes(std::span(&number, 1));
    held_.insert(held_.end(), bytes.begin(), bytes.end());
  };
  add(step);
  add(time);
  for (const std::vector<double>& field : values)
    for (const double value : field)
      precision_ == Precision::single_precision ? add(static_cast<float>(value)) : add(value);
  if (held_.size() >= kMostHeld) flush();
}

void NumberTable::flush() {
  if (held_.empty()) return;
  put(end_of(rows_), held_);
  rows_ += std::ssize(held_) / beginning_.row_bytes;
  held_.clear();
  put_number(beginning_.file_size, end_of(rows_));
  put_number(beginning_.rows_size, rows_ * beginning_.row_bytes);
  put_number(beginning_.most_rows, rows_);
  put_number(beginning_.row_count, rows_);
}

void NumberTable::synchronise() {
  flush();
  synchronise_growing_file(descriptor_, path_);
}

std::int64_t NumberTable::end_of(std::int64_t rows) const {
  return std::ssize(beginning_.bytes) + rows * beginning_.row_bytes;
}

void NumberTable::put(std::int64_t offset, std::span<const std::byte> bytes) {
  if (const int code = write_all_at(descriptor_, offset, bytes)) throw_system_error("write", path_, code);
}

void NumberTable::put_number(std::int64_t offset, std::int64_t number) {
  put(offset, std::as_bytes(std::span(&number, 1)));
}

bool NumberTable::get(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_system_error("read", path_, errno);
    if (count == 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
  return true;
}

std::int64_t NumberTable::get_number(std::int64_t offset) const {
  std::int64_t number = 0;
  get(offset, std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

bool is_number_table(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(2048, ' ');
  if (!file.read(begin.data(), std::ssize(begin))) return false;
  // The name of the dataset tells it from a checkpoint without a seal, as early versions wrote.
  return begin.starts_with("\x89HDF\r\n\x1a\n") &&
         begin.find(std::string(1, '\0') + kRows + std::string(1, '\0')) != std::string::npos;
}

namespace {

/// A field of a table: its name and the number of places.
struct TableField {
  std::string name;
  std::size_t places;
};

/// Returns the fields of rows, behind `step` and `time`. Throws std::runtime_error where they are others.
std::vector<TableField> fields_of(hid_t type) {
  const auto expect = [](bool is_so) {
    if (!is_so) throw std::runtime_error("its rows are none of an output");
  };
  expect(H5Tget_class(type) == H5T_COMPOUND);
  std::vector<TableField> fields;
  const auto members = static_cast<unsigned>(check(H5Tget_nmembers(type), "read", kRows));
  for (unsigned n = 0; n < members; ++n) {
    char* const text = H5Tget_member_name(type, n);
    expect(text != nullptr);
    const std::string name = text;
    H5free_memory(text);
    const Handle own(check(H5Tget_member_type(type, n), "read", kRows), H5Tclose);
    if (n < 2) {
      expect(name == (n == 0 ? "step" : "time") && H5Tget_class(own) == (n == 0 ? H5T_INTEGER : H5T_FLOAT));
      continue;
    }
    hsize_t places = 0;
    expect(H5Tget_class(own) == H5T_ARRAY && H5Tget_array_ndims(own) == 1 &&
           H5Tget_array_dims2(own, &places) == 1 && places > 0);
    fields.push_back({name, static_cast<std::size_t>(places)});
  }
  expect(!fields.empty() && std::all_of(fields.begin(), fields.end(), [&](const TableField& field) {
    return field.places == fields.front().places;
  }));
  return fields;
}

StepRows read_unguarded(const std::filesystem::path& path) {
  const hdf5::MemoryFile file = hdf5::MemoryFile::open(path);
  const Handle set = hdf5::open_dataset(file.root(), kRows);
  const Handle stored(check(H5Dget_type(set), "read", kRows), H5Tclose);
  const std::vector<TableField> fields = fields_of(stored);
  const std::size_t places = fields.front().places;
  std::vector<std::string> names;
  for (const TableField& field : fields) names.push_back(field.name);
  const Handle type = row_type(names, places, Precision::double_precision);
  const hdf5::Shape shape = hdf5::dataset_shape(set, kRows);
  if (shape.size() != 1) throw std::runtime_error("its rows are none of an output");
  const std::size_t row = H5Tget_size(type);
  std::vector<std::byte> bytes(static_cast<std::size_t>(shape[0]) * row);
  if (shape[0] > 0) hdf5::read_dataset(set, kRows, type, bytes.data());

  StepRows rows{.labels = {}, .columns = {"time"}, .values = {}};
  for (std::size_t place = 0; place < places; ++place)
    for (const std::string& name : names) rows.columns.push_back(fmt::format("{}_{}", name, place));
  rows.values.resize(rows.columns.size());
  for (std::size_t n = 0; n < shape[0]; ++n) {
    const std::byte* const from = bytes.data() + n * row;
    const auto real = [&](std::size_t number) {
      double value = 0;
      std::memcpy(&value, from + number * sizeof value, sizeof value);
      return value;
    };
    rows.labels.push_back(fmt::format("step {}", number_at({from, row}, 0)));
    rows.values[0].push_back(real(1));
    for (std::size_t place = 0, column = 1; place < places; ++place)
      for (std::size_t field = 0; field < names.size(); ++field, ++column)
        rows.values[column].push_back(real(2 + field * places + place));
  }
  return rows;
}

}  // namespace

StepRows read_number_table(const std::filesystem::path& path) {
  const std::string reason = trial(seconds_to_read(path), [&] { read_unguarded(path); });
  if (!reason.empty()) throw std::runtime_error("cannot use '" + path.string() + "': " + reason);
  return read_unguarded(path);
}

}  // namespace halfstep
