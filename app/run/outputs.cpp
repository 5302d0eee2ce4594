#include "app/run/outputs.hpp"

#include <algorithm>
#include <stdexcept>

#include "app/output/cell_values.hpp"
#include "app/output/probes_file.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

/// Throws where a new run would write over a file. An earlier run of the directory was moved aside.
fs::path unused(const fs::path& path) {
  if (fs::exists(fs::symlink_status(path)))
    throw std::runtime_error("cannot write into '" + path.parent_path().string() + "': it holds '" +
                             path.filename().string() +
                             "', which is not of an earlier run; choose another output.directory or name");
  return path;
}

class Probes final : public OutputWriter {
 public:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& path,
         const StepState* from)
      : values_(solver, problem, request, cells(request, problem.mesh)),
        file_(from ? ProbesFile::resume(path, values_.names(), request.points.size(), request.precision,
                                        from->step)
                   : ProbesFile(unused(path), values_.names(), request.points.size(), request.precision)) {}

  void write(std::int64_t step, double time) override { file_.write(step, time, values_.read()); }
  void synchronise() const override { file_.synchronise(); }

 private:
  static std::vector<CellIndex> cells(const OutputRequest& request, const Mesh& mesh) {
    std::vector<CellIndex> all;
    for (const auto& point : request.points) all.push_back(cell_of(mesh, point));
    return all;
  }

  CellValues values_;
  ProbesFile file_;
};

bool due(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

}  // namespace

Outputs::Outputs(const RunConfig& config, Solver& solver, const fs::path& directory, const StepState* from)
    : end_(config.limits.end), time_(from ? from->time : 0) {
  for (const OutputRequest& request : config.output_requests)
    entries_.push_back({.cadence = request.cadence,
                        .writer = std::make_unique<Probes>(request, config.problem, solver,
                                                           directory / (request.name + ".csv"), from)});
}

bool Outputs::due_after(std::int64_t step) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return due(step, entry.cadence.every_steps); });
}

bool Outputs::is_due_by_wall(const Entry& entry, double seconds) const {
  return entry.cadence.every_wall > 0 && seconds - entry.written_at >= entry.cadence.every_wall;
}

bool Outputs::due_by_wall(double seconds) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return is_due_by_wall(entry, seconds); });
}

void Outputs::begin() {
  for (const Entry& entry : entries_) entry.writer->write(0, 0);
}

void Outputs::accepted(const StepState& state) {
  for (Entry& entry : entries_)
    if (entry.cadence.every > 0 && reaches_multiple(entry.cadence.every, time_, state.time, end_))
      entry.reached_time = true;
  time_ = state.time;
}

void Outputs::write_due(const StepState& state, double seconds) {
  for (Entry& entry : entries_) {
    const bool by_wall = is_due_by_wall(entry, seconds);
    if (!entry.reached_time && !by_wall && !due(state.step, entry.cadence.every_steps)) continue;
    entry.writer->write(state.step, state.time);
    entry.reached_time = false;
    if (by_wall) entry.written_at = seconds;
  }
}

void Outputs::synchronise() const {
  for (const Entry& entry : entries_) entry.writer->synchronise();
}

}  // namespace halfstep
