// Decaying isotropic turbulence: a random solenoidal velocity field in a gas of uniform density and pressure.
#include <cmath>
#include <mutex>

#include "physics/cases/case.hpp"
#include "physics/cases/solenoidal_modes.hpp"

namespace halfstep {
namespace {

class Turbulence : public Case {
 public:
  explicit Turbulence(const CaseSetup& setup)
      : gas_(setup.gas),
        density_(setup.parameters.real("density")),
        pressure_(setup.parameters.real("pressure")),
        rms_(setup.parameters.real("mach") * sound_speed(density_, pressure_, gas_)),
        modes_(checked(setup), setup.parameters.real("peak"), setup.parameters.integer("seed")) {}

  /// Returns the state of the cell's average velocity: its pressure is the uniform one.
  Conserved<double> initial(const Box& cell) const override { return state(modes().average(cell)); }
  void initial_rows(const Mesh& mesh, const CellRows& rows, Conserved<double>* to) const override {
    const CellRows of_whole{rows.first_i + mesh.first[0], rows.length, rows.first_j + mesh.first[1],
                            rows.count, rows.k + mesh.first[2]};
    modes().averages(of_whole, [&](int j, int i, const std::array<double, 3>& velocity) {
      to[std::int64_t{j} * rows.length + i] = state(velocity);
    });
  }

  std::string objection(int axis, const std::array<Boundary, 2>& sides) const override {
    if (sides[0] == Boundary::periodic && sides[1] == Boundary::periodic) return "";
    return std::string("the velocity field is periodic: mesh.boundary.") + "xyz"[axis] + "=periodic";
  }
  std::int64_t bytes() const override { return modes_.bytes(); }

 private:
  /// Returns the modes, made when the first cell is asked for: a deck is loaded for more than runs.
  const SolenoidalModes& modes() const {
    std::call_once(made_, [&] { modes_.make(rms_); });
    return modes_;
  }

  /// Returns the mesh. Throws CaseError if it cannot hold the field.
  static const Mesh& checked(const CaseSetup& setup) {
    const Mesh& mesh = setup.mesh;
    if (mesh.dimensions() < 2)
      throw CaseError(
          {"mesh.cells"},
          "a solenoidal field along one axis is uniform: mesh.cells needs more than one cell along "
          "two axes or three");
    double widest = 0, longest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!mesh.active(axis)) continue;
      widest = std::max(widest, mesh.spacing(axis));
      longest = std::max(longest, mesh.upper[axis] - mesh.lower[axis]);
    }
    if (3 * widest * setup.parameters.real("peak") > longest * (1 + 1e-12))
      throw CaseError({"case.peak", "mesh.cells"},
                      "case.peak is so large that one of its waves has less than three cells: make it "
                      "smaller, or take more "
                      "cells");
    return mesh;
  }

  Conserved<double> state(const std::array<double, 3>& u) const {
    return to_conserved<double>({density_, u[0], u[1], u[2], pressure_}, gas_);
  }

  IdealGas<double> gas_;
  double density_, pressure_, rms_;
  mutable SolenoidalModes modes_;
  mutable std::once_flag made_;
};

const RegisterCase registered{{
    .name = "turbulence",
    .summary =
        "decaying isotropic turbulence: a random solenoidal velocity in a uniform gas at rest on average",
    .reference = "R. S. Rogallo, NASA TM-81315 (1981); spectrum E(k) ~ k^4 exp(-2 (k / peak)^2)",
    .parameters =
        {
            {"mach", 0.3, "",
             "root mean square of the cells' average speed, over the speed of sound: exact on every mesh",
             positive()},
            {"peak", 4.0, "", "wave number with most energy, in waves along the longest side of the box",
             at_least(1)},
            {"seed", std::int64_t{1}, "", "another number gives another field of the same spectrum",
             at_least(0)},
            {"density", 1.0, "", "density at the start, uniform", positive()},
            {"pressure", 1.0, "", "pressure at the start, uniform", positive()},
        },
    .needs_uniform_mesh = true,  // waves are orthogonal on no other, nor resolved alike in all cells
    .make = [](const CaseSetup& setup) { return std::make_unique<Turbulence>(setup); },
}};

}  // namespace
}  // namespace halfstep
