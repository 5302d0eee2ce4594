// The Gresho vortex: a ring of triangular velocity whose pressure balances it, at any Mach number.
#include <array>
#include <cmath>

#include "physics/cases/carried_vortex.hpp"
#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/unbounded.hpp"

namespace halfstep {
namespace {

class Gresho : public Case {
 public:
  explicit Gresho(const CaseSetup& setup)
      : mesh_(setup.mesh),
        gas_(setup.gas),
        stream_(setup),
        radius_(setup.parameters.real("radius")),
        speed_(setup.parameters.real("speed")),
        density_(setup.parameters.real("density")) {
    for (int k = 0; k < 2; ++k)
      if (4 * radius_ > mesh_.upper[k] - mesh_.lower[k])
        throw CaseError(
            {"case.radius", "mesh.upper", "mesh.lower"},
            "the vortex, four times case.radius wide, does not fit into the mesh: make it smaller");
    const double mach = setup.parameters.real("mach");
    pressure_ = density_ * speed_ * speed_ / (gas_.gamma * mach * mach);
    if (!(pressure_at(0) > 0))
      throw CaseError({"case.mach"},
                      "case.mach is so large that the pressure at the vortex's centre is not positive: make "
                      "it smaller");
  }

  Conserved<double> initial(const Box& cell) const override { return exact(cell, 0); }
  bool has_exact(double) const override { return true; }
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    if (time <= 0) return "";
    for (int k = 0; k < 3; ++k) {
      const bool moves = stream_.velocity[k] != 0, stays = !moves || k == 2;
      if (mesh_.active(k) && boundary[k][0] != Boundary::periodic &&
          !(stays && stays_uniform(boundary[k], moves)))
        return kBoundaryDisturbs;
    }
    return "";
  }
  std::string objection(int axis, const std::array<Boundary, 2>& sides) const override {
    if (axis == 2 || sides[0] == Boundary::periodic) return "";
    const bool inside = stream_.centre[axis] - 2 * radius_ >= mesh_.lower[axis] &&
                        stream_.centre[axis] + 2 * radius_ <= mesh_.upper[axis];
    return inside ? "" : "the vortex reaches beyond the mesh: change case.centre, or take periodic";
  }

  /// Averages by Gauss's rule with 10 points per axis, which the kinks of the velocity leave an error of some
  /// 1e-3 of what the velocity changes in a cell.
  Conserved<double> exact(const Box& cell, double time) const override {
    static const GaussRule rule = gauss_rule(10);
    return box_average(rule, cell, {true, true, false},
                       [&](const std::array<double, 3>& x) { return to_conserved(at(x, time), gas_); });
  }

 private:
  /// Returns the pressure at the distance r, in radii, that balances the flow: dp/dr = density u^2 / r.
  double pressure_at(double r) const {
    const double rise = r < 1   ? 0.5 * (r * r - 1)
                        : r < 2 ? 4 * std::log(r) - 4 * (r - 1) + 0.5 * (r * r - 1)
                                : 4 * std::log(2.0) - 2.5;
    return pressure_ + density_ * speed_ * speed_ * rise;
  }

  /// Returns the state near the nearest periodic image of the vortex. The speed rises from the centre to the
  /// radius and falls to zero at twice the radius: Gresho & Chan (1990).
  Primitive<double> at(const std::array<double, 3>& x, double time) const {
    const std::array<double, 2> d = stream_.distance(x, time, radius_);
    const double r = std::hypot(d[0], d[1]);
    const double turn = speed_ * (r < 1 ? 1 : r < 2 ? (2 - r) / r : 0);  // speed over r
    return {density_, stream_.velocity[0] - turn * d[1], stream_.velocity[1] + turn * d[0],
            stream_.velocity[2], pressure_at(r)};
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  CarriedVortex stream_;
  double radius_, speed_, density_, pressure_ = 0;
};

const RegisterCase registered{{
    .name = "gresho",
    .summary = "a ring of gas that turns for ever, at any Mach number",
    .reference =
        "P. M. Gresho & S. T. Chan, Int. J. Numer. Methods Fluids 11 (1990) 621; as a gas: F. Miczek, "
        "F. K. Roepke & P. V. F. Edelmann, Astron. Astrophys. 576 (2015) A50",
    .parameters =
        {
            {"mach", 0.01, "", "greatest speed over the sound speed there: sets the pressure", positive()},
            {"speed", 1.0, "", "greatest speed of turning", positive()},
            {"radius", 0.2, "length", "where the gas turns fastest; it rests beyond twice the radius",
             positive()},
            {"density", 1.0, "", "density, uniform", positive()},
            {"velocity", std::vector<double>{0, 0, 0}, "", "of a stream that carries the vortex"},
            {"centre", std::vector<double>{0.5, 0.5, 0}, "", "of the vortex at the start"},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<Gresho>(setup); },
}};

}  // namespace
}  // namespace halfstep
