// A vortex carried by a uniform stream: an exact smooth solution of the nonlinear equations.
#include <array>
#include <numbers>

#include "physics/cases/carried_vortex.hpp"
#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

class IsentropicVortex : public Case {
 public:
  explicit IsentropicVortex(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        stream_(setup),
        strength_(setup.parameters.real("strength")),
        radius_(setup.parameters.real("radius")),
        density_(setup.parameters.real("density")),
        pressure_(setup.parameters.real("pressure")) {
    if (!(cooling(0) < 1))
      throw CaseError({"case.strength"},
                      "case.strength is so large that the temperature at the vortex's centre is not "
                      "positive: make it smaller");
  }

  Conserved<double> initial(const Box& cell) const override { return exact(cell, 0); }
  bool has_exact(double) const override { return true; }
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    if (time <= 0) return "";
    const bool holds = boundary[0][0] == Boundary::periodic && boundary[1][0] == Boundary::periodic &&
                       (!mesh_.active(2) || stays_uniform(boundary[2], stream_.velocity[2] != 0));
    return holds ? "" : kBoundaryDisturbs;
  }

  Conserved<double> exact(const Box& cell, double time) const override {
    static const GaussRule rule = gauss_rule(10);
    return box_average(rule, cell, {true, true, false},
                       [&](const std::array<double, 3>& x) { return to_conserved(at(x, time), gas_); });
  }

 private:
  /// Returns the relative drop of the temperature p / rho at r^2, in radii of the vortex.
  double cooling(double r2) const {
    const double g = gas_.gamma, pi = std::numbers::pi;
    return (g - 1) * strength_ * strength_ / (8 * g * pi * pi) * std::exp(1 - r2) * density_ / pressure_;
  }

  /// Returns the state near the nearest periodic image of the vortex: Yee, Sandham & Djomehri (1999).
  Primitive<double> at(const std::array<double, 3>& x, double time) const {
    const std::array<double, 2> d = stream_.distance(x, time, radius_);
    const double r2 = d[0] * d[0] + d[1] * d[1];
    const double turn = strength_ / (2 * std::numbers::pi) * std::exp(0.5 * (1 - r2));
    const double temperature = 1 - cooling(r2), g = gas_.gamma;
    return {density_ * std::pow(temperature, 1 / (g - 1)), stream_.velocity[0] - turn * d[1],
            stream_.velocity[1] + turn * d[0], stream_.velocity[2],
            pressure_ * std::pow(temperature, g / (g - 1))};
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  CarriedVortex stream_;
  double strength_, radius_, density_, pressure_;
};

const RegisterCase registered{{
    .name = "isentropic_vortex",
    .summary = "a vortex carried through a periodic box: smooth, nonlinear and exact for all time",
    .reference = "H. C. Yee, N. D. Sandham & M. J. Djomehri, J. Comput. Phys. 150 (1999) 199",
    .parameters =
        {
            {"strength", 5.0, "", "beta of the paper: the greatest speed of turning is beta / (2 pi)"},
            {"radius", 1.0, "", "of the vortex; a box of 20 radii makes its periodic images negligible",
             positive()},
            {"density", 1.0, "", "density of the stream", positive()},
            {"velocity", std::vector<double>{1, 1, 0}, "", "velocity of the stream"},
            {"pressure", 1.0, "", "pressure of the stream", positive()},
            {"centre", std::vector<double>{0, 0, 0}, "", "of the vortex at the start"},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<IsentropicVortex>(setup); },
}};

}  // namespace
}  // namespace halfstep
