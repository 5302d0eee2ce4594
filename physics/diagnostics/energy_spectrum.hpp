// The kinetic energy of a periodic flow by wave number.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "physics/mesh/mesh.hpp"

namespace halfstep {

/// Returns the version of FFTW; "" where the program was built without it, and there are no spectra.
std::string fftw_version();

/// Wave numbers count waves along the longest side of the box. A shell has those that round to its number.
class EnergySpectrum {
 public:
  explicit EnergySpectrum(const Mesh& mesh);

  /// Returns the number of shells, from 0 to the shortest wave along all axes.
  std::size_t shells() const { return shells_; }
  /// Returns the shells' energies from the velocities of all cells, x fastest. Their sum is the mean of |u|^2
  /// / 2. Throws std::logic_error in a program without FFTW.
  std::vector<double> of(const std::array<std::vector<double>, 3>& velocity) const;

 private:
  std::array<int, 3> cells_;
  std::array<double, 3> unit_{};  ///< one wave along each side, in waves along the longest
  std::size_t shells_ = 1;

  std::size_t shell(const std::array<int, 3>& wave) const;
};

}  // namespace halfstep
