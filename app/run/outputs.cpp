#include "app/run/outputs.hpp"

#include <algorithm>

#include "app/output/cell_values.hpp"
#include "app/output/probes_file.hpp"
#include "app/output/run_files.hpp"

namespace halfstep {
namespace {

namespace fs = std::filesystem;

/// Writes probes and lines.
class Probes final : public OutputWriter {
 public:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& path,
         const StepState* from)
      : Probes(request, problem, solver, path, from, cells(request, problem.mesh)) {}

  void write(std::int64_t step, double time) override { file_.write(step, time, values_.read()); }
  void synchronise() const override { file_.synchronise(); }

 private:
  Probes(const OutputRequest& request, const Problem& problem, Solver& solver, const fs::path& path,
         const StepState* from, const std::vector<CellIndex>& cells)
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

bool due(std::int64_t step, std::int64_t every) { return every > 0 && step % every == 0; }

}  // namespace

Outputs::Outputs(const RunConfig& config, Solver& solver, const fs::path& directory, const StepState* from)
    : time_(from ? from->time : 0) {
  for (const OutputRequest& request : config.output_requests)
    entries_.push_back({.cadence = request.cadence,
                        .writer = std::make_unique<Probes>(request, config.problem, solver,
                                                           directory / output_file(request.name), from)});
}

bool Outputs::due_after(std::int64_t step) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return due(step, entry.cadence.every_steps); });
}

void Outputs::begin() {
  for (const Entry& entry : entries_) entry.writer->write(0, 0);
}

void Outputs::accepted(const StepState& state) {
  for (Entry& entry : entries_)
    if (entry.cadence.every > 0 && reaches_multiple(entry.cadence.every, time_, state.time))
      entry.reached_time = true;
  time_ = state.time;
}

void Outputs::write_due(const StepState& state) {
  for (Entry& entry : entries_) {
    if (!entry.reached_time && !due(state.step, entry.cadence.every_steps)) continue;
    entry.writer->write(state.step, state.time);
    entry.reached_time = false;
  }
}

void Outputs::synchronise() const {
  for (const Entry& entry : entries_) entry.writer->synchronise();
}

}  // namespace halfstep
