#include "runtime/checkpoint/hdf5.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "runtime/checkpoint/atomic_file.hpp"

namespace halfstep::hdf5 {

namespace {

/// Stops the library from printing errors, as they become exceptions. The setting is kept per thread.
void silence() {
  [[maybe_unused]] static thread_local const bool once = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
}

/// Keeps the first, i.e. innermost, description; a callback of H5Ewalk2.
herr_t keep_first(unsigned n, const H5E_error2_t* error, void* reason) {
  if (n == 0 && error->desc) *static_cast<std::string*>(reason) = error->desc;
  return 0;
}

Handle properties(hid_t list_class) {
  return {check(H5Pcreate(list_class), "make", "property list"), H5Pclose};
}

/// Returns the properties of the core driver, which never touches the disk after opening.
Handle in_memory(const std::string& name) {
  Handle access = properties(H5P_FILE_ACCESS);
  constexpr std::size_t growth = std::size_t{1} << 20;
  check(H5Pset_fapl_core(access, growth, /*backing_store=*/false), "prepare", name);
  return access;
}

Handle dataspace(const Shape& shape, const std::string& name) {
  if (shape.empty()) return {check(H5Screate(H5S_SCALAR), "describe", name), H5Sclose};
  return {check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), "describe", name),
          H5Sclose};
}

/// Sets chunks of at most 1 MiB, cut along their slowest indices first, and gzip after a byte shuffle.
void set_compression(hid_t creation, const std::string& name, hid_t type, Shape chunk, int level) {
  hsize_t bytes = H5Tget_size(type);
  for (const hsize_t size : chunk) bytes *= size;
  constexpr hsize_t largest = hsize_t{1} << 20;
  for (hsize_t& size : chunk)
    while (bytes > largest && size > 1) {
      bytes = bytes / size * ((size + 1) / 2);
      size = (size + 1) / 2;
    }
  check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), "compress", name);
  check(H5Pset_shuffle(creation), "compress", name);
  check(H5Pset_deflate(creation, static_cast<unsigned>(level)), "compress", name);
}

/// Creates a dataset, and missing groups on the way. An array that is not compressed has its place in the
/// file from now on.
Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape, int compress) {
  const Handle links = properties(H5P_LINK_CREATE);
  check(H5Pset_create_intermediate_group(links, 1), "prepare", name);
  const Handle creation = properties(H5P_DATASET_CREATE);
  check(H5Pset_obj_track_times(creation, false), "prepare", name);  // so that equal runs give equal files
  const bool any = !shape.empty() && std::find(shape.begin(), shape.end(), 0) == shape.end();
  if (any && compress > 0) set_compression(creation, name, type, shape, compress);
  if (any && compress == 0) {
    check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "prepare", name);
    check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "prepare", name);
  }
  const Handle space = dataspace(shape, name);
  return {check(H5Dcreate2(parent, name.c_str(), type, space, links, creation, H5P_DEFAULT), "create dataset",
                name),
          H5Dclose};
}

/// Throws std::runtime_error if the values lie outside the file or are more than the file can hold.
void expect_values_inside(hid_t dataset, const std::string& name) {
  const Handle space(check(H5Dget_space(dataset), "read", name), H5Sclose),
      type(check(H5Dget_type(dataset), "read", name), H5Tclose),
      creation(check(H5Dget_create_plist(dataset), "read", name), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_VIRTUAL || (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation) != 0))
    throw std::runtime_error("'" + name + "' keeps its values in another file");
  if (H5Sget_simple_extent_type(space) == H5S_NULL) throw std::runtime_error("'" + name + "' holds no value");
  constexpr double gzip_at_best = 1100;  // the compression ratio of deflate is at most 1032
  const double bytes = static_cast<double>(check(H5Sget_simple_extent_npoints(space), "read", name)) *
                       static_cast<double>(H5Tget_size(type));
  if (bytes > gzip_at_best * static_cast<double>(H5Dget_storage_size(dataset)))
    throw std::runtime_error("'" + name + "' claims more values than the file holds");
}

Handle text_type(const std::string& name) {
  Handle type(check(H5Tcopy(H5T_C_S1), "describe", name), H5Tclose);
  check(H5Tset_size(type, H5T_VARIABLE), "describe", name);
  check(H5Tset_cset(type, H5T_CSET_UTF8), "describe", name);
  return type;
}

}  // namespace

void throw_error(std::string_view doing, std::string_view name) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  // The file drivers hide the reason of the system in a long description.
  const std::string mark = "errno = ";
  if (const auto at = reason.find(mark); at != std::string::npos)
    reason = std::generic_category().message(std::atoi(reason.c_str() + at + mark.size()));
  throw std::runtime_error("HDF5 cannot " + std::string(doing) + " '" + std::string(name) + "'" +
                           (reason.empty() ? "" : ": " + reason));
}

void* Image::grow(void* memory, std::size_t size) {
  auto* grown = static_cast<std::byte*>(std::realloc(memory, size));
  if (!grown) return nullptr;
  // Fresh memory is mapped page by page, which takes one thread longer than filling it.
  constexpr std::size_t page = 4096, many = std::size_t{1} << 24;
  const std::size_t before = size_;
  size_ = size;
#pragma omp parallel for if (size > before + many)
  for (std::size_t at = before; at < size; at += page) grown[at] = std::byte{0};
  return grown;
}

MemoryFile::MemoryFile(std::string name)
    : name_(std::move(name)), file_([&]() -> Handle {
        silence();
        const Handle access = in_memory(name_);
        // With callbacks of its own the memory outlives the file.
        H5FD_file_image_callbacks_t own{};
        own.image_realloc = [](void* memory, std::size_t size, H5FD_file_image_op_t, void* image) {
          return static_cast<Image*>(image)->grow(memory, size);
        };
        own.image_free = [](void* memory, H5FD_file_image_op_t, void* image) -> herr_t {
          static_cast<Image*>(image)->memory_.reset(static_cast<std::byte*>(memory));
          return 0;
        };
        own.udata_copy = [](void* image) { return image; };
        own.udata_free = [](void*) -> herr_t { return 0; };
        own.udata = image_.get();
        check(H5Pset_file_image_callbacks(access, &own), "prepare", name_);
        return {check(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "create", name_),
                H5Fclose};
      }()) {}

MemoryFile MemoryFile::open(const std::filesystem::path& path) {
  silence();
  const std::string name = path.string();
  return {name, {check(H5Fopen(name.c_str(), H5F_ACC_RDONLY, in_memory(name)), "open", name), H5Fclose}};
}

Image MemoryFile::finish() {
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "finish", name_);
  image_->size_ = static_cast<std::size_t>(check(H5Fget_file_image(file_, nullptr, 0), "measure", name_));
  { const Handle closed = std::move(file_); }
  if (image_->bytes().data() == nullptr) throw std::logic_error("something in '" + name_ + "' is still open");
  return std::move(*image_);
}

Outline::Outline(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(::memfd_create("halfstep", MFD_CLOEXEC)), file_([&]() -> Handle {
        if (descriptor_ < 0) throw_system_error("make a file in memory for", path_, errno);
        silence();
        const std::string name = "/proc/self/fd/" + std::to_string(descriptor_);
        const Handle access = properties(H5P_FILE_ACCESS);
        // This driver takes the name as it stands, where HDF5's others look for a file behind the link.
        check(H5Pset_fapl_stdio(access), "prepare", path_.string());
        const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        if (file < 0) ::close(descriptor_);
        return {check(file, "outline", path_.string()), H5Fclose};
      }()) {}

Outline::~Outline() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Outline::Outline(Outline&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      file_(std::move(other.file_)),
      size_(other.size_),
      arrays_(std::move(other.arrays_)) {}

void Outline::reserve(hid_t parent, const std::string& name, hid_t type, const Shape& shape) {
  const hsize_t bytes =
      std::accumulate(shape.begin(), shape.end(), hsize_t{H5Tget_size(type)}, std::multiplies<>());
  // The limit holds for files in memory, too, and HDF5 cannot close one that would pass it. The rest of the
  // file needs some room as well.
  constexpr hsize_t rest = hsize_t{1} << 20;
  hsize_t all = bytes + rest;
  for (const Extent& array : arrays_) all += static_cast<hsize_t>(array.bytes);
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && all > limit.rlim_cur)
    throw_system_error("write", path_, EFBIG);
  const Handle set = create_dataset(parent, name, type, shape, 0);
  const haddr_t first = H5Dget_offset(set);
  if (first == HADDR_UNDEF) throw_error("place", name);
  arrays_.push_back({static_cast<std::int64_t>(first), static_cast<std::int64_t>(bytes)});
}

void Outline::finish() {
  const std::string name = path_.string();
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "finish", name);
  hsize_t size = 0;
  check(H5Fget_filesize(file_, &size), "measure", name);
  size_ = static_cast<std::int64_t>(size);
  const Handle closed = std::move(file_);
}

void Outline::read(std::int64_t first, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), first);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw_system_error("copy the outline of", path_, got < 0 ? errno : EIO);
    first += got;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

Handle create_group(hid_t parent, const std::string& name) {
  return {
      check(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "create group", name),
      H5Gclose};
}

bool has(hid_t parent, const std::string& path) {
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    const std::string name = path.substr(0, end);
    if (check(H5Lexists(parent, name.c_str(), H5P_DEFAULT), "read", name) == 0) return false;
    H5L_info_t link{};
    check(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT), "read", name);
    if (link.type != H5L_TYPE_HARD) throw std::runtime_error("'" + name + "' is a link to another place");
    if (end == std::string::npos) return true;
  }
}

Handle open_group(hid_t parent, const std::string& name) {
  if (!has(parent, name)) throw std::runtime_error("it has no group '" + name + "'");
  return {check(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), "open group", name), H5Gclose};
}

Handle open_dataset(hid_t parent, const std::string& name) {
  if (!has(parent, name)) throw std::runtime_error("it has no record '" + name + "'");
  Handle set(check(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), "open dataset", name), H5Dclose);
  expect_values_inside(set, name);
  return set;
}

std::vector<std::string> children(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "list", "a group");
  return names;
}

namespace {

/// Adds the datasets below a group to `paths`. Hard links may make a circle, so `depth` ends the search.
void add_datasets(hid_t group, const std::string& prefix, int depth, std::size_t most,
                  std::vector<std::string>& paths) {
  for (const std::string& name : children(group)) {
    if (paths.size() >= most) return;
    H5L_info_t link{};
    check(H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT), "read", name);
    if (link.type != H5L_TYPE_HARD) continue;
    const Handle object(check(H5Oopen(group, name.c_str(), H5P_DEFAULT), "open", name), H5Oclose);
    const H5I_type_t type = H5Iget_type(object);
    if (type == H5I_DATASET) paths.push_back(prefix + name);
    if (type == H5I_GROUP && depth > 1) add_datasets(object, prefix + name + "/", depth - 1, most, paths);
  }
}

}  // namespace

std::vector<std::string> datasets_below(hid_t group, std::size_t most) {
  std::vector<std::string> paths;
  constexpr int depth = 4;
  add_datasets(group, "", depth, most, paths);
  return paths;
}

Shape dataset_shape(hid_t dataset, const std::string& name) {
  const Handle space(check(H5Dget_space(dataset), "read", name), H5Sclose);
  const int rank = check(H5Sget_simple_extent_ndims(space), "read", name);
  Shape sizes(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), "read", name);
  return sizes;
}

void read_dataset(hid_t dataset, const std::string& name, hid_t type, void* values) {
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "read", name);
}

void write_dataset(hid_t parent, const std::string& name, hid_t type, const Shape& shape, const void* data,
                   int compress) {
  const Handle set = create_dataset(parent, name, type, shape, compress);
  check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write dataset", name);
}

void write_dataset(hid_t parent, const std::string& name, const std::string& text) {
  const char* start = text.c_str();
  write_dataset(parent, name, text_type(name), {}, &start);
}

void read_attribute(hid_t object, const std::string& name, hid_t type, std::size_t count, void* values) {
  const Handle attribute(check(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open attribute", name), H5Aclose);
  const Handle space(check(H5Aget_space(attribute), "read", name), H5Sclose);
  if (static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) != count)
    throw std::runtime_error("the attribute '" + name + "' has another number of values than " +
                             std::to_string(count));
  check(H5Aread(attribute, type, values), "read", name);
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  char* start = nullptr;
  read_attribute(object, name, text_type(name), 1, &start);
  const std::string text = start ? start : "";
  check(H5free_memory(start), "read", name);
  return text;
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const Shape& shape,
                     const void* data) {
  const Handle space = dataspace(shape, name);
  const Handle attribute(check(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                               "create attribute", name),
                         H5Aclose);
  check(H5Awrite(attribute, type, data), "write attribute", name);
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const char* start = text.c_str();
  write_attribute(object, name, text_type(name), {}, &start);
}

void write_ascii_attribute(hid_t object, const std::string& name, std::string_view text) {
  const Handle type(check(H5Tcopy(H5T_C_S1), "describe", name), H5Tclose);
  check(H5Tset_size(type, text.size()), "describe", name);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "describe", name);
  write_attribute(object, name, type, {}, text.data());
}

}  // namespace halfstep::hdf5
