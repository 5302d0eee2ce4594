// A Mach 3 shock running into a sinusoidal density: shocks and fine smooth structure together.
#include <algorithm>

#include "physics/cases/case.hpp"
#include "physics/cases/cell_units.hpp"

namespace halfstep {
namespace {

class ShuOsher : public Case {
 public:
  explicit ShuOsher(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        position_(setup.parameters.real("position")),
        amplitude_(setup.parameters.real("amplitude")),
        wavenumber_(setup.parameters.real("wavenumber")) {
    if (!mesh_.active(0))
      throw CaseError({"mesh.cells"}, "the shock runs along x: mesh.cells needs more than one cell there");
  }

  Conserved<double> initial(const Box& cell) const override {
    const double low = in_cells(mesh_, 0, cell.lower[0]), high = in_cells(mesh_, 0, cell.upper[0]);
    const double share = std::clamp((in_cells(mesh_, 0, position_) - low) / (high - low), 0.0, 1.0);
    // The shock's state as printed in the paper.
    const Conserved<double> behind = to_conserved({3.857143, 2.629369, 0, 0, 10.33333}, gas_);
    if (share == 1) return behind;
    const double a = share > 0 ? position_ : cell.lower[0], b = cell.upper[0];
    const double wave = std::sin(0.5 * wavenumber_ * (a + b)) * sinc(0.5 * wavenumber_ * (b - a));
    const Conserved<double> ahead = to_conserved({1 + amplitude_ * wave, 0, 0, 0, 1}, gas_);
    return share * behind + (1 - share) * ahead;
  }

 private:
  Mesh mesh_;
  IdealGas<double> gas_;
  double position_, amplitude_, wavenumber_;
};

const RegisterCase registered{{
    .name = "shu_osher",
    .summary = "a Mach 3 shock meets a sinusoidal density: fine structure behind a shock",
    .reference = "C.-W. Shu & S. Osher, J. Comput. Phys. 83 (1989) 32, example 8",
    .parameters =
        {
            {"position", -4.0, "", "x of the shock at the start"},
            {"amplitude", 0.2, "", "of the density wave 1 + amplitude sin(wavenumber x)",
             Range{.low = 0, .high = 1, .open_high = true}},
            {"wavenumber", 5.0, "", "of the density wave, radians per unit length", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<ShuOsher>(setup); },
}};

}  // namespace
}  // namespace halfstep
