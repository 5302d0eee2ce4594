// The solver's interface to the driver. host/solver.cpp and cuda/solver.cu implement it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "physics/diagnostics/histogram.hpp"
#include "physics/diagnostics/totals.hpp"
#include "physics/mesh/fields.hpp"
#include "physics/mesh/state_rows.hpp"
#include "physics/recovery/soft_errors.hpp"
#include "physics/solver/attempt.hpp"
#include "physics/solver/instruments.hpp"
#include "physics/solver/problem.hpp"
#include "physics/solver/time_averages.hpp"
#include "runtime/exchange/rank_report.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

/// What one of several ranks has of a snapshot: the fields of its block.
struct SnapshotBlock {
  FieldsView fields;
  Split split;  ///< with ranks for collective calls about this snapshot
};

/// An asynchronous copy of U^n, or of some of its cells, to the host.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  /// Waits for the copy, which lives as long as the snapshot. May be called from any thread, one at a time.
  virtual FieldsView fields() = 0;
  /// Has the other ranks carry out `order` with their blocks, by what serve_first_rank() was given, and
  /// returns the first rank's own block. Snapshots of several ranks alone have blocks.
  virtual SnapshotBlock block(const std::string& /*order*/) {
    throw std::logic_error("a snapshot of one rank has no blocks");
  }
};

class Solver {
 public:
  virtual ~Solver() = default;

  /// Sets U^n and the ghost cells, a slab at a time. In the ghost cells `state` holds the case's initial
  /// state, which inflow boundaries keep.
  virtual void set_state(StateRows& state, double time) = 0;
  /// Sets U^n to `interior`. `ghosts`: the initial state on the mesh extended by ghost_layers() on every
  /// active side, x fastest.
  void set_state(const Fields& interior, const Fields& ghosts, double time) {
    FieldRows beyond(ghosts);
    RowsWithInterior state(beyond, interior);
    set_state(state, time);
  }
  /// Copies the interior of U^n. This, cfl_rate() and totals() must not be called while an attempt is under
  /// way.
  virtual void get_state(Fields& interior) = 0;
  /// Returns the maximum over the cells of U^n of sum_d (|u_d| + c) / dx_d, plus the diffusive rate in a
  /// viscous gas. Ghost cells are included: inflow may be faster than the interior and limits the first step.
  virtual double cfl_rate() = 0;
  virtual Totals totals() = 0;
  /// Returns a histogram of U^n, with no attempt under way or between two slices. A mass fraction needs a
  /// reactant. The counts do not depend on threads and blocks; between the backends round-off may move a
  /// value across the edge of a bin.
  virtual Histogram histogram(const HistogramRequest& request) = 0;
  /// Begins to copy U^n concurrently with the following steps. With no attempt under way, or between two
  /// slices.
  virtual std::unique_ptr<Snapshot> snapshot() = 0;
  /// Begins to copy some cells of U^n, as often as it is called, with no attempt under way.
  struct CellReader {
    std::function<std::unique_ptr<Snapshot>()> begin;
    bool beside_an_attempt = false;  ///< one attempt may be under way

    std::unique_ptr<Snapshot> operator()() const { return begin(); }
  };
  /// Returns a reader of these cells, in their order. Cells beside the domain are ghost cells. Only these
  /// cells leave a device. Neither the reader nor the copies must outlive the solver.
  virtual CellReader cell_reader(const std::vector<std::array<int, 3>>& cells) = 0;

  /// Returns averages over time of U^n, before the first attempt is launched: the solver keeps states of past
  /// steps for them. They must not outlive it.
  virtual std::unique_ptr<TimeAverages> time_averages(const AveragesRequest& request) = 0;

  /// Resumes the run at `state`: the next attempt starts from U^n at its time and is planned with the CFL
  /// rate `rate`. Attempts that were launched and not awaited are void.
  virtual void resume(const StepLimits& limits, const StepState& state, double rate) = 0;
  /// Queues an attempt, planned by plan_step(), at the step after the last one launched. It does nothing if
  /// its predecessor is rejected or lands on an output time or the end. Reads U^n, never writes it but in
  /// cells of bodies, where resume() and diagnose() put back what was there. A host
  /// makes the attempt at once, in slices it only begins.
  virtual void launch(const Attempt& attempt) = 0;
  /// Runs one more slice of the attempt under way. Returns false if more slices follow; U^n and
  /// get_progress() may then be asked for. A solver without slices need not be advanced.
  virtual bool advance() = 0;
  /// Ends the slice under way as soon as possible. May be called at any time, from any thread or signal
  /// handler.
  virtual void pause() noexcept = 0;
  /// Returns the attempt under way, between two slices.
  virtual AttemptProgress get_progress() = 0;
  /// Makes the next attempt launched continue from `progress`; it must be the same attempt.
  virtual void set_progress(AttemptProgress progress) = 0;
  /// Waits for the oldest attempt under way. If it is accepted, its result becomes U^n by rotating the
  /// buffers.
  virtual AttemptResult await() = 0;
  /// Returns the largest number of attempts that may be under way at once.
  virtual int max_depth() const = 0;

  /// Diagnoses the failed substep (the last one if only dt was too long), flags its cells for the remedies
  /// and returns what can cure it. After await() of a rejected attempt.
  virtual Cure diagnose() = 0;
  /// Returns the findings of diagnose(), also when other attempts have been launched since.
  virtual Diagnosis diagnosis() = 0;

  virtual Instruments& instruments() = 0;

  virtual std::string backend() const = 0;        ///< "host" or "cuda"
  virtual std::string device_name() const = 0;    ///< human-readable
  virtual int host_threads() const = 0;           ///< that advance the state; 0 on a device
  virtual std::string messages() const = 0;       ///< what carries those between ranks; "" with one rank
  virtual exchange::Traffic traffic() const = 0;  ///< of this rank's messages to other ranks
  /// Returns the report of each rank, the first one's first, with no attempt under way; none with one rank.
  virtual std::vector<exchange::RankReport> rank_reports() { return {}; }
  virtual std::int64_t device_bytes() const = 0;
  virtual std::int64_t host_bytes() const = 0;
};

/// Both throw std::runtime_error with a message for the user: no device, out of memory.
std::unique_ptr<Solver> make_host_solver(const Problem& problem, int threads /* 0 = as many as are useful */);
std::unique_ptr<Solver> make_cuda_solver(const Problem& problem);

/// Whether the CUDA backend is built and a usable device is present; if not, `why` says so.
bool cuda_available(std::string* why = nullptr);
/// Makes the CUDA solvers of this process use a device, from 0.
void use_cuda_device(int device);
int cuda_device_count();
/// Returns the free memory, in bytes, of the device that a CUDA solver uses.
std::int64_t cuda_free_bytes();
/// Returns one line for each CUDA device: name, compute capability, multiprocessors, memory.
std::vector<std::string> cuda_devices();

}  // namespace halfstep
