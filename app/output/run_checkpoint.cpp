#include "app/output/run_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/record_file.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

constexpr const char* kKind = "halfstep checkpoint";
constexpr int kVersion = 2;  // 2: remedies and injected faults; state/level without halvings
constexpr const char* kLatest = "checkpoint_latest.h5";

std::string field_record(int field) { return "fields/" + std::string(kFieldNames[field]); }

hdf5::Shape shape_of(const Mesh& mesh) {
  const auto size = [&](int axis) { return static_cast<hsize_t>(mesh.cells[axis]); };
  return {size(2), size(1), size(0)};
}

bool is_checkpoint(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("checkpoint_") && name.ends_with(".h5") && name != kLatest;
}

/// A relative link, put in place of the old one in one go.
void point_latest_at(const fs::path& directory, const std::string& name) {
  const fs::path link = directory / kLatest, temporary = temporary_name(link);
  std::error_code error;
  fs::remove(temporary, error);
  fs::create_symlink(name, temporary, error);
  if (error) throw_system_error("create the link", link, error.value());
  fs::rename(temporary, link, error);
  if (error) throw_system_error("replace the link", link, error.value());
  synchronise_directory(directory);
}

void remove_older(const fs::path& directory, const std::string& newest, int keep) {
  std::vector<std::tuple<fs::file_time_type, fs::path>> others;
  for (const auto& entry : fs::directory_iterator(directory))
    if (is_checkpoint(entry.path()) && entry.path().filename() != newest)
      others.emplace_back(entry.last_write_time(), entry.path());
  std::sort(others.rbegin(), others.rend());
  for (std::size_t i = static_cast<std::size_t>(std::max(keep, 1)) - 1; i < others.size(); ++i)
    fs::remove(std::get<fs::path>(others[i]));
}

}  // namespace

std::string write_checkpoint(const fs::path& directory, const RunCheckpoint& checkpoint, int keep) {
  const std::string name = fmt::format("checkpoint_{:08}.h5", checkpoint.state.step);
  RecordWriter file(directory / name, kKind, kVersion);

  file.write("deck", checkpoint.deck);
  file.write("precision", checkpoint.precision);
  file.write("backend", checkpoint.backend);
  file.write("git", checkpoint.git);

  const StepState& state = checkpoint.state;
  file.write("state/time", state.time);
  file.write("state/step", state.step);
  file.write("state/next_output", state.next_output);
  file.write("state/level", std::int64_t{state.level});
  file.write("state/accepted_at_level", std::int64_t{state.accepted_at_level});
  file.write("state/last_helped", static_cast<std::int64_t>(state.last_helped));
  file.write("state/remembered", std::int64_t{state.remembered});
  file.write("state/last_dt", checkpoint.last_dt);
  file.write("state/signal_rate", checkpoint.signal_rate);
  file.write("state/next_dump", checkpoint.next_dump);
  file.write("state/epoch", static_cast<std::int64_t>(checkpoint.epoch));

  const RunCounters& counters = checkpoint.counters;
  file.write("counters/attempts", counters.attempts);
  file.write("counters/rejections", counters.rejections);
  file.write("counters/repaired_faces", counters.repaired_faces);
  file.write("counters/first_order_steps", counters.first_order_steps);
  file.write("counters/floored_cells", counters.floored.cells);
  file.write("counters/floor_mass", counters.floored.mass);
  file.write("counters/floor_energy", counters.floored.energy);
  file.write("counters/injected_faults", counters.injected_faults);
  file.write("counters/wall_seconds", counters.wall_seconds);
  file.write("counters/redo_seconds", counters.redo_seconds);

  const Mesh& mesh = checkpoint.mesh;
  const std::vector<std::int64_t> cells(mesh.cells.begin(), mesh.cells.end());
  file.write<std::int64_t>("mesh/cells", cells, {3});
  file.write<double>("mesh/lower", mesh.lower, {3});
  file.write<double>("mesh/upper", mesh.upper, {3});
  file.write("gamma", checkpoint.gamma);

  for (int f = 0; f < kFields; ++f) {
    const std::vector<double>& values = checkpoint.fields.conserved[f];
    if (values.size() != static_cast<std::size_t>(mesh.cell_count()))
      throw std::logic_error("the fields of a checkpoint do not fit its mesh");
    if (checkpoint.precision == "single") {
      const std::vector<float> narrow(values.begin(), values.end());  // they came from floats
      file.write<float>(field_record(f), narrow, shape_of(mesh));
    } else {
      file.write<double>(field_record(f), values, shape_of(mesh));
    }
  }
  file.commit();

  point_latest_at(directory, name);
  remove_older(directory, name, keep);
  return name;
}

RunCheckpoint read_checkpoint(const fs::path& path) {
  const RecordReader file(path, kKind, kVersion);
  RunCheckpoint checkpoint;

  checkpoint.deck = file.text("deck");
  checkpoint.precision = file.text("precision");
  checkpoint.backend = file.text("backend");
  checkpoint.git = file.text("git");

  StepState& state = checkpoint.state;
  state.time = file.real("state/time");
  state.step = file.integer("state/step");
  state.next_output = file.integer("state/next_output");
  state.level = static_cast<int>(file.integer("state/level"));
  state.accepted_at_level = static_cast<int>(file.integer("state/accepted_at_level"));
  if (file.version() >= 2) {
    state.last_helped = static_cast<Remedy>(file.integer("state/last_helped"));
    state.remembered = static_cast<int>(file.integer("state/remembered"));
  } else {
    state.level -= static_cast<int>(file.integer("state/halvings"));
  }
  checkpoint.last_dt = file.real("state/last_dt");
  checkpoint.signal_rate = file.real("state/signal_rate");
  checkpoint.next_dump = file.integer("state/next_dump");
  checkpoint.epoch = static_cast<std::uint64_t>(file.integer("state/epoch"));

  RunCounters& counters = checkpoint.counters;
  counters.attempts = file.integer("counters/attempts");
  counters.rejections = file.integer("counters/rejections");
  counters.repaired_faces = file.integer("counters/repaired_faces");
  if (file.version() >= 2) {
    counters.first_order_steps = file.integer("counters/first_order_steps");
    counters.floored.cells = file.integer("counters/floored_cells");
    counters.floored.mass = file.real("counters/floor_mass");
    counters.floored.energy = file.real("counters/floor_energy");
    counters.injected_faults = file.integer("counters/injected_faults");
  }
  counters.wall_seconds = file.real("counters/wall_seconds");
  counters.redo_seconds = file.real("counters/redo_seconds");

  Mesh& mesh = checkpoint.mesh;
  for (const char* name : {"mesh/cells", "mesh/lower", "mesh/upper"})
    if (file.shape(name) != hdf5::Shape{3})
      throw std::runtime_error("cannot use '" + path.string() + "': its record '" + name +
                               "' is not three numbers");
  const auto cells = file.array<std::int64_t>("mesh/cells");
  const auto lower = file.array<double>("mesh/lower"), upper = file.array<double>("mesh/upper");
  for (int axis = 0; axis < 3; ++axis) {
    mesh.cells[axis] = static_cast<int>(cells[axis]);
    mesh.lower[axis] = lower[axis];
    mesh.upper[axis] = upper[axis];
  }
  checkpoint.gamma = file.real("gamma");

  for (int f = 0; f < kFields; ++f) {
    if (file.shape(field_record(f)) != shape_of(mesh))
      throw std::runtime_error("cannot use '" + path.string() + "': its record '" + field_record(f) +
                               "' does not fit its mesh");
    checkpoint.fields.conserved[f] = file.array<double>(field_record(f));
  }
  return checkpoint;
}

}  // namespace halfstep
