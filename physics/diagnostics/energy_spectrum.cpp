#include "physics/diagnostics/energy_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#if HALFSTEP_HAS_FFTW
#include <fftw3.h>

#include <memory>
#endif

namespace halfstep {

EnergySpectrum::EnergySpectrum(const Mesh& mesh) : cells_(mesh.cells) {
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis)
    if (mesh.active(axis)) longest = std::max(longest, mesh.upper[axis] - mesh.lower[axis]);
  for (int axis = 0; axis < 3; ++axis)
    if (mesh.active(axis)) unit_[axis] = longest / (mesh.upper[axis] - mesh.lower[axis]);
  shells_ = shell({cells_[0] / 2, cells_[1] / 2, cells_[2] / 2}) + 1;
}

std::size_t EnergySpectrum::shell(const std::array<int, 3>& wave) const {
  double square = 0;
  for (int axis = 0; axis < 3; ++axis) square += std::pow(wave[axis] * unit_[axis], 2);
  return static_cast<std::size_t>(std::sqrt(square) + 0.5);
}

#if HALFSTEP_HAS_FFTW

namespace {

/// Transforms a field of reals; a plan that is only estimated is the same each time, and so are the bits.
class Transform {
 public:
  explicit Transform(const std::array<int, 3>& cells)
      : count_(static_cast<std::size_t>(cells[0]) * cells[1] * cells[2]),
        reals_(fftw_alloc_real(count_)),
        waves_(fftw_alloc_complex(static_cast<std::size_t>(cells[0] / 2 + 1) * cells[1] * cells[2])),
        plan_(fftw_plan_dft_r2c_3d(cells[2], cells[1], cells[0], reals_.get(), waves_.get(), FFTW_ESTIMATE)) {
    if (!plan_) throw std::runtime_error("FFTW cannot transform a mesh of that size");
  }

  /// Returns the sums over the cells of the values times exp(-i k x), x fastest, without negative waves along
  /// x.
  const fftw_complex* of(const std::vector<double>& values) {
    std::copy(values.begin(), values.end(), reals_.get());
    fftw_execute(plan_.get());
    return waves_.get();
  }
  std::size_t count() const { return count_; }

 private:
  struct Free {
    void operator()(void* memory) const { fftw_free(memory); }
    void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
  };
  std::size_t count_;
  std::unique_ptr<double, Free> reals_;
  std::unique_ptr<fftw_complex, Free> waves_;
  std::unique_ptr<std::remove_pointer_t<fftw_plan>, Free> plan_;
};

}  // namespace

std::string fftw_version() { return ::fftw_version; }

std::vector<double> EnergySpectrum::of(const std::array<std::vector<double>, 3>& velocity) const {
  std::vector<double> energies(shells_);
  Transform transform(cells_);
  const auto signed_wave = [&](int axis, int n) { return n > cells_[axis] / 2 ? n - cells_[axis] : n; };
  const double scale = 0.5 / std::pow(static_cast<double>(transform.count()), 2);
  for (const std::vector<double>& component : velocity) {
    const fftw_complex* wave = transform.of(component);
    for (int z = 0; z < cells_[2]; ++z)
      for (int y = 0; y < cells_[1]; ++y)
        for (int x = 0; x <= cells_[0] / 2; ++x, ++wave) {
          // A wave and its opposite have the same energy, and those with x < 0 are not listed.
          const double both = x == 0 || 2 * x == cells_[0] ? 1 : 2;
          energies[shell({x, signed_wave(1, y), signed_wave(2, z)})] +=
              both * scale * ((*wave)[0] * (*wave)[0] + (*wave)[1] * (*wave)[1]);
        }
  }
  return energies;
}

#else

std::string fftw_version() { return ""; }

std::vector<double> EnergySpectrum::of(const std::array<std::vector<double>, 3>&) const {
  throw std::logic_error("spectra need FFTW, without which this program was built");
}

#endif

}  // namespace halfstep
