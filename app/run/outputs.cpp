#include "app/run/outputs.hpp"

#include <algorithm>
#include <utility>

#include "app/deck/field_names.hpp"
#include "app/output/cell_region.hpp"
#include "app/output/cell_values.hpp"
#include "app/output/dump.hpp"
#include "app/output/dump_series.hpp"
#include "app/output/probes_file.hpp"
#include "app/output/solid_fields.hpp"
#include "halfstep_version.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

/// Writes probes and lines.
class Probes final : public OutputWriter {
 public:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from)
      : Probes(request, problem, solver, directory / (request.name + ".csv"), from,
               cells(request, problem.mesh)) {}

  void write(const StepState& state, double) override {
    file_.write(state.step, state.time, values_.values(values_.read()));
  }
  void synchronise() override { file_.synchronise(); }

 private:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& path,
         const std::optional<OutputsBefore>& from, const std::vector<CellIndex>& cells)
      : values_(solver, problem, request, cells),
        file_(from ? ProbesFile::resume(path, values_.names(), cells.size(), request.precision, from->step)
                   : ProbesFile(path, values_.names(), cells.size(), request.precision)) {}

  static std::vector<CellIndex> cells(const OutputRequest& request, const Mesh& mesh) {
    std::vector<CellIndex> all;
    for (const auto& point : request.points) all.push_back(cell_of(mesh, point));
    if (request.kind == OutputKind::probes) return all;
    const CellIndex through = all.front();
    all.assign(mesh.cells[request.axis], through);
    for (int n = 0; n < mesh.cells[request.axis]; ++n) all[n][request.axis] = n;
    return all;
  }

  CellValues values_;
  ProbesFile file_;
};

/// Writes slices and boxes: the states are taken at once, the rest is done beside the steps.
class Series final : public OutputWriter {
 public:
  Series(const OutputRequest& request, const RunConfig& config, Solver& solver, const fs::path& directory,
         const std::optional<OutputsBefore>& from, QueueFile queue)
      : region_(region_of(request, config.problem.mesh)),
        values_(solver, config.problem, request, region_.list()),
        solids_(config.problem),
        contents_{region_.mesh(config.problem.mesh), names(config.problem), request.precision},
        part_(static_cast<double>(region_.cells()) * static_cast<double>(contents_.fields.size()) /
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

  void write(const StepState& state, double dt) override {
    DumpInfo info = info_;
    info.time = state.time;
    info.step = state.step;
    info.dt = dt;
    queue_(
        [this, info = std::move(info), number = next_++, states = values_.read()]() {
          auto image = std::make_shared<hdf5::Image>(image_of_values(
              info, contents_.mesh, contents_.fields, with_solids(values_.values(states)), compress_));
          return [this, number, time = info.time, image] { dumps_.write(number, time, std::move(*image)); };
        },
        part_);
  }
  void synchronise() override { dumps_.synchronise(); }
  std::int64_t next_dump() const override { return next_; }

 private:
  /// Returns the names of the fields, those of bodies last.
  std::vector<std::string> names(const Problem& problem) const {
    std::vector<std::string> all = values_.names();
    if (problem.has_solids()) all.insert(all.end(), kSolidFields.begin(), kSolidFields.end());
    return all;
  }
  std::vector<std::vector<double>> with_solids(std::vector<std::vector<double>> values) {
    if (const SolidValues* of_bodies = solids_.in(region_)) {
      values.emplace_back(of_bodies->solid.begin(), of_bodies->solid.end());
      values.push_back(of_bodies->distance);
    }
    return values;
  }

  /// Returns the number of the next dump; 0 for an output that begins with the restart.
  static std::int64_t number_before(const OutputsBefore& from, const std::string& name) {
    const auto found = from.next_dumps.find(name);
    return found == from.next_dumps.end() ? 0 : found->second;
  }

  // Files that are made safe one by one can take longer than the steps between them. A checkpoint makes them
  // safe, and a restart from it writes those after it again.
  static constexpr Safe kSafe = Safe::when_synchronised;

  CellRegion region_;
  CellValues values_;
  SolidFields solids_;  // of the thread that builds
  DumpContents contents_;
  double part_;
  int compress_;
  DumpInfo info_;      // of every file
  std::int64_t next_;  // number
  DumpSeries dumps_;   // of the thread that writes
  QueueFile queue_;
};

bool due(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

}  // namespace

Outputs::Outputs(const RunConfig& config, Solver& solver, const fs::path& directory,
                 const std::optional<OutputsBefore>& from, QueueFile queue)
    : time_(from ? from->time : 0) {
  for (const OutputRequest& request : config.output_requests) {
    Entry& entry = entries_.emplace_back(Entry{.cadence = request.cadence, .writer = nullptr});
    if (is_series(request.kind))
      entry.writer = std::make_unique<Series>(request, config, solver, directory, from, queue);
    else
      entry.writer = std::make_unique<Probes>(request, config.problem, solver, directory, from);
  }
}

bool Outputs::due_after(std::int64_t step) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return due(step, entry.cadence.every_steps); });
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

void Outputs::synchronise() {
  for (Entry& entry : entries_) entry.writer->synchronise();
}

}  // namespace halfstep
