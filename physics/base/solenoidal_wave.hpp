// The amplitude of one Fourier mode of a random solenoidal vector field.
#pragma once

#include <array>
#include <cmath>

#include "physics/base/portable_math.hpp"

namespace halfstep {

/// A mode u(x) = Re[a exp(i k x)].
struct WaveAmplitude {
  double real[3]{}, imaginary[3]{};
};

/// Returns an amplitude of this size, normal to the wave vector `kappa`, which is not zero and lies in the
/// active axes, two or three. `angles`: the phases of its two components and, with three axes, the angle that
/// shares the size among them. Rogallo, NASA TM-81315 (1981).
HALFSTEP_HD WaveAmplitude solenoidal_wave(const std::array<double, 3>& kappa,
                                          const std::array<bool, 3>& active, double size,
                                          const std::array<double, 3>& angles) {
  const double k = std::sqrt(kappa[0] * kappa[0] + kappa[1] * kappa[1] + kappa[2] * kappa[2]);
  double first[3]{}, second[3]{};
  double first_share = 1, second_share = 0;
  if (!(active[0] && active[1] && active[2])) {
    const int a = active[0] ? 0 : 1, b = active[2] ? 2 : 1;
    first[a] = -kappa[b] / k;
    first[b] = kappa[a] / k;
  } else {
    const double across = std::sqrt(kappa[0] * kappa[0] + kappa[1] * kappa[1]);
    first[0] = across == 0 ? 1 : kappa[1] / across;
    first[1] = across == 0 ? 0 : -kappa[0] / across;
    second[0] = across == 0 ? 0 : kappa[0] * kappa[2] / (k * across);
    second[1] = across == 0 ? 1 : kappa[1] * kappa[2] / (k * across);
    second[2] = across == 0 ? 0 : -across / k;
    first_share = portable::cos(angles[2]);
    second_share = portable::sin(angles[2]);
  }
  const double cos[] = {portable::cos(angles[0]), portable::cos(angles[1])};
  const double sin[] = {portable::sin(angles[0]), portable::sin(angles[1])};
  WaveAmplitude wave;
  for (int axis = 0; axis < 3; ++axis) {
    const double a = size * first_share * first[axis], b = size * second_share * second[axis];
    wave.real[axis] = a * cos[0] + b * cos[1];
    wave.imaginary[axis] = a * sin[0] + b * sin[1];
  }
  return wave;
}

}  // namespace halfstep
