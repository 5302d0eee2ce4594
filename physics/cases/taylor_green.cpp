// The Taylor-Green vortex: large vortices that break down into turbulence.
#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"

namespace halfstep {
namespace {

class TaylorGreen : public Case {
 public:
  explicit TaylorGreen(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        density_(setup.parameters.real("density")),
        speed_(setup.parameters.real("speed")) {
    if (mesh_.dimensions() < 3)
      throw CaseError({"mesh.cells"},
                      "the Taylor-Green vortex is three-dimensional: mesh.cells needs more than one cell "
                      "along every axis");
    const double mach = setup.parameters.real("mach");
    pressure_ = density_ * speed_ * speed_ / (gas_.gamma * mach * mach);
    // The pressure is lowest, by 3/8 of density speed^2, in the middle of the vortices' edges.
    if (pressure_ <= 0.375 * density_ * speed_ * speed_)
      throw CaseError({"case.mach"},
                      "case.mach is so large that the pressure is not positive everywhere: make it smaller");
  }

  /// Returns the vortex of Brachet et al. (1983), with the pressure of the divergence-free flow; one
  /// wavelength in the box along each axis. All terms are products of functions of one coordinate, so the
  /// means are exact.
  Conserved<double> initial(const Box& cell) const override {
    struct {
      double sin, cos, sin2, cos2, cos_double;
    } mean[3];
    for (int k = 0; k < 3; ++k) {
      const double a = in_mean_widths(mesh_, k, cell.lower[k]), b = in_mean_widths(mesh_, k, cell.upper[k]),
                   n = mesh_.cells[k];
      const double twice = mean_cos(a, b, n, 2);
      mean[k] = {mean_sin(a, b, n, 1), mean_cos(a, b, n, 1), 0.5 * (1 - twice), 0.5 * (1 + twice), twice};
    }
    const auto& [x, y, z] = mean;
    const double pressure =
        pressure_ + density_ * speed_ * speed_ / 16 * (x.cos_double + y.cos_double) * (z.cos_double + 2);
    const double square = x.sin2 * y.cos2 + x.cos2 * y.sin2;
    return {density_, density_ * speed_ * (x.sin * y.cos * z.cos),
            -density_ * speed_ * (x.cos * y.sin * z.cos), 0,
            pressure / (gas_.gamma - 1) + 0.5 * density_ * speed_ * speed_ * square * z.cos2};
  }

 private:
  Mesh mesh_;
  IdealGas<double> gas_;
  double density_, speed_, pressure_ = 0;
};

const RegisterCase registered{{
    .name = "taylor_green",
    .summary = "the Taylor-Green vortex: large vortices that break down into small ones",
    .reference = "M. E. Brachet et al., J. Fluid Mech. 130 (1983) 411",
    .parameters =
        {
            {"mach", 0.1, "", "speed over the sound speed of the mean pressure: sets that pressure",
             positive()},
            {"density", 1.0, "", "density at the start, uniform", positive()},
            {"speed", 1.0, "", "greatest speed at the start", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<TaylorGreen>(setup); },
}};

}  // namespace
}  // namespace halfstep
