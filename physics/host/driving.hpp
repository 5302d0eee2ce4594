// What drives the flow, on host threads, row by row. Twin of cuda/driving.hpp.
#pragma once

#include <vector>

#include "physics/rhs/driving.hpp"
#include "physics/rhs/rhs_of_cell.hpp"

namespace halfstep {

class HostDriving {
 public:
  HostDriving(const Driving& driving, const Mesh& mesh)
      : driving_(driving), waves_(driving, mesh), phases_(driving_phases(waves_, mesh)) {}

  /// Adds what drives a stage to the state that it starts from, which an inviscid gas has not yet. `time`: of
  /// the stage's input.
  template <class Real>
  void add(const RhsArguments<Real>& a, double time, int threads) const {
    const std::vector<WaveAmplitude> amplitudes = amplitudes_at(time);
    const Layout& l = a.stage.layout;
#pragma omp parallel for collapse(2) num_threads(threads)
    for (int k = 0; k < l.cells[2]; ++k)
      for (int j = 0; j < l.cells[1]; ++j) {
        const Row row(*this, amplitudes, j, k);
        for (int i = 0; i < l.cells[0]; ++i)
          drive(a, a.stage.dt, driving_.pressure_gradient, row.acceleration(i), i, j, k);
      }
  }

  /// The random acceleration in a row of cells.
  class Row {
   public:
    Row(const HostDriving& of, const std::vector<WaveAmplitude>& amplitudes, int j, int k) : of_(of) {
      for (int axis = 0; axis < 3; ++axis)
        for (int x = 0; x <= of.waves_.most[0]; ++x)
          row_[axis][x] = row_wave(of.waves_, amplitudes.data(), of.phases_.data(), axis, x, j, k);
    }
    std::array<double, 3> acceleration(int i) const {
      return acceleration_in(of_.waves_, of_.phases_.data(), row_, i);
    }

   private:
    const HostDriving& of_;
    RowWave row_[3][kMostDrivingWaves + 1];
  };

  /// Returns the amplitudes of the random acceleration at a time.
  std::vector<WaveAmplitude> amplitudes_at(double time) const {
    std::vector<WaveAmplitude> amplitudes;
    for (int n = 0; n < waves_.count(); ++n) amplitudes.push_back(waves_.amplitude(n, time));
    return amplitudes;
  }
  const std::array<double, 3>& pressure_gradient() const { return driving_.pressure_gradient; }

 private:
  Driving driving_;
  DrivingWaves waves_;
  std::vector<double> phases_;
};

}  // namespace halfstep
