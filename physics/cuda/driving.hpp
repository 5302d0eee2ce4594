// What drives the flow, on a CUDA device: the amplitudes of the random waves at a stage's time, then each row
// of cells by blocks. Twin of host/driving.hpp. Include it only in files compiled by nvcc.
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "physics/diagnostics/budget.hpp"
#include "physics/rhs/budget_of_stage.hpp"
#include "physics/rhs/driving.hpp"
#include "physics/rhs/rhs_of_cell.hpp"
#include "physics/solids/solid_mask.hpp"
#include "runtime/device/cuda_check.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/soft_error/reporter.hpp"

namespace halfstep {

inline constexpr int kDrivingBlock = 128;

static __global__ void set_driving_amplitudes(const __grid_constant__ DrivingWaves waves, const double* time,
                                              WaveAmplitude* amplitudes) {
  const int n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n < waves.count()) amplitudes[n] = waves.amplitude(n, *time);
}

/// Drives a piece of a row of cells. `dt`: the step's, in place of the arguments'.
template <class Real>
__global__ void __launch_bounds__(kDrivingBlock)
    drive_rows(const __grid_constant__ RhsArguments<Real> a,
               const __grid_constant__ std::array<double, 3> pressure_gradient,
               const __grid_constant__ DrivingWaves waves, const WaveAmplitude* amplitudes,
               const double* phases, const double* dt, soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  __shared__ RowWave row[3][kMostDrivingWaves + 1];
  const Layout& l = a.stage.layout;
  const int pieces = (l.cells[0] + kDrivingBlock - 1) / kDrivingBlock;
  const int piece = static_cast<int>(blockIdx.x % pieces), jk = static_cast<int>(blockIdx.x / pieces);
  const int j = jk % l.cells[1], k = jk / l.cells[1], thread = static_cast<int>(threadIdx.x);
  const int numbers = waves.most[0] + 1;
  if (thread < 3 * numbers)
    row[thread / numbers][thread % numbers] =
        row_wave(waves, amplitudes, phases, thread / numbers, thread % numbers, j, k);
  __syncthreads();
  const int i = piece * kDrivingBlock + thread;
  if (i < l.cells[0])
    drive(a, static_cast<Real>(*dt), pressure_gradient, acceleration_in(waves, phases, row, i), i, j, k);
}

/// Adds what gravity and what drives the flow bring in, a piece of a row of cells after the other.
/// `amplitudes`: those with which the stage was driven.
template <class Real>
__global__ void __launch_bounds__(kDrivingBlock)
    add_up_driving(const __grid_constant__ BudgetArguments<Real> a,
                   const __grid_constant__ std::array<double, 3> pressure_gradient,
                   const __grid_constant__ DrivingWaves waves, const WaveAmplitude* amplitudes,
                   const double* phases, const SolidMask solids, const double* dt, ExactBudget* budget,
                   soft_error::Reporter<> reporter) {
  if (reporter.cancelled()) return;
  __shared__ RowWave row[3][kMostDrivingWaves + 1];
  const Layout& l = a.rhs.stage.layout;
  const int pieces = (l.cells[0] + kDrivingBlock - 1) / kDrivingBlock;
  const std::int64_t count = std::int64_t{pieces} * l.cells[1] * l.cells[2];
  const int thread = static_cast<int>(threadIdx.x), numbers = waves.most[0] + 1;
  ConservedWindow window;
  for (std::int64_t piece = blockIdx.x; piece < count; piece += gridDim.x) {
    const auto jk = static_cast<int>(piece / pieces);
    const int i = static_cast<int>(piece % pieces) * kDrivingBlock + thread, j = jk % l.cells[1],
              k = jk / l.cells[1];
    __syncthreads();  // the row before has been read
    if (thread < 3 * numbers)
      row[thread / numbers][thread % numbers] =
          row_wave(waves, amplitudes, phases, thread / numbers, thread % numbers, j, k);
    __syncthreads();
    const bool counts = i < l.cells[0] && !solids.has(l, i, j, k);
    window.add(counts ? change_by_forces(a, static_cast<Real>(*dt), pressure_gradient,
                                         acceleration_in(waves, phases, row, i), i, j, k)
                      : Conserved<double>{},
               budget->forces);
  }
  window.flush(budget->forces);
}

class CudaDriving {
 public:
  CudaDriving(const Driving& driving, const Mesh& mesh) : driving_(driving), waves_(driving, mesh) {
    const std::vector<double> phases = driving_phases(waves_, mesh);
    amplitudes_ = DeviceBuffer<WaveAmplitude>(waves_.count());
    phases_ = DeviceBuffer<double>(phases.size());
    HALFSTEP_CUDA(
        cudaMemcpy(phases_.get(), phases.data(), phases.size() * sizeof(double), cudaMemcpyHostToDevice));
  }

  std::int64_t bytes() const {
    return static_cast<std::int64_t>(amplitudes_.count() * sizeof(WaveAmplitude) +
                                     phases_.count() * sizeof(double));
  }

  /// Queues what drives a stage, on top of the state that it starts from, which an inviscid gas has not yet.
  /// A cancelled attempt computes nothing. `dt`, and `time`, that of the stage's input, are in device memory.
  template <class Real>
  void launch(const RhsArguments<Real>& a, const double* dt, const double* time,
              const soft_error::Reporter<>& reporter, cudaStream_t stream) const {
    const auto blocks = [](std::int64_t n) {
      return static_cast<unsigned>((n + kDrivingBlock - 1) / kDrivingBlock);
    };
    set_driving_amplitudes<<<blocks(waves_.count()), kDrivingBlock, 0, stream>>>(waves_, time,
                                                                                 amplitudes_.get());
    HALFSTEP_CUDA_LAUNCHED("set_driving_amplitudes");
    const std::int64_t rows = std::int64_t{a.stage.layout.cells[1]} * a.stage.layout.cells[2];
    drive_rows<<<static_cast<unsigned>(rows * blocks(a.stage.layout.cells[0])), kDrivingBlock, 0, stream>>>(
        a, driving_.pressure_gradient, waves_, amplitudes_.get(), phases_.get(), dt, reporter);
    HALFSTEP_CUDA_LAUNCHED("drive_rows");
  }

  /// Calls f with what launch() has driven the last stage with: the pressure gradient, the waves, and their
  /// amplitudes and phases in device memory.
  template <class F>
  void with_last_stage(F f) const {
    f(driving_.pressure_gradient, waves_, amplitudes_.get(), phases_.get());
  }

 private:
  Driving driving_;
  DrivingWaves waves_;
  DeviceBuffer<WaveAmplitude> amplitudes_;
  DeviceBuffer<double> phases_;
};

}  // namespace halfstep
