#include "app/run/outputs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/deck/field_names.hpp"
#include "app/output/cell_averages.hpp"
#include "app/output/cell_region.hpp"
#include "app/output/cell_values.hpp"
#include "app/output/dump.hpp"
#include "app/output/dump_series.hpp"
#include "app/output/probes_file.hpp"
#include "app/output/running_averages.hpp"
#include "app/output/solid_fields.hpp"
#include "halfstep_version.hpp"
#include "physics/diagnostics/energy_spectrum.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

/// Returns the mask of the problem's bodies; empty without bodies.
std::vector<std::uint8_t> mask_of(const Problem& problem) {
  return problem.has_solids() ? problem.solids->cells().mask : std::vector<std::uint8_t>{};
}

/// Returns what takes the averages of an output, over cells of gas; nothing of one without.
std::optional<CellAverages> averages_of(const OutputRequest& request, const Problem& problem) {
  if (!is_averaged(request.kind)) return std::nullopt;
  std::array<bool, 3> along{};
  for (int axis = 0; axis < 3; ++axis)
    along[axis] = (axis == request.axis) == (request.kind == OutputKind::flattened);
  return CellAverages(problem.mesh, along, mask_of(problem));
}

/// Takes the averages of every field, where there are some to be taken.
std::vector<std::vector<double>> averaged(const std::optional<CellAverages>& averages,
                                          std::vector<std::vector<double>> values) {
  if (averages)
    for (std::vector<double>& field : values) field = averages->of(field);
  return values;
}

/// Begins a table, or continues that of the run before.
ProbesFile make_file(const fs::path& path, const std::vector<std::string>& names, std::size_t places,
                     Precision precision, const std::optional<OutputsBefore>& from) {
  return from ? ProbesFile::resume(path, names, places, precision, from->step)
              : ProbesFile(path, names, places, precision);
}

/// Writes probes, lines and profiles.
class Probes final : public OutputWriter {
 public:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from)
      : Probes(request, problem, solver, directory / (request.name + ".csv"), from,
               cells(request, problem.mesh)) {}

  void write(const StepState& state, double) override {
    std::vector<std::vector<double>> values = values_.values(values_.read());
    for (const std::size_t n : in_bodies_)
      for (std::vector<double>& field : values) field[n] = std::numeric_limits<double>::quiet_NaN();
    file_.write(state.step, state.time, averaged(averages_, std::move(values)));
  }
  void synchronise() override { file_.synchronise(); }

 private:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& path,
         const std::optional<OutputsBefore>& from, const std::vector<CellIndex>& cells)
      : values_(solver, problem, request, cells),
        averages_(averages_of(request, problem)),
        in_bodies_(averages_ ? std::vector<std::size_t>{} : places_in_bodies(problem, cells)),
        file_(make_file(path, values_.names(),
                        averages_ ? static_cast<std::size_t>(averages_->mesh().cell_count()) : cells.size(),
                        request.precision, from)) {}

  static std::vector<CellIndex> cells(const OutputRequest& request, const Mesh& mesh) {
    if (is_averaged(request.kind)) return region_of(request, mesh).list();
    std::vector<CellIndex> all;
    for (const auto& point : request.points) all.push_back(cell_of(mesh, point));
    if (request.kind == OutputKind::probes) return all;
    const CellIndex through = all.front();
    all.assign(mesh.cells[request.axis], through);
    for (int n = 0; n < mesh.cells[request.axis]; ++n) all[n][request.axis] = n;
    return all;
  }

  /// Returns which of the cells lie in bodies.
  static std::vector<std::size_t> places_in_bodies(const Problem& problem,
                                                   const std::vector<CellIndex>& cells) {
    const std::vector<std::uint8_t> mask = mask_of(problem);
    const std::array<int, 3>& size = problem.mesh.cells;
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < cells.size() && !mask.empty(); ++n) {
      const auto& [i, j, k] = cells[n];
      const std::int64_t at = (std::int64_t{k} * size[1] + j) * size[0] + i;
      if (mask[static_cast<std::size_t>(at)] != 0) places.push_back(n);
    }
    return places;
  }

  CellValues values_;
  std::optional<CellAverages> averages_;
  std::vector<std::size_t> in_bodies_;  // of the cells: they hold no gas
  ProbesFile file_;
};

/// Writes spectra. Bodies count as gas at rest.
class Spectrum final : public OutputWriter {
 public:
  Spectrum(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& directory,
           const std::optional<OutputsBefore>& from)
      : velocity_(solver, problem, request, region_of(request, problem.mesh).list()),
        solid_(mask_of(problem)),
        spectrum_(problem.mesh),
        file_(make_file(directory / (request.name + ".csv"), {"energy"}, spectrum_.shells(),
                        request.precision, from)) {}

  void write(const StepState& state, double) override {
    std::vector<std::vector<double>> u = velocity_.values(velocity_.read());
    for (std::size_t n = 0; n < solid_.size(); ++n)
      if (solid_[n] != 0)
        for (std::vector<double>& along : u) along[n] = 0;
    file_.write(state.step, state.time, {spectrum_.of({u[0], u[1], u[2]})});
  }
  void synchronise() override { file_.synchronise(); }

 private:
  CellValues velocity_;
  std::vector<std::uint8_t> solid_;
  EnergySpectrum spectrum_;
  ProbesFile file_;
};

/// Writes a series of dumps of values of cells.
class Dumps : public OutputWriter {
 public:
  void synchronise() override { dumps_.synchronise(); }
  std::int64_t next_dump() const override { return next_; }

 protected:
  Dumps(const OutputRequest& request, const RunConfig& config, const Solver& solver,
        const fs::path& directory, const std::optional<OutputsBefore>& from, QueueFile queue,
        DumpContents contents)
      : contents_(std::move(contents)),
        part_(static_cast<double>(contents_.mesh.cell_count()) *
              static_cast<double>(contents_.fields.size()) /
              (static_cast<double>(config.problem.mesh.cell_count()) * config.problem.fields())),
        compress_(config.output.compress),
        info_{.gases = config.problem.gases(),
              .title = config.title,
              .deck = config.resolved,
              .git = HALFSTEP_GIT,
              .precision = std::string(halfstep::name_of(kPrecisions, request.precision)),
              .backend = solver.backend()},
        next_(from ? number_before(*from, request.name) : 0),
        dumps_(from ? DumpSeries::resume(directory, contents_, next_, from->time, request.name, kSafe)
                    : DumpSeries(directory, contents_, request.name, kSafe)),
        queue_(std::move(queue)) {}

  /// Queues the next dump; values() returns its values, in another thread.
  void queue(const StepState& state, double dt, std::function<std::vector<std::vector<double>>()> values) {
    DumpInfo info = info_;
    info.time = state.time;
    info.step = state.step;
    info.dt = dt;
    queue_(
        [this, info = std::move(info), number = next_++, values = std::move(values)]() {
          auto image = std::make_shared<hdf5::Image>(
              image_of_values(info, contents_.mesh, contents_.fields, values(), compress_));
          return [this, number, time = info.time, image] { dumps_.write(number, time, std::move(*image)); };
        },
        part_);
  }

 private:
  /// Returns the number of the next dump; 0 for an output that begins with the restart.
  static std::int64_t number_before(const OutputsBefore& from, const std::string& name) {
    const auto found = from.next_dumps.find(name);
    return found == from.next_dumps.end() ? 0 : found->second;
  }

  // Files that are made safe one by one can take longer than the steps between them. A checkpoint makes them
  // safe, and a restart from it writes those after it again.
  static constexpr Safe kSafe = Safe::when_synchronised;

  DumpContents contents_;
  double part_;
  int compress_;
  DumpInfo info_;      // of every file
  std::int64_t next_;  // number
  DumpSeries dumps_;   // of the thread that writes
  QueueFile queue_;
};

/// Returns the names of fields and, in a run with bodies, those of their fields.
std::vector<std::string> with_solid_names(std::vector<std::string> names, const Problem& problem) {
  if (problem.has_solids()) names.insert(names.end(), kSolidFields.begin(), kSolidFields.end());
  return names;
}
/// Returns the values of fields and, where there are bodies, those of their fields.
std::vector<std::vector<double>> with_solid_values(std::vector<std::vector<double>> values,
                                                   const SolidValues* solids) {
  if (!solids) return values;
  values.emplace_back(solids->solid.begin(), solids->solid.end());
  values.push_back(solids->distance);
  return values;
}

/// The values of an output's cells, or of their averages.
struct ValuesOfRegion {
  CellRegion region;
  CellValues values;
  std::optional<CellAverages> averages;
  SolidFields solids;  ///< of the thread that builds

  ValuesOfRegion(const OutputRequest& request, const Problem& problem, Solver& solver)
      : region(region_of(request, problem.mesh)),
        values(solver, problem, request, region.list()),
        averages(averages_of(request, problem)),
        solids(problem) {}
  Mesh mesh(const Mesh& whole) const { return averages ? averages->mesh() : region.mesh(whole); }
  /// Returns the names of the fields, those of bodies last. Averages have none of these.
  std::vector<std::string> names(const Problem& problem) const {
    return averages ? values.names() : with_solid_names(values.names(), problem);
  }
  std::vector<std::vector<double>> of(const Fields& states) {
    if (averages) return averaged(averages, values.values(states));
    return with_solid_values(values.values(states), solids.in(region));
  }
};

/// Writes slices, boxes and flattened planes: the states are taken at once, the rest is done beside the
/// steps.
class Series final : public Dumps {
 public:
  Series(const OutputRequest& request, const RunConfig& config, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from, QueueFile queue)
      : Series(request, config, solver, directory, from, std::move(queue),
               ValuesOfRegion(request, config.problem, solver)) {}

  void write(const StepState& state, double dt) override {
    queue(state, dt, [this, states = of_.values.read()] { return of_.of(states); });
  }

 private:
  Series(const OutputRequest& request, const RunConfig& config, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from, QueueFile queue, ValuesOfRegion of)
      : Dumps(request, config, solver, directory, from, std::move(queue),
              {of.mesh(config.problem.mesh), of.names(config.problem), request.precision}),
        of_(std::move(of)) {}

  ValuesOfRegion of_;
};

/// The values of all cells, and their averages over time.
struct AveragedValues {
  CellValues values;
  RunningAverages averages;
  SolidFields solids;  ///< of the thread that builds

  AveragedValues(const OutputRequest& request, const Problem& problem, Solver& solver)
      : values(solver, problem, request, region_of(request, problem.mesh).list()),
        averages(values.names(), static_cast<std::size_t>(problem.mesh.cell_count()), request.covariances),
        solids(problem) {}

  /// Returns the names of the averages, and those of the fields of bodies.
  std::vector<std::string> names(const Problem& problem) const {
    return with_solid_names(averages.names(), problem);
  }
  /// Returns the results of what numbers() were, and the fields of bodies.
  std::vector<std::vector<double>> results(const std::vector<double>& numbers, const Mesh& mesh) {
    return with_solid_values(averages.results(numbers), solids.in(CellRegion::whole(mesh)));
  }
};

/// Takes states in and writes their averages over time. A state counts for the time since the one before.
class TimeAverages final : public Dumps {
 public:
  TimeAverages(const OutputRequest& request, const RunConfig& config, Solver& solver,
               const fs::path& directory, const std::optional<OutputsBefore>& from, QueueFile queue)
      : TimeAverages(request, config, solver, directory, from, std::move(queue),
                     AveragedValues(request, config.problem, solver)) {}

  bool samples_after(std::int64_t step) const override { return step % sample_steps_ == 0; }
  void sample(const StepState& state) override {
    if (state.time <= last_) return;
    of_.averages.add(state.time - last_, of_.values.values(of_.values.read()));
    last_ = state.time;
  }
  /// Writes nothing before the first state is taken in.
  void write(const StepState& state, double dt) override {
    if (of_.averages.weight() > 0)
      queue(state, dt, [this, numbers = of_.averages.numbers()] { return of_.results(numbers, mesh_); });
  }
  std::vector<double> kept() const override {
    std::vector<double> numbers = of_.averages.numbers();
    numbers.push_back(last_);
    return numbers;
  }

 private:
  TimeAverages(const OutputRequest& request, const RunConfig& config, Solver& solver,
               const fs::path& directory, const std::optional<OutputsBefore>& from, QueueFile queue,
               AveragedValues of)
      : Dumps(request, config, solver, directory, from, std::move(queue),
              {config.problem.mesh, of.names(config.problem), request.precision}),
        mesh_(config.problem.mesh),
        of_(std::move(of)),
        sample_steps_(request.sample_steps),
        last_(std::max(request.from, from ? from->time : 0)) {
    if (!from) return;
    if (const auto kept = from->averages.find(request.name); kept != from->averages.end())
      restore(kept->second);
  }

  void restore(std::vector<double> numbers) {
    const double last = numbers.back();
    numbers.pop_back();
    if (of_.averages.restore(numbers)) last_ = last;
  }

  const Mesh& mesh_;
  AveragedValues of_;
  std::int64_t sample_steps_;
  double last_;  // time up to which states were taken in
};

bool due(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

}  // namespace

Outputs::Outputs(const RunConfig& config, Solver& solver, const fs::path& directory,
                 const std::optional<OutputsBefore>& from, QueueFile queue)
    : time_(from ? from->time : 0) {
  for (const OutputRequest& request : config.output_requests) {
    Entry& entry =
        entries_.emplace_back(Entry{.name = request.name, .cadence = request.cadence, .writer = nullptr});
    if (request.kind == OutputKind::averages)
      entry.writer = std::make_unique<TimeAverages>(request, config, solver, directory, from, queue);
    else if (request.kind == OutputKind::spectrum)
      entry.writer = std::make_unique<Spectrum>(request, config.problem, solver, directory, from);
    else if (is_series(request.kind))
      entry.writer = std::make_unique<Series>(request, config, solver, directory, from, queue);
    else
      entry.writer = std::make_unique<Probes>(request, config.problem, solver, directory, from);
  }
}

bool Outputs::due_after(std::int64_t step) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return due(step, entry.cadence.every_steps) || entry.writer->samples_after(step);
  });
}

void Outputs::begin() {
  for (const Entry& entry : entries_) entry.writer->write({}, 0);
}

void Outputs::accepted(const StepState& state) {
  for (Entry& entry : entries_)
    if (entry.cadence.every > 0 && reaches_multiple(entry.cadence.every, time_, state.time))
      entry.reached_time = true;
  time_ = state.time;
}

void Outputs::write_due(const StepState& state, double dt) {
  for (Entry& entry : entries_) {
    if (entry.writer->samples_after(state.step)) entry.writer->sample(state);
    if (!entry.reached_time && !due(state.step, entry.cadence.every_steps)) continue;
    entry.writer->write(state, dt);
    entry.reached_time = false;
  }
}

std::vector<std::int64_t> Outputs::next_dumps() const {
  std::vector<std::int64_t> all;
  for (const Entry& entry : entries_) all.push_back(entry.writer->next_dump());
  return all;
}

std::map<std::string, std::vector<double>> Outputs::kept() const {
  std::map<std::string, std::vector<double>> all;
  for (const Entry& entry : entries_)
    if (std::vector<double> numbers = entry.writer->kept(); !numbers.empty())
      all[entry.name] = std::move(numbers);
  return all;
}

void Outputs::synchronise() {
  for (Entry& entry : entries_) entry.writer->synchronise();
}

}  // namespace halfstep
