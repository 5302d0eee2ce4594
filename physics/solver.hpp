// What the driver sees of a solver. solver_host.cpp and solver_cuda.cu are twins behind it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/boundary.hpp"
#include "physics/explicit_terms.hpp"
#include "physics/fault.hpp"
#include "physics/fields.hpp"
#include "physics/histogram.hpp"
#include "physics/mesh.hpp"
#include "physics/scheme.hpp"
#include "physics/soft_errors.hpp"
#include "physics/sources/source.hpp"
#include "physics/state_rows.hpp"
#include "runtime/device/part_times.hpp"
#include "runtime/stepping/controller.hpp"

namespace halfstep {

/// Everything a solver needs to be built.
struct Problem {
  Mesh mesh;
  Boundaries boundary{};
  Prescribed prescribed;
  double gamma = 1.4;
  Scheme scheme;
  Source source;
  ExplicitTerms terms;
  Detection detection;
  Floors floors;               ///< of the last remedy
  std::optional<Fault> fault;  ///< struck into the first attempt at its step
  bool has_reactant = false;   ///< the state has a sixth field, the mass of reactant
  double slice_ms = 0;         ///< a step is made in slices of this wall time that may pause; 0 = it is not
  bool enstrophy = false;      ///< totals have it; needs two layers of ghost cells
  bool corrects_averages() const { return scheme.averages == Averages::fourth_order; }
  /// Whether stages start from what explicit terms and corrections of averages made of U^n.
  bool starts_from_terms() const { return terms.active() || corrects_averages(); }
  int fields() const { return has_reactant ? kReactant + 1 : kFields; }
};

/// Sums over the domain of conserved densities times cell volume, and extrema; the same bits in every run.
struct Totals {
  double mass = 0;
  std::array<double, 3> momentum{};
  double energy = 0, kinetic_energy = 0;
  double min_density = 0, min_pressure = 0, max_mach = 0;
  double reactant_mass = 0;  ///< zero without one
  double enstrophy = 0;      ///< integral of rho |curl u|^2 / 2; zero where it is not asked for
  bool operator==(const Totals&) const = default;
};

/// One try at a step.
struct Attempt {
  std::uint64_t epoch = 0;  ///< grows from attempt to attempt of a run; a raise carries it
  std::int64_t step = 1;    ///< the step tried, from 1
  int number = 1;           ///< of the attempts at this step
  Remedy remedy = Remedy::none;
  bool wants_totals = false;
};

/// What an attempt came to.
struct Verdict {
  StepPlan plan;
  Remedy remedy = Remedy::none;  ///< of the attempt
  bool accepted = false;
  bool raised = false;     ///< a phase raised a soft error; if neither, dt was too long for the step it made
  int phase = 0;           ///< which, from 1
  double signal_rate = 0;  ///< of the new state and, if accepted, of what boundaries let in; valid if !raised
  std::int64_t repaired_faces = 0;
  FloorSums floored;             ///< what floors added to the new state
  std::optional<Totals> totals;  ///< of the new state, if the attempt wanted them
};

/// An attempt between two slices: with U^n and the step's StepState, all that is needed to go on with it.
struct AttemptProgress {
  Attempt attempt;
  int phase = 1;          ///< under way, from 1
  std::int64_t done = 0;  ///< tiles of it that are finished
  std::array<std::int64_t, 3>
      tiling{};         ///< what tiles those are; a solver with others begins the phase again
  bool raised = false;  ///< a tile of it raised a soft error
  double signal_rate = 0;
  std::int64_t repaired_faces = 0, repaired_before = 0;  ///< so far; in the phases before this one
  FloorSums floored;
  std::vector<std::byte> start, in, out;  ///< the states the phase works on, as in memory; empty where unused
  std::vector<std::uint8_t> flags,
      mask;                        ///< cells found bad in this step; those the attempt's remedy is about
  std::vector<std::byte> records;  ///< of the threads of a source
};

/// U^n on its way to the host while the solver goes on.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  /// Waits until the copy is there; it stays as long as the snapshot. From any thread, one at a time.
  virtual FieldsView fields() = 0;
};

/// How a CUDA solver's stages are launched: by a kernel of the program, or by one of the same scheme and
/// precision that was compiled apart from it.
struct StageVariant {
  const void* kernel = nullptr;  ///< a StageKernel; nullptr: the program's own
  int threads = 0;               ///< of a block; 0: as many as the kernel's launch bounds allow
};

/// Of a stage kernel; zeros on the host.
struct KernelInfo {
  std::string name;
  int registers = 0;
  int local_bytes = 0;   ///< spills and stack, a thread
  int shared_bytes = 0;  ///< a block
  int block_threads = 0;
  double occupancy = 0;  ///< theoretical, 0 to 1
  bool own = true;       ///< false: one that use_stage() put in its place
};

/// The name of a step's stages among its parts.
inline constexpr const char* kStagePart = "stage";

class Solver {
 public:
  virtual ~Solver() = default;

  /// Sets U^n and everything in the ghost cells, where `state` has what inflow boundaries hold: the case's
  /// initial state. A slab at a time.
  virtual void set_state(StateRows& state, double time) = 0;
  /// `ghosts`: the initial state on the mesh extended by ghost_layers() on every swept side, x fastest.
  void set_state(const Fields& interior, const Fields& ghosts, double time) {
    FieldRows beyond(ghosts);
    RowsWithInterior state(beyond, interior);
    set_state(state, time);
  }
  /// Copies U^n, interior only. This, signal_rate() and totals(): with no attempt under way.
  virtual void get_state(Fields& interior) = 0;
  /// max over cells of sum_d (|u_d| + c) / dx_d of U^n, and of what diffusion adds to that in a viscous gas;
  /// ghost cells included: what a boundary lets in may be faster than all there is inside, and the first step
  /// has to be short enough for it.
  virtual double signal_rate() = 0;
  virtual Totals totals() = 0;
  /// Of U^n, with no attempt under way or between two slices. A mass fraction needs a reactant. The same
  /// counts whatever the threads and blocks; between the backends round-off may move a value at the edge of a
  /// bin.
  virtual Histogram histogram(const HistogramRequest& request) = 0;
  /// Begins to copy U^n beside the steps that follow. With no attempt under way, or between two slices.
  virtual std::unique_ptr<Snapshot> snapshot() = 0;

  /// Takes the run up at `state`: the next attempt starts from U^n at its time and is planned with `rate`.
  /// Attempts that were launched and not awaited are void.
  virtual void resume(const StepLimits& limits, const StepState& state, double rate) = 0;
  /// Queues an attempt at the step after those that were launched before, planned by plan_step(). It does
  /// nothing if the one before it is rejected or lands on an output time or the end. Reads U^n, never writes
  /// it.
  virtual void launch(const Attempt& attempt) = 0;
  /// One more slice of the attempt under way; false: there is more to come, and U^n and get_progress() may be
  /// asked for. A solver without slices has nothing to do here.
  virtual bool advance() = 0;
  /// The slice under way ends as soon as it can. At any moment, by any thread or signal handler.
  virtual void pause() noexcept = 0;
  /// The attempt under way, between two slices.
  virtual AttemptProgress get_progress() = 0;
  /// The next attempt to be launched goes on from there; it must be the same attempt.
  virtual void set_progress(AttemptProgress progress) = 0;
  /// Waits for the oldest attempt under way. If it is accepted its result is U^n: a rotation of buffers.
  virtual Verdict await() = 0;
  /// How many attempts may be under way at once.
  virtual int max_depth() const = 0;

  /// Examines the stage that failed (or, of a step whose dt was too long, the finished step), flags its cells
  /// for the remedies, and says what can cure it. After await() of a rejected attempt.
  virtual Cure diagnose() = 0;
  /// What diagnose() found; also when other attempts have been launched since.
  virtual Diagnosis diagnosis() = 0;

  /// A stopwatch beside the work (events on a device): seconds from start_timer() to everything queued before
  /// stop_timer().
  virtual void start_timer() = 0;
  virtual double stop_timer() = 0;
  /// From here to part_times() every part of a step, on a device every kernel, is timed by itself: steps take
  /// longer for it. The parts come in the order in which they first came.
  virtual void start_part_times() = 0;
  virtual std::vector<PartTime> part_times() = 0;

  /// From the next attempt on. Throws std::runtime_error where a block of it does not fit a multiprocessor,
  /// and on the host.
  virtual void use_stage(const StageVariant& variant) = 0;
  /// Seconds of a step's stage kernels alone, one after the other; what they make is dropped.
  virtual double stages_seconds() = 0;

  virtual std::string backend() const = 0;      ///< "host" or "cuda"
  virtual std::string device_name() const = 0;  ///< for people
  virtual int host_threads() const = 0;         ///< that make the steps; 0 where a device does
  virtual std::int64_t device_bytes() const = 0;
  virtual std::int64_t host_bytes() const = 0;
  virtual KernelInfo kernel_info() const = 0;
};

/// Both throw std::runtime_error with a message for the user: no such device, out of memory.
std::unique_ptr<Solver> make_host_solver(const Problem& problem, int threads /* 0 = as many as are useful */);
std::unique_ptr<Solver> make_cuda_solver(const Problem& problem);

/// Whether the CUDA backend is built and a usable device is present; if not, `why` says so.
bool cuda_available(std::string* why = nullptr);
/// Memory that is free on the device that a CUDA solver takes.
std::int64_t cuda_free_bytes();
/// One line for each CUDA device: name, compute capability, multiprocessors, memory.
std::vector<std::string> cuda_devices();

}  // namespace halfstep
