// Double Mach reflection: a Mach 10 shock at 60 degrees to a reflecting wall.
#include <algorithm>
#include <numbers>

#include "physics/cases/case.hpp"

namespace halfstep {
namespace {

/// Returns the integral of clamp(s, 0, 1) from 0 to s.
double clamp_integral(double s) { return s <= 0 ? 0 : s >= 1 ? s - 0.5 : 0.5 * s * s; }

class DoubleMach : public Case {
 public:
  explicit DoubleMach(const CaseSetup& setup) : gas_(setup.gas) {
    if (!setup.mesh.active(0) || !setup.mesh.active(1))
      throw CaseError({"mesh.cells"},
                      "the shock lies in the x-y plane: mesh.cells needs more than one cell along both");
    const Values& p = setup.parameters;
    const double mach = p.real("mach"), g = gas_.gamma;
    foot_ = p.real("foot");
    ahead_ = {p.real("density"), 0, 0, 0, p.real("pressure")};
    // The Rankine-Hugoniot jump of a shock running into gas at rest: Toro (2009), section 3.1.3.
    const double c = sound_speed(ahead_.density, ahead_.pressure, gas_), m2 = mach * mach;
    shock_speed_ = mach * c;
    const double u = 2 * c * (mach - 1 / mach) / (g + 1);
    behind_ = {ahead_.density * (g + 1) * m2 / ((g - 1) * m2 + 2), u * 0.5 * std::numbers::sqrt3, -0.5 * u, 0,
               ahead_.pressure * (2 * g * m2 - g + 1) / (g + 1)};
  }

  Conserved<double> initial(const Box& cell) const override {
    // The share left of the shock's line x = foot + y / sqrt(3): the mean over y of the clamped share in x.
    const auto share_at = [&](double y) {
      return (foot_ + y * std::numbers::inv_sqrt3 - cell.lower[0]) / cell.width(0);
    };
    const double low = share_at(cell.lower[1]), high = share_at(cell.upper[1]);
    const double share = (clamp_integral(high) - clamp_integral(low)) / (high - low);
    if (low >= 1) return to_conserved(behind_, gas_);
    if (high <= 0) return to_conserved(ahead_, gas_);
    return share * to_conserved(behind_, gas_) + (1 - share) * to_conserved(ahead_, gas_);
  }

  /// The foot of the shock at height y moves along x at speed / sin(60 degrees). Below y = 0 the shock stands
  /// upright, so that all ghost cells left of the wall are behind it.
  DirichletState dirichlet() const override {
    constexpr double kInverseTan = std::numbers::inv_sqrt3, kInverseSin = 2 * std::numbers::inv_sqrt3;
    DirichletState d;
    const Formula x = d.formulas.coordinate(0), y = d.formulas.coordinate(1), t = d.formulas.time();
    d.set_part(1, 0, less(x, foot_), Boundary::reflecting);
    const Formula front = foot_ + max(y, 0) * kInverseTan + shock_speed_ * t * kInverseSin;
    const Formula is_behind = less(x, front);
    const auto member = [&](double Primitive<double>::*q) {
      return select(is_behind, behind_.*q, ahead_.*q);
    };
    using Q = Primitive<double>;
    d.set_state(member(&Q::density), {member(&Q::u), member(&Q::v), member(&Q::w)}, member(&Q::pressure));
    return d;
  }

 private:
  IdealGas<double> gas_;
  double foot_ = 0, shock_speed_ = 0;
  Primitive<double> ahead_{}, behind_{};
};

const RegisterCase registered{{
    .name = "double_mach",
    .summary = "double Mach reflection: a Mach 10 shock meets a wall at 60 degrees",
    .reference = "P. Woodward & P. Colella, J. Comput. Phys. 54 (1984) 115",
    .parameters =
        {
            {"mach", 10.0, "", "Mach number of the shock", above(1)},
            {"foot", 1.0 / 6, "", "x where the shock meets the wall at the start, and where the wall begins"},
            {"density", 1.4, "", "density ahead of the shock", positive()},
            {"pressure", 1.0, "", "pressure ahead of the shock", positive()},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<DoubleMach>(setup); },
}};

}  // namespace
}  // namespace halfstep
