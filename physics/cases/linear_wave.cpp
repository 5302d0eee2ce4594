// Small-amplitude waves of a chosen family on a uniform stream, along any direction that fits a periodic box.
#include <array>
#include <numbers>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

class LinearWave : public Case {
 public:
  explicit LinearWave(const CaseSetup& setup) : mesh_(setup.mesh) {
    const Values& p = setup.parameters;
    for (int k = 0; k < 3; ++k) {
      const auto waves = p.integers("waves")[k];
      if (waves != 0 && !mesh_.active(k))
        throw CaseError({"case.waves", "mesh.cells"},
                        std::string("case.waves asks for waves along ") + "xyz"[k] +
                            ", which has one cell: give mesh.cells more there, or set that count to 0");
      wavevector_[k] = 2 * std::numbers::pi * static_cast<double>(waves) / (mesh_.upper[k] - mesh_.lower[k]);
    }
    const double k = std::sqrt(dot(wavevector_, wavevector_));
    if (k == 0) throw CaseError({"case.waves"}, "case.waves is all zero: a wave needs a direction");

    const double density = p.real("density"), pressure = p.real("pressure"), amplitude = p.real("amplitude");
    const double c = sound_speed(density, pressure, setup.gas), g = setup.gas.gamma;
    const Vector u{p.reals("velocity")[0], p.reals("velocity")[1], p.reals("velocity")[2]};
    background_ = to_conserved({density, u[0], u[1], u[2], pressure}, setup.gas);

    // The right eigenvectors of the primitive equations, scaled so that amplitude is the relative change of
    // density (sound, entropy) or the change of velocity over c (shear).
    const std::string& family = p.word("family");
    double d_density = 0, d_pressure = 0, speed = 0;
    Vector d_velocity{};
    const auto along = [&](const Vector& direction, double size) {
      for (int i = 0; i < 3; ++i) d_velocity[i] = size * direction[i];
    };
    const Vector n{wavevector_[0] / k, wavevector_[1] / k, wavevector_[2] / k};
    if (family == "sound_left" || family == "sound_right") {
      const double side = family == "sound_left" ? -1 : 1;
      d_density = amplitude * density;
      d_pressure = amplitude * g * pressure;
      along(n, side * amplitude * c);
      speed = dot(u, n) + side * c;
    } else {
      speed = dot(u, n);
      if (family == "entropy") d_density = amplitude * density;
      const double flat = std::hypot(n[0], n[1]);  // the wave's angles, as in Stone et al. (2008)
      const double cos_b = flat > 0 ? n[0] / flat : 1, sin_b = flat > 0 ? n[1] / flat : 0;
      if (family == "shear_v") along({-sin_b, cos_b, 0}, amplitude * c);
      if (family == "shear_w") along({-n[2] * cos_b, -n[2] * sin_b, flat}, amplitude * c);
    }
    frequency_ = k * speed;
    first_ = {d_density, u[0] * d_density + density * d_velocity[0],
              u[1] * d_density + density * d_velocity[1], u[2] * d_density + density * d_velocity[2],
              0.5 * dot(u, u) * d_density + density * dot(u, d_velocity) + d_pressure / (g - 1)};
    // A shear wave is exact with its second-order energy; so is an entropy wave, which has none.
    if (family == "shear_v" || family == "shear_w")
      shear_energy_ = 0.5 * density * dot(d_velocity, d_velocity);
  }

  Conserved<double> initial(const Box& cell) const override { return exact(cell, 0); }
  bool has_exact(double) const override { return true; }
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    const double momentum[3] = {background_.mu, background_.mv, background_.mw};
    const double change[3] = {first_.mu, first_.mv, first_.mw};
    for (int k = 0; k < 3; ++k) {
      if (!mesh_.active(k) || boundary[k][0] == Boundary::periodic) continue;
      const bool moves = momentum[k] != 0 || change[k] != 0;
      if (time > 0 && (wavevector_[k] != 0 || !stays_uniform(boundary[k], moves))) return kBoundaryDisturbs;
    }
    return "";
  }

  Conserved<double> exact(const Box& cell, double time) const override {
    // Means of sin(phase) and of sin^2 over a box are products of sinc, one for each axis.
    double phase = -frequency_ * time, damp = 1, damp2 = 1;
    for (int k = 0; k < 3; ++k) {
      phase += wavevector_[k] * (cell.center(k) - mesh_.lower[k]);
      damp *= sinc(0.5 * wavevector_[k] * cell.width(k));
      damp2 *= sinc(wavevector_[k] * cell.width(k));
    }
    Conserved<double> state = background_ + (damp * std::sin(phase)) * first_;
    state.energy += shear_energy_ * 0.5 * (1 - damp2 * std::cos(2 * phase));
    return state;
  }

 private:
  Mesh mesh_;
  Vector wavevector_{};
  double frequency_ = 0, shear_energy_ = 0;
  Conserved<double> background_{}, first_{};
};

const RegisterCase registered{{
    .name = "linear_wave",
    .summary = "a sound, entropy or shear wave on a uniform stream, in any direction of a periodic box",
    .reference = "J. M. Stone et al., Astrophys. J. Suppl. 178 (2008) 137",
    .parameters =
        {
            {.name = "family",
             .fallback = "sound_right",
             .unit = "",
             .meaning =
                 "which wave; entropy and shear waves are exact for any amplitude, sound waves to its square",
             .choices = {"sound_left", "sound_right", "entropy", "shear_v", "shear_w"}},
            {"amplitude", 1.0e-6, "",
             "relative change of density (sound, entropy), velocity over sound speed (shear)",
             Range{.low = -1, .high = 1, .open_low = true, .open_high = true}},
            {"waves", std::vector<std::int64_t>{1, 0, 0}, "",
             "number of wavelengths in the box along x, y and z"},
            {"density", 1.0, "", "density of the stream", positive()},
            {"velocity", std::vector<double>{0, 0, 0}, "", "velocity (x, y, z) of the stream"},
            {"pressure", 0.6, "", "pressure of the stream; 0.6 makes the sound speed 1 for gamma = 5/3",
             positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<LinearWave>(setup); },
}};

}  // namespace
}  // namespace halfstep
