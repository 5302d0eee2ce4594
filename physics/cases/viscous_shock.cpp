// A shock resolved by viscosity, steady or travelling.
#include "physics/cases/exact/viscous_shock.hpp"

#include <cmath>
#include <string>

#include "physics/cases/case.hpp"
#include "physics/cases/unbounded.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {
namespace {

class ViscousShockWave : public Case {
 public:
  explicit ViscousShockWave(const CaseSetup& setup)
      : mesh_(setup.mesh),
        axis_(setup.parameters.word("axis")[0] - 'x'),
        position_(setup.parameters.real("position")),
        speed_(setup.parameters.real("speed")),
        shock_(setup.gas, setup.parameters.real("density"), setup.parameters.real("pressure"),
               setup.parameters.real("mach"), checked(setup).reference.viscosity) {
    if (!mesh_.active(axis_))
      throw CaseError({"case.axis", "mesh.cells"},
                      "the shock runs along axis " + setup.parameters.word("axis") +
                          ", which has one cell: give mesh.cells more there, or set another case.axis");
  }

  bool knows_terms() const override { return true; }
  std::string objection(int axis, const std::array<Boundary, 2>& sides) const override {
    if (axis != axis_) return "";
    for (const Boundary side : sides)
      if (side != Boundary::inflow && side != Boundary::outflow && side != Boundary::state)
        return "the gas comes from one side of the shock and leaves on the other: [inflow, inflow], "
               "[inflow, outflow], or states of the deck";
    return "";
  }
  Conserved<double> initial(const Box& cell) const override { return exact(cell, 0); }

  bool has_exact(double) const override { return true; }
  /// Holds as long as the shock is inside, ten of its thicknesses from boundaries that hold the initial
  /// state. No wall parallel to the flow may slow the gas.
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    for (int n = 1; n < 3; ++n) {
      const auto& sides = boundary[(axis_ + n) % 3];
      const bool sticks = sides[0] == Boundary::no_slip || sides[1] == Boundary::no_slip;
      if (time > 0 && mesh_.active((axis_ + n) % 3) && (sticks || !stays_uniform(sides, false)))
        return kBoundaryDisturbs;
    }
    const double centre = position_ + speed_ * time, margin = 10 * shock_.thickness();
    const bool inside = centre - margin >= mesh_.lower[axis_] && centre + margin <= mesh_.upper[axis_];
    return inside ? "" : kWaveAtBoundary;
  }

  Conserved<double> exact(const Box& cell, double time) const override {
    const double centre = position_ + speed_ * time;
    const Conserved<double> c = shock_.average(cell.lower[axis_] - centre, cell.upper[axis_] - centre);
    std::array<double, 3> momentum{};
    momentum[axis_] = c.mu + speed_ * c.density;  // seen by an observer at rest
    return {c.density, momentum[0], momentum[1], momentum[2],
            c.energy + speed_ * c.mu + 0.5 * speed_ * speed_ * c.density};
  }

 private:
  static const TransportLaw<double>& checked(const CaseSetup& setup) {
    const TransportLaw<double>& law = setup.terms.transport;
    if (!setup.terms.viscous())
      throw CaseError({"gas.viscosity"}, "a shock without viscosity has no thickness: give gas.viscosity");
    if (law.law != ViscosityLaw::constant)
      throw CaseError({"gas.viscosity_law"},
                      "the exact shock is that of constant viscosity: leave gas.viscosity_law at constant");
    // kappa = mu c_p / Pr, as the table's Prandtl number made it.
    const double at_three_quarters = transport(law.reference.viscosity, 0.75, setup.gas).conductivity;
    if (std::abs(law.reference.conductivity / at_three_quarters - 1) > 1e-12)
      throw CaseError({"gas.prandtl"},
                      "the exact shock is that of Prandtl number 3/4: set gas.prandtl to 0.75");
    if (setup.terms.has_gravity())
      throw CaseError({"gravity"}, "the exact shock is that without gravity: leave gravity at [0, 0, 0]");
    return law;
  }

  Mesh mesh_;
  int axis_;
  double position_, speed_;
  ViscousShock shock_;
};

const RegisterCase registered{{
    .name = "viscous_shock",
    .summary = "the steady shock of a viscous gas at Prandtl number 3/4, standing or travelling, with its "
               "exact profile",
    .reference =
        "R. Becker, Z. Phys. 8 (1922) 321; M. Morduchow & P. A. Libby, J. Aeronaut. Sci. 16 (1949) 674",
    .parameters =
        {
            {"mach", 2.0, "", "Mach number of the gas ahead, seen from the shock", above(1)},
            {"density", 1.0, "", "density ahead, on the lower side", positive()},
            {"pressure", 1.0, "", "pressure ahead", positive()},
            {"position", 0.0, "",
             "coordinate along the axis, at the start, where the velocity is the mean of both sides'"},
            {"speed", 0.0, "", "velocity of the shock along the axis; 0 = it stands"},
            {.name = "axis",
             .fallback = "x",
             .unit = "",
             .meaning = "axis the gas flows along, upwards if the shock stands",
             .choices = {"x", "y", "z"}},
        },
    .make = [](const CaseSetup& setup) { return std::make_unique<ViscousShockWave>(setup); },
}};

}  // namespace
}  // namespace halfstep
