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
#include "app/output/histogram_file.hpp"
#include "app/output/output_table.hpp"
#include "app/output/running_averages.hpp"
#include "app/output/solid_fields.hpp"
#include "halfstep_version.hpp"
#include "physics/diagnostics/energy_spectrum.hpp"
#include "physics/solids/solid_cell.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

/// Returns the mask of the problem's bodies; empty without bodies.
const std::vector<std::uint8_t>& mask_of(const Problem& problem) {
  static const std::vector<std::uint8_t> none;
  return problem.has_solids() ? problem.solids->cells().mask : none;
}

/// Returns what takes the averages of an output, over cells of gas; nothing of one without.
std::optional<CellAverages> averages_of(const OutputRequest& request, const Problem& problem) {
  if (!is_averaged(request.kind)) return std::nullopt;
  std::array<bool, 3> along{};
  for (int axis = 0; axis < 3; ++axis)
    along[axis] = (axis == request.axis) == (request.kind == OutputKind::flattened);
  return CellAverages(problem.mesh, along, mask_of(problem));
}

/// Returns what is held of an output while it is queued, numbers in double precision, as a part of the whole
/// state.
double part_of(std::size_t numbers, const Problem& problem) {
  return static_cast<double>(numbers * sizeof(double)) /
         (static_cast<double>(problem.mesh.cell_count()) * problem.fields() *
          bytes_of_real(problem.scheme.precision));
}
double part_of(const CellValues& values, const Problem& problem) {
  return part_of(values.cells_read() * static_cast<std::size_t>(problem.fields()), problem);
}

/// Takes the averages of every field, where there are some to be taken.
std::vector<std::vector<double>> averaged(const std::optional<CellAverages>& averages,
                                          std::vector<std::vector<double>> values) {
  if (averages)
    for (std::vector<double>& field : values) field = averages->of(field);
  return values;
}

std::optional<std::int64_t> step_of(const std::optional<OutputsBefore>& from) {
  return from ? std::optional(from->step) : std::nullopt;
}

/// Returns values from the states of cells, field by field.
using FindValues = std::function<std::vector<std::vector<double>>(const Fields& states)>;

/// Writes a table, a row each time: the states are taken at once, the rest is done beside the steps.
class Rows : public OutputWriter {
 public:
  void flush() override { table_->flush(); }
  void synchronise() override { table_->synchronise(); }

 protected:
  Rows(std::unique_ptr<OutputTable> table, QueueFile queue)
      : table_(std::move(table)), queue_(std::move(queue)) {}

  /// Queues a row; values() returns what is in it, in another thread. `part`: as QueueFile has it.
  void queue(const StepState& state, std::shared_ptr<Snapshot> states, FindValues values, double part) {
    queue_(
        std::move(states),
        [this, step = state.step, time = state.time, values = std::move(values)](const Fields& of_cells) {
          return [this, step, time, row = values(of_cells)] { table_->write(step, time, row); };
        },
        part);
  }

 private:
  std::unique_ptr<OutputTable> table_;  // of the thread that writes
  QueueFile queue_;
};

/// Writes probes, lines and profiles.
class Probes final : public Rows {
 public:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from, QueueFile queue)
      : Probes(request, problem, solver, directory, from, std::move(queue), cells(request, problem.mesh),
               averages_of(request, problem)) {}

  void write(const StepState& state, double) override {
    const auto values_of = [this](const Fields& states) {
      std::vector<std::vector<double>> values = values_.values(states);
      for (const std::size_t n : in_bodies_)
        for (std::vector<double>& field : values) field[n] = std::numeric_limits<double>::quiet_NaN();
      return averaged(averages_, std::move(values));
    };
    queue(state, values_.read(), values_of, part_);
  }
  bool reads_beside_an_attempt() const override { return values_.reads_beside_an_attempt(); }

 private:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from, QueueFile queue, const std::vector<CellIndex>& cells,
         std::optional<CellAverages> averages)
      : Rows(open_table(directory, request, field_names(request, problem),
                        averages ? static_cast<std::size_t>(averages->mesh().cell_count()) : cells.size(),
                        step_of(from)),
             std::move(queue)),
        values_(solver, problem, request, cells),
        averages_(std::move(averages)),
        in_bodies_(averages_ ? std::vector<std::size_t>{} : places_in_bodies(problem, cells)),
        part_(part_of(values_, problem)) {}

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
    const std::vector<std::uint8_t>& mask = mask_of(problem);
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
  double part_;
};

/// Writes spectra. Bodies count as gas at rest.
class Spectrum final : public Rows {
 public:
  Spectrum(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& directory,
           const std::optional<OutputsBefore>& from, QueueFile queue)
      : Rows(open_table(directory, request, {"energy"}, EnergySpectrum(problem.mesh).shells(), step_of(from)),
             std::move(queue)),
        velocity_(solver, problem, request, region_of(request, problem.mesh).list()),
        solid_(mask_of(problem)),
        spectrum_(problem.mesh),
        part_(part_of(velocity_, problem)) {}

  void write(const StepState& state, double) override {
    const auto values_of = [this](const Fields& states) {
      std::vector<std::vector<double>> u = velocity_.values(states);
      for (std::size_t n = 0; n < solid_.size(); ++n)
        if (solid_[n] != 0)
          for (std::vector<double>& along : u) along[n] = 0;
      return std::vector<std::vector<double>>{spectrum_.of({u[0], u[1], u[2]})};
    };
    queue(state, velocity_.read(), values_of, part_);
  }

 private:
  CellValues velocity_;
  const std::vector<std::uint8_t>& solid_;
  EnergySpectrum spectrum_;
  double part_;
};

/// Writes histograms.
class Histograms final : public OutputWriter {
 public:
  Histograms(const OutputRequest& request, Solver& solver, const fs::path& directory,
             const std::optional<OutputsBefore>& from)
      : solver_(solver),
        request_(request.histogram),
        file_(from ? HistogramFile::resume(directory / (request.name + ".csv"), from->step)
                   : HistogramFile(directory / (request.name + ".csv"))) {}

  void write(const StepState& state, double) override {
    file_.write(state.step, state.time, request_.field, solver_.histogram(request_));
  }
  void synchronise() override { file_.synchronise(); }

 private:
  Solver& solver_;
  HistogramRequest request_;
  HistogramFile file_;
};

/// Writes a series of dumps of values of cells.
class Dumps : public OutputWriter {
 public:
  void flush() override { dumps_.flush(); }
  void synchronise() override { dumps_.synchronise(); }
  std::int64_t next_dump() const override { return next_; }

 protected:
  Dumps(const OutputRequest& request, const RunConfig& config, const Solver& solver,
        const fs::path& directory, const std::optional<OutputsBefore>& from, QueueFile queue,
        DumpContents contents, double part)
      : contents_(std::move(contents)),
        part_(part),
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
  void queue(const StepState& state, double dt, std::shared_ptr<Snapshot> states, FindValues values) {
    DumpInfo info = info_;
    info.time = state.time;
    info.step = state.step;
    info.dt = dt;
    queue_(
        std::move(states),
        [this, info = std::move(info), number = next_++, values = std::move(values)](const Fields& of_cells) {
          auto image = std::make_shared<hdf5::Image>(
              image_of_values(info, contents_.mesh, contents_.fields, values(of_cells), compress_));
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
    queue(state, dt, of_.values.read(), [this](const Fields& states) { return of_.of(states); });
  }
  bool reads_beside_an_attempt() const override { return of_.values.reads_beside_an_attempt(); }

 private:
  Series(const OutputRequest& request, const RunConfig& config, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from, QueueFile queue, ValuesOfRegion of)
      : Dumps(request, config, solver, directory, from, std::move(queue),
              {of.mesh(config.problem.mesh), of.names(config.problem), request.precision},
              part_of(of.values, config.problem)),
        of_(std::move(of)) {}

  ValuesOfRegion of_;
};

/// Writes averages over time, and the fields of bodies.
class AveragesDumps final : public Dumps {
 public:
  AveragesDumps(const OutputRequest& request, const RunConfig& config, Solver& solver,
                const fs::path& directory, const std::optional<OutputsBefore>& from, QueueFile queue)
      : AveragesDumps(
            request, config, solver, directory, from, std::move(queue),
            RunningAverages(solver, config.problem, request, std::max(request.from, from ? from->time : 0))) {
  }

  void accepted(const StepState& state) override { averages_.accepted(state); }
  bool rests_after(std::int64_t step) const override { return averages_.rests_after(step); }
  void rest() override { averages_.take_in(); }
  /// Writes nothing before the first state is taken in.
  void write(const StepState& state, double dt) override {
    if (averages_.weight() > 0)
      queue(
          state, dt, nullptr,
          [this, numbers = std::make_shared<const std::vector<double>>(averages_.numbers())](const Fields&) {
            return with_solid_values(averages_.results(*numbers), solids_.in(CellRegion::whole(mesh_)));
          });
  }
  std::vector<double> kept() override { return averages_.numbers(); }

 private:
  AveragesDumps(const OutputRequest& request, const RunConfig& config, Solver& solver,
                const fs::path& directory, const std::optional<OutputsBefore>& from, QueueFile queue,
                RunningAverages averages)
      : Dumps(request, config, solver, directory, from, std::move(queue),
              {config.problem.mesh, with_solid_names(averages.names(), config.problem), request.precision},
              part_of(averages.names().size() * static_cast<std::size_t>(config.problem.mesh.cell_count()),
                      config.problem)),
        mesh_(config.problem.mesh),
        averages_(std::move(averages)),
        solids_(config.problem) {
    if (!from) return;
    if (const auto kept = from->averages.find(request.name); kept != from->averages.end())
      averages_.restore(kept->second);
  }

  const Mesh& mesh_;
  RunningAverages averages_;
  SolidFields solids_;  // of the thread that builds
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
      entry.writer = std::make_unique<AveragesDumps>(request, config, solver, directory, from, queue);
    else if (request.kind == OutputKind::spectrum)
      entry.writer = std::make_unique<Spectrum>(request, config.problem, solver, directory, from, queue);
    else if (request.kind == OutputKind::histogram)
      entry.writer = std::make_unique<Histograms>(request, solver, directory, from);
    else if (is_series(request.kind))
      entry.writer = std::make_unique<Series>(request, config, solver, directory, from, queue);
    else
      entry.writer = std::make_unique<Probes>(request, config.problem, solver, directory, from, queue);
  }
}

bool Outputs::rests_after(std::int64_t step) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return (due(step, entry.cadence.every_steps) && !entry.writer->reads_beside_an_attempt()) ||
           entry.writer->rests_after(step);
  });
}

bool Outputs::reads_after(std::int64_t step) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return due(step, entry.cadence.every_steps) && entry.writer->reads_beside_an_attempt();
  });
}

void Outputs::begin() {
  for (const Entry& entry : entries_) entry.writer->write({}, 0);
}

void Outputs::accepted(const StepState& state) {
  for (Entry& entry : entries_) {
    entry.writer->accepted(state);
    if (entry.cadence.every > 0 && reaches_multiple(entry.cadence.every, time_, state.time))
      entry.reached_time = true;
  }
  time_ = state.time;
}

void Outputs::write_due(const StepState& state, double dt) {
  for (Entry& entry : entries_) {
    if (entry.writer->rests_after(state.step)) entry.writer->rest();
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

std::map<std::string, std::vector<double>> Outputs::kept() {
  std::map<std::string, std::vector<double>> all;
  for (Entry& entry : entries_)
    if (std::vector<double> numbers = entry.writer->kept(); !numbers.empty())
      all[entry.name] = std::move(numbers);
  return all;
}

void Outputs::flush() {
  for (Entry& entry : entries_) entry.writer->flush();
}

void Outputs::synchronise() {
  for (Entry& entry : entries_) entry.writer->synchronise();
}

}  // namespace halfstep
