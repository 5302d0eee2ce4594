// What the driver sees of a solver. solver_host.cpp and solver_cuda.cu are twins behind it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "physics/boundary.hpp"
#include "physics/mesh.hpp"
#include "physics/scheme.hpp"
#include "physics/soft_errors.hpp"

namespace halfstep {

/// Everything a solver needs to be built.
struct Problem {
  Mesh mesh;
  Boundaries boundary{};
  Prescribed prescribed;
  double gamma = 1.4;
  Scheme scheme;
  Detection detection;
};

/// Cell averages on the interior, each field nz * ny * nx, x fastest.
struct Fields {
  std::array<std::vector<double>, kFields> conserved;  ///< density, mu, mv, mw, energy
};

/// One try at a step.
struct Attempt {
  std::uint64_t epoch = 0;  ///< unique in a run; a raise carries it
  double time = 0;          ///< t^n
  double dt = 0;
};

/// What an attempt came to.
struct Verdict {
  bool raised = false;     ///< a stage raised a soft error
  int stage = 0;           ///< which, from 1
  double signal_rate = 0;  ///< max over cells of sum_d (|u_d| + c) / dx_d of the new state; valid if !raised
  std::int64_t repaired_faces = 0;
};

/// Sums over the domain of conserved densities times cell volume, and extrema; the same bits in every run.
struct Totals {
  double mass = 0;
  std::array<double, 3> momentum{};
  double energy = 0, kinetic_energy = 0;
  double min_density = 0, min_pressure = 0, max_mach = 0;
};

/// Of a stage kernel; zeros on the host.
struct KernelInfo {
  std::string name;
  int registers = 0;
  int local_bytes = 0;   ///< spills and stack, a thread
  int shared_bytes = 0;  ///< a block
  int block_threads = 0;
  double occupancy = 0;  ///< theoretical, 0 to 1
};

class Solver {
 public:
  virtual ~Solver() = default;

  /// Sets U^n and everything in the ghost cells; `ghosts` gives the states inflow boundaries hold (the case's
  /// initial state on the mesh extended by ghost_layers() on every swept side, x fastest).
  virtual void set_state(const Fields& interior, const Fields& ghosts, double time) = 0;
  /// Copies U^n, interior only.
  virtual void get_state(Fields& interior) = 0;
  /// max over cells of sum_d (|u_d| + c) / dx_d of U^n.
  virtual double signal_rate() = 0;
  virtual Totals totals() = 0;

  /// Queues all stages of an attempt. Reads U^n, never writes it.
  virtual void launch(const Attempt& attempt) = 0;
  /// Waits for the attempt, then looks.
  virtual Verdict await() = 0;
  /// Makes the attempt's result U^n: a rotation of buffers.
  virtual void accept() = 0;

  /// Examines the stage that failed (or, with `cfl_overrun`, the finished step). Only between await() and the
  /// next launch().
  virtual SoftError diagnose() = 0;
  virtual Replay replay(const SoftError& error) = 0;

  /// A stopwatch beside the work (events on a device): seconds from start_timer() to everything queued before
  /// stop_timer().
  virtual void start_timer() = 0;
  virtual double stop_timer() = 0;

  virtual std::string backend() const = 0;      ///< "host" or "cuda"
  virtual std::string device_name() const = 0;  ///< for people
  virtual std::int64_t device_bytes() const = 0;
  virtual std::int64_t host_bytes() const = 0;
  virtual KernelInfo kernel_info() const = 0;
};

/// Both throw std::runtime_error with a message for the user: no such device, out of memory.
std::unique_ptr<Solver> make_host_solver(const Problem& problem, int threads /* 0 = as many as are useful */);
std::unique_ptr<Solver> make_cuda_solver(const Problem& problem);

/// Whether the CUDA backend is built and a usable device is present; if not, `why` says so.
bool cuda_available(std::string* why = nullptr);
/// One line for each CUDA device: name, compute capability, multiprocessors, memory.
std::vector<std::string> cuda_devices();

}  // namespace halfstep
