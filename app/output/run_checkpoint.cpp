#include "app/output/run_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/output/block_writer.hpp"
#include "app/output/checkpoint_soundness.hpp"
#include "app/output/element_cells.hpp"
#include "app/output/mesh_faces.hpp"
#include "app/output/possible_cells.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/recovery/floors.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/record_file.hpp"

namespace halfstep {

namespace {

namespace fs = std::filesystem;

constexpr const char* kKind = "halfstep checkpoint";
// Version 2 added remedies and injected faults, and state/level without halvings; version 3 steps under way,
// state/dumped_step and state/histogram_step; version 4 named scalars; version 5 faces of a stretched mesh.
constexpr int kNewestVersion = 5;
/// Without stretched axes there is nothing in version 5 that version 4 had not.
int version_for(const Mesh& mesh) { return mesh.is_stretched() || mesh.points ? kNewestVersion : 4; }
constexpr const char* kLatest = "checkpoint_latest.h5";

std::string field_record(const RunCheckpoint& checkpoint, int field) {
  return "fields/" +
         (field < kFields ? std::string(kFieldNames[field]) : checkpoint.scalars[field - kFields]);
}

hdf5::Shape shape_of(const Mesh& mesh) {
  const auto size = [&](int axis) { return static_cast<hsize_t>(mesh.cells[axis]); };
  return {size(2), size(1), size(0)};
}

/// The remedies by their numbers in files, which are older than the first rung of elements.
constexpr Remedy kNumberedRemedies[] = {Remedy::none, Remedy::first_order, Remedy::floor, Remedy::scaling};

std::int64_t number_of(Remedy remedy) {
  return std::find(std::begin(kNumberedRemedies), std::end(kNumberedRemedies), remedy) - kNumberedRemedies;
}

constexpr const char* kStep = "step_under_way";
constexpr const char* kLastStart = "last_start";  // older checkpoints have none
constexpr const char* kBudgetSoFar = "budget";    // the words of its exact sums
std::string step_record(const char* name) { return std::string(kStep) + "/" + name; }

void write_bytes(Records& file, const std::string& name, const void* values, std::size_t count,
                 int compress) {
  file.write<std::uint8_t>(name, {static_cast<const std::uint8_t*>(values), count}, {count}, compress);
}

template <class Byte>
void read_bytes(const RecordReader& file, const std::string& name, std::vector<Byte>& values) {
  const auto bytes = file.array<std::uint8_t>(name);
  values.resize(bytes.size());
  std::transform(bytes.begin(), bytes.end(), values.begin(), [](std::uint8_t byte) { return Byte{byte}; });
}

void write_step(Records& file, const StepState& state, const StepUnderWay& step, int compress) {
  const auto integer = [&](const char* name, std::int64_t value) { file.write(step_record(name), value); };
  const auto real = [&](const char* name, double value) { file.write(step_record(name), value); };
  integer("rejections", state.rejections);
  integer("halvings", state.halvings);
  integer("mendable", state.mendable);
  integer("remedy", number_of(state.remedy));
  real("first_dt", step.first_dt);
  std::vector<std::int64_t> remedies;
  for (const Remedy remedy : step.remedies) remedies.push_back(number_of(remedy));
  file.write<std::int64_t>(step_record("remedies"), remedies, {remedies.size()});

  const AttemptProgress& p = step.progress;
  integer("phase", p.substep);
  integer("done", p.done);
  file.write<std::int64_t>(step_record("tiling"), p.tiling, {p.tiling.size()});
  integer("raised", p.raised);
  real("signal_rate", p.cfl_rate);
  integer("repaired_faces", p.repaired_faces);
  integer("repaired_before", p.repaired_before);
  integer("floored_cells", p.floored.cells);
  real("floor_mass", p.floored.mass);
  real("floor_energy", p.floored.energy);
  file.write<double>(step_record("floor_momentum"), p.floored.momentum, {3});
  const auto bytes = [&](const char* name, const auto& values) {
    write_bytes(file, step_record(name), values.data(), values.size(), compress);
  };
  file.write<std::int64_t>(step_record(kBudgetSoFar), p.budget, {p.budget.size()});
  bytes("start", p.start);
  bytes(kLastStart, p.last_start);
  bytes("in", p.in);
  bytes("out", p.out);
  bytes("flags", p.flags);
  // The flags again, for programs that read them twice.
  bytes("mask", p.attempt.remedy == Remedy::none ? std::vector<std::uint8_t>() : p.flags);
  bytes("records", p.records);
}

/// Reads the floors' momentum if there is one; checkpoints of earlier builds have none.
void read_floor_momentum(const RecordReader& file, const std::string& name, FloorSums& floored) {
  if (!file.has(name)) return;
  const auto momentum = file.array<double>(name);
  if (momentum.size() != 3)
    throw std::runtime_error(fmt::format("its record '{}' has not three components", name));
  std::copy_n(momentum.begin(), 3, floored.momentum);
}

constexpr const char* kNextOfOutputs = "state/next_of_outputs";
constexpr const char* kScaledSteps = "counters/scaled_steps";  // older checkpoints have none
constexpr const char* kSponged = "counters/sponges";
constexpr const char* kBudget = "counters/budget";
constexpr std::size_t kBudgetNumbers = sizeof(Budget) / sizeof(double);
/// The last part is that of bodies, which older checkpoints lack.
constexpr std::size_t kBudgetWithoutBodies = offsetof(Budget, bodies) / sizeof(double);

/// Reads the budget of the run, if that is there; a run without budgets and older checkpoints have none.
Budget read_budget(const RecordReader& file) {
  Budget budget;
  if (!file.has(kBudget)) return budget;
  const auto numbers = file.array<double>(kBudget);
  if (numbers.size() != kBudgetNumbers && numbers.size() != kBudgetWithoutBodies)
    throw std::runtime_error(fmt::format("its record '{}' has not {} numbers", kBudget, kBudgetNumbers));
  std::memcpy(static_cast<void*>(&budget), numbers.data(), numbers.size() * sizeof(double));
  return budget;
}

/// Reads what sponges added, if that is there; checkpoints of earlier builds have nothing.
SpongeSums read_sponged(const RecordReader& file) {
  if (!file.has(kSponged)) return {};
  const auto v = file.array<double>(kSponged);
  if (v.size() != 5) throw std::runtime_error(fmt::format("its record '{}' has not five numbers", kSponged));
  return {v[0], v[4], {v[1], v[2], v[3]}};
}

/// Reads a count that has to fit an int.
int count_in(const RecordReader& file, const std::string& name) {
  const std::int64_t value = file.integer(name);
  if (value < 0 || value > std::numeric_limits<int>::max() - 1)
    throw std::runtime_error(fmt::format("its record '{}' is {}", name, value));
  return static_cast<int>(value);
}

Remedy remedy_of(std::int64_t number) {
  if (number < 0 || number >= std::ssize(kNumberedRemedies))
    throw std::runtime_error(fmt::format("there is no remedy {}", number));
  return kNumberedRemedies[number];
}

/// Reads what write_step() wrote; `state` and `epoch` are those of the checkpoint.
StepUnderWay read_step(const RecordReader& file, StepState& state, std::uint64_t epoch) {
  const auto integer = [&](const char* name) { return file.integer(step_record(name)); };
  const auto real = [&](const char* name) { return file.real(step_record(name)); };
  state.rejections = count_in(file, step_record("rejections"));
  state.halvings = count_in(file, step_record("halvings"));
  // Missing in older files: assume that a remedy may help.
  state.mendable = !file.has(step_record("mendable")) || integer("mendable") != 0;
  state.remedy = remedy_of(integer("remedy"));
  StepUnderWay step;
  step.first_dt = real("first_dt");
  for (const std::int64_t remedy : file.array<std::int64_t>(step_record("remedies")))
    step.remedies.push_back(remedy_of(remedy));

  AttemptProgress& p = step.progress;
  p.attempt = {epoch, state.step + 1, state.rejections + 1, state.remedy};
  p.substep = count_in(file, step_record("phase"));
  p.done = integer("done");
  const auto tiling = file.array<std::int64_t>(step_record("tiling"));
  if (tiling.size() != p.tiling.size())
    throw std::runtime_error("the tiling of its step is not three numbers");
  std::copy_n(tiling.begin(), p.tiling.size(), p.tiling.begin());
  p.raised = integer("raised") != 0;
  p.cfl_rate = real("signal_rate");
  p.repaired_faces = integer("repaired_faces");
  p.repaired_before = integer("repaired_before");
  p.floored = {integer("floored_cells"), real("floor_mass"), real("floor_energy")};
  read_floor_momentum(file, step_record("floor_momentum"), p.floored);
  if (file.has(step_record(kBudgetSoFar))) p.budget = file.array<std::int64_t>(step_record(kBudgetSoFar));
  read_bytes(file, step_record("start"), p.start);
  if (file.has(step_record(kLastStart))) read_bytes(file, step_record(kLastStart), p.last_start);
  read_bytes(file, step_record("in"), p.in);
  read_bytes(file, step_record("out"), p.out);
  read_bytes(file, step_record("flags"), p.flags);
  read_bytes(file, step_record("records"), p.records);
  return step;
}

/// The record with the places of a mesh of points.
constexpr const char* kPlaces = "mesh/places";
/// Returns the name of the record with the faces along a stretched axis.
std::string faces_record(int axis) { return fmt::format("mesh/faces_{}", "xyz"[axis]); }

void write_mesh(Records& file, const Mesh& mesh) {
  const std::vector<std::int64_t> cells(mesh.cells.begin(), mesh.cells.end());
  file.write<std::int64_t>("mesh/cells", cells, {3});
  file.write<double>("mesh/lower", mesh.lower, {3});
  file.write<double>("mesh/upper", mesh.upper, {3});
  if (mesh.points) {
    const std::vector<double> places = flattened(mesh.points->place);
    file.write<double>(kPlaces, places, {places.size() / 3, 3});
  }
  for (int axis = 0; axis < 3; ++axis)
    if (mesh.is_stretched(axis)) {
      const std::vector<double> faces = faces_of(mesh, axis);
      file.write<double>(faces_record(axis), faces, {faces.size()});
    }
}

std::shared_ptr<const PointPlaces> read_places(const RecordReader& file, std::int64_t count) {
  if (file.shape(kPlaces) != hdf5::Shape{static_cast<hsize_t>(count), 3})
    throw std::runtime_error("its places are not those of its points");
  const auto places = file.array<double>(kPlaces);
  auto points = std::make_shared<PointPlaces>();
  for (std::size_t n = 0; n < places.size(); n += 3)
    points->place.push_back({places[n], places[n + 1], places[n + 2]});
  return points;
}

Mesh read_mesh(const RecordReader& file) {
  for (const char* name : {"mesh/cells", "mesh/lower", "mesh/upper"})
    if (file.shape(name) != hdf5::Shape{3})
      throw std::runtime_error(fmt::format("its record '{}' is not three numbers", name));
  const auto cells = file.array<std::int64_t>("mesh/cells");
  const auto lower = file.array<double>("mesh/lower"), upper = file.array<double>("mesh/upper");
  Mesh mesh{.cells = possible_cells({cells[0], cells[1], cells[2]})};
  if (file.has(kPlaces)) mesh.points = read_places(file, mesh.cell_count());
  for (int axis = 0; axis < 3; ++axis) {
    mesh.lower[axis] = lower[axis];
    mesh.upper[axis] = upper[axis];
    if (!file.has(faces_record(axis))) continue;
    set_faces(mesh, axis, file.array<double>(faces_record(axis)));
    if (mesh.lower[axis] != lower[axis] || mesh.upper[axis] != upper[axis])
      throw std::runtime_error(fmt::format("its faces along {} do not reach from end to end", "xyz"[axis]));
  }
  return mesh;
}

constexpr const char* kInitialTotals = "initial_totals";

void write_totals(Records& file, const Totals& t) {
  std::vector<double> values = {t.mass,           t.momentum[0], t.momentum[1],  t.momentum[2], t.energy,
                                t.kinetic_energy, t.min_density, t.min_pressure, t.max_mach};
  values.insert(values.end(), t.scalar_mass.begin(), t.scalar_mass.end());
  values.push_back(t.enstrophy);
  file.write<double>(kInitialTotals, values, {values.size()});
}

/// Reads what write_totals() wrote; returns nothing if the record is missing.
std::optional<Totals> read_totals(const RecordReader& file) {
  if (!file.has(kInitialTotals)) return std::nullopt;
  const auto v = file.array<double>(kInitialTotals);
  constexpr std::size_t before = 9;
  const std::size_t scalars = file.version() < 4 ? 1 : kMaxScalars;  // before version 4 the reactant's alone
  if (v.size() != before + scalars + 1)
    throw std::runtime_error("cannot use the checkpoint: its initial totals are incomplete");
  Totals t{.mass = v[0],
           .momentum = {v[1], v[2], v[3]},
           .energy = v[4],
           .kinetic_energy = v[5],
           .min_density = v[6],
           .min_pressure = v[7],
           .max_mach = v[8],
           .enstrophy = v.back()};
  std::copy_n(v.begin() + before, scalars, t.scalar_mass.begin());
  return t;
}

/// Writes the fields as Real: single-precision states are stored as floats whatever type they have in memory.
template <class Real, class Stored>
void write_fields(Records& file, const RunCheckpoint& checkpoint, const FieldSpans<Stored>& fields,
                  int compress) {
  const Mesh& mesh = checkpoint.mesh;
  if (fields.size() != kFields + checkpoint.scalars.size())
    throw std::logic_error("the fields of a checkpoint are not those it names");
  for (int f = 0; f < static_cast<int>(fields.size()); ++f) {
    if (fields[f].size() != static_cast<std::size_t>(mesh.cell_count()))
      throw std::logic_error("the fields of a checkpoint do not fit its mesh");
    if constexpr (std::is_same_v<Real, Stored>)
      file.write<Real>(field_record(checkpoint, f), fields[f], shape_of(mesh), compress);
    else
      file.write<Real>(field_record(checkpoint, f), std::vector<Real>(fields[f].begin(), fields[f].end()),
                       shape_of(mesh), compress);
  }
}

constexpr const char* kAveragesNames = "averages/names";
std::string averages_record(std::size_t n) { return fmt::format("averages/numbers_{}", n); }

void write_averages(Records& file, const std::map<std::string, std::vector<double>>& averages) {
  if (averages.empty()) return;
  std::string names;
  std::size_t n = 0;
  for (const auto& [name, numbers] : averages) {
    names += (n == 0 ? "" : ",") + name;
    file.write<double>(averages_record(n++), numbers, {numbers.size()});
  }
  file.write(kAveragesNames, names);
}

std::map<std::string, std::vector<double>> read_averages(const RecordReader& file) {
  std::map<std::string, std::vector<double>> averages;
  if (!file.has(kAveragesNames)) return averages;
  std::istringstream names(file.text(kAveragesNames));
  std::size_t n = 0;
  for (std::string name; std::getline(names, name, ',');)
    averages[name] = file.array<double>(averages_record(n++));
  return averages;
}

/// Returns the step in a checkpoint's name; nothing for other files.
std::optional<std::int64_t> step_of(const fs::path& path) {
  const std::string name = path.filename().string();
  constexpr std::string_view before = "checkpoint_", after = ".h5";
  if (!name.starts_with(before) || !name.ends_with(after)) return std::nullopt;
  std::int64_t step = 0;
  const char* end = name.data() + name.size() - after.size();
  const auto parsed = std::from_chars(name.data() + before.size(), end, step);
  if (parsed.ec != std::errc{} || parsed.ptr != end || step < 0) return std::nullopt;
  return step;
}

/// Returns all checkpoints in `directory`, later steps first. Sorted by step, because a copied file has a
/// newer time than its original.
std::vector<fs::path> checkpoints_in(const fs::path& directory) {
  std::vector<std::pair<std::int64_t, fs::path>> found;
  for (const auto& entry : fs::directory_iterator(directory))
    if (const auto step = step_of(entry.path())) found.emplace_back(*step, entry.path());
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> files;
  for (const auto& [step, file] : found) files.push_back(file);
  return files;
}

/// Replaces the link atomically by a relative link to `name`.
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

/// Removes all but the `keep` newest, and those of steps after `newest`: they belong to a run that was
/// restarted from an earlier step.
void remove_others(const fs::path& directory, std::int64_t newest, int keep) {
  int kept = 0;
  for (const fs::path& file : checkpoints_in(directory))
    if (step_of(file) > newest || ++kept > keep) fs::remove(file);
}

}  // namespace

std::string checkpoint_name(std::int64_t step) { return fmt::format("checkpoint_{:08}.h5", step); }

namespace {

/// Writes the records before the fields.
void write_run(Records& file, const RunCheckpoint& checkpoint) {
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
  file.write("state/last_helped", number_of(state.last_helped));
  file.write("state/remembered", std::int64_t{state.remembered});
  file.write("state/last_dt", checkpoint.last_dt);
  file.write("state/signal_rate", checkpoint.cfl_rate);
  file.write("state/next_dump", checkpoint.next_dump);
  file.write("state/dumped_step", checkpoint.dumped_step);
  file.write("state/histogram_step", checkpoint.histogram_step);
  if (const auto& next = checkpoint.next_of_outputs; !next.empty())
    file.write<std::int64_t>(kNextOfOutputs, next, {next.size()});
  write_averages(file, checkpoint.averages);
  file.write("state/epoch", static_cast<std::int64_t>(checkpoint.epoch));

  if (checkpoint.initial_totals) write_totals(file, *checkpoint.initial_totals);
  const RunCounters& counters = checkpoint.counters;
  file.write("counters/attempts", counters.attempts);
  file.write("counters/rejections", counters.rejections);
  file.write("counters/repaired_faces", counters.repaired_faces);
  file.write(kScaledSteps, counters.scaled_steps);
  file.write("counters/first_order_steps", counters.first_order_steps);
  file.write("counters/floored_cells", counters.floored.cells);
  file.write("counters/floor_mass", counters.floored.mass);
  file.write("counters/floor_energy", counters.floored.energy);
  file.write<double>("counters/floor_momentum", counters.floored.momentum, {3});
  const SpongeSums& sponged = counters.sponged;
  file.write<double>(
      kSponged,
      std::array{sponged.mass, sponged.momentum[0], sponged.momentum[1], sponged.momentum[2], sponged.energy},
      {5});
  file.write<double>(kBudget, {reinterpret_cast<const double*>(&counters.budget), kBudgetNumbers},
                     {kBudgetNumbers});
  file.write("counters/injected_faults", counters.injected_faults);
  file.write("counters/wall_seconds", counters.wall_seconds);
  file.write("counters/redo_seconds", counters.redo_seconds);

  write_mesh(file, checkpoint.mesh);
  file.write("gamma", checkpoint.gamma);
  file.write("scalars", fmt::format("{}", fmt::join(checkpoint.scalars, ",")));
}

}  // namespace

SealedFile checkpoint_file(const fs::path& directory, const RunCheckpoint& checkpoint,
                           const FieldsView& fields, int compress) {
  RecordWriter file(directory / checkpoint_name(checkpoint.state.step), kKind, version_for(checkpoint.mesh));
  write_run(file, checkpoint);
  std::visit(
      [&](const auto& spans) {
        if (checkpoint.precision == "single")
          write_fields<float>(file, checkpoint, spans, compress);
        else
          write_fields<double>(file, checkpoint, spans, compress);
      },
      fields);
  if (checkpoint.step) write_step(file, checkpoint.state, *checkpoint.step, compress);
  return file.seal();
}

PartedFile parted_checkpoint(const fs::path& directory, const RunCheckpoint& checkpoint) {
  const fs::path path = directory / checkpoint_name(checkpoint.state.step);
  hdf5::Outline file(path);
  Records records(file.root());
  write_run(records, checkpoint);
  const int count = kFields + static_cast<int>(checkpoint.scalars.size());
  for (int f = 0; f < count; ++f)
    if (checkpoint.precision == "single")
      file.reserve<float>(file.root(), field_record(checkpoint, f), shape_of(checkpoint.mesh));
    else
      file.reserve<double>(file.root(), field_record(checkpoint, f), shape_of(checkpoint.mesh));
  if (checkpoint.step) write_step(records, checkpoint.state, *checkpoint.step, 0);
  return {path, kKind, version_for(checkpoint.mesh), std::move(file)};
}

void write_checkpoint_block(BlockWriter& writer, const std::string& precision, const FieldsView& fields) {
  const auto write = [&]<class Real>(Real, const auto& spans) {
    for (const auto& span : spans)
      writer.write<Real>(1, [&](Real* value, std::int64_t cell) {
        *value = static_cast<Real>(span[static_cast<std::size_t>(cell)]);
      });
  };
  std::visit([&](const auto& spans) { precision == "single" ? write(0.0f, spans) : write(0.0, spans); },
             fields);
}

std::string publish_checkpoint(const fs::path& directory, std::int64_t step, const SealedFile& file,
                               int keep) {
  const std::string name = checkpoint_name(step);
  file.commit();
  point_latest_at(directory, name);
  remove_others(directory, step, keep);
  return name;
}

namespace {

/// Returns the names of the scalars; before version 4 the reactant was the only one.
std::vector<std::string> read_scalars(const RecordReader& file) {
  std::vector<std::string> names;
  if (file.version() < 4) {
    if (file.has("fields/reactant")) names.push_back("reactant");
    return names;
  }
  std::istringstream text(file.text("scalars"));
  for (std::string name; std::getline(text, name, ',');) names.push_back(name);
  if (names.size() > kMaxScalars) throw std::runtime_error("it has too many scalars");
  return names;
}

RunCheckpoint read_records(const RecordReader& file) {
  RunCheckpoint checkpoint;

  checkpoint.deck = file.text("deck");
  checkpoint.precision = file.text("precision");
  checkpoint.backend = file.text("backend");
  checkpoint.git = file.text("git");

  StepState& state = checkpoint.state;
  state.time = file.real("state/time");
  state.step = file.integer("state/step");
  state.next_output = file.integer("state/next_output");
  state.level = count_in(file, "state/level");
  state.accepted_at_level = count_in(file, "state/accepted_at_level");
  if (file.version() >= 2) {
    state.last_helped = remedy_of(file.integer("state/last_helped"));
    state.remembered = count_in(file, "state/remembered");
  } else {
    state.level -= count_in(file, "state/halvings");
  }
  checkpoint.last_dt = file.real("state/last_dt");
  checkpoint.cfl_rate = file.real("state/signal_rate");
  checkpoint.next_dump = file.integer("state/next_dump");
  if (file.version() >= 3) checkpoint.dumped_step = file.integer("state/dumped_step");
  if (file.has("state/histogram_step")) checkpoint.histogram_step = file.integer("state/histogram_step");
  if (file.has(kNextOfOutputs)) checkpoint.next_of_outputs = file.array<std::int64_t>(kNextOfOutputs);
  checkpoint.averages = read_averages(file);
  checkpoint.epoch = static_cast<std::uint64_t>(file.integer("state/epoch"));
  if (file.has(kStep)) checkpoint.step = read_step(file, state, checkpoint.epoch);

  checkpoint.initial_totals = read_totals(file);
  RunCounters& counters = checkpoint.counters;
  counters.attempts = file.integer("counters/attempts");
  counters.rejections = file.integer("counters/rejections");
  counters.repaired_faces = file.integer("counters/repaired_faces");
  if (file.version() >= 2) {
    counters.first_order_steps = file.integer("counters/first_order_steps");
    counters.floored.cells = file.integer("counters/floored_cells");
    counters.floored.mass = file.real("counters/floor_mass");
    counters.floored.energy = file.real("counters/floor_energy");
    read_floor_momentum(file, "counters/floor_momentum", counters.floored);
    counters.injected_faults = file.integer("counters/injected_faults");
  }
  if (file.has(kScaledSteps)) counters.scaled_steps = file.integer(kScaledSteps);
  counters.sponged = read_sponged(file);
  counters.budget = read_budget(file);
  counters.wall_seconds = file.real("counters/wall_seconds");
  counters.redo_seconds = file.real("counters/redo_seconds");

  checkpoint.mesh = read_mesh(file);
  checkpoint.gamma = file.real("gamma");

  checkpoint.scalars = read_scalars(file);
  checkpoint.fields.scalars.resize(checkpoint.scalars.size());
  for (int f = 0; f < checkpoint.fields.count(); ++f) {
    const std::string name = field_record(checkpoint, f);
    if (file.shape(name) != shape_of(checkpoint.mesh))
      throw std::runtime_error("its record '" + name + "' does not fit its mesh");
    checkpoint.fields.field(f) = file.array<double>(name);
  }
  return checkpoint;
}

/// Throws std::runtime_error with the file's name before the reason.
[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  const std::string start = "cannot use '" + path.string() + "': ";
  throw std::runtime_error(reason.starts_with(start) ? reason : start + reason);
}

}  // namespace

RunCheckpoint read_checkpoint(const fs::path& path) {
  const RecordReader file(path, kKind, kNewestVersion);
  try {
    return read_records(file);
  } catch (const std::runtime_error& error) {
    refuse(path, error.what());
  }
}

namespace {

/// Reads a checkpoint and checks that a run can continue from it.
RunCheckpoint read_sound(const fs::path& path) {
  RunCheckpoint checkpoint = read_checkpoint(path);
  try {
    expect_sound(checkpoint);
    distrust_last_output(checkpoint);
  } catch (const std::runtime_error& error) {
    refuse(path, error.what());
  }
  return checkpoint;
}

/// Returns the first usable one of `files`; adds those before it to `refused`.
std::optional<FoundCheckpoint> first_usable(const std::vector<fs::path>& files,
                                            std::vector<RefusedCheckpoint>& refused) {
  for (const fs::path& file : files) {
    try {
      return FoundCheckpoint{file, read_sound(file), refused};
    } catch (const std::runtime_error& error) {
      refused.push_back({file, error.what()});
    }
  }
  return std::nullopt;
}

FoundCheckpoint newest_in(const fs::path& directory) {
  std::vector<fs::path> files = checkpoints_in(directory);
  std::vector<RefusedCheckpoint> refused;
  const fs::path latest = directory / kLatest;
  if (fs::exists(latest)) {
    // Later steps belong to a run that was restarted from an earlier step: they come last.
    const fs::path target = directory / fs::canonical(latest).filename();
    const auto at = std::find(files.begin(), files.end(), target);
    if (at != files.end())
      std::rotate(files.begin(), at, files.end());
    else
      files.insert(files.begin(), latest);
  } else if (fs::is_symlink(fs::symlink_status(latest))) {
    refused.push_back({latest, "'" + latest.string() + "' points at '" + fs::read_symlink(latest).string() +
                                   "', which is not there"});
  } else if (!files.empty()) {
    refused.push_back({latest, "'" + latest.string() + "' is missing"});
  }
  if (const auto found = first_usable(files, refused)) return *found;

  std::string message = "cannot restart from '" + directory.string() + "': ";
  if (files.empty()) message += "it holds no checkpoint; a run that ends before its first one leaves none";
  for (const RefusedCheckpoint& r : refused) message += "\n  " + r.reason;
  if (fs::exists(directory / "deck.yaml"))
    message += "\n  begin again: halfstep run " + (directory / "deck.yaml").string() + " --output " +
               directory.string();
  throw std::runtime_error(message);
}

}  // namespace

FoundCheckpoint find_checkpoint(const fs::path& given) {
  if (fs::is_directory(given)) return newest_in(given);
  try {
    return {given, read_sound(given), {}};
  } catch (const std::runtime_error& error) {
    const fs::path directory = given.has_parent_path() ? given.parent_path() : fs::path(".");
    if (!fs::is_directory(directory)) throw;
    std::vector<fs::path> others = checkpoints_in(directory);
    std::erase_if(others, [&](const fs::path& other) {
      std::error_code ignored;
      return fs::equivalent(other, given, ignored);
    });
    std::vector<RefusedCheckpoint> refused;
    const auto other = first_usable(others, refused);
    throw std::runtime_error(
        error.what() + (other
                            ? fmt::format("\n  '{}' can be used: step {}, time {:.6g}", other->file.string(),
                                          other->checkpoint.state.step, other->checkpoint.state.time)
                            : std::string("\n  there is no other checkpoint beside it that can be used")));
  }
}

}  // namespace halfstep
