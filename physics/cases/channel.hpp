// The common base of cases whose exact solution is a steady flow between two walls across y, uniform along x
// and z.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "physics/cases/case.hpp"
#include "physics/cases/exact/quadrature.hpp"
#include "physics/cases/unbounded.hpp"
#include "physics/gas/transport.hpp"

namespace halfstep {

/// Returns the setup after checking that it is that of a channel with constant viscosity; throws CaseError.
inline const CaseSetup& channel(const CaseSetup& setup) {
  if (!setup.mesh.active(1))
    throw CaseError({"mesh.cells"}, "the walls are the y sides: mesh.cells needs more than one cell along y");
  if (!setup.terms.viscous())
    throw CaseError({"gas.viscosity"}, "the exact flow is that of a viscous gas: give gas.viscosity");
  if (setup.terms.transport.law != ViscosityLaw::constant)
    throw CaseError({"gas.viscosity_law"},
                    "the exact flow is that of constant viscosity: leave gas.viscosity_law at constant");
  return setup;
}

inline std::vector<Parameter> channel_parameters() {
  return {
      {"pressure", 1.0, "", "pressure throughout", positive()},
      {"disturbance", 0.0, "",
       "greatest x-velocity that the start has beyond the steady state, half a wave across the channel; the "
       "exact solution is known again when it has died away"}};
}

/// Returns the Prandtl number, from kappa = mu c_p / Pr.
inline double prandtl_of(const CaseSetup& setup) {
  const Transport<double>& t = setup.terms.transport.reference;
  return t.viscosity * setup.gas.gamma / ((setup.gas.gamma - 1) * t.conductivity);
}

class ChannelFlow : public Case {
 public:
  bool knows_terms() const override { return true; }
  std::string objection(int axis, const std::array<Boundary, 2>& sides) const override {
    if (axis != 1 || (sides[0] == Boundary::no_slip && sides[1] == Boundary::no_slip)) return "";
    return "the flow is one between walls that the gas sticks to: [no_slip, no_slip]";
  }

  Conserved<double> initial(const Box& cell) const override { return mean(cell, disturbance_); }

  /// Whether a disturbance has decayed to e^-20.
  bool has_exact(double time) const override { return disturbance_ == 0 || time >= 20 * slowest_decay_; }
  /// The walls may slide along x and z.
  std::string lost_exact(const Boundaries& boundary, double time) const override {
    for (const int along : {0, 2})
      if (time > 0 && mesh_.active(along) && !stays_uniform(boundary[along], true)) return kBoundaryDisturbs;
    return "";
  }
  Conserved<double> exact(const Box& cell, double /*time*/) const override { return mean(cell, 0); }

 protected:
  /// Returns the steady state at eta, from 0 at the lower wall to 1 at the upper.
  using Steady = std::function<Primitive<double>(double eta)>;

  /// `disturbance`: the largest velocity along x that is added to the steady one at the start. `adiabatic`:
  /// one of the walls is adiabatic.
  ChannelFlow(const CaseSetup& setup, Steady steady, double disturbance, bool adiabatic)
      : mesh_(setup.mesh), gas_(setup.gas), steady_(std::move(steady)), disturbance_(disturbance) {
    // The slowest mode of the diffusion of momentum or heat has half a wavelength between the walls, that of
    // heat a quarter if one of them is adiabatic. The density is bounded by the largest of three places.
    double density = 0;
    for (const double eta : {0.0, 0.5, 1.0}) density = std::max(density, steady_(eta).density);
    const Transport<double>& t = setup.terms.transport.reference;
    const double heat_capacity = gas_.gamma / (gas_.gamma - 1);
    const double half_wave = std::numbers::pi / (mesh_.upper[1] - mesh_.lower[1]);
    const double heat_wave = adiabatic ? 0.5 * half_wave : half_wave;
    slowest_decay_ = density / std::min(t.viscosity * half_wave * half_wave,
                                        t.conductivity / heat_capacity * heat_wave * heat_wave);
  }

 private:
  Conserved<double> mean(const Box& cell, double disturbance) const {
    static const GaussRule rule = gauss_rule(10);
    return interval_average(rule, cell.lower[1], cell.upper[1], [&](double y) {
      double eta = (y - mesh_.lower[1]) / (mesh_.upper[1] - mesh_.lower[1]);
      eta = eta < 0 ? -eta : eta > 1 ? 2 - eta : eta;  // ghost cells: the mirror image
      Primitive<double> q = steady_(eta);
      q.u += disturbance * std::sin(std::numbers::pi * eta);
      return to_conserved(q, gas_);
    });
  }

  Mesh mesh_;
  IdealGas<double> gas_;
  Steady steady_;
  double disturbance_;
  double slowest_decay_;
};

}  // namespace halfstep
