#include "app/output/given_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "app/output/dump.hpp"
#include "app/output/possible_cells.hpp"
#include "app/output/run_checkpoint.hpp"
#include "physics/cases/case.hpp"
#include "runtime/checkpoint/hdf5.hpp"
#include "runtime/checkpoint/sealed_file.hpp"
#include "runtime/checkpoint/trial.hpp"
#include "runtime/device/host_memory.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFileKey = "case.file";

/// An error about one of the datasets' names.
struct DatasetError : std::runtime_error {
  DatasetError(const std::string& key, const std::string& message)
      : runtime_error("case.datasets." + key + ": " + message) {}
};

/// Returns the parameters that a message is about: it may begin with the name of one.
std::vector<std::string> blamed_by(const std::string& message) {
  const std::string start = message.substr(0, message.find(':'));
  if (start.starts_with("case.datasets.")) return {start, kFileKey};
  return {kFileKey};
}

/// Throws std::runtime_error unless the file is a regular one that fits into the main memory.
void expect_readable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    throw std::runtime_error(fmt::format("no such file '{}', in the directory '{}'", path.string(),
                                         fs::current_path(error).string()));
  if (error) throw std::runtime_error(fmt::format("cannot look at '{}': {}", path.string(), error.message()));
  if (fs::is_directory(status))
    throw std::runtime_error(
        fmt::format("'{}' is a directory: name a dump or a checkpoint in it", path.string()));
  if (!fs::is_regular_file(status))
    throw std::runtime_error(fmt::format("'{}' is no regular file", path.string()));
  // The file's bytes, and the fields made of them.
  const auto needed = static_cast<std::int64_t>(2 * fs::file_size(path));
  if (const auto available = available_main_memory(); available && needed > *available)
    throw std::runtime_error(fmt::format(
        "'{}' has {} bytes, too many: {} of main memory are available, and reading takes twice as "
        "many as the file has",
        path.string(), needed / 2, *available));
}

/// Whether HDF5 would take the file for one of its own. It looks at byte 0, 512, and doubles that.
bool begins_as_hdf5(const fs::path& path) {
  constexpr std::string_view mark = "\x89HDF\r\n\x1a\n";
  std::ifstream file(path, std::ios::binary);
  const auto size = static_cast<std::int64_t>(fs::file_size(path));
  for (std::int64_t at = 0; at < size; at = at == 0 ? 512 : 2 * at) {
    std::array<char, 8> start{};
    file.seekg(at);
    file.read(start.data(), start.size());
    if (std::string_view(start.data(), start.size()) == mark) return true;
  }
  return false;
}

bool is_wanted(const FieldRequest& request, const std::string& scalar) {
  return std::find(request.scalars.begin(), request.scalars.end(), scalar) != request.scalars.end();
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all(a.size());
  std::transform(a.begin(), a.end(), b.begin(), all.begin(), [](double x, double y) { return x * y; });
  return all;
}

/// The velocity of cells, or their momentum per volume.
struct Motion {
  std::array<const double*, 3> start{};  ///< the first value of each component; nullptr: 0
  std::size_t stride = 1;                ///< from one cell's to the next one's
  bool is_momentum = false;

  std::array<double, 3> of(std::size_t cell) const {
    const auto component = [&](int axis) { return start[axis] ? start[axis][cell * stride] : 0.0; };
    return {component(0), component(1), component(2)};
  }
};

/// Converts to conserved fields; those that are given keep their bits. `thermal`: pressures, or total
/// energies per volume.
Fields conserved(std::vector<double> density, const Motion& motion, const std::vector<double>& thermal,
                 bool is_energy, const IdealGas<double>& gas) {
  Fields fields;
  auto& u = fields.conserved;
  const std::size_t cells = density.size();
  u[0] = std::move(density);
  for (int f = 1; f < kFields; ++f) u[f].resize(cells);
  for (std::size_t n = 0; n < cells; ++n) {
    const auto [x, y, z] = motion.of(n);
    const double mass = motion.is_momentum ? u[0][n] : 1, pressure = is_energy ? 0 : thermal[n];
    Conserved<double> c = to_conserved<double>({u[0][n], x / mass, y / mass, z / mass, pressure}, gas);
    if (motion.is_momentum) c.mu = x, c.mv = y, c.mw = z;
    if (is_energy) c.energy = thermal[n];
    u[1][n] = c.mu, u[2][n] = c.mv, u[3][n] = c.mw, u[4][n] = c.energy;
  }
  return fields;
}

GivenFields from_dump(const FieldRequest& request) {
  Dump dump = read_dump(request.file);
  std::vector<std::string> there;
  for (const DumpField& field : dump.fields) there.push_back(field.name);
  const auto take = [&](const char* name, int components) -> DumpField& {
    const auto at = std::find(there.begin(), there.end(), name);
    if (at == there.end())
      throw std::runtime_error(fmt::format("'{}' has no {}, but {}; output.fields says what a run dumps",
                                           request.file, name, fmt::join(there, ", ")));
    DumpField& field = dump.fields[static_cast<std::size_t>(at - there.begin())];
    if (field.components != components)
      throw std::runtime_error(
          fmt::format("the {} in '{}' has {} components", name, request.file, field.components));
    return field;
  };
  DumpField &density = take("density", 1), &velocity = take("velocity", 3), &pressure = take("pressure", 1);
  const double* u = velocity.values.data();
  GivenFields given;
  given.mesh = dump.mesh;
  given.fields =
      conserved(std::move(density.values), {{u, u + 1, u + 2}, 3}, pressure.values, false, request.gas);
  for (const DumpField& field : dump.fields) {
    if (&field == &density || &field == &velocity || &field == &pressure || field.components != 1) continue;
    if (is_wanted(request, field.name)) {
      given.scalars.push_back(field.name);
      given.fields.scalars.push_back(product(given.fields.conserved[0], field.values));
    } else {
      given.not_wanted.push_back(field.name);
    }
  }
  return given;
}

/// Changes the energy so that the pressure is as it was in a gas of another gamma.
void keep_pressure(Fields& fields, const IdealGas<double>& before, const IdealGas<double>& after) {
  auto& u = fields.conserved;
  for (std::size_t n = 0; n < u[0].size(); ++n)
    u[4][n] = to_conserved(
                  to_primitive(Conserved<double>{u[0][n], u[1][n], u[2][n], u[3][n], u[4][n]}, before), after)
                  .energy;
}

GivenFields from_checkpoint(const FieldRequest& request) {
  RunCheckpoint checkpoint = read_checkpoint(request.file);
  GivenFields given;
  given.mesh = checkpoint.mesh;
  given.fields.conserved = std::move(checkpoint.fields.conserved);
  for (std::size_t s = 0; s < checkpoint.scalars.size(); ++s)
    if (is_wanted(request, checkpoint.scalars[s])) {
      given.scalars.push_back(checkpoint.scalars[s]);
      given.fields.scalars.push_back(std::move(checkpoint.fields.scalars[s]));
    } else {
      given.not_wanted.push_back(checkpoint.scalars[s]);
    }
  if (checkpoint.gamma != request.gas.gamma) keep_pressure(given.fields, {checkpoint.gamma}, request.gas);
  return given;
}

/// Reads the datasets of another program.
class Datasets {
 public:
  explicit Datasets(const FieldRequest& request)
      : request_(request), file_(hdf5::MemoryFile::open(request.file)) {}

  GivenFields read() const {
    hdf5::Shape shape;
    std::vector<double> density = numbers("density", request_.density, shape);
    if (shape.empty() || shape.size() > 3)
      throw DatasetError("density",
                         fmt::format("'{}' has {} indices; it needs one for each axis, at most three",
                                     request_.density, shape.size()));
    GivenFields given;
    std::array<std::int64_t, 3> cells{1, 1, 1};
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      cells[axis] = static_cast<std::int64_t>(shape[shape.size() - 1 - axis]);
    given.mesh = {possible_cells(cells), request_.lower, request_.upper};
    const bool has_energy = !request_.energy.empty(), has_momentum = !request_.momentum.empty();
    const std::vector<double> thermal =
        has_energy ? field("energy", request_.energy, shape) : field("pressure", request_.pressure, shape);
    Vector vectors = has_momentum ? vector("momentum", request_.momentum, shape)
                                  : vector("velocity", request_.velocity, shape);
    vectors.motion.is_momentum = has_momentum;
    given.fields = conserved(std::move(density), vectors.motion, thermal, has_energy, request_.gas);
    for (const std::string& scalar : request_.scalars) add_scalar(given, shape, scalar);
    return given;
  }

 private:
  /// A vector and the memory of its values.
  struct Vector {
    std::array<std::vector<double>, 3> values;
    Motion motion;
  };

  /// Reads a vector, called `key`: the values of each component, or those of all in one.
  Vector vector(const std::string& key, const VectorNames& names, const hdf5::Shape& shape) const {
    Vector all;
    if (!names.has_components()) {
      all.values[0] = with_components(key, names.whole, shape, all.motion.stride);
      for (std::size_t axis = 0; axis < all.motion.stride; ++axis)
        all.motion.start[axis] = all.values[0].data() + axis;
      return all;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (names.components[axis].empty()) continue;
      all.values[axis] = field(fmt::format("{}_{}", key, "xyz"[axis]), names.components[axis], shape);
      all.motion.start[axis] = all.values[axis].data();
    }
    return all;
  }

  /// Returns a dataset whose last index is one of `width` components.
  std::vector<double> with_components(const std::string& key, const std::string& name, hdf5::Shape shape,
                                      std::size_t& width) const {
    hdf5::Shape own;
    std::vector<double> values = numbers(key, name, own);
    width = own.empty() ? 0 : own.back();
    shape.push_back(width);
    if (own != shape || width < 1 || width > 3)
      throw DatasetError(
          key, fmt::format("'{}' has the shape ({}); it needs that of the density, and one to three "
                           "components as its last index",
                           name, fmt::join(own, ", ")));
    return values;
  }

  std::vector<double> field(const std::string& key, const std::string& name, const hdf5::Shape& shape) const {
    hdf5::Shape own;
    std::vector<double> values = numbers(key, name, own);
    if (own != shape)
      throw DatasetError(key, fmt::format("'{}' has the shape ({}), the density ({})", name,
                                          fmt::join(own, ", "), fmt::join(shape, ", ")));
    return values;
  }

  /// Adds a scalar that lies beside the density, if there is one.
  void add_scalar(GivenFields& given, const hdf5::Shape& shape, const std::string& scalar) const {
    const std::string density = below_root(request_.density);
    const std::string name = density.substr(0, density.rfind('/') + 1) + scalar;  // npos + 1 is 0
    if (!hdf5::has(file_.root(), name)) return;
    given.scalars.push_back(scalar);
    given.fields.scalars.push_back(product(given.fields.conserved[0], field("density", name, shape)));
  }

  /// Returns all numbers of a dataset, and its shape. `key`: whose name it is, for messages.
  std::vector<double> numbers(const std::string& key, const std::string& given, hdf5::Shape& shape) const {
    const std::string name = below_root(given);
    try {
      if (name.empty() || !hdf5::has(file_.root(), name)) refuse_name(key, given);
      return read_numbers(name, shape);
    } catch (const DatasetError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw DatasetError(key, error.what());
    }
  }

  std::vector<double> read_numbers(const std::string& name, hdf5::Shape& shape) const {
    const hdf5::Handle set = hdf5::open_dataset(file_.root(), name);
    const hdf5::Handle type(hdf5::check(H5Dget_type(set), "read", name), H5Tclose);
    if (const H5T_class_t kind = H5Tget_class(type); kind != H5T_FLOAT && kind != H5T_INTEGER)
      throw std::runtime_error(fmt::format("'{}' holds no numbers", name));
    shape = hdf5::dataset_shape(set, name);
    double bytes = sizeof(double);
    for (const hsize_t size : shape) bytes *= static_cast<double>(size);
    if (const auto available = available_main_memory(); available && bytes > static_cast<double>(*available))
      throw std::runtime_error(fmt::format("'{}' takes {:.3g} bytes of main memory, and {} are available",
                                           name, bytes, *available));
    std::vector<double> values(static_cast<std::size_t>(bytes / sizeof(double)));
    hdf5::read_dataset(set, name, hdf5::native_type<double>(), values.data());
    return values;
  }

  /// Returns a path without the slash that it may begin with.
  static std::string below_root(const std::string& path) {
    return path.starts_with('/') ? path.substr(1) : path;
  }

  [[noreturn]] void refuse_name(const std::string& key, const std::string& name) const {
    constexpr std::size_t most = 20;
    const std::vector<std::string> there = hdf5::datasets_below(file_.root(), most);
    throw DatasetError(key, fmt::format("'{}' has no dataset '{}'; it has {}", request_.file, name,
                                        there.empty() ? "none" : fmt::format("{}", fmt::join(there, ", "))));
  }

  const FieldRequest& request_;
  hdf5::MemoryFile file_;
};

GivenFields from_datasets(const FieldRequest& request) {
  if (!begins_as_hdf5(request.file))
    throw std::runtime_error(fmt::format("'{}' is neither a dump, nor a checkpoint, nor HDF5", request.file));
  if (const std::string reason = trial(seconds_to_read(request.file), [&] { Datasets(request).read(); });
      !reason.empty())
    throw std::runtime_error(reason);
  return Datasets(request).read();
}

}  // namespace

GivenFields read_given_fields(const FieldRequest& request) {
  try {
    expect_readable(request.file);
    const std::string kind = kind_in_seal(request.file);
    if (kind == "halfstep checkpoint") return from_checkpoint(request);
    // Dumps of earlier versions have no seal.
    const bool is_dump =
        !kind.empty() || (fs::path(request.file).extension() == ".vtkhdf" && request.density == "density");
    return is_dump ? from_dump(request) : from_datasets(request);
  } catch (const std::runtime_error& error) {
    throw CaseError(blamed_by(error.what()), error.what());
  }
}

}  // namespace halfstep
